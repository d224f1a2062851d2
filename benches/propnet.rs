//! The propnet: each stage on the way to it, and each way to run it. The counts are asserted while they are timed.

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use kolibri::analysis::Perft;
use kolibri::catalog::GameSource;
use kolibri::datalog;
use kolibri::engine::{Propnet, self_check};
use kolibri::game::{PlayoutOptions, Playouts, StateMachine, legal_of_all, random_joint_move};
use kolibri::gdl::{Rules, load};
use kolibri::ground::{Ground, ground};
use kolibri::info::game_facts_of;
use kolibri::invariants::mutex_groups;
use kolibri::propnet::circuit::LazyCircuit;
use kolibri::propnet::lanes::LaneProgram;
use kolibri::propnet::passes::{reduce, share};
use kolibri::propnet::{TurnNetworks, build, schedule, turn_networks};
use kolibri::util::{Deadline, StopFlag};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::ThreadPoolBuilder;

/// Each game with a depth and the number of paths there.
const PATHS: [(&str, u32, u64); 6] = [
    ("tictactoe", 7, 148_176),
    ("connect-four", 6, 117_649),
    ("breakthrough", 4, 256_036),
    ("checkers", 7, 179_255),
    ("reversi", 7, 55_092),
    ("lines-of-action", 3, 44_952),
];
/// The self-check is given so long that it is never cut short, since counts are asserted.
const LONG: Duration = Duration::from_secs(600);
const PLAYOUTS: u64 = 5_000;
type Group<'c> = BenchmarkGroup<'c, WallTime>;
const WALKS: u64 = 20;

fn text(name: &str) -> String {
    let source = GameSource::find(name).expect("a shipped game");
    source.text.to_string()
}

fn rules(name: &str) -> Rules {
    load(&text(name)).rules.expect("sound rules")
}

fn propnet(name: &str) -> Propnet {
    Propnet::new(&rules(name), &datalog::EvaluationLimits::default()).expect("a small game")
}

fn stages(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("propnet/stages");
    group.sample_size(10);
    for (name, ..) in PATHS {
        let rules = rules(name);
        let instantiated =
            || ground(&rules, &datalog::EvaluationLimits::default()).expect("a small game");
        let ground = instantiated();
        let (interface, network) = build(&ground, &mut Vec::new());
        let groups = interface.groups(&mutex_groups(&ground), network.gates.leaves());
        let simplified = || {
            let mut passes = Vec::new();
            share(
                reduce(network.clone(), &groups, &|| true, &mut passes),
                &|| true,
                &mut passes,
            )
        };
        let reduced = reduce(network.clone(), &groups, &|| true, &mut Vec::new());
        let per_turn =
            || turn_networks(&interface, &reduced, &groups, &|| true).unwrap_or_default();
        let TurnNetworks { control, networks } = per_turn();
        let small = simplified();
        let circuit = LazyCircuit::from(schedule(&interface, &small));
        let turn_circuits: Vec<LazyCircuit> = networks
            .iter()
            .map(|network| schedule(&interface, network).into())
            .collect();
        let gates = circuit.gate_count();
        let text = text(name);
        group.bench_function(BenchmarkId::new("check", name), |bencher| {
            bencher.iter(|| assert!(load(&text).rules.is_some()));
        });
        group.bench_function(BenchmarkId::new("ground", name), |bencher| {
            bencher.iter(|| assert_eq!(instantiated().rules.len(), ground.rules.len()));
        });
        group.bench_function(BenchmarkId::new("network", name), |bencher| {
            bencher.iter(|| assert_eq!(build(&ground, &mut Vec::new()).1.size(), network.size()));
        });
        let count = mutex_groups(&ground).len();
        group.bench_function(BenchmarkId::new("groups", name), |bencher| {
            let find = |ground: Ground| assert_eq!(mutex_groups(&ground).len(), count);
            bencher.iter_batched(instantiated, find, BatchSize::PerIteration);
        });
        group.bench_function(BenchmarkId::new("simplify", name), |bencher| {
            bencher.iter(|| assert_eq!(simplified().size(), small.size()));
        });
        group.bench_function(BenchmarkId::new("schedule", name), |bencher| {
            bencher.iter(|| assert_eq!(schedule(&interface, &small).gate_count(), gates));
        });
        group.bench_function(BenchmarkId::new("turns", name), |bencher| {
            bencher.iter(|| assert_eq!(per_turn().control, control));
        });
        group.bench_function(BenchmarkId::new("pack", name), |bencher| {
            bencher.iter(|| LaneProgram::with_turns(&circuit, &control, &turn_circuits).pack());
        });
        // With the rules ground once more, as for a game that runs without a network.
        let facts = interface.fluents.len();
        group.bench_function(BenchmarkId::new("game_facts", name), |bencher| {
            let found = || game_facts_of(&rules).expect("a small game").facts.len();
            bencher.iter(|| assert_eq!(found(), facts));
        });
        self_checks(&mut group, name, &rules);
    }
    group.finish();
}

/// The random plies that a propnet plays beside the reasoner before it is used.
fn self_checks(group: &mut Group<'_>, name: &str, rules: &Rules) {
    let game = propnet(name);
    let stop = StopFlag::default();
    let checked = || {
        let seen = self_check(rules, &game, LONG, &stop).expect("both agree");
        assert_eq!(seen.stopped, None);
        seen.states
    };
    let states = checked();
    group.bench_function(BenchmarkId::new("self-check", name), |bencher| {
        bencher.iter(|| assert_eq!(checked(), states));
    });
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
    let options = PlayoutOptions {
        seed: 1,
        count: PLAYOUTS,
        max_plies: 1000,
        threads: 1,
        deadline: &Deadline::default(),
    };
    let (totals, ended) = game.playouts(&game.initial(), options);
    assert_eq!((ended, totals.playouts), (Ok(()), PLAYOUTS));
    totals.plies
}

fn count(game: &Propnet, depth: u32) -> u64 {
    let perft = Perft {
        turns: false,
        deadline: &Deadline::default(),
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
