//! Counters as recursive rules define them, over every assignment.

use proptest::prelude::*;

use super::extract_counters;
use crate::propnet::network::{Cycle, Gates, Leaves, Lit, Network, Outputs};

fn leaves(bases: usize) -> Leaves {
    Leaves {
        bases,
        inputs: 0,
        variables: 0,
    }
}

/// A network whose goals are `goals`.
fn network(gates: Gates, goals: Vec<Lit>) -> Network {
    let bases = gates.leaves().bases;
    let goals = (0..).zip(goals).collect();
    let outputs = Outputs {
        terminal: Lit::FALSE,
        legal: Vec::new(),
        goals: vec![goals],
        next: vec![Lit::FALSE; bases],
        cycles: Vec::new(),
    };
    Network { gates, outputs }
}

/// Per number, whether that many of `lits` are true, by recursion as in rules.
fn counted(gates: &mut Gates, lits: &[Lit]) -> Vec<Lit> {
    let mut counts = vec![Lit::TRUE];
    for &lit in lits {
        let longer = (0..=counts.len()).map(|number| {
            let stays = counts.get(number).copied().unwrap_or(Lit::FALSE);
            let grows = number
                .checked_sub(1)
                .map_or(Lit::FALSE, |less| counts[less]);
            let (stays, grows) = (gates.and(&[stays, !lit]), gates.and(&[grows, lit]));
            gates.or(&[stays, grows])
        });
        counts = longer.collect();
    }
    counts
}

/// Per number, whether it is the sum of two numbers.
fn added(gates: &mut Gates, one: &[Lit], other: &[Lit]) -> Vec<Lit> {
    let sums = 0..one.len() + other.len() - 1;
    let sum = |sum: usize| {
        let pairs = (0..one.len()).filter_map(|i| Some([one[i], *other.get(sum.checked_sub(i)?)?]));
        let pairs: Vec<Lit> = pairs.map(|pair| gates.and(&pair)).collect();
        gates.or(&pairs)
    };
    sums.map(sum).collect()
}

fn bases(leaves: Leaves) -> Vec<Lit> {
    (0..leaves.bases).map(|base| leaves.base(base)).collect()
}

/// The goals where these bases hold.
fn goals_where(network: &Network, holds: &[bool]) -> Vec<bool> {
    let gates = &network.gates;
    let mut values = vec![true; gates.nodes().len()];
    values[1..=holds.len()].copy_from_slice(holds);
    let read = |values: &[bool], lit: Lit| values[lit.node() as usize] != lit.is_negated();
    for node in gates.nodes().filter(|&node| gates.is_gate(node)) {
        values[node as usize] = gates.operands(node).iter().all(|&lit| read(&values, lit));
    }
    let goals = network.outputs.goals[0].iter();
    goals.map(|&(_, lit)| read(&values, lit)).collect()
}

/// The goals where those bases hold whose bits are set.
fn goals(network: &Network, bits: usize) -> Vec<bool> {
    let bases = 0..network.gates.leaves().bases;
    let holds: Vec<bool> = bases.map(|base| bits >> base & 1 == 1).collect();
    goals_where(network, &holds)
}

/// Extracts counters, asserts that the goals do not change, and returns the number of gates before and after.
fn compare(network: &Network) -> [usize; 2] {
    let counted = extract_counters(network, &|| true);
    for bits in 0..1 << network.gates.leaves().bases {
        assert_eq!(goals(&counted, bits), goals(network, bits), "{bits:b}");
    }
    [network.size(), counted.size()]
}

#[test]
fn recursive_counters_become_adders() {
    let leaves = leaves(12);
    let mut gates = Gates::new(leaves);
    let counts = counted(&mut gates, &bases(leaves));
    let [before, after] = compare(&network(gates, counts));
    assert!(after < before, "{before} gates, then {after}");
}

#[test]
fn sums_of_counters_become_adders() {
    let leaves = leaves(12);
    let mut gates = Gates::new(leaves);
    let ranks = bases(leaves);
    let ranks: Vec<Vec<Lit>> = ranks
        .chunks(4)
        .map(|rank| counted(&mut gates, rank))
        .collect();
    let two = added(&mut gates, &ranks[0], &ranks[1]);
    let all = added(&mut gates, &two, &ranks[2]);
    let [before, after] = compare(&network(gates, all));
    assert!(after < before, "{before} gates, then {after}");
}

#[test]
fn comparisons_of_counters_become_comparisons_of_numbers() {
    let leaves = leaves(16);
    let mut gates = Gates::new(leaves);
    let (own, others) = (bases(leaves)[..8].to_vec(), bases(leaves)[8..].to_vec());
    let [own, others] = [own, others].map(|lits| counted(&mut gates, &lits));
    let more = (0..own.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let more: Vec<Lit> = more.map(|(i, j)| gates.and(&[own[i], others[j]])).collect();
    let more = gates.or(&more);
    let [before, after] = compare(&network(gates, vec![more]));
    assert!(after < before, "{before} gates, then {after}");
}

/// An assignment in which `holding` bases hold.
fn some_hold(bases: usize, holding: usize) -> Vec<bool> {
    let mut holds = vec![false; bases];
    (0..holding).for_each(|number| holds[(number * 37 + 5) % bases] = true);
    holds
}

#[test]
fn sets_as_large_as_a_table_are_counted() {
    // All are coprime to the stride of `some_hold`.
    for bases_in_all in [126, 127, 128] {
        let leaves = leaves(bases_in_all);
        let mut gates = Gates::new(leaves);
        let counts = counted(&mut gates, &bases(leaves));
        let network = network(gates, counts);
        let counted = extract_counters(&network, &|| true);
        for holding in 0..=bases_in_all {
            let mut expected = vec![false; bases_in_all + 1];
            expected[holding] = true;
            let holds = some_hold(bases_in_all, holding);
            assert_eq!(goals_where(&counted, &holds), expected, "{holding} hold");
        }
        assert!(counted.size() < network.size());
    }
}

#[test]
fn other_users_of_a_counter_keep_their_signals() {
    let leaves = Leaves {
        variables: 1,
        ..leaves(12)
    };
    let mut gates = Gates::new(leaves);
    let counts = counted(&mut gates, &bases(leaves));
    let value = gates.or(&[leaves.variable(0), counts[3]]);
    let mut network = network(gates, counts.clone());
    network.outputs.terminal = leaves.variable(0);
    network.outputs.next[0] = counts[4];
    network.outputs.cycles = vec![Cycle {
        variables: 0..1,
        values: vec![value],
    }];
    let counted = extract_counters(&network, &|| true);
    assert!(counted.size() < network.size());
    let outputs = &counted.outputs;
    assert_eq!(outputs.terminal, leaves.variable(0));
    assert_eq!(outputs.next[0], outputs.goals[0][4].1);
    let mut gates = counted.gates.clone();
    let value = gates.or(&[leaves.variable(0), outputs.goals[0][3].1]);
    assert_eq!(outputs.cycles[0].values, [value]);
}

#[test]
fn nothing_changes_when_there_is_no_time() {
    let leaves = leaves(12);
    let mut gates = Gates::new(leaves);
    let counts = counted(&mut gates, &bases(leaves));
    let network = network(gates, counts);
    assert_eq!(extract_counters(&network, &|| false).size(), network.size());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Some fluents are counted when they do not hold, one twice, and one number has a further condition.
    #[test]
    fn near_counters_keep_their_values(
        signs in proptest::collection::vec(any::<bool>(), 9..12),
        twice in proptest::option::of(0_usize..9),
        disturbed in proptest::option::of((0_usize..9, 0_usize..9)),
        table: u16,
    ) {
        let leaves = leaves(signs.len());
        let mut gates = Gates::new(leaves);
        let lits = bases(leaves).into_iter().zip(&signs);
        let mut lits: Vec<Lit> = lits.map(|(lit, &sign)| lit.negate_if(sign)).collect();
        lits.extend(twice.map(|which| lits[which]));
        let mut counts = counted(&mut gates, &lits);
        if let Some((number, base)) = disturbed {
            counts[number] = gates.and(&[counts[number], leaves.base(base)]);
        }
        let chosen = counts.iter().enumerate().filter(|(number, _)| table >> number & 1 == 1);
        let chosen: Vec<Lit> = chosen.map(|(_, &lit)| lit).collect();
        let any = gates.or(&chosen);
        counts.push(any);
        compare(&network(gates, counts));
    }
}
