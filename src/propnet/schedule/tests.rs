//! Circuits for searches compute what their networks do, whatever the slots hold before, and whichever guards are clear.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::guards::{Guards, NO_GUARD, Skipped};
use super::move_sets::MoveSets;
use super::{compiled, emit, schedule_for_search};
use crate::datalog::Terms;
use crate::propnet::build::Interface;
use crate::propnet::circuit::{ALWAYS, Circuit, Segment, Slot};
use crate::propnet::network::{Gates, Leaves, Lit, Network, Outputs};
use crate::propnet::sampling::FactFrequencies;
use crate::propnet::tests::run;
use crate::util::Lists;

const BASES: usize = 20;
/// The moves of two roles.
const MOVES: [usize; 2] = [9, 6];
const LEAVES: Leaves = Leaves {
    bases: BASES,
    inputs: MOVES[0] + MOVES[1],
    variables: 0,
};
type Random = Xoshiro256PlusPlus;

fn interface() -> Interface {
    let word = Terms::default().word("a");
    let [first, second] = MOVES;
    Interface {
        fluents: vec![word; BASES],
        initial: vec![false; BASES],
        moves: vec![word; first + second],
        roles: vec![0..first, first..first + second],
    }
}

/// A random network in which many conjunctions have a fact, and gates over moves alone are frequent.
fn random_network(random: &mut Random) -> Network {
    let mut gates = Gates::new(LEAVES);
    let facts: Vec<Lit> = (0..BASES).map(|base| LEAVES.base(base)).collect();
    let moves: [Vec<Lit>; 2] = [0..MOVES[0], MOVES[0]..LEAVES.inputs]
        .map(|of| of.map(|input| LEAVES.does(input)).collect());
    let pick = |random: &mut Random, from: &[Lit]| from[random.random_range(0..from.len())];
    let (mut still, mut moving) = (facts.clone(), moves.concat());
    let mut of_moves = moves;
    for _ in 0..40 {
        let count = random.random_range(1..5);
        let mut lits: Vec<Lit> = (0..count)
            .map(|_| pick(random, &still).negate_if(random.random()))
            .collect();
        if random.random() {
            lits.push(pick(random, &facts));
        }
        still.push(gates.and(&lits).negate_if(random.random()));
        let of_role = &mut of_moves[random.random_range(0..2)];
        let lits = [(); 3].map(|()| pick(random, of_role).negate_if(random.random()));
        of_role.push(gates.and(&lits));
        let lits = [
            pick(random, of_role),
            pick(random, &moving),
            pick(random, &still),
        ];
        moving.push(gates.and(&lits.map(|lit| lit.negate_if(random.random()))));
        moving.push(pick(random, of_role));
    }
    let mut some = |from: &[Lit], count: usize| -> Vec<Lit> {
        (0..count)
            .map(|_| pick(random, &from[from.len() / 2..]).negate_if(random.random()))
            .collect()
    };
    let mut legal = some(&still, LEAVES.inputs);
    // A role that has no moves without some fact.
    for lit in &mut legal[MOVES[0]..] {
        *lit = gates.and(&[*lit, facts[0]]);
    }
    let outputs = Outputs {
        terminal: some(&still, 1)[0],
        legal,
        goals: vec![vec![(0, some(&still, 1)[0]), (100, some(&still, 1)[0])]],
        next: some(&moving, BASES),
        cycles: Vec::new(),
    };
    Network { gates, outputs }
}

/// The values of all nodes, a state in each bit.
fn evaluate(network: &Network, leaves: &[u64]) -> Vec<u64> {
    let mut values = vec![!0; network.gates.nodes().len()];
    values[1..=leaves.len()].copy_from_slice(leaves);
    for node in LEAVES.end()..network.gates.nodes().end {
        let operands = network.gates.operands(node).iter();
        values[node as usize] = operands.fold(!0, |all, lit| all & of_lit(&values, *lit));
    }
    values
}

fn of_lit(values: &[u64], lit: Lit) -> u64 {
    let value = values[lit.node() as usize];
    if lit.is_negated() { !value } else { value }
}

/// Facts, of which most hold nowhere, and one move of each role in each state.
fn leaves(random: &mut Random) -> Vec<u64> {
    let mut leaves: Vec<u64> = (0..BASES)
        .map(|_| match random.random_range(0..4) {
            0 => random.random(),
            1 => random.random::<u64>() & random.random::<u64>(),
            _ => 0,
        })
        .collect();
    leaves.resize(BASES + LEAVES.inputs, 0);
    for state in 0..64 {
        for (count, first) in MOVES.into_iter().zip([0, MOVES[0]]) {
            leaves[BASES + first + random.random_range(0..count)] |= 1 << state;
        }
    }
    leaves
}

/// Compares all outputs of a circuit with those of its network, twice in the same slots.
fn compare(circuit: &Circuit, network: &Network, random: &mut Random) {
    let mut slots: Vec<u64> = (0..circuit.slots).map(|_| random.random()).collect();
    slots[..2].copy_from_slice(&[0, !0]);
    let outputs = &network.outputs;
    for _ in 0..2 {
        let leaves = leaves(random);
        let values = evaluate(network, &leaves);
        let set = |slots: &mut [u64], slot: Slot, value: u64| slots[slot as usize] = value;
        circuit
            .bases
            .iter()
            .zip(&leaves)
            .for_each(|(&slot, &value)| set(&mut slots, slot, value));
        run(&circuit.legal_code, &mut slots);
        for (input, lit) in circuit.inputs.iter().zip(&outputs.legal) {
            assert_eq!(slots[input.legal as usize], of_lit(&values, *lit));
        }
        assert_eq!(
            slots[circuit.terminal as usize],
            of_lit(&values, outputs.terminal)
        );
        for (guards, inputs) in circuit.legal_guards.iter().zip(&circuit.roles) {
            for (&guard, inputs) in guards.iter().zip(circuit.inputs[inputs.clone()].chunks(64)) {
                let legal = inputs
                    .iter()
                    .fold(0, |any, input| any | slots[input.legal as usize]);
                assert_eq!(
                    legal & !slots[guard as usize],
                    0,
                    "no move is legal without its guard"
                );
            }
        }
        run(&circuit.goal_code, &mut slots);
        for ((_, slot), (_, lit)) in circuit.goals[0].iter().zip(&outputs.goals[0]) {
            assert_eq!(slots[*slot as usize], of_lit(&values, *lit));
        }
        let marks = if circuit.marks.is_empty() {
            Lists::from_iter(circuit.inputs.iter().map(|input| [input.does])).into()
        } else {
            circuit.marks.clone()
        };
        marks
            .items()
            .iter()
            .for_each(|&slot| set(&mut slots, slot, 0));
        for (slots_of_move, made) in marks.iter().zip(&leaves[BASES..]) {
            slots_of_move
                .iter()
                .for_each(|&slot| slots[slot as usize] |= made);
        }
        let transitions = [
            (&circuit.transition_code, &circuit.next),
            (&circuit.direct_transition_code, &circuit.direct_next),
        ];
        for (code, next) in transitions {
            let mut slots = slots.clone();
            run(code, &mut slots);
            for (next, lit) in next.iter().zip(&outputs.next) {
                let value = slots[next.slot as usize] ^ if next.negated { !0 } else { 0 };
                assert_eq!(value, of_lit(&values, *lit));
            }
        }
    }
}

#[test]
fn circuits_for_searches_compute_what_their_networks_do() {
    let interface = interface();
    let mut random = Random::seed_from_u64(1);
    let [
        mut guarded,
        mut inner,
        mut disjuncts,
        mut known,
        mut sets,
        mut of_moves,
        mut of_random,
    ] = [0; 7];
    for _ in 0..400 {
        let network = random_network(&mut random);
        let shares = (0..BASES).map(|_| random.random_range(0.0..0.3));
        let frequencies = FactFrequencies(shares.collect());
        let guards = Guards::all(&interface, &network, &frequencies);
        for with_sets in [false, true] {
            let move_sets = with_sets.then(|| MoveSets::new(&interface, &network, 0));
            let move_sets = move_sets.flatten();
            let Some(program) = emit::emit_for_search(&network, Some(&guards), move_sets) else {
                continue;
            };
            sets += program.marks.iter().map(Vec::len).sum::<usize>();
            let circuit = Circuit {
                legal_guards: guards.legal_guards.clone(),
                ..compiled(&interface, program)
            };
            compare(&circuit, &network, &mut random);
        }
        let move_sets = MoveSets::new(&interface, &network, 0);
        let program = move_sets.and_then(|sets| emit::emit_with_sets(&network, sets));
        if let Some(program) = program {
            of_random += program.marks.iter().map(Vec::len).sum::<usize>();
            let circuit = compiled(&interface, program);
            assert!(circuit.direct_next.is_empty() && circuit.next.len() == BASES);
            compare(&circuit, &network, &mut random);
        }
        let placements = network.gates.nodes().map(|node| guards.of(node));
        for placement in placements {
            guarded += usize::from(placement.guard != NO_GUARD);
            inner += usize::from(placement.inner_guard != NO_GUARD);
            disjuncts += usize::from(placement.is_disjunct());
            known += usize::from(matches!(placement.skipped, Skipped::Is(_)));
        }
        of_moves += guards
            .legal_guards
            .iter()
            .flatten()
            .filter(|slot| **slot != ALWAYS)
            .count();
    }
    assert!(
        guarded > 2_000
            && inner > 1_000
            && disjuncts > 200
            && known > 100
            && sets > 1_000
            && of_moves > 5
            && of_random > 1_000,
        "{guarded} {inner} {disjuncts} {known} {sets} {of_moves} {of_random}"
    );
}

#[test]
fn small_networks_have_no_circuit_for_searches() {
    let network = random_network(&mut Random::seed_from_u64(2));
    let frequencies = FactFrequencies(vec![0.1; BASES]);
    let circuit = schedule_for_search(&interface(), &network, &frequencies);
    assert_eq!(circuit.of_search, None);
    let plain = |segment: &Segment| matches!(segment, Segment::Gates { .. });
    assert!(circuit.legal_code.iter().all(plain));
}

#[test]
fn sets_belong_to_one_of_many_roles() {
    const ROLES: usize = 300;
    let leaves = Leaves {
        bases: 1,
        inputs: 3 * ROLES,
        variables: 0,
    };
    let word = Terms::default().word("a");
    let interface = Interface {
        fluents: vec![word],
        initial: vec![false],
        moves: vec![word; 3 * ROLES],
        roles: (0..ROLES).map(|role| 3 * role..3 * role + 3).collect(),
    };
    let mut gates = Gates::new(leaves);
    let last = 3 * ROLES - 1;
    let either = gates.or(&[leaves.does(last), leaves.does(last - 1)]);
    let two_roles = gates.and(&[leaves.does(0), either]);
    let outputs = Outputs {
        terminal: Lit::FALSE,
        legal: vec![Lit::TRUE; 3 * ROLES],
        goals: Vec::new(),
        next: vec![two_roles],
        cycles: Vec::new(),
    };
    let network = Network { gates, outputs };
    let mut sets = MoveSets::new(&interface, &network, 1).unwrap();
    assert_eq!(sets.role(either.node()), Some(ROLES - 1));
    assert_eq!(sets.role(two_roles.node()), None);
    let (first, negated) = sets.register(&[leaves.does(0)]);
    assert!(!negated);
    // Two of three moves are all but the third.
    let (third, negated) = sets.register(&[either]);
    assert!(negated && third != first);
    let marks = sets.marks().unwrap();
    assert_eq!(marks[0], [first]);
    assert_eq!([&marks[last][..], &marks[last - 2]], [&[][..], &[third]]);
    assert!(
        MoveSets::new(&interface, &network, 10).is_none(),
        "they stand for too few gates"
    );
}
