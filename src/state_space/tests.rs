//! Sizes and values that are known from elsewhere.

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::*;
use crate::catalog::{GameSource, Origin};
use crate::engine::{AnyEngine, EngineChoice, load};
use crate::game::Role;
use crate::generate::{ConnectFourSize, KolibratSize, NimSize, Size};
use crate::util::StopFlag;

pub(super) fn propnet(name: &str, text: &str) -> Propnet {
    let source = GameSource {
        name: name.to_owned(),
        text: text.to_owned(),
        diagnostics: Vec::new(),
        origin: Origin::Shipped,
    };
    match load(&source, &EngineChoice::Propnet.into()).unwrap().0 {
        AnyEngine::Propnet(propnet) => *propnet,
        _ => unreachable!("a propnet was asked for"),
    }
}

pub(super) fn shipped(name: &str) -> Propnet {
    propnet(name, &GameSource::find(name).unwrap().text)
}

pub(super) fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

pub(super) fn space(game: &Propnet, threads: usize, keeps_graph: bool) -> StateSpace {
    space_within(u64::MAX, game, threads, keeps_graph)
}

fn space_within(most_bytes: u64, game: &Propnet, threads: usize, keeps_graph: bool) -> StateSpace {
    let options = SpaceOptions {
        pool: &pool(threads),
        deadline: &Deadline::default(),
        most_bytes,
        most_states: u64::MAX,
        graph: match keeps_graph {
            true => GraphUse::Needed,
            false => GraphUse::Dropped,
        },
        one_chooses: false,
        symmetries: None,
        on_ply: &|_, _| {},
    };
    StateSpace::enumerate(game, &options).unwrap()
}

pub(super) fn solution(game: &Propnet, role: usize) -> Solution {
    let space = space(game, 2, true);
    space.solve(game, Role(role), &Deadline::default()).unwrap()
}

/// What the initial state is worth.
fn value(game: &Propnet, role: usize) -> SolvedValue {
    let initial = game.state_text(&game.initial());
    solution(game, role).value(&initial).unwrap()
}

fn goal(goal: u8, plies: u16) -> SolvedValue {
    SolvedValue::Goal { goal, plies }
}

pub(super) fn kolibrat(width: u8, height: u8, pieces: u8, goals: u8) -> Propnet {
    let size = KolibratSize {
        width,
        height,
        pieces,
        goals,
    };
    propnet("kolibrat", &size.rule_file().unwrap())
}

#[test]
fn tic_tac_toe_has_its_5478_positions() {
    let game = shipped("tictactoe");
    for threads in [1, 3] {
        let space = space(&game, threads, false);
        let totals = space.totals();
        assert_eq!(
            (totals.states, totals.terminal, totals.edges),
            (5_478, 958, 16_167)
        );
        // Schaefer (2002); the positions of each ply are in OEIS A008907.
        assert_eq!(
            totals.by_ply,
            [1, 9, 72, 252, 756, 1_260, 1_520, 1_140, 390, 78]
        );
        let ends: Vec<u64> = totals.ends.iter().map(|end| end.states).collect();
        assert_eq!(ends, [626, 316, 16]);
        // Whoever fills the last square has no choice.
        assert_eq!(
            totals.forced + totals.choices[0].states + totals.choices[1].states,
            5_478 - 958
        );
        assert_eq!((totals.branching.least, totals.branching.most), (1, 9));
    }
}

#[test]
fn a_game_is_solved_for_either_role() {
    let game = shipped("tictactoe");
    assert_eq!([value(&game, 0), value(&game, 1)], [goal(50, 9); 2]);
}

/// Who takes the last stick loses: who is to move wins where the exclusive or of the heaps is not zero, unless no heap has more
/// than one stick (Bouton 1901).
#[test]
fn nim_is_won_as_its_theory_says() {
    for (piles, wins) in [
        (vec![1, 2, 3], false),
        (vec![1, 2, 4], true),
        (vec![2, 2], false),
        (vec![1, 1], true),
        (vec![1, 1, 1], false),
    ] {
        let size = NimSize { piles };
        let game = propnet("nim", &size.rule_file().unwrap());
        let SolvedValue::Goal { goal, .. } = value(&game, 0) else {
            panic!("nim ends");
        };
        assert_eq!(goal == 100, wins, "{:?}", size.piles);
    }
}

/// Complete solutions of small boards, computed twice by programs written for the game.
#[test]
fn kolibrat_is_solved_on_small_boards() {
    for (width, height, pieces, points, expected) in [
        (2, 2, 1, 1, goal(100, 5)),
        (2, 2, 2, 1, goal(0, 6)),
        (2, 3, 1, 1, goal(0, 3)),
        (2, 3, 2, 1, goal(100, 9)),
        (2, 3, 3, 1, goal(0, 10)),
        (3, 2, 4, 1, goal(100, 5)),
        (3, 3, 1, 1, goal(100, 7)),
        (3, 3, 4, 1, goal(100, 9)),
        (2, 4, 1, 1, goal(100, 7)),
        (2, 4, 2, 1, goal(100, 13)),
        (2, 4, 3, 1, goal(100, 17)),
        (3, 4, 1, 1, goal(100, 9)),
        (3, 4, 2, 1, SolvedValue::Endless),
        (2, 4, 4, 2, SolvedValue::Endless),
    ] {
        let game = kolibrat(width, height, pieces, points);
        let found = value(&game, 0);
        assert_eq!(
            found, expected,
            "{width}x{height}, {pieces} pieces, {points} points"
        );
    }
}

/// Who wins on the smaller boards, for games to 1 to 5 points: the same source.
#[test]
fn kolibrat_is_won_on_small_boards_by_who_is_known_to() {
    for (width, height, pieces, winners) in [
        (2, 2, 1, "RRRRR"),
        (2, 2, 2, "BBBBB"),
        (2, 3, 1, "BBBBB"),
        (2, 3, 2, "RRRRR"),
        (2, 3, 3, "BBBBB"),
        (2, 3, 4, "BBBBB"),
        (3, 2, 1, "RRRRR"),
        (3, 2, 2, "RRRRR"),
        (3, 2, 3, "RRRRR"),
        (3, 2, 4, "RRRRR"),
        (3, 3, 1, "RRRRR"),
        (3, 3, 2, "RRRRR"),
        (3, 3, 3, "RRRRR"),
        (3, 3, 4, "RRRRR"),
        (2, 4, 1, "RRRRR"),
        (2, 4, 2, "RRRRR"),
        (2, 4, 3, "RRRRR"),
        (2, 4, 4, "R----"),
    ] {
        let found = (1..=5).map(|points| {
            let value = value(&kolibrat(width, height, pieces, points), 0);
            match value.goal() {
                Some(100) => 'R',
                Some(0) => 'B',
                Some(_) => '=',
                None => '-',
            }
        });
        let found: String = found.collect();
        assert_eq!(found, winners, "{width}x{height}, {pieces} pieces");
    }
}

/// As `docs/reference/measured/state-spaces.md` says.
#[test]
fn the_smallest_board_of_kolibrat_has_its_915_states() {
    let space = space(&kolibrat(2, 2, 2, 4), 1, false);
    assert_eq!((space.totals().states, space.totals().terminal), (915, 95));
}

/// The states in which the game goes on, of the standard board with four pieces, to one point.
#[test]
fn as_many_states_of_kolibrat_have_each_value_as_is_known() {
    let game = kolibrat(3, 4, 4, 1);
    let branching = space(&game, 1, false).totals().branching;
    assert_eq!((branching.states, branching.most), (332_543, 10));
    let mean = branching.mean().unwrap();
    assert!((mean - 4.16).abs() < 0.005, "{mean}");
    let solution = solution(&game, 0);
    let mut counts = [0; 3];
    for state in solution.states().filter(|state| !state.is_terminal) {
        counts[match state.value {
            SolvedValue::Goal { goal: 100, .. } => 0,
            SolvedValue::Goal { .. } => 1,
            SolvedValue::Endless => 2,
        }] += 1;
    }
    assert_eq!(counts, [165_560, 165_554, 1_429]);
}

/// The states of 3x3 squares in which red stands in the middle: that alone does not win.
#[test]
fn a_piece_in_the_middle_of_kolibrat_wins_less_than_half() {
    let solution = solution(&kolibrat(3, 3, 4, 1), 0);
    let mut counts = [0; 4];
    for state in solution.states().filter(|state| !state.is_terminal) {
        let facts = solution.codec().facts_of(&solution.state(&state));
        let has = |fact: &str| facts.iter().any(|one| one == fact);
        if has("(cell 1 1 red)") && state.value != SolvedValue::Endless {
            let is_won = state.value.goal() == Some(100);
            counts[2 * usize::from(has("(control black)")) + usize::from(!is_won)] += 1;
        }
    }
    assert_eq!(counts, [2_669, 998, 689, 3_130]);
}

#[test]
fn every_state_is_listed_with_its_number() {
    let size = ConnectFourSize {
        width: 4,
        height: 4,
    };
    let connect_four = propnet("connect-four", &size.rule_file().unwrap());
    // Bits for all contents of its squares take 16 MiB.
    for (game, is_table) in [(kolibrat(2, 3, 3, 2), false), (connect_four, true)] {
        let StateSpace { set, totals, .. } = space_within(12 << 20, &game, 2, false);
        assert_eq!(set.is_table(), is_table);
        let mut listed = 0;
        set.each(|number, state| {
            assert_eq!(set.number_of(&state), Some(number));
            listed += 1;
        });
        assert_eq!(listed, totals.states);
    }
}

#[test]
fn what_cannot_be_solved_is_told() {
    let game = shipped("rock-paper-scissors");
    let space = space(&game, 1, true);
    let why = space
        .solve(&game, Role(0), &Deadline::default())
        .unwrap_err();
    assert!(matches!(why, SolveError::Simultaneous(_)), "{why}");
}

#[test]
fn games_of_odd_rules_are_enumerated() {
    let empty = propnet(
        "empty",
        "(role a) (legal a x) (<= terminal (true never)) (goal a 50)",
    );
    let all = space(&empty, 1, true);
    assert_eq!((all.totals().states, all.totals().edges), (1, 1));
    let stuck = "(role a) (init (at 0)) (<= (legal a go) (true (at 0))) (<= (legal a stay) (true (at 0))) \
                 (<= (next (at 1)) (does a go)) (<= (next (at 2)) (does a stay)) \
                 (<= terminal (true (at 2))) (goal a 30)";
    let all = space(&propnet("stuck", stuck), 1, true);
    let why = all
        .solve(&propnet("stuck", stuck), Role(0), &Deadline::default())
        .unwrap_err();
    assert_eq!(why, SolveError::Stuck(1));
}

#[test]
fn budgets_end_an_enumeration() {
    let game = shipped("kolibrat");
    let stop = StopFlag::default();
    let pool = pool(2);
    let enumerate = |most_bytes, most_states, graph| {
        let options = SpaceOptions {
            pool: &pool,
            deadline: &Deadline::new(None, &stop),
            most_bytes,
            most_states,
            graph,
            one_chooses: false,
            symmetries: None,
            on_ply: &|_, _| {},
        };
        *StateSpace::enumerate(&game, &options).unwrap_err()
    };
    for graph in [GraphUse::Dropped, GraphUse::IfRoom, GraphUse::Needed] {
        let unfinished = enumerate(1 << 20, u64::MAX, graph);
        assert_eq!(unfinished.why, SpaceError::OutOfMemory(1 << 20));
        assert!(unfinished.totals.states > 1_000, "{:?}", unfinished.totals);
    }
    let unfinished = enumerate(u64::MAX, 3_000, GraphUse::Dropped);
    assert_eq!(unfinished.why, SpaceError::MoreStates(3_000));
    assert!(
        (3_001..30_000).contains(&unfinished.found),
        "{unfinished:?}"
    );
    stop.raise();
    let unfinished = enumerate(1 << 20, u64::MAX, GraphUse::Dropped);
    assert!(matches!(unfinished.why, SpaceError::Expired(_)));
}

#[test]
fn joint_moves_are_given_up_before_states() {
    let game = kolibrat(3, 3, 2, 1);
    let deadline = Deadline::default();
    let pool = pool(2);
    let count = |most_bytes| {
        let options = SpaceOptions {
            pool: &pool,
            deadline: &deadline,
            most_bytes,
            most_states: u64::MAX,
            graph: GraphUse::IfRoom,
            one_chooses: false,
            symmetries: None,
            on_ply: &|_, _| {},
        };
        let mut space = StateSpace::enumerate(&game, &options).unwrap();
        (
            space.totals().states,
            space.bytes(),
            space.count_games(&game, &deadline),
        )
    };
    let (states, bytes, games) = count(u64::MAX);
    assert_eq!(games.map(|games| games.all), Ok(GameCount::Infinite));
    assert_eq!(
        count(bytes + 1),
        (states, bytes, Err(UncountedGames::NoGraph))
    );
}
