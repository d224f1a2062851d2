//! The propnet: each stage on the way to it, and each way to run it. The counts are asserted while they are timed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kolibri::analysis::Perft;
use kolibri::catalog::GameSource;
use kolibri::datalog;
use kolibri::game::{Game, Limits, PlayoutOptions, Playouts, legal_of_all, random_joint_move};
use kolibri::gdl::{Rules, load};
use kolibri::ground::{Ground, ground};
use kolibri::machine::Propnet;
use kolibri::propnet::passes::{reduce, share};
use kolibri::propnet::{build, schedule};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::ThreadPoolBuilder;

/// Each game with a depth and the number of paths there.
const PATHS: [(&str, u32, u64); 3] = [
    ("tictactoe", 7, 148_176),
    ("connect-four", 6, 117_649),
    ("breakthrough", 4, 256_036),
];
const PLAYOUTS: u64 = 5_000;
const WALKS: u64 = 20;

fn text(name: &str) -> String {
    let source = GameSource::find(name).expect("a shipped game");
    source.text.to_string()
}

fn rules(name: &str) -> Rules {
    load(&text(name)).rules.expect("sound rules")
}

fn propnet(name: &str) -> Propnet {
    Propnet::new(&rules(name), &datalog::Limits::default()).expect("a small game")
}

fn unlimited(stop: &Arc<AtomicBool>) -> Limits<'_> {
    Limits {
        stop,
        deadline: None,
    }
}

fn stages(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("propnet/stages");
    group.sample_size(10);
    for (name, ..) in PATHS {
        let rules = rules(name);
        let spelt_out = || ground(&rules, &datalog::Limits::default()).expect("a small game");
        let ground = spelt_out();
        let (interface, network) = build(&ground, &mut Vec::new());
        let groups = interface.groups(&ground, network.gates.leaves());
        let simplified = || {
            let mut passes = Vec::new();
            share(
                reduce(network.clone(), &groups, &|| true, &mut passes),
                &|| true,
                &mut passes,
            )
        };
        let small = simplified();
        let gates = schedule(&interface, &small).gate_count();
        let text = text(name);
        group.bench_function(BenchmarkId::new("check", name), |bencher| {
            bencher.iter(|| assert!(load(&text).rules.is_some()));
        });
        group.bench_function(BenchmarkId::new("ground", name), |bencher| {
            bencher.iter(|| assert_eq!(spelt_out().rules.len(), ground.rules.len()));
        });
        group.bench_function(BenchmarkId::new("network", name), |bencher| {
            bencher.iter(|| assert_eq!(build(&ground, &mut Vec::new()).1.size(), network.size()));
        });
        let count = ground.groups().len();
        group.bench_function(BenchmarkId::new("groups", name), |bencher| {
            let find = |ground: Ground| assert_eq!(ground.groups().len(), count);
            bencher.iter_batched(spelt_out, find, BatchSize::PerIteration);
        });
        group.bench_function(BenchmarkId::new("simplify", name), |bencher| {
            bencher.iter(|| assert_eq!(simplified().size(), small.size()));
        });
        group.bench_function(BenchmarkId::new("schedule", name), |bencher| {
            bencher.iter(|| assert_eq!(schedule(&interface, &small).gate_count(), gates));
        });
    }
    group.finish();
}

/// Single steps: random games, one after the other. The number of plies.
fn walk(game: &Propnet) -> u64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut scratch, mut legal, mut plies) = (game.scratch(), Vec::new(), 0);
    for _ in 0..WALKS {
        let mut state = game.initial();
        while !game.is_terminal(&mut scratch, &state) {
            legal_of_all(game, &mut scratch, &state, &mut legal);
            let joint = random_joint_move(&legal, &mut rng).expect("nobody is stuck");
            state = game.next(&mut scratch, &state, &joint);
            plies += 1;
        }
    }
    plies
}

fn play(game: &Propnet) -> u64 {
    let stop = Arc::default();
    let options = PlayoutOptions {
        seed: 1,
        count: PLAYOUTS,
        max_plies: 1000,
        threads: 1,
        limits: unlimited(&stop),
    };
    let (totals, ended) = game.playouts(&game.initial(), options);
    assert_eq!((ended, totals.playouts), (Ok(()), PLAYOUTS));
    totals.plies
}

fn count(game: &Propnet, depth: u32) -> u64 {
    let stop = Arc::default();
    let perft = Perft {
        turns: false,
        limits: unlimited(&stop),
    };
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.expect("a thread can be started");
    let count = perft.count(&pool, game, &game.initial(), depth);
    count.expect("nothing stops the count").paths
}

fn executors(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("propnet/executors");
    group.sample_size(10);
    for (name, depth, paths) in PATHS {
        let game = propnet(name);
        let (steps, plies) = (walk(&game), play(&game));
        group.throughput(Throughput::Elements(steps));
        group.bench_function(BenchmarkId::new("position", name), |bencher| {
            bencher.iter(|| assert_eq!(walk(&game), steps));
        });
        group.throughput(Throughput::Elements(plies));
        group.bench_function(BenchmarkId::new("playouts", name), |bencher| {
            bencher.iter(|| assert_eq!(play(&game), plies));
        });
        group.throughput(Throughput::Elements(paths));
        group.bench_function(BenchmarkId::new("expansion", name), |bencher| {
            bencher.iter(|| assert_eq!(count(&game, depth), paths));
        });
    }
    group.finish();
}

criterion_group!(benches, stages, executors);
criterion_main!(benches);
