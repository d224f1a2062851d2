//! Common-cube extraction: pairs of operands that several gates share become gates of their own.
//!
//! The pair that most gates share is extracted first, repeatedly (Rudell 1989).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::GoOn;
use crate::propnet::network::{Gates, Lit, Network, NodeId};

/// The most operands after an operand in the same gate with which it is paired; fewer where there are too many pairs.
const REACH: usize = 24;
/// The most pairs that are counted, but each operand is paired with at least two others.
const PAIRS: usize = 4_000_000;
/// The number of pairs between two calls of `go_on`.
const PAIRS_BETWEEN_CHECKS: usize = 256;

/// The network with common pairs extracted, as many as possible before `go_on` answers `false`.
pub fn extract_cubes(network: &Network, go_on: GoOn<'_>) -> Network {
    let mut extraction = Extraction::new(network);
    extraction.run(go_on);
    extraction.rebuilt(network)
}

/// Two literals, the smaller one first.
type LitPair = (Lit, Lit);

/// The operands of the gates during extraction. Extracted pairs are gates too, numbered after those of the network.
struct Extraction {
    /// Per node, its operands in order; empty for leaves and for unused gates.
    operands: Vec<Vec<Lit>>,
    /// Per node, the gates that take it uncomplemented; some of them may no longer do so.
    takers: Vec<Vec<NodeId>>,
    /// Per finding of a pair in several gates, these gates.
    gates_with: Vec<Vec<NodeId>>,
    /// The number of gates that had a pair when last counted, the pair, and its place in `gates_with`.
    most: BinaryHeap<(usize, Reverse<LitPair>, usize)>,
    reach: usize,
}

impl Extraction {
    fn new(network: &Network) -> Self {
        let uses = network.uses();
        let nodes = network.gates.nodes();
        let wanted = |node: NodeId| {
            if uses[node as usize] > 0 {
                network.gates.operands(node).to_vec()
            } else {
                Vec::new()
            }
        };
        let operands: Vec<Vec<Lit>> = nodes.clone().map(wanted).collect();
        let signals: usize = operands.iter().map(Vec::len).sum();
        let mut extraction = Self {
            reach: (PAIRS / signals.max(1)).clamp(2, REACH),
            takers: takers(&operands),
            operands,
            gates_with: Vec::new(),
            most: BinaryHeap::new(),
        };
        let found = extraction.found_again();
        extraction.note(found);
        extraction
    }

    /// Each pair of neighbouring operands that occurs in several gates, with each of these gates.
    fn found_again(&self) -> Vec<(LitPair, NodeId)> {
        let mut counts = PairCounts::new(self.reach * self.operands.len());
        self.each_pair(|pair, _| counts.add(pair));
        let mut found = Vec::new();
        self.each_pair(|pair, node| {
            if counts.may_be_several(pair) {
                found.push((pair, node));
            }
        });
        found
    }

    fn each_pair(&self, mut visit: impl FnMut(LitPair, NodeId)) {
        for (operands, node) in self.operands.iter().zip(0..) {
            for (place, &one) in operands.iter().enumerate() {
                for &other in operands[place + 1..].iter().take(self.reach) {
                    visit((one, other), node);
                }
            }
        }
    }

    /// Enters the pairs that were found in several gates.
    fn note(&mut self, mut found: Vec<(LitPair, NodeId)>) {
        found.sort_unstable();
        for same in found.chunk_by(|one, other| one.0 == other.0) {
            if let [(pair, _), _, ..] = same {
                self.most
                    .push((same.len(), Reverse(*pair), self.gates_with.len()));
                let gates = same.iter().map(|(_, node)| *node).collect();
                self.gates_with.push(gates);
            }
        }
    }

    fn run(&mut self, go_on: GoOn<'_>) {
        let mut looked_at = 0;
        while let Some((count, Reverse(pair), place)) = self.most.pop() {
            looked_at += 1;
            if looked_at % PAIRS_BETWEEN_CHECKS == 0 && !go_on() {
                return;
            }
            let mut gates = std::mem::take(&mut self.gates_with[place]);
            gates.retain(|&gate| {
                let operands = &self.operands[gate as usize];
                operands.binary_search(&pair.0).is_ok() && operands.binary_search(&pair.1).is_ok()
            });
            match gates.len() {
                0 | 1 => {}
                left if left == count => self.extract(pair, &gates),
                left => {
                    self.most.push((left, Reverse(pair), place));
                    self.gates_with[place] = gates;
                }
            }
        }
    }

    fn extract(&mut self, pair: LitPair, gates: &[NodeId]) {
        // A gate with no other operands than the pair is reused.
        let is_pair = |&&gate: &&NodeId| self.operands[gate as usize].len() == 2;
        let node = gates.iter().find(is_pair).copied().unwrap_or_else(|| {
            self.operands.push(vec![pair.0, pair.1]);
            self.takers.push(Vec::new());
            (self.operands.len() - 1) as NodeId
        });
        let both = Lit::new(node, false);
        for &gate in gates.iter().filter(|&&gate| gate != node) {
            let operands = &mut self.operands[gate as usize];
            operands.retain(|&lit| lit != pair.0 && lit != pair.1);
            let place = operands.partition_point(|&lit| lit < both);
            operands.insert(place, both);
            self.takers[node as usize].push(gate);
        }
        let mut found = Vec::new();
        for &gate in &self.takers[node as usize] {
            let operands = &self.operands[gate as usize];
            if operands.binary_search(&both).is_ok() {
                let others = operands.iter().rev().filter(|&&lit| lit != both);
                let pairs = others.map(|&other| (other.min(both), other.max(both)));
                found.extend(pairs.take(self.reach).map(|pair| (pair, gate)));
            }
        }
        self.note(found);
    }

    /// The network with these operands.
    fn rebuilt(&self, network: &Network) -> Network {
        let mut gates = network.gates.room_for_as_many();
        let mut made = vec![None; self.operands.len()];
        let uses = network.uses();
        for node in network
            .gates
            .nodes()
            .filter(|&node| uses[node as usize] > 0)
        {
            self.make(node, &mut gates, &mut made);
        }
        network.remade(gates, &uses, |node| {
            made[node as usize].unwrap_or(Lit::FALSE)
        })
    }

    /// Builds a node, its operands first.
    fn make(&self, node: NodeId, gates: &mut Gates, made: &mut [Option<Lit>]) {
        let mut path = vec![node];
        while let Some(&node) = path.last() {
            let operands = &self.operands[node as usize];
            let open = operands
                .iter()
                .map(|lit| lit.node())
                .find(|&node| made[node as usize].is_none());
            if let Some(open) = open.filter(|_| made[node as usize].is_none()) {
                path.push(open);
                continue;
            }
            let value =
                |lit: &Lit| made[lit.node() as usize].map(|made| made.negate_if(lit.is_negated()));
            let lits: Vec<Lit> = operands.iter().filter_map(value).collect();
            let is_leaf = operands.is_empty();
            made[node as usize] = Some(if is_leaf {
                Lit::new(node, false)
            } else {
                gates.and(&lits)
            });
            path.pop();
        }
    }
}

/// Per node, the gates that take it uncomplemented.
fn takers(operands: &[Vec<Lit>]) -> Vec<Vec<NodeId>> {
    let mut takers = vec![Vec::new(); operands.len()];
    for (operands, gate) in operands.iter().zip(0..) {
        for lit in operands.iter().filter(|lit| !lit.is_negated()) {
            takers[lit.node() as usize].push(gate);
        }
    }
    takers
}

/// An upper bound on how many gates have each pair: small counters, each shared by several pairs.
struct PairCounts(Vec<u8>);

impl PairCounts {
    /// Counters for about `pairs` pairs.
    fn new(pairs: usize) -> Self {
        Self(vec![0; (2 * pairs).next_power_of_two()])
    }

    fn place(&self, pair: LitPair) -> usize {
        FxBuildHasher.hash_one(pair) as usize & (self.0.len() - 1)
    }

    fn add(&mut self, pair: LitPair) {
        let place = self.place(pair);
        self.0[place] = self.0[place].saturating_add(1);
    }

    /// `false` only for a pair that was added at most once.
    fn may_be_several(&self, pair: LitPair) -> bool {
        self.0[self.place(pair)] > 1
    }
}
