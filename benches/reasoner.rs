//! The reasoner's speed: random playouts and counting paths. The counts are asserted while they are timed.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kolibri::Game;
use kolibri::analysis::Perft;
use kolibri::catalog::GameSource;
use kolibri::engine::EngineChoice;
use kolibri::game::{PlayoutOptions, PlayoutTotals};
use kolibri::util::Deadline;
use rayon::ThreadPoolBuilder;

/// How many games one measurement plays.
const GAMES: u64 = 20;
/// Each game with a depth and the number of paths there.
const PATHS: [(&str, u32, u64); 3] = [
    ("tictactoe", 5, 15120),
    ("connect-four", 4, 2401),
    ("breakthrough", 3, 11132),
];

fn play(name: &str) -> PlayoutTotals {
    let options = PlayoutOptions {
        seed: 1,
        count: GAMES,
        max_plies: 1000,
        threads: 1,
        deadline: &Deadline::default(),
    };
    let (totals, ended) = opened(name).initial().playouts_with(options);
    assert_eq!((ended, totals.playouts), (Ok(()), GAMES));
    totals
}

fn count(name: &str, depth: u32) -> u64 {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.expect("a thread can be started");
    let perft = Perft {
        turns: false,
        deadline: &Deadline::default(),
    };
    let count = opened(name).initial().perft(&perft, &pool, depth);
    count.expect("nothing stops the count").paths
}

fn opened(name: &str) -> Game {
    let source = GameSource::find(name).expect("a shipped game");
    Game::open(source, &EngineChoice::Reasoner.into()).expect("a sound game")
}

/// Rules are read and checked in every measurement, which the work outweighs by far.
fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reasoner");
    group.sample_size(10);
    for (name, depth, paths) in PATHS {
        let plies = play(name).plies;
        group.throughput(Throughput::Elements(plies));
        group.bench_function(BenchmarkId::new("playouts", name), |bencher| {
            bencher.iter(|| assert_eq!(play(name).plies, plies));
        });
        group.throughput(Throughput::Elements(paths));
        group.bench_function(BenchmarkId::new("perft", name), |bencher| {
            bencher.iter(|| assert_eq!(count(name, depth), paths));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
