//! Playouts against the plainest player there is.

use proptest::prelude::*;

use crate::propnet::circuit::Circuit;
use crate::propnet::lanes::generator::Generator;
use crate::propnet::lanes::toy::{self, Naive};
use crate::propnet::lanes::{Options, Program, Shape, Totals, play};

const SHAPES: [(usize, u32); 6] = [(1, 1), (4, 1), (8, 1), (16, 1), (4, 2), (8, 3)];

fn options(count: u64, max_plies: u32) -> Options<'static> {
    Options {
        seed: 17,
        count,
        max_plies,
        threads: 1,
        shape: Shape {
            words: 1,
            period: 1,
        },
        go_on: &|| true,
    }
}

/// One playout after the other, one state at a time.
fn naive(circuit: &Circuit, options: Options<'_>) -> Totals {
    let mut totals = Totals::new(circuit.roles.len());
    for number in 0..options.count {
        let mut generator = Generator::new(options.seed, number);
        let mut state = toy::pack(&circuit.initial);
        let mut plies = 0;
        let roles = 0..circuit.roles.len();
        loop {
            let now = Naive::new(circuit, &state);
            if now.is_terminal() {
                for role in roles {
                    let goal = Naive::new(circuit, &state).goal(role);
                    totals.goal_sum[role] += u64::from(goal.unwrap_or(0));
                    totals.goal_count[role] += u64::from(goal.is_some());
                }
                break;
            }
            if plies >= options.max_plies {
                totals.too_long += 1;
                break;
            }
            let legal: Vec<_> = roles.clone().map(|role| now.legal(role)).collect();
            if legal.iter().any(Vec::is_empty) {
                totals.stuck += 1;
                break;
            }
            let mut pick = |moves: &Vec<u32>| moves[generator.below(moves.len() as u32) as usize];
            let joint: Vec<_> = legal.iter().map(&mut pick).collect();
            state = now.next(&joint);
            plies += 1;
        }
        totals.playouts += 1;
        totals.plies += u64::from(plies);
        totals.plies_of_playouts += u64::from(plies);
    }
    totals
}

/// All shapes and numbers of threads give what the plainest player gives.
fn compare(circuit: &Circuit, options: Options<'_>) -> Totals {
    let program = Program::new(circuit);
    let start = toy::pack(&circuit.initial);
    let expected = naive(circuit, options);
    for (words, period) in SHAPES {
        for threads in [1, 3] {
            let shape = Shape { words, period };
            let options = Options {
                threads,
                shape,
                ..options
            };
            let (totals, complete) = play(&program, &start, options);
            assert!(complete);
            assert_eq!(totals, expected, "{shape:?}, {threads} threads");
        }
    }
    expected
}

#[test]
fn games_that_end() {
    let totals = compare(&toy::nim(30, 4), options(700, 100));
    assert_eq!(
        (totals.playouts, totals.stuck, totals.too_long),
        (700, 0, 0)
    );
    assert_eq!(totals.goal_sum.iter().sum::<u64>(), 70_000);
    compare(&toy::ring(40), options(300, 100));
}

#[test]
fn games_that_are_too_long() {
    let totals = compare(&toy::nim(30, 4), options(500, 11));
    assert!(0 < totals.too_long && totals.too_long < 500);
    assert_eq!(compare(&toy::nim(30, 4), options(50, 0)).too_long, 50);
}

#[test]
fn games_in_which_a_role_is_left_without_a_move() {
    let mut circuit = toy::nim(30, 4);
    // Nobody may take the last counters one by one.
    circuit.inputs[0].legal = crate::propnet::circuit::NEVER;
    let totals = compare(&circuit, options(500, 100));
    assert!(0 < totals.stuck && totals.stuck < 500);
}

#[test]
fn costly_judgement_waits_and_changes_nothing() {
    let mut circuit = toy::nim(30, 4);
    let program = Program::new(&circuit);
    let sink = crate::propnet::circuit::Gate { out: 2, a: 0, b: 1 };
    let kind = crate::propnet::circuit::Kind::And;
    let gates = vec![sink; 5000];
    circuit.judge = vec![crate::propnet::circuit::Step::Run { kind, gates }];
    let waited = compare(&circuit, options(2000, 12));
    let start = toy::pack(&circuit.initial);
    assert_eq!(waited, play(&program, &start, options(2000, 12)).0);
}

#[test]
fn playing_stops_when_asked_to() {
    let circuit = toy::nim(30, 4);
    let asked = std::sync::atomic::AtomicU32::new(0);
    let go_on = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 20;
    let start = toy::pack(&circuit.initial);
    let options = Options {
        go_on: &go_on,
        ..options(u64::MAX, 100)
    };
    let (totals, complete) = play(&Program::new(&circuit), &start, options);
    assert!(!complete);
    assert!(
        totals.playouts > 64 && totals.plies_of_playouts < totals.plies,
        "{totals:?}"
    );
    assert_eq!(totals.goal_count, [totals.playouts; 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_circuits(
        bases in 1_usize..140, moves in proptest::collection::vec(1_usize..90, 1..4),
        gates in 1_usize..200, seed: u64, max_plies in 0_u32..12,
    ) {
        let circuit = toy::random(&toy::Shape { bases, moves, gates, seed });
        compare(&circuit, options(150, max_plies));
    }
}
