//! The propnet plays the games that the reasoner plays: state by state, at random, and in numbers of paths.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use kolibri::Game;
use kolibri::analysis::Perft;
use kolibri::catalog::GameSource;
use kolibri::catalog::SHIPPED;
use kolibri::conformance::{self, DifferentialTest, differential_test};
use kolibri::datalog;
use kolibri::engine::{
    CompiledNetwork, EngineChoice, EngineKind, EngineReason, LoadError, LoadOptions, Propnet,
    Reasoner, load,
};
use kolibri::game::{
    Engine, Expansion, PlayoutOptions, PlayoutTotals, Playouts, PositionBatch, Role, StateMachine,
};
use kolibri::gdl::{self, Rules};
use kolibri::kif;
use kolibri::search::{LearnedWeights, MinimaxSettings, Searcher, prepare};
use rayon::ThreadPoolBuilder;

use crate::corpus;
use kolibri::util::{Deadline, StopFlag};

fn rules(text: &str) -> Rules {
    gdl::load(text).rules.unwrap()
}

fn shipped(name: &str) -> Rules {
    let game = SHIPPED.iter().find(|game| game.name == name);
    rules(game.unwrap().text)
}

fn propnet(rules: &Rules) -> Propnet {
    Propnet::new(rules, &datalog::EvaluationLimits::default()).unwrap()
}

/// Plays random games on both engines, and says how many states were compared.
fn compare(name: &str, rules: &Rules, games: u64, max_plies: u32) -> usize {
    let options = DifferentialTest {
        seed: 1,
        games,
        max_plies,
        deadline: &Deadline::default(),
    };
    let reasoner = Reasoner::new(rules).unwrap();
    let seen = differential_test(&reasoner, &propnet(rules), options).unwrap_or_else(|apart| {
        let report = apart.difference.report("reasoner", "propnet");
        panic!("{name}: {report}; {:?}", apart.moves)
    });
    assert_eq!(seen.stopped, None, "{name}");
    seen.states
}

#[test]
fn shipped_games_agree_with_the_reasoner() {
    for shipped in SHIPPED {
        let states = compare(shipped.name, &rules(shipped.text), 4, 60);
        assert!(states > 20, "{}: {states}", shipped.name);
    }
}

#[test]
fn shipped_games_obey_the_laws() {
    for shipped in SHIPPED {
        let game = propnet(&rules(shipped.text));
        conformance::check_engine(&game, 1, 4, 40).unwrap();
        let report = conformance::check(&game, 1, 2, 40).unwrap();
        assert_eq!(report.stuck, 0, "{}", shipped.name);
        assert_eq!(report.ends_without_goal, 0, "{}", shipped.name);
    }
}

/// Collected games with recursion, functions, simultaneous moves, variables for whole facts and moves, one role, three
/// roles, a `random` role, connectivity, and goals that are counted.
const COLLECTED: &[&str] = &[
    "bender__games_Hanoi",
    "bender__games_Tetris",
    "bender__games_Maze",
    "dresden2006__CHICKENTICTACTOE_S.3357418559",
    "ggp__ticTacToe",
    "ggp__connectFour",
    "ggp__breakthroughSmall",
    "ggp__blocksWorldSerial",
    "ggp__hanoi_6_disks",
    "ggp__pentago",
    "ggp__snake_2009_big",
    "ggp__biddingTicTacToe_10coins",
    "libgdl__fire_sheep",
    "ggp__cubicup_3player",
    "ggp__nineBoardTicTacToePie",
    "ggp__linesOfAction",
    "ggp__merrills",
    "ggp__reversi",
];

#[test]
fn rule_files_agree_with_the_reasoner() {
    for (name, text) in corpus::texts(COLLECTED) {
        assert!(compare(&name, &rules(&text), 2, 12) > 0);
    }
}

fn counts<G: Engine>(game: &G, threads: usize, depths: usize) -> Vec<u64> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let perft = Perft {
        turns: false,
        deadline: &Deadline::default(),
    };
    let count = |depth| perft.count(pool.as_ref().unwrap(), game, &game.initial(), depth);
    let depths = 1..=depths as u32;
    depths.map(|depth| count(depth).unwrap().paths).collect()
}

/// Figures known from elsewhere: see `games/paths.rs`.
#[test]
fn numbers_of_paths() {
    let known: HashMap<&str, &[u64]> = HashMap::from([
        (
            "tictactoe",
            &[9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0][..],
        ),
        (
            "kolibrat",
            &[3, 9, 30, 100, 404, 1630, 7036, 29874, 133_536],
        ),
        ("checkers", &[7, 49, 302, 1469, 7361, 36768]),
        ("connect-four", &[7, 49, 343, 2401, 16807, 117_649]),
        ("breakthrough", &[22, 484, 11132, 256_036]),
        ("reversi", &[4, 12, 56, 244, 1396, 8200]),
        ("nim", &[16, 206, 2116]),
        ("rock-paper-scissors", &[9, 81, 729, 6075]),
    ]);
    for (name, expected) in known {
        let game = propnet(&shipped(name));
        for threads in [1, 2] {
            assert_eq!(counts(&game, threads, expected.len()), expected, "{name}");
        }
    }
}

fn totals<G: Playouts>(game: &G, count: u64, threads: usize) -> PlayoutTotals {
    let options = PlayoutOptions {
        seed: 1,
        count,
        max_plies: 10_000,
        threads,
        deadline: &Deadline::default(),
    };
    let (totals, ended) = game.playouts(&game.initial(), options);
    assert_eq!(ended, Ok(()));
    totals
}

/// Random games are as long on average, and end as well for each role, as those of the reasoner: both means are within
/// five standard errors, estimated from what goals and lengths can be at most.
#[test]
fn random_games_have_the_reasoners_means() {
    for (name, games) in [
        ("tictactoe", 3000),
        ("connect-four", 600),
        ("kolibrat", 300),
    ] {
        let rules = shipped(name);
        let lanes = totals(&propnet(&rules), 20_000, 2);
        let single = totals(&Reasoner::new(&rules).unwrap(), games, 2);
        assert_eq!(
            (lanes.playouts, lanes.stuck, lanes.too_long),
            (20_000, 0, 0)
        );
        // A goal is from 0 to 100: its standard deviation is at most 50.
        let allowed = 5.0 * 50.0 / (games as f64).sqrt();
        for (one, other) in lanes.mean_goals().iter().zip(single.mean_goals()) {
            let (one, other) = (one.unwrap(), other.unwrap());
            assert!((one - other).abs() < allowed, "{name}: {one} and {other}");
        }
        let (one, other) = (lanes.mean_length().unwrap(), single.mean_length().unwrap());
        assert!(
            (one / other - 1.0).abs() < 0.15,
            "{name}: {one} and {other}"
        );
    }
}

/// The printed network, evaluated line by line on the initial state.
#[test]
fn a_printed_network_computes_the_legal_moves() {
    let rules = shipped("tictactoe");
    let game = Reasoner::new(&rules).unwrap();
    let compiled = CompiledNetwork::new(&rules, &datalog::EvaluationLimits::default()).unwrap();
    let facts = game.state_text(&game.initial());
    let mut holds: HashSet<String> = facts.iter().map(|fact| format!("(true {fact})")).collect();
    for line in kif::parse(&compiled.printer().to_string()).sexprs {
        let text = line.to_string();
        let kif::SexprKind::List(items) = line.kind else {
            continue;
        };
        let is_rule = items[0].to_string() == "<=";
        let all_hold = items.iter().skip(2).all(|condition| {
            let condition = condition.to_string();
            let inner = condition.strip_prefix("(not ");
            match inner.and_then(|inner| inner.strip_suffix(')')) {
                Some(inner) => !holds.contains(inner),
                None => holds.contains(&condition),
            }
        });
        match is_rule {
            true if all_hold => _ = holds.insert(items[1].to_string()),
            true => {}
            false => _ = holds.insert(text),
        }
    }
    let legal = holds.iter().filter(|head| head.starts_with("(legal "));
    let legal: BTreeSet<String> = legal.cloned().collect();
    let cells = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(legal x (mark {x} {y}))")));
    let expected = cells.chain(["(legal o noop)".to_owned()]);
    assert_eq!(legal, expected.collect());
    assert!(!holds.contains("terminal"));
}

/// Terminal and goals depend on `does` here, and are evaluated before any move is made.
const MOVING: &str = "
    (role a) (role b) (init (on 1)) (init (on 2))
    (<= (legal ?p (kill ?x)) (role ?p) (true (on ?x)))
    (<= (legal ?p noop) (role ?p))
    (<= (killed ?x) (does ?p (kill ?x)))
    (<= (lives ?x) (true (on ?x)) (not (killed ?x)))
    (<= (next (on ?x)) (lives ?x))
    (<= somebody (lives ?x))
    (<= terminal (not somebody))
    (<= (goal ?p 100) (role ?p) somebody)
    (<= (goal ?p 0) (role ?p) (not somebody))";

#[test]
fn terminal_is_evaluated_before_moves_are_made() {
    let rules = rules(MOVING);
    assert!(compare("moving", &rules, 10, 20) > 10);
    let one = totals(&propnet(&rules), 500, 1);
    assert_eq!((one.playouts, one.goal_sum), (500, vec![0, 0]));
}

/// In the second state `b` has no move.
const STUCK: &str = "
    (role a) (role b) (init one)
    (legal a wait)
    (<= (legal b wait) (true one))
    (<= (next two) (true one))
    (<= terminal (true three))
    (goal a 50) (goal b 50)";

#[test]
fn a_role_without_a_move_is_reported() {
    let game = propnet(&rules(STUCK));
    let totals = totals(&game, 100, 1);
    assert_eq!(
        (totals.playouts, totals.stuck, totals.plies),
        (100, 100, 100)
    );
    assert_eq!(counts(&game, 1, 2), [1, 0]);
    assert_eq!(conformance::check(&game, 1, 2, 5).unwrap().stuck, 2);
}

/// Any five of a hundred words may make a sentence.
fn explosive() -> String {
    let words: String = (0..100).map(|n| format!("(word {n})")).collect();
    format!(
        "(role a) (init start) {words}
        (<= (legal a (say ?a)) (word ?a))
        (<= (next (said ?a)) (does a (say ?a)))
        (<= (next (said ?a)) (true (said ?a)))
        (<= (sentence ?a ?b ?c ?d ?e) (true (said ?a)) (true (said ?b)) (true (said ?c)) (true (said ?d)) (true (said ?e)))
        (<= terminal (sentence ?a ?b ?c ?d 7))
        (goal a 100)"
    )
}

#[test]
fn rules_too_large_to_ground_run_on_the_reasoner() {
    let source = GameSource::from_text("explosive", &explosive());
    let game = Game::open(source, &LoadOptions::default()).unwrap();
    let report = game.report();
    assert_eq!(report.engine, EngineKind::Reasoner);
    assert!(
        matches!(report.reason, EngineReason::NotGroundable(_)),
        "{}",
        report.reason
    );
    // What does not ground is not ground again to find game facts.
    assert_eq!(game.facts(), None);
    let rules = rules(&explosive());
    let limits = datalog::EvaluationLimits {
        rows: 10_000,
        ..datalog::EvaluationLimits::default()
    };
    assert!(Propnet::new(&rules, &limits).is_err());
}

/// Without the flag, this would go on for an hour.
#[test]
fn compilation_can_be_interrupted() {
    let rules = rules(&explosive());
    let stop = StopFlag::default();
    stop.raise();
    let limits = datalog::EvaluationLimits {
        rows: usize::MAX,
        terms: usize::MAX,
        time: Duration::from_secs(3600),
        stop: stop.clone(),
        ..datalog::EvaluationLimits::default()
    };
    let refused = Propnet::new(&rules, &limits).unwrap_err();
    assert!(refused.to_string().contains("interrupted"), "{refused}");
    let source = GameSource::from_text("explosive", &explosive());
    for engine in [EngineChoice::Auto, EngineChoice::Propnet] {
        let options = LoadOptions {
            stop: stop.clone(),
            ..engine.into()
        };
        assert!(matches!(
            load(&source, &options),
            Err(LoadError::Interrupted)
        ));
    }
}

#[test]
fn a_state_without_persistent_facts_is_refused() {
    let game = propnet(&rules(
        "(role a) (init (at 1)) (init (wall 2)) (n 1) (n 2)
         (<= (legal a (go ?x)) (n ?x) (not (true (wall ?x))))
         (<= (next (at ?x)) (does a (go ?x)))
         (<= (next (wall ?x)) (true (wall ?x)))
         (<= terminal (true (at 2))) (goal a 100)",
    ));
    let state = |facts: &[&str]| {
        let facts: Vec<String> = facts.iter().map(|&fact| fact.to_owned()).collect();
        game.state_from_text(&facts)
    };
    assert_eq!(state(&["(at 1)", "(wall 2)"]), Ok(game.initial()));
    let refused = state(&["(at 1)"]).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("`(wall 2)` holds in every state"),
        "{refused}"
    );
}

#[test]
fn a_state_that_violates_a_mutex_group_is_refused() {
    let game = propnet(&shipped("tictactoe"));
    let start = game.state_text(&game.initial());
    let refused = |facts: &[String]| game.state_from_text(facts).unwrap_err().to_string();
    let without: Vec<String> = start
        .iter()
        .filter(|fact| !fact.contains("2 3"))
        .cloned()
        .collect();
    let missing = refused(&without);
    assert!(missing.contains("one of `(cell 2 3"), "{missing}");
    let twice: Vec<String> = start
        .iter()
        .cloned()
        .chain(["(cell 2 3 x)".to_owned()])
        .collect();
    let together = refused(&twice);
    assert!(together.contains("never hold together"), "{together}");
    assert!(together.contains("`(cell 2 3 x)`"), "{together}");
}

/// Weights learned by self-play depend neither on time nor on the number of threads.
#[test]
fn weights_are_the_same_each_time() {
    let game = propnet(&shipped("tictactoe"));
    let weights = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let mut searcher = Searcher::minimax(MinimaxSettings {
            has_clock: false,
            ..MinimaxSettings::default()
        });
        let budget = (Duration::from_secs(600), &StopFlag::default());
        let mut learned = LearnedWeights::default();
        pool.unwrap()
            .install(|| prepare(&game, Role(0), &mut searcher, &mut learned, budget));
        searcher.weights(&[])
    };
    let first = weights(1);
    assert!(!first.is_empty());
    assert_eq!(weights(3), first);
}

#[test]
fn an_expansion_can_be_cut_short_and_repeated() {
    let game = propnet(&shipped("breakthrough"));
    let mut scratch = game.scratch();
    let (start, mut parents, mut children) = (game.initial(), game.batch(), game.batch());
    game.evaluate_batch(&mut scratch, std::slice::from_ref(&start), &mut parents);
    let mut moves = Vec::new();
    let legal = |scratch: &mut _, role: usize| {
        let mut moves = Vec::new();
        game.legal(scratch, &start, Role(role), &mut moves);
        moves
    };
    let (own, wait) = (legal(&mut scratch, 0), legal(&mut scratch, 1)[0]);
    let steps = 100_000;
    moves.extend((0..steps).flat_map(|step| [own[step % own.len()], wait]));
    let of = vec![0; steps];
    let stop = StopFlag::default();
    stop.raise();
    let halt = Deadline::new(None, &stop);
    game.set_deadline(&mut scratch, Some(&halt));
    game.expand(&mut scratch, &parents, &of, &moves, &mut children);
    assert!(game.is_cut_short(&scratch));
    game.set_deadline(&mut scratch, None);
    assert!(!game.is_cut_short(&scratch));
    game.expand(&mut scratch, &parents, &of, &moves, &mut children);
    assert!(!game.is_cut_short(&scratch));
    for step in [0, steps - 1] {
        let joint = &moves[2 * step..][..2];
        let next = game.next(&mut scratch, &start, joint);
        assert_eq!(PositionBatch::state(&children, step), next);
    }
}
