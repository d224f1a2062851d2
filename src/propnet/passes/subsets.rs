//! A gate whose operands are all among those of another gate becomes an operand of it, in place of them.
//!
//! Rules that compare numbers give such gates: *some number below 7* has all operands of *some number below 6*. Each takes
//! one more than the one before, where there would be pairs of all numbers.

use std::iter::successors;

use smallvec::SmallVec;

use crate::propnet::network::{Lit, NodeId};

/// Gates of fewer operands are left to common-cube extraction.
const FEWEST: usize = 8;
/// So many gates are compared with each gate; where one has another operand, its chain of subsets is, up to so many gates in all.
const CANDIDATES: usize = 4;

/// Shares the operands of gates; they are given in order, by the number of the gate.
///
/// Each gate is compared with those that took one of its operands last, of all gates of fewer operands. Where such a gate has an
/// operand that this one lacks, both may still have the same subset, so that its own is compared instead.
pub(super) fn share_subsets(operands: &mut [Vec<Lit>]) {
    let is_large = |&gate: &NodeId| operands[gate as usize].len() >= FEWEST;
    let mut gates: Vec<NodeId> = (0..operands.len() as NodeId).filter(is_large).collect();
    gates.sort_by_key(|&gate| operands[gate as usize].len());
    let mut last: Vec<Option<NodeId>> = vec![None; 2 * operands.len()];
    let mut subsets: Vec<Option<NodeId>> = vec![None; operands.len()];
    let len = |gate: NodeId| operands[gate as usize].len();
    for of_one_length in gates.chunk_by(|&one, &other| len(one) == len(other)) {
        for &gate in of_one_length {
            let list = &operands[gate as usize];
            let candidates = longest(list.iter().filter_map(|lit| last[lit.index()]), operands);
            let subset = |candidate| {
                let chain = successors(Some(candidate), |&other: &NodeId| subsets[other as usize]);
                let mut chain = chain.take(CANDIDATES);
                chain.find(|&other| is_subset(&operands[other as usize], list))
            };
            subsets[gate as usize] = candidates.into_iter().find_map(subset);
        }
        for &gate in of_one_length {
            let list = operands[gate as usize].iter();
            list.for_each(|lit| last[lit.index()] = Some(gate));
        }
    }
    // The longest come first, so that the subsets are still whole.
    for gate in gates.into_iter().rev() {
        if let Some(subset) = subsets[gate as usize] {
            take_subset(operands, gate, subset);
        }
    }
}

/// Makes `subset` an operand of `gate`, in place of all operands of `subset`.
fn take_subset(operands: &mut [Vec<Lit>], gate: NodeId, subset: NodeId) {
    let of_subset = std::mem::take(&mut operands[subset as usize]);
    let list = &mut operands[gate as usize];
    list.retain(|lit| of_subset.binary_search(lit).is_err());
    let lit = Lit::new(subset, false);
    if let Err(place) = list.binary_search(&lit) {
        list.insert(place, lit);
    }
    operands[subset as usize] = of_subset;
}

/// The gates with the most operands, the longest first.
fn longest(
    gates: impl Iterator<Item = NodeId>,
    operands: &[Vec<Lit>],
) -> SmallVec<[NodeId; CANDIDATES]> {
    let mut longest: SmallVec<[NodeId; CANDIDATES]> = SmallVec::new();
    let len = |gate: NodeId| operands[gate as usize].len();
    for gate in gates {
        let is_longer = longest.len() < CANDIDATES || len(gate) > len(longest[CANDIDATES - 1]);
        if is_longer && !longest.contains(&gate) {
            longest.truncate(CANDIDATES - 1);
            longest.insert(
                longest.partition_point(|&other| len(other) >= len(gate)),
                gate,
            );
        }
    }
    longest
}

/// Whether a list in order contains all of a shorter one.
fn is_subset(few: &[Lit], many: &[Lit]) -> bool {
    let mut many = many.iter();
    few.len() < many.len() && few.iter().all(|lit| many.any(|other| other == lit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(nodes: impl Iterator<Item = NodeId>) -> Vec<Lit> {
        nodes.map(|node| Lit::new(node, true)).collect()
    }

    /// Gates with these operands over twenty leaves, the first of them node 20.
    fn shared(gates: &[std::ops::Range<NodeId>]) -> Vec<Vec<Lit>> {
        let mut operands = vec![Vec::new(); 20];
        operands.extend(gates.iter().map(|gate| lits(gate.clone())));
        share_subsets(&mut operands);
        operands.split_off(20)
    }

    fn with_gate(nodes: impl Iterator<Item = NodeId>, gate: NodeId) -> Vec<Lit> {
        let mut with = lits(nodes);
        with.push(Lit::new(gate, false));
        with
    }

    #[test]
    fn each_of_a_chain_takes_the_one_before() {
        // They grow at both ends.
        let gates = shared(&[2..14, 5..13, 4..13, 3..14]);
        assert_eq!(gates[1], lits(5..13));
        assert_eq!(gates[2], with_gate(4..5, 21));
        assert_eq!(gates[3], with_gate([3, 13].into_iter(), 22));
        assert_eq!(gates[0], with_gate(2..3, 23));
    }

    #[test]
    fn gates_share_the_subset_of_one_another() {
        // The second one took all operands of the first one last.
        let gates = shared(&[2..13, 1..13, 2..15]);
        assert_eq!(gates[0], lits(2..13));
        assert_eq!(gates[1], with_gate([1].into_iter(), 20));
        assert_eq!(gates[2], with_gate([13, 14].into_iter(), 20));
        // Gates of one length do not hide it.
        let gates = shared(&[2..13, 1..13, 2..14]);
        assert_eq!(gates[2], with_gate([13].into_iter(), 20));
    }

    #[test]
    fn an_operand_that_is_there_already_is_not_doubled() {
        let mut operands = vec![Vec::new(); 20];
        operands.push(lits(0..8));
        operands.push(with_gate(0..8, 20));
        share_subsets(&mut operands);
        assert_eq!(operands[21], [Lit::new(20, false)]);
    }

    #[test]
    fn gates_that_overlap_stay_as_they_are() {
        assert_eq!(shared(&[0..9, 1..11]), [lits(0..9), lits(1..11)]);
        assert_eq!(shared(&[0..4, 0..12]), [lits(0..4), lits(0..12)]);
    }
}
