//! The speed of the lanes: playouts, expansion of many states, one state at a time. The counts are asserted while they are
//! timed.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kolibri::catalog::GameSource;
use kolibri::invariants::mutex_groups;
use kolibri::propnet::circuit::LazyCircuit;
use kolibri::propnet::lanes::{
    Expander, LaneBatch, LaneProgram, LaneTotals, LaneWidth, PlayoutJob, SingleLane, run_playouts,
};
use kolibri::propnet::passes::{reduce, share};
use kolibri::propnet::{build, schedule, turn_networks};
use kolibri::{gdl, ground};

/// How many games one measurement plays.
const GAMES: u64 = 20_000;
/// Each game with a depth and the number of paths there.
const PATHS: [(&str, usize, usize); 3] = [
    ("tictactoe", 5, 15_120),
    ("connect-four", 5, 16_807),
    ("breakthrough", 3, 11_132),
];

/// A shipped game's program, its start, and how many roles it has.
fn prepare(name: &str) -> (LaneProgram, Vec<u64>, usize) {
    let text = GameSource::find(name).expect("the game is shipped").text;
    let rules = gdl::load(&text).rules.expect("shipped rules are checked");
    let ground = ground::ground(&rules, &Default::default()).expect("shipped rules are small");
    let (interface, network) = build(&ground, &mut Vec::new());
    let groups = interface.groups(&mutex_groups(&ground), network.gates.leaves());
    let network = reduce(network, &groups, &|| true, &mut Vec::new());
    let turns = turn_networks(&interface, &network, &groups, &|| true).unwrap_or_default();
    let scheduled = |network| {
        let shared = share(network, &|| true, &mut Vec::new());
        LazyCircuit::from(schedule(&interface, &shared))
    };
    let circuit = scheduled(network);
    let turn_circuits: Vec<LazyCircuit> = turns.networks.into_iter().map(scheduled).collect();
    let word = |bits: &[bool]| (0..).zip(bits).map(|(i, &bit)| u64::from(bit) << i).sum();
    let start = circuit.initial.chunks(64).map(word).collect();
    let program = LaneProgram::with_turns(&circuit, &turns.control, &turn_circuits);
    (program, start, circuit.roles.len())
}

fn random_games(program: &LaneProgram, start: &[u64], width: LaneWidth) -> LaneTotals {
    let options = PlayoutJob {
        seed: 1,
        count: GAMES,
        max_plies: 1000,
        threads: 1,
        width,
        go_on: &|| true,
    };
    let (totals, complete) = run_playouts(program, start, options);
    assert!(complete);
    assert_eq!(
        (totals.playouts, totals.stuck, totals.too_long),
        (GAMES, 0, 0)
    );
    totals
}

/// The paths of `depth` plies, breadth first; the last ply is counted without being made.
fn paths(program: &LaneProgram, start: &[u64], roles: usize, depth: usize) -> usize {
    let mut expander = Expander::new(program);
    let (mut parents, mut children) = (LaneBatch::new(program), LaneBatch::new(program));
    expander.evaluate_batch([start], &mut parents);
    for _ in 1..depth {
        let (of, moves) = joint_moves(&parents, roles);
        expander.expand(&parents, &of, &moves, &mut children, &|| true);
        std::mem::swap(&mut parents, &mut children);
    }
    let open = (0..parents.len()).filter(|&i| !parents.is_terminal(i));
    open.map(|i| {
        (0..roles)
            .map(|role| parents.legal_count(i, role))
            .product::<usize>()
    })
    .sum()
}

/// All joint moves of two roles in states that are not terminal: the state of each, and the moves.
fn joint_moves(batch: &LaneBatch, roles: usize) -> (Vec<u32>, Vec<u32>) {
    assert_eq!(roles, 2);
    let (mut of, mut moves) = (Vec::new(), Vec::new());
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for i in (0..batch.len()).filter(|&i| !batch.is_terminal(i)) {
        batch.legal(i, 0, &mut first);
        batch.legal(i, 1, &mut second);
        for one in &first {
            for other in &second {
                of.push(i as u32);
                moves.extend([one, other]);
            }
        }
    }
    (of, moves)
}

/// Plays first moves until the game is over; returns how many.
fn first_moves(position: &mut SingleLane, start: &[u64], roles: usize) -> usize {
    let (mut state, mut next) = (start.to_vec(), start.to_vec());
    let (mut joint, mut legal) = (Vec::new(), Vec::new());
    let mut plies = 0;
    while !position.is_terminal(&state) {
        joint.clear();
        for role in 0..roles {
            position.legal(&state, role, &mut legal);
            joint.push(legal[0]);
        }
        position.next(&state, &joint, &mut next);
        std::mem::swap(&mut state, &mut next);
        plies += 1;
    }
    plies
}

fn benchmark(c: &mut Criterion) {
    for (name, depth, expected) in PATHS {
        let (program, start, roles) = prepare(name);
        for words in [8, 16] {
            let width = LaneWidth { words };
            let plies = random_games(&program, &start, width).plies;
            let mut group = c.benchmark_group("playouts");
            group
                .throughput(Throughput::Elements(plies))
                .sample_size(20);
            group.bench_function(BenchmarkId::new(name, words), |b| {
                b.iter(|| random_games(&program, &start, width));
            });
            group.finish();
        }
        let mut group = c.benchmark_group("expansion");
        group.throughput(Throughput::Elements(expected as u64));
        group.bench_function(name, |b| {
            b.iter(|| assert_eq!(paths(&program, &start, roles, depth), expected));
        });
        group.finish();
        let mut position = SingleLane::new(&program);
        let plies = first_moves(&mut position, &start, roles);
        let mut group = c.benchmark_group("position");
        group.throughput(Throughput::Elements(plies as u64));
        group.bench_function(name, |b| {
            b.iter(|| assert_eq!(first_moves(&mut position, &start, roles), plies));
        });
        group.finish();
    }
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
