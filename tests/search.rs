//! The minimax player on rule files of games with known values.

use std::collections::HashMap;
use std::time::Duration;

use kolibri::catalog::GameSource;
use kolibri::datalog;
use kolibri::engine::Propnet;
use kolibri::game::{Role, StateMachine, legal_of_all, random_joint_move};
use kolibri::gdl;
use kolibri::generate::{BreakthroughSize, ConnectFourSize, KolibratSize, NimSize, Size};
use kolibri::search::{
    Heuristics, LearnedWeights, MAX_DEPTH, MinimaxSearcher, MinimaxSettings, SearchLimits,
    SearchOutcome, Searcher, best_move, prepare, think,
};
use kolibri::util::StopFlag;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn propnet(text: &str) -> Propnet {
    let rules = gdl::load(text).rules.unwrap();
    Propnet::new(&rules, &datalog::EvaluationLimits::default()).unwrap()
}

fn of_size(size: &impl Size) -> Propnet {
    propnet(&size.rule_file().unwrap())
}

fn shipped(name: &str) -> Propnet {
    propnet(&GameSource::find(name).unwrap().text)
}

fn memory() -> MinimaxSearcher {
    MinimaxSearcher::new(MinimaxSettings {
        heuristics: Heuristics::NONE,
        ..MinimaxSettings::default()
    })
}

/// The result of a search without a depth limit.
fn solve(
    game: &Propnet,
    state: &<Propnet as StateMachine>::State,
    role: usize,
    memory: &mut MinimaxSearcher,
) -> SearchOutcome<u32> {
    let limits = SearchLimits::to_depth(MAX_DEPTH);
    let found = best_move(game, state, Role(role), &limits, memory).unwrap();
    assert!(found.exact, "{found:?}");
    found
}

/// The goal of the first role, found by a search with a time limit: it accepts deeper table entries, so that games with
/// cycles are solved much sooner.
fn outcome_of_long_game(size: &impl Size) -> u8 {
    let game = of_size(size);
    let mut memory = MinimaxSearcher::new(MinimaxSettings {
        hash: 256,
        heuristics: Heuristics::NONE,
        ..MinimaxSettings::default()
    });
    let limits = SearchLimits {
        time: Some(Duration::from_secs(3600)),
        ..SearchLimits::to_depth(MAX_DEPTH)
    };
    let found = best_move(&game, &game.initial(), Role(0), &limits, &mut memory).unwrap();
    assert!(found.exact && found.value.is_decided(), "{found:?}");
    found.value.goal()
}

/// The goal of the first role, and the distance to the end if it matters.
fn truth(size: &impl Size) -> (u8, Option<u32>) {
    let game = of_size(size);
    let found = solve(&game, &game.initial(), 0, &mut memory());
    (found.value.goal(), found.value.steps())
}

#[test]
fn small_boards_of_connect_four_are_draws() {
    for width in [4, 5] {
        let (goal, _) = truth(&ConnectFourSize { width, height: 4 });
        assert_eq!(goal, 50, "{width} x 4");
    }
}

#[test]
fn connect_four_on_six_by_four_is_won_by_the_second_player() {
    let size = ConnectFourSize {
        width: 6,
        height: 4,
    };
    // John Tromp's table of small boards; with a smaller table it takes more than fifteen million positions.
    let mut memory = MinimaxSearcher::new(MinimaxSettings {
        hash: 256,
        heuristics: Heuristics::NONE,
        ..MinimaxSettings::default()
    });
    let game = of_size(&size);
    let found = solve(&game, &game.initial(), 0, &mut memory);
    assert_eq!(found.value.goal(), 0);
}

#[test]
fn small_boards_of_kolibrat_are_won_as_published() {
    // Width, height, pieces; the winner with a single point, and in how many plies.
    for (width, height, pieces, goal, plies) in [
        (2, 2, 1, 100, 5),
        (2, 2, 2, 0, 6),
        (2, 3, 1, 0, 3),
        (2, 3, 2, 100, 9),
        (2, 3, 3, 0, 10),
        (3, 2, 2, 100, 5),
        (3, 3, 1, 100, 7),
        (3, 3, 2, 100, 9),
        (3, 3, 3, 100, 9),
        (3, 3, 4, 100, 9),
    ] {
        let size = KolibratSize {
            width,
            height,
            pieces,
            goals: 1,
        };
        assert_eq!(
            truth(&size),
            (goal, Some(plies)),
            "{width} x {height}, {pieces} pieces"
        );
    }
}

#[test]
fn small_boards_of_kolibrat_are_won_with_more_points_to_score_too() {
    // Side, pieces; the winner; to how many points.
    for (side, pieces, goal, points) in [
        (2, 1, 100, 2..=5),
        (2, 2, 0, 2..=5),
        (3, 1, 100, 2..=5),
        (3, 2, 100, 2..=5),
        (3, 3, 100, 2..=4),
        (3, 4, 100, 2..=3),
    ] {
        for goals in points {
            let size = KolibratSize {
                width: side,
                height: side,
                pieces,
                goals,
            };
            assert_eq!(
                outcome_of_long_game(&size),
                goal,
                "{side}, {pieces} pieces, {goals}"
            );
        }
    }
}

/// A hand-written Breakthrough: the squares of the side to move and of the other side, file by file from the rank nearest
/// to the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Pieces {
    own: u64,
    others: u64,
}

/// A board of Breakthrough, and the solved positions: whether the side to move wins, and in how many plies.
struct Breakthrough {
    width: u32,
    height: u32,
    known: HashMap<Pieces, (bool, u32)>,
}

impl Breakthrough {
    fn squares(&self) -> u32 {
        self.width * self.height
    }

    fn initial(&self) -> Pieces {
        let camp = (1 << (2 * self.width)) - 1;
        Pieces {
            own: camp,
            others: camp << (self.squares() - 2 * self.width),
        }
    }

    /// The position after moving one piece, seen from the other side.
    fn children(&self, Pieces { own, others }: Pieces) -> Vec<Pieces> {
        let turned = |squares: u64| squares.reverse_bits() >> (64 - self.squares());
        let mut children = Vec::new();
        for square in (0..self.squares() - self.width).filter(|square| own >> square & 1 == 1) {
            let file = square % self.width;
            for to_file in file.saturating_sub(1)..=(file + 1).min(self.width - 1) {
                let to = 1 << (square - file + self.width + to_file);
                let is_straight = to_file == file;
                if own & to == 0 && !(is_straight && others & to != 0) {
                    children.push(Pieces {
                        own: turned(others & !to),
                        others: turned(own & !(1 << square) | to),
                    });
                }
            }
        }
        children
    }

    /// Searches everything.
    fn solve(&mut self, pieces: Pieces) -> (bool, u32) {
        let farthest = (1 << self.width) - 1;
        if pieces.own == 0 || pieces.others & farthest != 0 {
            return (false, 0);
        }
        if let Some(known) = self.known.get(&pieces) {
            return *known;
        }
        let children = self.children(pieces);
        let found: Vec<(bool, u32)> = children.iter().map(|&child| self.solve(child)).collect();
        let lost = found.iter().filter(|(others_win, _)| !others_win);
        let soonest = lost.map(|(_, plies)| plies + 1).min();
        let latest = found.iter().map(|(_, plies)| plies + 1).max();
        let solved = (soonest.is_some(), soonest.or(latest).unwrap());
        self.known.insert(pieces, solved);
        solved
    }
}

#[test]
fn narrow_boards_of_breakthrough_are_won_by_who_should() {
    // The last one takes long, for the loser as long as for the winner.
    for (width, height, roles) in [(2, 5, 0..2), (2, 6, 0..2), (3, 5, 0..1)] {
        let mut board = Breakthrough {
            width: width.into(),
            height: height.into(),
            known: HashMap::new(),
        };
        let (first_wins, plies) = board.solve(board.initial());
        let game = of_size(&BreakthroughSize { width, height });
        for role in roles {
            let found = solve(&game, &game.initial(), role, &mut memory());
            let wins = first_wins == (role == 0);
            assert_eq!(
                (found.value.goal(), found.value.steps()),
                (if wins { 100 } else { 0 }, Some(plies)),
                "{width} x {height}, role {role}"
            );
        }
    }
}

#[test]
fn nim_is_played_by_the_rule() {
    let game = of_size(&NimSize {
        piles: vec![7, 7, 7],
    });
    let mut memory = memory();
    for number in 1..512_u32 {
        let heaps = [number % 8, number / 8 % 8, number / 64];
        let facts = heaps
            .iter()
            .zip(["a", "b", "c"])
            .map(|(n, h)| format!("(heap {h} {n})"));
        let mut facts: Vec<String> = facts.collect();
        facts.push("(control first)".to_owned());
        let state = game.state_from_text(&facts).unwrap();
        let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        // Taking the last stick loses: with heaps of one only, the parity is reversed.
        let wins = match heaps.iter().all(|heap| *heap < 2) {
            true => sum == 0,
            false => sum != 0,
        };
        let found = solve(&game, &state, 0, &mut memory);
        assert_eq!(found.value.goal(), if wins { 100 } else { 0 }, "{heaps:?}");
    }
}

#[test]
fn tictactoe_is_a_draw_and_never_lost() {
    const GAMES: u32 = 10_000;
    let game = shipped("tictactoe");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut scratch = game.scratch();
    for role in [0, 1] {
        let mut memory = memory();
        assert_eq!(
            solve(&game, &game.initial(), role, &mut memory)
                .value
                .goal(),
            50
        );
        // The same position occurs again and again.
        let (mut won, mut known) = (0, HashMap::new());
        for _ in 0..GAMES {
            let mut state = game.initial();
            while !game.is_terminal(&mut scratch, &state) {
                let mut legal = Vec::new();
                legal_of_all(&game, &mut scratch, &state, &mut legal);
                let mut joint = random_joint_move(&legal, &mut rng).unwrap();
                if legal[role].len() > 1 {
                    let best = || solve(&game, &state, role, &mut memory).best;
                    joint[role] = *known.entry(state.clone()).or_insert_with(best);
                }
                state = game.next(&mut scratch, &state, &joint);
            }
            let goal = game.goal(&mut scratch, &state, Role(role)).unwrap();
            assert!(goal >= 50, "lost as role {role}");
            won += u32::from(goal == 100);
        }
        assert!(won > GAMES / 2, "random play loses often: {won}");
    }
}

/// Where `black` wins, it has two goals, and so has none.
const WIN_WITH_TWO_GOALS: &str = "
    (role red) (role black)
    (init (turn red))
    (<= (legal red pass) (true (turn red)))
    (<= (legal red noop) (true (turn black)))
    (<= (legal black noop) (true (turn red)))
    (<= (legal black draw) (true (turn black)))
    (<= (legal black win) (true (turn black)))
    (<= (next (turn black)) (true (turn red)))
    (<= (next drawn) (does black draw))
    (<= (next won) (does black win))
    (<= terminal (true drawn))
    (<= terminal (true won))
    (<= (goal red 50) (true drawn))
    (<= (goal black 50) (true drawn))
    (<= (goal red 0) (true won))
    (<= (goal black 100) (true won))
    (<= (goal black 0) (true won))";

#[test]
fn who_wins_without_a_goal_gets_what_the_other_loses() {
    let game = propnet(WIN_WITH_TWO_GOALS);
    let found = solve(&game, &game.initial(), 1, &mut memory());
    let line: Vec<String> = found.line[1].iter().map(|mv| game.move_text(*mv)).collect();
    assert_eq!((found.value.goal(), &line[1][..]), (100, "win"));
    assert_eq!(
        solve(&game, &game.initial(), 0, &mut memory()).value.goal(),
        0
    );
}

#[test]
fn goals_out_of_reach_prove_no_draw_where_winners_have_no_goal() {
    let whole = GameSource::find("tictactoe").unwrap().text;
    let losers_only = whole.replace("(goal ?p 100)", "(wins ?p)");
    assert_ne!(whole, losers_only);
    let (game, incomplete) = (propnet(&whole), propnet(&losers_only));
    let mut scratch = game.scratch();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut goals, learned) = ([0; 3], &mut LearnedWeights::default());
    for number in 0..60 {
        let (mut state, mut legal) = (game.initial(), Vec::new());
        for _ in 0..2 + number % 3 {
            legal_of_all(&game, &mut scratch, &state, &mut legal);
            let joint = random_joint_move(&legal, &mut rng).unwrap();
            state = game.next(&mut scratch, &state, &joint);
        }
        let same = incomplete
            .state_from_text(&game.state_text(&state))
            .unwrap();
        for role in [0, 1] {
            let goal = solve(&game, &state, role, &mut memory()).value.goal();
            let mut searcher = Searcher::minimax(MinimaxSettings {
                heuristics: "certain".parse().unwrap(),
                has_clock: false,
                ..MinimaxSettings::default()
            });
            let time = (Duration::from_secs(600), &StopFlag::default());
            prepare(&incomplete, Role(role), &mut searcher, learned, time);
            let limits = SearchLimits::to_depth(MAX_DEPTH);
            let found = think(&incomplete, &same, Role(role), &limits, &mut searcher).unwrap();
            assert!(found.exact, "{found:?}");
            assert_eq!(found.value.goal(), goal, "{:?}", game.state_text(&state));
            goals[usize::from(goal) / 50] += 1;
        }
    }
    assert!(goals.iter().all(|count| *count > 0), "{goals:?}");
}
