//! Passes on small random networks: the outputs stay the same for every assignment of the leaves that can occur.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    NodeGroup, NodeGroups, extract_counters, extract_cubes, factor, factor_shared, reduce, share,
    simplify_dont_cares, simplify_mutexes,
};
use crate::propnet::network::{Cycle, Gates, Leaves, Lit, Network, Outputs};

const BASES: usize = 8;
const LEAVES: Leaves = Leaves {
    bases: BASES,
    inputs: 7,
    variables: 3,
};

/// Exactly one of bases 0 to 2, at most one of bases 3 to 5, one move each of a role with four and one with three.
fn groups() -> NodeGroups {
    let group = |range: std::ops::Range<usize>, exactly_one| NodeGroup {
        members: range.map(|leaf| 1 + leaf as u32).collect(),
        exactly_one,
    };
    NodeGroups::new(
        LEAVES,
        vec![
            group(0..3, true),
            group(3..6, false),
            group(BASES..BASES + 4, true),
            group(BASES + 4..BASES + 7, true),
        ],
    )
}

/// A network of about `size` random gates of two to six operands, and a cycle of three variables.
fn random_network(size: usize, seed: u64) -> Network {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut gates = Gates::new(LEAVES);
    let moves = 1 + BASES as u32..1 + BASES as u32 + 7;
    let variables: Vec<Lit> = (0..3).map(|number| LEAVES.variable(number)).collect();
    let leaf = |rng: &mut Xoshiro256PlusPlus, among: std::ops::Range<u32>| {
        Lit::new(rng.random_range(among), rng.random())
    };
    // Signals that do not depend on moves, then signals that do; variables are never negated.
    let mut still: Vec<Lit> = (1..1 + BASES as u32)
        .map(|node| Lit::new(node, false))
        .collect();
    let mut moving: Vec<Lit> = moves.clone().map(|node| Lit::new(node, false)).collect();
    let pick = |rng: &mut Xoshiro256PlusPlus, from: &[Lit]| {
        from[rng.random_range(0..from.len())].negate_if(rng.random())
    };
    for _ in 0..size {
        let width = rng.random_range(2..7);
        let lits: Vec<Lit> = (0..width).map(|_| pick(&mut rng, &still)).collect();
        still.push(gates.and(&lits));
        let lits: Vec<Lit> = (0..width)
            .map(|_| {
                if rng.random() {
                    pick(&mut rng, &moving)
                } else {
                    pick(&mut rng, &still)
                }
            })
            .collect();
        moving.push(gates.and(&lits));
    }
    let values = (0..3).map(|_| {
        let branch = |rng: &mut Xoshiro256PlusPlus, gates: &mut Gates| {
            let variable = variables[rng.random_range(0..3)];
            let condition = pick(rng, &still);
            gates.and(&[variable, condition])
        };
        let all = [
            branch(&mut rng, &mut gates),
            branch(&mut rng, &mut gates),
            leaf(&mut rng, 1..1 + BASES as u32),
        ];
        gates.or(&all)
    });
    let values: Vec<Lit> = values.collect();
    let mut output = |from: &[Lit]| pick(&mut rng, from);
    let legal = (0..7).map(|_| output(&still)).collect();
    let goals = vec![vec![(0, output(&still)), (100, output(&still))]];
    let mut next: Vec<Lit> = (0..BASES).map(|_| output(&moving)).collect();
    next[0] = gates.and(&[next[0], variables[1]]);
    let outputs = Outputs {
        terminal: output(&still),
        legal,
        goals,
        next,
        cycles: vec![Cycle {
            variables: 0..3,
            values,
        }],
    };
    Network { gates, outputs }
}

/// A network of gates of up to 17 operands, most of which they have in common.
fn network_of_wide_gates(seed: u64) -> Network {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut gates = Gates::new(LEAVES);
    let bases = 1..=BASES as u32;
    let mut signals: Vec<Lit> = bases.map(|base| Lit::new(base, rng.random())).collect();
    for _ in 0..8 {
        let two = [0, 1].map(|_| signals[rng.random_range(0..signals.len())]);
        signals.push(gates.and(&two).negate_if(rng.random()));
    }
    let mut wide: Vec<Lit> = Vec::new();
    for _ in 0..BASES {
        let operands = rng.random_range(0..4)..rng.random_range(12..=signals.len());
        let mut operands = signals[operands].to_vec();
        if !wide.is_empty() && rng.random() {
            operands.push(wide[rng.random_range(0..wide.len())].negate_if(rng.random()));
        }
        wide.push(gates.and(&operands));
    }
    let outputs = Outputs {
        terminal: wide[0],
        legal: vec![Lit::TRUE; 7],
        goals: Vec::new(),
        next: wide,
        cycles: Vec::new(),
    };
    Network { gates, outputs }
}

/// The value of every output at the fix-point of the cycles.
fn evaluate(network: &Network, leaves: &[bool]) -> Vec<bool> {
    let gates = &network.gates;
    let mut values = vec![false; gates.nodes().len()];
    values[0] = true;
    values[1..=leaves.len()].copy_from_slice(leaves);
    let read = |values: &[bool], lit: Lit| values[lit.node() as usize] != lit.is_negated();
    loop {
        for node in gates.nodes().filter(|&node| gates.is_gate(node)) {
            values[node as usize] = gates.operands(node).iter().all(|&lit| read(&values, lit));
        }
        let mut changes = false;
        for cycle in &network.outputs.cycles {
            for (number, &value) in cycle.variables.clone().zip(&cycle.values) {
                let value = read(&values, value);
                let old =
                    std::mem::replace(&mut values[LEAVES.variable(number).node() as usize], value);
                changes |= old != value;
            }
        }
        if !changes {
            return network
                .outputs
                .each()
                .map(|lit| read(&values, lit))
                .collect();
        }
    }
}

/// Every assignment of the leaves that respects the groups, with legal moves.
fn assignments(network: &Network) -> Vec<Vec<bool>> {
    let mut all = Vec::new();
    for bits in 0..1_u32 << BASES {
        let mut leaves: Vec<bool> = (0..BASES).map(|bit| bits >> bit & 1 == 1).collect();
        let count =
            |range: std::ops::Range<usize>| leaves[range].iter().filter(|&&holds| holds).count();
        if count(0..3) != 1 || count(3..6) > 1 {
            continue;
        }
        leaves.resize(BASES + 7, false);
        let legal = evaluate(network, &leaves)[1..8].to_vec();
        for (one, other) in (0..4).flat_map(|one| (4..7).map(move |other| (one, other))) {
            if legal[one] && legal[other] {
                let mut leaves = leaves.clone();
                leaves[BASES + one] = true;
                leaves[BASES + other] = true;
                all.push(leaves);
            }
        }
    }
    all
}

fn compare(network: &Network, simplified: &Network, pass: &str) {
    for leaves in assignments(network) {
        assert_eq!(
            evaluate(simplified, &leaves),
            evaluate(network, &leaves),
            "{pass}: {leaves:?}"
        );
    }
}

proptest! {
    #[test]
    fn passes_keep_the_outputs(size in 1_usize..25, seed: u64) {
        let network = random_network(size, seed);
        let groups = groups();
        compare(&network, &network.merged(), "merging");
        compare(&network, &extract_counters(&network, &|| true), "counter extraction");
        compare(&network, &simplify_mutexes(&network, &groups), "mutex simplification");
        compare(&network, &factor(&network), "factoring");
        compare(&network, &factor_shared(&network), "shared factoring");
        compare(&network, &simplify_dont_cares(&network, &groups), "don't-care simplification");
        compare(&network, &extract_cubes(&network, &|| true), "common-cube extraction");
        let reduced = reduce(network.clone(), &groups, &|| true, &mut Vec::new());
        compare(&network, &share(reduced, &|| true, &mut Vec::new()), "all of them");
    }

    #[test]
    fn subsets_of_wide_gates_keep_the_outputs(seed: u64) {
        let network = network_of_wide_gates(seed);
        compare(&network, &extract_cubes(&network, &|| true), "common-cube extraction");
        compare(&network, &extract_cubes(&network, &|| false), "subsets alone");
    }

    #[test]
    fn interrupted_passes_keep_the_outputs(size in 1_usize..25, seed: u64, asked in 0_usize..9) {
        let network = random_network(size, seed);
        let asked_before = AtomicUsize::new(0);
        let go_on = || asked_before.fetch_add(1, Ordering::Relaxed) < asked;
        let mut passes = Vec::new();
        let reduced = reduce(network.clone(), &groups(), &go_on, &mut passes);
        assert!(passes.len() <= asked);
        compare(&network, &share(reduced, &|| false, &mut passes), "some of them");
    }
}

#[test]
fn most_random_networks_have_assignments() {
    let played = (0..20).filter(|&seed| assignments(&random_network(12, seed)).len() > 10);
    assert!(played.count() > 5);
}

/// A network whose only output that is not constant is `terminal`.
fn ending(gates: Gates, terminal: Lit) -> Network {
    let outputs = Outputs {
        terminal,
        legal: vec![Lit::TRUE; 7],
        goals: Vec::new(),
        next: vec![Lit::FALSE; BASES],
        cycles: Vec::new(),
    };
    Network { gates, outputs }
}

#[test]
fn none_of_most_moves_becomes_one_of_the_rest() {
    let mut gates = Gates::new(LEAVES);
    let moves: Vec<Lit> = (0..3).map(|number| LEAVES.does(number)).collect();
    let any = gates.or(&moves);
    let network = simplify_mutexes(&ending(gates, any), &groups());
    assert_eq!(network.outputs.terminal, !LEAVES.does(3));
}

#[test]
fn two_members_of_a_mutex_group_are_contradictory() {
    let mut gates = Gates::new(LEAVES);
    let both = gates.and(&[LEAVES.base(3), LEAVES.base(5)]);
    assert_eq!(
        simplify_mutexes(&ending(gates, both), &groups())
            .outputs
            .terminal,
        Lit::FALSE
    );
}

#[test]
fn common_literals_are_factored_out() {
    let mut gates = Gates::new(LEAVES);
    let [a, b, c, d] = [0, 3, 6, 7].map(|base| LEAVES.base(base));
    let products = [[a, b], [a, c], [a, d]].map(|lits| gates.and(&lits));
    let sum = gates.or(&products);
    let network = ending(gates, sum);
    assert_eq!((network.size(), factor(&network).merged().size()), (5, 3));
}

#[test]
fn products_of_two_sums_are_factored_in_both() {
    let mut gates = Gates::new(LEAVES);
    let [a, b, c, d, e] = [0, 3, 4, 6, 7].map(|base| LEAVES.base(base));
    let products = [b, c, d, e].map(|lit| gates.and(&[a, lit]));
    let [ab, ac, ad, ae] = products;
    let mut network = ending(gates, Lit::FALSE);
    network.outputs.next[0] = network.gates.or(&[ab, ac, ad]);
    network.outputs.next[1] = network.gates.or(&[ab, ac, ae]);
    let sizes = [&network, &factor(&network), &factor_shared(&network)].map(Network::size);
    assert_eq!(sizes, [8, 8, 6]);
}

#[test]
fn moves_made_imply_their_legality() {
    let mut gates = Gates::new(LEAVES);
    let legal = gates.and(&[LEAVES.base(0), !LEAVES.base(6)]);
    let made = gates.and(&[LEAVES.does(2), LEAVES.base(0), !LEAVES.base(6)]);
    let mut network = ending(gates, Lit::FALSE);
    network.outputs.legal[2] = legal;
    network.outputs.next[1] = made;
    assert_eq!(
        simplify_dont_cares(&network, &groups()).outputs.next[1],
        LEAVES.does(2)
    );
}

#[test]
fn shared_pairs_are_extracted() {
    let mut gates = Gates::new(LEAVES);
    let [a, b, c, d] = [0, 3, 6, 7].map(|base| LEAVES.base(base));
    let [one, other] = [c, d].map(|third| gates.and(&[a, b, third]));
    let mut network = ending(gates, one);
    network.outputs.next[0] = other;
    assert_eq!(
        (network.size(), extract_cubes(&network, &|| true).size()),
        (4, 3)
    );
}

#[test]
fn unused_cycles_are_removed() {
    let mut network = random_network(5, 1);
    network.outputs.next[..3].fill(Lit::FALSE);
    assert!(network.merged().outputs.cycles.is_empty());
}
