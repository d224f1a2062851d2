//! The player's speed: the same search on the rules, on the network and on the native engine, with one thread and with two.
//!
//! Engines and threads must find the same value and move. Nodes are counted per search, so that a rate is nodes by time.

use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kolibri::catalog::GameSource;
use kolibri::datalog;
use kolibri::engine::{Propnet, Reasoner};
use kolibri::game::{Engine, Role};
use kolibri::gdl::{Rules, load};
use kolibri::native::{Breakthrough, Checkers, ConnectFour, Kolibrat, NativeEngine};
use kolibri::search::{
    Heuristics, LearnedWeights, MinimaxSettings, SearchLimits, SearchOutcome, Searcher, prepare,
    think,
};

/// Each game, its search depth, and the depth on the slow reasoner.
const DEPTHS: [(&str, u32, u32); 4] = [
    ("kolibrat", 18, 6),
    ("checkers", 11, 5),
    ("connect-four", 11, 5),
    ("breakthrough", 6, 3),
];

fn rules(name: &str) -> Rules {
    let source = GameSource::find(name).expect("a shipped game");
    load(&source.text).rules.expect("sound rules")
}

/// A new searcher with its table allocated.
fn fresh_mind<G: Engine>(game: &G) -> Searcher {
    let mut searcher = Searcher::minimax(MinimaxSettings {
        hash: 16,
        heuristics: Heuristics::NONE,
        ..MinimaxSettings::default()
    });
    let never = Arc::default();
    let learned = &mut LearnedWeights::default();
    prepare(
        game,
        Role(0),
        &mut searcher,
        learned,
        (Duration::ZERO, &never),
    );
    searcher
}

fn search<G: Engine>(
    game: &G,
    depth: u32,
    threads: usize,
    searcher: &mut Searcher,
) -> SearchOutcome<G::Move> {
    let limits = SearchLimits {
        threads,
        ..SearchLimits::to_depth(depth)
    };
    think(game, &game.initial(), Role(0), &limits, searcher).expect("there are moves")
}

/// Times a game on one engine, and returns what one thread found.
fn time<G: Engine>(
    criterion: &mut Criterion,
    name: &str,
    engine: &str,
    game: &G,
    depth: u32,
) -> String {
    let alone = search(game, depth, 1, &mut fresh_mind(game));
    let mut group = criterion.benchmark_group(format!("search/{name}"));
    group.sample_size(10);
    for threads in [1, 2] {
        let found = search(game, depth, threads, &mut fresh_mind(game));
        assert_eq!(
            (found.value, found.best),
            (alone.value, alone.best),
            "{name}"
        );
        group.throughput(Throughput::Elements(found.nodes));
        let id = BenchmarkId::new(engine, format!("depth {depth}, threads {threads}"));
        group.bench_function(id, |bencher| {
            bencher.iter_batched_ref(
                || fresh_mind(game),
                |searcher| assert_eq!(search(game, depth, threads, searcher).value, alone.value),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
    format!("{} {:?}", game.move_text(alone.best), alone.value)
}

fn native(criterion: &mut Criterion, name: &str, depth: u32) -> String {
    let engine = "native";
    match name {
        "kolibrat" => time(
            criterion,
            name,
            engine,
            &NativeEngine::<Kolibrat>::default(),
            depth,
        ),
        "checkers" => time(
            criterion,
            name,
            engine,
            &NativeEngine::<Checkers>::default(),
            depth,
        ),
        "connect-four" => time(
            criterion,
            name,
            engine,
            &NativeEngine::<ConnectFour>::default(),
            depth,
        ),
        _ => time(
            criterion,
            name,
            engine,
            &NativeEngine::<Breakthrough>::default(),
            depth,
        ),
    }
}

fn engines(criterion: &mut Criterion) {
    for (name, depth, shallow) in DEPTHS {
        let rules = rules(name);
        let network =
            Propnet::new(&rules, &datalog::EvaluationLimits::default()).expect("a small game");
        let reasoner = Reasoner::new(&rules).expect("a small game");
        time(criterion, name, "reasoner", &reasoner, shallow);
        let on_gates = time(criterion, name, "propnet", &network, depth);
        assert_eq!(native(criterion, name, depth), on_gates);
    }
}

criterion_group!(benches, engines);
criterion_main!(benches);
