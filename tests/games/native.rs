//! The hand-written native engines against the rule files whose words they speak.

use super::position::{Position, game, text};
use kolibri::analysis::Perft;
use kolibri::catalog::GameSource;
use kolibri::conformance::{self, Agreement, DifferentialTest, differential_test};
use kolibri::engine::{AnyEngine, EngineChoice, load};
use kolibri::game::{Engine, PlayoutOptions, PlayoutTotals, Playouts, StateMachine};
use kolibri::native::{
    Breakthrough, Checkers, ConnectFour, Kolibrat, LinesOfAction, NativeEngine, NativeRules,
    TicTacToe,
};
use kolibri::search::{self, MinimaxSettings, Searcher, Value};
use kolibri::util::{Deadline, StopFlag};
use kolibri::{Game, Session};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::ThreadPoolBuilder;
use std::time::Duration;

/// Longer than any match.
const ENDLESS: u32 = 10_000;

/// Compares a native engine with its rule file in whole random games, and puts it through the conformance checks.
pub(super) fn assert_native_engine<R: NativeRules>(
    native: &NativeEngine<R>,
    rules: &str,
    games: u64,
) {
    let rules = game(rules);
    assert_agree(&rules, native, games, ENDLESS);
    assert_agree(native, &rules, games, ENDLESS);
    assert_conforms(native);
}

fn assert_agree<A: StateMachine, B: StateMachine>(
    reference: &A,
    other: &B,
    games: u64,
    max_plies: u32,
) {
    let options = DifferentialTest {
        seed: 1,
        games,
        max_plies,
        deadline: &Deadline::default(),
    };
    let Agreement { ended, stopped, .. } = differential_test(reference, other, options)
        .unwrap_or_else(|apart| panic!("{:?}: {}", apart.moves, apart.difference));
    assert_eq!(stopped, None);
    assert!(ended as u64 == games || max_plies < ENDLESS);
}

fn assert_conforms<R: NativeRules>(native: &NativeEngine<R>) {
    let report = conformance::check(native, 1, 20, 1000).unwrap();
    assert_eq!((report.stuck, report.ends_without_goal), (0, 0));
    conformance::check_engine(native, 1, 4, 100).unwrap();
}

/// Counts paths the native engine's own way, and by expansion.
pub(super) fn assert_paths<R: NativeRules>(native: &NativeEngine<R>, expected: &[u64]) {
    let start = native.initial();
    let deadline = &Deadline::default();
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let turns = false;
    for (depth, &paths) in (1..).zip(expected) {
        assert_eq!(native.paths(&start, depth), paths, "depth {depth}");
        if paths < 1_000_000 {
            let counted = Perft { turns, deadline }.count(&pool, native, &start, depth);
            assert_eq!(counted.unwrap().paths, paths, "depth {depth}");
        }
    }
}

/// 20,000 random games, whose totals are the same for any number of threads.
fn playouts<R: NativeRules>(native: &NativeEngine<R>) -> PlayoutTotals {
    let totals = |threads, count| {
        let options = PlayoutOptions {
            seed: 1,
            count,
            max_plies: ENDLESS,
            threads,
            deadline: &Deadline::default(),
        };
        let (totals, ended) = native.playouts(&native.initial(), options);
        assert_eq!(ended, Ok(()));
        totals
    };
    assert_eq!(totals(1, 1003), totals(3, 1003));
    let totals = totals(1, 20_000);
    assert_eq!(
        (totals.playouts, totals.plies),
        (20_000, totals.plies_of_playouts)
    );
    assert_eq!((totals.stuck, totals.too_long), (0, 0));
    totals
}

/// The mean length of random games is near `length`, and the first player's mean goal near `goal`.
#[track_caller]
fn assert_means(totals: &PlayoutTotals, length: f64, goal: f64) {
    let mean = totals.mean_length().unwrap();
    assert!((mean / length - 1.0).abs() < 0.02, "{mean}");
    let mean = totals.mean_goals()[0].unwrap();
    assert!((mean - goal).abs() < 1.5, "{mean}");
}

#[test]
fn kolibrat() {
    let native = NativeEngine::<Kolibrat>::default();
    assert_native_engine(&native, text("kolibrat"), 20);
    let known = [3, 9, 30, 100, 404, 1630, 7036, 29874, 133_536, 589_096];
    assert_paths(&native, &known);
    assert_means(&playouts(&native), 65.9, 52.3);
}

#[test]
fn tictactoe() {
    let native = NativeEngine::<TicTacToe>::default();
    assert_native_engine(&native, text("tictactoe"), 200);
    let whole_tree = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0];
    assert_paths(&native, &whole_tree);
    assert_means(&playouts(&native), 7.62, 64.8);
}

#[test]
fn connect_four() {
    let native = NativeEngine::<ConnectFour>::default();
    assert_native_engine(&native, text("connect-four"), 20);
    let known = [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234];
    assert_paths(&native, &known);
    assert_means(&playouts(&native), 21.3, 55.7);
}

#[test]
fn breakthrough() {
    let native = NativeEngine::<Breakthrough>::default();
    assert_native_engine(&native, text("breakthrough"), 5);
    assert_paths(&native, &[22, 484, 11132, 256_036, 6_182_818]);
    assert_means(&playouts(&native), 64.0, 50.7);
}

#[test]
fn checkers() {
    let native = NativeEngine::<Checkers>::default();
    assert_native_engine(&native, text("checkers"), 4);
    assert_paths(&native, &[7, 49, 302, 1469, 7361]);
    assert_means(&playouts(&native), 72.5, 49.6);
}

/// A turn with several jumps is one move of the game: the published numbers.
#[test]
fn checkers_by_turns() {
    let native = NativeEngine::<Checkers>::default();
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (turns, deadline) = (true, &Deadline::default());
    let known = [7, 49, 302, 1469, 7361, 36768, 179_740, 845_931];
    for (depth, paths) in (1..).zip(known) {
        let counted = Perft { turns, deadline }.count(&pool, &native, &native.initial(), depth);
        assert_eq!(counted.unwrap().paths, paths, "depth {depth}");
    }
}

/// A position of checkers with up to a dozen pieces anywhere.
fn random_checkers(chance: &mut Xoshiro256PlusPlus) -> Vec<String> {
    let pieces = ["black", "black_king", "red", "red_king"];
    let mut facts = Vec::new();
    for square in (0..64).filter(|square| (square % 8 + square / 8) % 2 == 0) {
        let kind = chance.random_range(0..12usize);
        let piece = pieces.get(kind).unwrap_or(&"blank");
        let file = char::from(b'a' + square % 8);
        facts.push(format!("(cell {file} {} {piece})", square / 8 + 1));
    }
    let mover = ["black", "red"][chance.random_range(0..2usize)];
    facts.push(format!("(control {mover})"));
    facts.push(format!("(turn {})", chance.random_range(70..82)));
    facts
}

/// Kings are rare in random games, and chains of kings rarer.
#[test]
fn checkers_with_kings() {
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..300 {
        let facts = random_checkers(&mut chance);
        let mut one = Position::start_in(NativeEngine::<Checkers>::default()).with(&facts);
        let mut other = Position::start("checkers").with(&facts);
        for _ in 0..8 {
            assert_eq!(one.facts(), other.facts());
            assert_eq!(
                (one.is_over(), one.goals()),
                (other.is_over(), other.goals())
            );
            let legal = ["black", "red"].map(|role| one.legal(role));
            assert_eq!(legal, ["black", "red"].map(|role| other.legal(role)));
            let moves: Vec<&String> = legal
                .iter()
                .flatten()
                .filter(|text| *text != "noop")
                .collect();
            let Some(pick) = moves.get(chance.random_range(0..moves.len().max(1))) else {
                break;
            };
            one.play(pick);
            other.play(pick);
        }
    }
}

#[test]
fn lines_of_action() {
    let native = NativeEngine::<LinesOfAction>::default();
    let rules = game(text("lines-of-action"));
    assert_agree(&rules, &native, 1, 80);
    assert_agree(&native, &rules, 4, 20);
    assert_conforms(&native);
    assert_paths(&native, &[36, 1244, 44952, 1_563_208]);
    assert_means(&playouts(&native), 179.5, 49.7);
}

/// What a search with all heuristics makes of the start.
fn searched(game: &Game, depth: u32) -> (String, Value) {
    let session = Session::new(game);
    let mut searcher = Searcher::minimax(MinimaxSettings {
        has_clock: false,
        ..MinimaxSettings::default()
    });
    // So much time that the clock cuts no training short.
    let long = Duration::from_secs(600);
    session.prepare(0, &mut searcher, long, &StopFlag::default());
    assert!(!searcher.weights(&[]).is_empty(), "weights are learned");
    let limits = search::SearchLimits::to_depth(depth);
    let found = session.search(0, &limits, &mut searcher).unwrap();
    (found.best, found.value)
}

/// The facts of the start that a native engine marks.
fn marked(engine: &AnyEngine) -> Vec<String> {
    match engine {
        AnyEngine::Breakthrough(game) => marked_by(game),
        AnyEngine::Checkers(game) => marked_by(game),
        AnyEngine::ConnectFour(game) => marked_by(game),
        AnyEngine::Kolibrat(game) => marked_by(game),
        AnyEngine::TicTacToe(game) => marked_by(game),
        _ => panic!("no native engine of these games"),
    }
}

fn marked_by<G: Engine>(game: &G) -> Vec<String> {
    let facts = game.game_facts().unwrap();
    let mut words = vec![0; facts.words()];
    game.mark_facts(&game.initial(), &mut words);
    let holds = |fact: &usize| words[fact / 64] >> (fact % 64) & 1 == 1;
    let marked = (0..facts.facts.len()).filter(holds);
    marked.map(|fact| facts.facts[fact].clone()).collect()
}

/// The same search with the same heuristics finds the same move on all engines.
#[test]
fn native_engines_are_searched_like_the_propnet() {
    for (name, depth) in [
        ("breakthrough", 2),
        ("checkers", 3),
        ("connect-four", 4),
        ("kolibrat", 5),
        ("tictactoe", 4),
    ] {
        let source = GameSource::find(name).unwrap();
        let propnet = Game::open(source.clone(), &EngineChoice::Propnet.into()).unwrap();
        let native = Game::open(source.clone(), &EngineChoice::Native.into()).unwrap();
        assert_eq!(
            searched(&native, depth),
            searched(&propnet, depth),
            "{name}"
        );
        let (engine, _) = load(&source, &EngineChoice::Native.into()).unwrap();
        assert_eq!(marked(&engine), native.initial().facts(), "{name}");
    }
}

/// Without one of the facts that every state has, and with one that it cannot have besides, there is no position.
fn assert_refuses<R: NativeRules>(native: &NativeEngine<R>, extras: &[&str]) {
    let facts = native.state_text(&native.initial());
    for missing in 0..facts.len() {
        let mut facts = facts.clone();
        let gone = facts.remove(missing);
        assert!(native.state_from_text(&facts).is_err(), "without {gone}");
    }
    for extra in extras {
        let mut facts = facts.clone();
        facts.push((*extra).to_owned());
        assert!(native.state_from_text(&facts).is_err(), "with {extra}");
    }
}

#[test]
fn what_is_no_position_is_refused() {
    let extras = [
        "(cell 0 0 red)",
        "(score red 1)",
        "(score blue 0)",
        "(control black)",
        "(turn 1)",
    ];
    assert_refuses(&NativeEngine::<Kolibrat>::default(), &extras);
    let extras = [
        "(cell 1 1 x)",
        "(cell 0 1 blank)",
        "(control o)",
        "(step 1)",
        "(control x y)",
    ];
    assert_refuses(&NativeEngine::<TicTacToe>::default(), &extras);
    assert_refuses(
        &NativeEngine::<ConnectFour>::default(),
        &["(cell a 1 red)", "(cell h 1 blank)"],
    );
    assert_refuses(
        &NativeEngine::<Breakthrough>::default(),
        &["(cell a 1 black)", "(cell i 1 blank)"],
    );
    assert_refuses(
        &NativeEngine::<Checkers>::default(),
        &["(cell a 2 blank)", "(chain a 3)", "(turn 82)"],
    );
    assert_refuses(
        &NativeEngine::<LinesOfAction>::default(),
        &["(turn 102)", "(cell a 1 white)"],
    );
    let native = NativeEngine::<ConnectFour>::default();
    let mut facts = native.state_text(&native.initial());
    facts[1] = "(cell a 2 red)".to_owned();
    assert!(
        native
            .state_from_text(&facts)
            .unwrap_err()
            .to_string()
            .contains("hangs")
    );
}
