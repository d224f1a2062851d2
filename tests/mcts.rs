//! Monte-Carlo tree search of games from rule files.

use kolibri::catalog::SHIPPED;
use kolibri::datalog;
use kolibri::engine::Propnet;
use kolibri::game::{Engine, Role, StateMachine, legal_of_all, random_joint_move};
use kolibri::gdl::load;
use kolibri::search::{
    Heuristics, LearnedWeights, MctsSettings, SearchLimits, SearchOutcome, Searcher, prepare, think,
};
use kolibri::util::StopFlag;
use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::cli::Folder;
use crate::stops::Stopping;

fn propnet(name: &str) -> Propnet {
    let game = SHIPPED.iter().find(|game| game.name == name).unwrap();
    let rules = load(game.text).rules.unwrap();
    Propnet::new(&rules, &datalog::EvaluationLimits::default()).unwrap()
}

fn searcher(playouts: u64) -> Searcher {
    Searcher::mcts(MctsSettings {
        playouts: Some(playouts),
        ..MctsSettings::default()
    })
}

fn limits(seed: u64) -> SearchLimits<'static> {
    SearchLimits {
        seed: Some(seed),
        ..SearchLimits::to_depth(1)
    }
}

/// The state after these moves of the roles in turn, and the role to move.
fn after(game: &Propnet, moves: &[&str]) -> (<Propnet as StateMachine>::State, Role) {
    let mut scratch = game.scratch();
    let (mut state, mut legal) = (game.initial(), Vec::new());
    for wanted in moves {
        legal_of_all(game, &mut scratch, &state, &mut legal);
        let joint = legal.iter().map(|moves| {
            let it = moves.iter().find(|mv| game.move_text(**mv) == *wanted);
            *it.or(moves.first()).unwrap()
        });
        let joint: Vec<u32> = joint.collect();
        assert!(joint.iter().any(|mv| game.move_text(*mv) == *wanted));
        state = game.next(&mut scratch, &state, &joint);
    }
    legal_of_all(game, &mut scratch, &state, &mut legal);
    let mover = legal.iter().position(|moves| moves.len() > 1);
    (state, Role(mover.unwrap()))
}

fn search(game: &Propnet, moves: &[&str], playouts: u64) -> SearchOutcome<u32> {
    let (state, role) = after(game, moves);
    think(game, &state, role, &limits(1), &mut searcher(playouts)).unwrap()
}

/// Plays one game against random moves, and returns the goal of the player.
fn against_random(game: &Propnet, role: usize, seed: u64) -> u8 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut searcher, mut scratch) = (searcher(10_000), game.scratch());
    let (mut state, mut legal) = (game.initial(), Vec::new());
    while !game.is_terminal(&mut scratch, &state) {
        legal_of_all(game, &mut scratch, &state, &mut legal);
        let mut joint = random_joint_move(&legal, &mut rng).unwrap();
        if legal[role].len() > 1 {
            let found = think(game, &state, Role(role), &limits(seed), &mut searcher).unwrap();
            joint[role] = found.best;
        }
        state = game.next(&mut scratch, &state, &joint);
    }
    game.goal(&mut scratch, &state, Role(role)).unwrap()
}

#[test]
fn tictactoe_is_never_lost_to_random_play() {
    let game = propnet("tictactoe");
    for role in 0..2 {
        let goals: Vec<u8> = (0..60)
            .map(|seed| against_random(&game, role, seed))
            .collect();
        assert!(!goals.contains(&0), "role {role}");
        let wins = goals.iter().filter(|goal| **goal == 100).count();
        assert!(wins > 35, "role {role}: {wins}");
    }
}

#[test]
fn tictactoe_is_proved_to_be_a_draw() {
    let found = search(&propnet("tictactoe"), &[], 2_000_000);
    assert_eq!((found.exact, found.value.goal()), (true, 50));
}

#[test]
fn forced_wins_are_found_and_proved() {
    let game = propnet("connect-four");
    let drop = |columns: &str| -> Vec<String> {
        columns
            .chars()
            .map(|column| format!("(drop {column})"))
            .collect()
    };
    // The best moves, and the length of the shortest win; with 2 plies, the best move only avoids a loss.
    for (columns, best, plies) in [
        ("dcdcdc", "d", 1),
        ("dcdcd", "d", 2),
        ("ddee", "cf", 3),
        ("addee", "cf", 3),
    ] {
        let moves = drop(columns);
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let found = search(&game, &moves, 400_000);
        let column = game.move_text(found.best);
        assert!(
            best.chars().any(|best| column == format!("(drop {best})")),
            "{columns}: {column}"
        );
        if plies == 2 {
            assert!(found.value.goal() < 100, "{columns}");
        } else {
            assert_eq!((found.exact, found.value.goal()), (true, 100), "{columns}");
            assert!(found.line.len() >= plies, "{columns}");
        }
    }
}

#[test]
fn nim_positions_are_proved() {
    // Whoever takes the last stick loses: heaps of 1, 3, 5 and 7 are lost for the role to move.
    let game = propnet("nim");
    let found = search(&game, &["(take d 5)", "(take c 3)"], 1_000_000);
    assert_eq!((found.exact, found.value.goal()), (true, 100));
    let (state, role) = after(&game, &["(take d 6)", "(take c 4)", "(take b 2)"]);
    let found = think(&game, &state, role, &limits(1), &mut searcher(100_000)).unwrap();
    assert!(found.exact);
}

/// A searcher for a role whose leaves are evaluated by weights from little self-play.
fn evaluating<G: Engine>(game: &G, role: Role, learned: &mut LearnedWeights) -> Searcher {
    let mut searcher = Searcher::mcts(MctsSettings {
        training_states: Some(60_000),
        ..MctsSettings::default()
    });
    let limits = (Duration::from_secs(600), &StopFlag::default());
    prepare(game, role, &mut searcher, learned, limits);
    assert!(!searcher.weights(&[]).is_empty());
    searcher
}

fn of_nodes(nodes: u64, threads: usize) -> SearchLimits<'static> {
    SearchLimits {
        nodes: Some(nodes),
        threads,
        ..limits(1)
    }
}

#[test]
fn evaluations_prove_what_playouts_prove() {
    let learned = &mut LearnedWeights::default();
    let game = propnet("tictactoe");
    for threads in [1, 3] {
        let mut searcher = evaluating(&game, Role(0), learned);
        let limits = of_nodes(100_000, threads);
        let found = think(&game, &game.initial(), Role(0), &limits, &mut searcher).unwrap();
        assert_eq!((found.exact, found.value.goal()), (true, 50));
        assert!(found.nodes < 100_000, "the proof ends the search");
    }
    let (game, learned) = (propnet("connect-four"), &mut LearnedWeights::default());
    let columns = ["d", "d", "e", "e"].map(|column| format!("(drop {column})"));
    let (state, role) = after(&game, &columns.each_ref().map(String::as_str));
    let mut searcher = evaluating(&game, role, learned);
    let found = think(&game, &state, role, &of_nodes(20_000, 1), &mut searcher).unwrap();
    assert_eq!((found.exact, found.value.goal()), (true, 100));
    assert!(["(drop c)", "(drop f)"].contains(&&*game.move_text(found.best)));
    assert!(found.line.len() >= 3, "{:?}", found.line);
}

#[test]
fn evaluated_searches_depend_on_the_seed_only() {
    let (game, learned) = (propnet("breakthrough"), &mut LearnedWeights::default());
    let mut found = || {
        let mut searcher = evaluating(&game, Role(0), learned);
        think(
            &game,
            &game.initial(),
            Role(0),
            &of_nodes(3000, 1),
            &mut searcher,
        )
        .unwrap()
    };
    let first = found();
    assert_eq!(first, found());
    assert!((3000..3016).contains(&first.nodes), "{}", first.nodes);
    assert!(
        first
            .moves
            .iter()
            .all(|mv| (1..100).contains(&mv.value.goal()))
    );
}

#[test]
fn the_tree_of_an_evaluated_search_is_kept() {
    let (game, learned) = (propnet("tictactoe"), &mut LearnedWeights::default());
    let mut searcher = evaluating(&game, Role(0), learned);
    let mut state = game.initial();
    let found = think(&game, &state, Role(0), &of_nodes(100_000, 1), &mut searcher).unwrap();
    for joint in &found.line[..2] {
        state = game.next(&mut game.scratch(), &state, joint);
    }
    let again = think(&game, &state, Role(0), &of_nodes(100_000, 1), &mut searcher).unwrap();
    assert_eq!(
        (again.exact, again.value.goal(), again.nodes),
        (true, 50, 0)
    );
}

#[test]
fn states_that_occurred_twice_are_avoided() {
    let (game, learned) = (propnet("breakthrough"), &mut LearnedWeights::default());
    let (start, limits) = (game.initial(), of_nodes(2000, 1));
    let mut searcher = evaluating(&game, Role(0), learned);
    let mut search = |past: &[_]| {
        searcher.set_past_states(past.iter());
        think(&game, &start, Role(0), &limits, &mut searcher).unwrap()
    };
    let after = |joint: &[_]| game.next(&mut game.scratch(), &start, joint);
    let usual = search(&[]);
    let once = after(&usual.line[0]);
    // The tree is kept, in which this move has the most visits.
    let other = search(&[once.clone(), once]);
    assert_ne!(other.best, usual.best);
    let of_usual = other.moves.iter().find(|found| found.mv == usual.best);
    assert_eq!(of_usual.unwrap().value.points(), 45.0);
    // Where there is nothing else, a move is made all the same.
    let joints = usual.moves.iter().map(|found| &found.line[0]);
    let all: Vec<_> = joints
        .flat_map(|joint| [after(joint), after(joint)])
        .collect();
    let forced = search(&all);
    assert_eq!((forced.value.points(), forced.exact), (45.0, false));
}

#[test]
fn playouts_evaluate_where_both_choose_at_once() {
    let (game, learned) = (
        propnet("rock-paper-scissors"),
        &mut LearnedWeights::default(),
    );
    let mut searcher = Searcher::mcts(MctsSettings::default());
    let limits = (Duration::from_secs(60), &StopFlag::default());
    prepare(&game, Role(0), &mut searcher, learned, limits);
    assert!(searcher.weights(&[]).is_empty());
    let start = game.initial();
    let found = think(
        &game,
        &start,
        Role(0),
        &SearchLimits::to_depth(1),
        &mut searcher,
    )
    .unwrap();
    assert!(
        !found.exact && (40..=60).contains(&found.value.goal()),
        "{:?}",
        found.value
    );
}

/// A tree that is kept may know that a state is won before any search from it: by other ways to the same states.
#[test]
fn whoever_has_proved_a_win_plays_it() {
    let folder = Folder::new();
    let run = |words: &str| folder.run(&words.split(' ').collect::<Vec<_>>());
    let made = run("generate nim --piles 5,6,7,4 --output n.kif");
    assert_eq!(made.status, 0, "{}", made.shown());
    let mut proved = 0;
    for seed in 1..=12 {
        let ended = run(&format!(
            "match n.kif --games 1 --seed {seed} --player mcts:playouts=300"
        ));
        assert_eq!(ended.status, 0, "{}", ended.shown());
        let claims = ended
            .out
            .lines()
            .filter(|line| line.ends_with("exact value 100"));
        let claims: Vec<&str> = claims.filter_map(|line| line.split(' ').nth(1)).collect();
        let lost = claims
            .iter()
            .find(|role| !ended.out.contains(&format!("{role} wins")));
        assert_eq!(lost, None, "{}", ended.out);
        proved += claims.len();
    }
    assert!(proved > 12, "{proved}");
}

/// Two roles claim cells in turn, of which there is an odd number; who gets three of the five that count wins.
const CLAIMS: &str = "
(role red) (role blue)
(counts 2) (counts 6) (counts 7) (counts 11) (counts 24)
(init (control red))
(<= (init (free ?c)) (cell ?c))
(<= (legal ?r (claim ?c)) (true (control ?r)) (true (free ?c)))
(<= (legal red noop) (true (control blue)))
(<= (legal blue noop) (true (control red)))
(<= (next (control red)) (true (control blue)))
(<= (next (control blue)) (true (control red)))
(<= (claimed ?c) (does ?r (claim ?c)))
(<= (next (free ?c)) (true (free ?c)) (not (claimed ?c)))
(<= (next (owns ?r ?c)) (does ?r (claim ?c)))
(<= (next (owns ?r ?c)) (true (owns ?r ?c)))
(<= open (true (free ?c)))
(<= terminal (not open))
(<= (has ?r ?c) (true (owns ?r ?c)) (counts ?c))
(<= (most ?r) (has ?r ?a) (has ?r ?b) (has ?r ?c) (distinct ?a ?b) (distinct ?b ?c) (distinct ?a ?c))
(<= (goal ?r 100) (most ?r))
(<= (goal ?r 0) (role ?r) (not (most ?r)))
";

/// Playouts tell which cells count, whenever these are claimed in them.
#[test]
fn what_holds_at_the_ends_of_playouts_leads_to_good_moves() {
    let cells: String = (1..=61).map(|cell| format!("(cell {cell})")).collect();
    let rules = load(&(cells + CLAIMS)).rules.unwrap();
    let game = Propnet::new(&rules, &datalog::EvaluationLimits::default()).unwrap();
    let told_nothing = Stopping::never(&game);
    let counts = ["2", "6", "7", "11", "24"].map(|cell| format!("(claim {cell})"));
    let (mut right, mut right_without) = (0, 0);
    for seed in 0..40 {
        let found = |best| u32::from(counts.contains(&game.move_text(best)));
        right += found(first_move(&game, seed));
        right_without += found(first_move(&told_nothing, seed));
    }
    assert!(
        right >= right_without + 5 && right >= 35,
        "{right}, {right_without}"
    );
    assert_eq!(first_move(&game, 3), first_move(&game, 3));
}

/// A small tree is dropped in part from move to move, with all that it knows of facts.
#[test]
fn a_game_is_played_to_its_end_with_a_small_tree_and_two_threads() {
    let cells: String = (1..=31).map(|cell| format!("(cell {cell})")).collect();
    let rules = load(&(cells + CLAIMS)).rules.unwrap();
    let game = Propnet::new(&rules, &datalog::EvaluationLimits::default()).unwrap();
    let settings = MctsSettings {
        hash: 1,
        playouts: Some(4000),
        ..MctsSettings::default()
    };
    let mut players = [0, 1].map(|_| Searcher::mcts(settings.clone()));
    let (mut scratch, mut state, mut legal) = (game.scratch(), game.initial(), Vec::new());
    let limits = SearchLimits {
        threads: 2,
        ..limits(1)
    };
    let mut plies = 0;
    while !game.is_terminal(&mut scratch, &state) {
        legal_of_all(&game, &mut scratch, &state, &mut legal);
        let moves = players.iter_mut().enumerate().map(|(role, player)| {
            let best = think(&game, &state, Role(role), &limits, player)
                .unwrap()
                .best;
            assert!(legal[role].contains(&best));
            best
        });
        let joint: Vec<u32> = moves.collect();
        state = game.next(&mut scratch, &state, &joint);
        plies += 1;
    }
    assert_eq!(plies, 31);
}

/// A clock that leaves no time to find out all facts of moves changes nothing for searches without one.
#[test]
fn a_search_without_a_clock_does_not_depend_on_an_earlier_one() {
    let game = propnet("tictactoe");
    let settings = MctsSettings {
        heuristics: Heuristics::NONE,
        ..MctsSettings::default()
    };
    let start = game.initial();
    let untimed = |searcher: &mut Searcher| {
        let limits = SearchLimits {
            nodes: Some(2000),
            ..limits(5)
        };
        think(&game, &start, Role(0), &limits, searcher).unwrap()
    };
    let mut hurried = Searcher::mcts(settings.clone());
    let at_once = (Duration::ZERO, &StopFlag::default());
    prepare(
        &game,
        Role(0),
        &mut hurried,
        &mut LearnedWeights::default(),
        at_once,
    );
    let limits = SearchLimits {
        time: Some(Duration::from_millis(1)),
        ..limits(5)
    };
    think(&game, &start, Role(0), &limits, &mut hurried).unwrap();
    assert_eq!(
        untimed(&mut hurried),
        untimed(&mut Searcher::mcts(settings))
    );
}

/// The move that few playouts lead to.
fn first_move<G: Engine>(game: &G, seed: u64) -> G::Move {
    let searcher = &mut searcher(600);
    think(game, &game.initial(), Role(0), &limits(seed), searcher)
        .unwrap()
        .best
}
