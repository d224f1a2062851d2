//! Differential tests: expansions and counts of paths against the reference evaluator of the fixtures.

use proptest::prelude::*;

use crate::propnet::circuit::{ALWAYS, Circuit, NEVER, Segment, Slot};
use crate::propnet::lanes::fixture::{self, Naive};
use crate::propnet::lanes::{Expander, LaneBatch, LaneProgram};

/// Goes `plies` deep from the start, all joint moves of some states at once, and compares everything with the reference
/// evaluator.
fn expand(circuit: &Circuit, plies: usize) {
    fixture::programs(circuit).for_each(|program| expand_program(circuit, &program, plies));
}

fn expand_program(circuit: &Circuit, program: &LaneProgram, plies: usize) {
    let mut expander = Expander::new(program);
    let (mut parents, mut children) = (LaneBatch::new(program), LaneBatch::new(program));
    expander.evaluate_batch([&*fixture::pack(&circuit.initial)], &mut parents);
    for _ in 0..plies {
        let (of, moves) = fixture::joint_moves(circuit, &parents);
        expander.expand(&parents, &of, &moves, &mut children, &|| true);
        compare_children(circuit, &parents, (&of, &moves), &children);
        compare_batch(circuit, &children);
        let states: Vec<_> = (0..children.len()).map(|i| children.state(i)).collect();
        expander.evaluate_batch(states, &mut parents);
        compare_batch(circuit, &parents);
        assert_eq!(parents.len(), children.len());
    }
}

fn compare_children(
    circuit: &Circuit,
    parents: &LaneBatch,
    (of, moves): (&[u32], &[u32]),
    children: &LaneBatch,
) {
    assert_eq!(children.len(), of.len());
    let joints = moves.chunks(circuit.roles.len());
    for ((child, parent), joint) in (0..).zip(of).zip(joints) {
        let parent = Naive::new(circuit, parents.state(*parent as usize));
        assert_eq!(children.state(child), parent.next(joint));
    }
}

fn compare_batch(circuit: &Circuit, batch: &LaneBatch) {
    for i in 0..batch.len() {
        let naive = || Naive::new(circuit, batch.state(i));
        assert_eq!(batch.is_terminal(i), naive().is_terminal());
        for role in 0..circuit.roles.len() {
            let mut moves = Vec::new();
            batch.legal(i, role, &mut moves);
            assert_eq!(moves, naive().legal(role));
            assert_eq!(moves.len(), batch.legal_count(i, role));
            if batch.is_terminal(i) {
                assert_eq!(batch.goal(i, role), naive().goal(role));
            }
        }
    }
}

#[test]
fn words_of_moves_that_are_never_legal() {
    let mut circuit = fixture::random(&fixture::RandomCircuit {
        bases: 20,
        moves: vec![150],
        gates: 100,
        seed: 1,
    });
    for input in &mut circuit.inputs[..64] {
        input.legal = NEVER;
    }
    expand(&circuit, 3);
}

/// So many transitions from states after two plies, in a batch that has held others.
fn many_children(count: usize, go_on: &dyn Fn() -> bool) -> (bool, LaneBatch) {
    let circuit = fixture::nim(30, 4);
    let program = LaneProgram::new(&circuit);
    let mut expander = Expander::new(&program);
    let [mut first, mut parents, mut children] = [(); 3].map(|()| LaneBatch::new(&program));
    expander.evaluate_batch([&*fixture::pack(&circuit.initial)], &mut first);
    let (of, moves) = fixture::joint_moves(&circuit, &first);
    expander.expand(&first, &of, &moves, &mut parents, &|| true);
    let (of, moves) = fixture::joint_moves(&circuit, &parents);
    let of: Vec<u32> = of.iter().copied().cycle().take(count).collect();
    let moves = moves.iter().copied().cycle();
    let moves: Vec<u32> = moves.take(count * circuit.roles.len()).collect();
    expander.expand(&parents, &of, &moves, &mut children, &|| true);
    compare_children(&circuit, &parents, (&of, &moves), &children);
    compare_batch(&circuit, &children);
    let is_whole = expander.expand(&parents, &of, &moves, &mut children, go_on);
    (is_whole, children)
}

#[test]
fn states_of_wide_and_narrow_passes() {
    for count in [1, 8, 64, 512 + 5, 512 + 60, 512 + 200, 1024 + 1] {
        assert!(many_children(count, &|| true).0);
    }
}

#[test]
fn states_that_were_not_made_in_time_have_no_moves() {
    let (is_whole, children) = many_children(6000, &|| false);
    assert!(!is_whole && children.len() == 6000);
    let moves = |child: usize| {
        let mut moves = Vec::new();
        let lists = [0, 1].map(|role| {
            children.legal(child, role, &mut moves);
            assert_eq!(moves.len(), children.legal_count(child, role));
            moves.len()
        });
        lists.into_iter().sum::<usize>()
    };
    assert!(moves(0) > 0 && moves(511) > 0);
    assert_eq!(moves(5999), 0);
}

#[test]
fn all_steps_at_once() {
    expand(&fixture::nim(30, 4), 9);
    expand(&fixture::ring(70), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn all_steps_at_once_in_random_circuits(
        bases in 1_usize..140, moves in proptest::collection::vec(1_usize..90, 1..4),
        gates in 1_usize..200, seed: u64,
    ) {
        expand(&fixture::random(&fixture::RandomCircuit { bases, moves, gates, seed }), 3);
    }
}

/// The number of paths of `plies` joint moves from a state.
fn naive_paths(circuit: &Circuit, state: &[u64], plies: u32) -> u64 {
    let now = Naive::new(circuit, state);
    if now.is_terminal() {
        return 0;
    }
    let mut joints = vec![Vec::new()];
    for role in 0..circuit.roles.len() {
        let longer = |joint: &Vec<u32>| {
            let with = |mv: u32| joint.iter().copied().chain([mv]).collect();
            now.legal(role).into_iter().map(with).collect::<Vec<_>>()
        };
        joints = joints.iter().flat_map(longer).collect();
    }
    let after = |joint: &Vec<u32>| match plies {
        1 => 1,
        _ => naive_paths(circuit, &Naive::new(circuit, state).next(joint), plies - 1),
    };
    joints.iter().map(after).sum()
}

/// Counts paths from all states after `before` plies, 70 at most, in all ways; returns in how many ways they can be counted.
fn count_paths(circuit: &Circuit, program: &LaneProgram, before: usize, plies: u32) -> usize {
    let mut states = vec![fixture::pack(&circuit.initial)];
    let mut expander = Expander::new(program);
    let mut batch = LaneBatch::new(program);
    for _ in 0..before {
        expander.evaluate_batch(states.iter().map(Vec::as_slice), &mut batch);
        let (of, moves) = fixture::joint_moves(circuit, &batch);
        let joints = of.iter().zip(moves.chunks(circuit.roles.len()));
        let next =
            joints.map(|(of, joint)| Naive::new(circuit, batch.state(*of as usize)).next(joint));
        states = next.take(70).collect();
    }
    let naive = states
        .iter()
        .map(|state| naive_paths(circuit, state, plies));
    let expected: u64 = naive.sum();
    expander.evaluate_batch(states.iter().map(Vec::as_slice), &mut batch);
    let counted = [false, true].map(|at_once| expander.paths_by(&batch, plies, at_once));
    let counted = counted.into_iter().flatten();
    counted
        .inspect(|counted| assert_eq!(*counted, expected))
        .count()
}

/// The circuit where one fluent holds, and another does not.
fn specialised(circuit: &Circuit, holds: usize, fails: usize) -> Circuit {
    let mut circuit = circuit.clone();
    let [holds, fails] = [holds, fails].map(|base| circuit.bases[base]);
    let replace = |slot: &mut Slot| match *slot {
        read if read == holds => *slot = ALWAYS,
        read if read == fails => *slot = NEVER,
        _ => {}
    };
    circuit
        .inputs
        .iter_mut()
        .for_each(|input| replace(&mut input.legal));
    let nexts = circuit.next.iter_mut().chain(&mut circuit.direct_next);
    nexts.for_each(|next| replace(&mut next.slot));
    let codes = [
        &mut circuit.legal_code,
        &mut circuit.transition_code,
        &mut circuit.direct_transition_code,
    ];
    for segment in codes.into_iter().flatten() {
        if let Segment::Gates { gates, .. } = segment {
            let operands = gates.iter_mut().flat_map(|gate| &mut gate.operands);
            operands.for_each(replace);
        }
    }
    circuit
}

#[test]
fn paths_are_counted_without_making_states() {
    let nim = fixture::nim(20, 4);
    let program = LaneProgram::new(&nim);
    for (before, plies, ways) in [(0, 2, 2), (3, 3, 2), (2, 4, 1), (6, 5, 1)] {
        assert_eq!(count_paths(&nim, &program, before, plies), ways);
    }
    let cycle = [nim.initial.len() - 2, nim.initial.len() - 1];
    let turns = [0, 1].map(|turn| specialised(&nim, cycle[turn], cycle[1 - turn]).into());
    let program = LaneProgram::with_turns(&nim.clone().into(), &cycle, &turns);
    for (before, plies, ways) in [(0, 2, 2), (3, 3, 2), (2, 4, 1), (5, 5, 1)] {
        assert_eq!(count_paths(&nim, &program, before, plies), ways);
    }
    // Two plies are counted lane by lane where there is a loop.
    let ring = fixture::ring(4);
    let program = LaneProgram::new(&ring);
    assert_eq!(
        [2, 3].map(|plies| count_paths(&ring, &program, 1, plies)),
        [1, 0]
    );
}

#[test]
fn no_path_goes_on_where_a_role_has_no_move() {
    // After four plies, some moves leave the first role without a move and the second with several.
    let circuit = fixture::random(&fixture::RandomCircuit {
        bases: 87,
        moves: vec![1, 4],
        gates: 30,
        seed: 724_295_002_733_733_985,
    });
    assert_eq!(count_paths(&circuit, &LaneProgram::new(&circuit), 4, 2), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn paths_are_counted_in_random_circuits(
        bases in 1_usize..90, moves in proptest::collection::vec(1_usize..6, 1..3),
        gates in 1_usize..120, seed: u64, plies in 2_u32..5,
    ) {
        let circuit = fixture::random(&fixture::RandomCircuit { bases, moves: moves.clone(), gates, seed });
        for (program, before) in fixture::programs(&circuit).zip(0..) {
            let ways = count_paths(&circuit, &program, before, plies);
            if moves.len() == 1 {
                prop_assert_eq!(ways, if plies > 3 { 1 } else { 2 });
            }
        }
    }
}
