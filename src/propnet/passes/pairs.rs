//! Pairs of signals that several gates take together become gates of their own.
//!
//! The pair that most gates share comes first, again and again, as in the extraction of common cubes (Rudell 1989).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::GoOn;
use crate::propnet::network::{Gates, Lit, Network, NodeId};

/// In a wider gate a signal is paired only with so many that come after it; fewer where that makes too many pairs.
const REACH: usize = 24;
/// So many pairs are counted at most, as long as each signal is paired with two others.
const PAIRS: usize = 4_000_000;
/// So many pairs are looked at between two questions whether to go on.
const PATIENCE: usize = 256;

/// The network with common pairs extracted, or with as many as could be before `go_on` said no.
pub fn pairs(network: &Network, go_on: GoOn<'_>) -> Network {
    let mut extraction = Extraction::new(network);
    extraction.run(go_on);
    extraction.rebuilt(network)
}

/// Two literals, the smaller one first.
type Pair = (Lit, Lit);

/// The operands of the gates as they become fewer. Extracted pairs are gates too, with numbers after the network's.
struct Extraction {
    /// Per node, its operands in order; empty for leaves and for gates nobody wants.
    operands: Vec<Vec<Lit>>,
    /// Per node, the gates that take it as it is, and some that did once.
    takers: Vec<Vec<NodeId>>,
    /// For each time that a pair was found in several gates, these.
    gates_with: Vec<Vec<NodeId>>,
    /// How many gates had a pair when that was counted last, and where in `gates_with` they are.
    most: BinaryHeap<(usize, Reverse<Pair>, usize)>,
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

    /// Each pair of signals near each other in a gate, as far as it is in several, with the gate.
    fn found_again(&self) -> Vec<(Pair, NodeId)> {
        let mut counts = Counts::new(self.reach * self.operands.len());
        self.each_pair(|pair, _| counts.add(pair));
        let mut found = Vec::new();
        self.each_pair(|pair, node| {
            if counts.may_be_several(pair) {
                found.push((pair, node));
            }
        });
        found
    }

    fn each_pair(&self, mut tell: impl FnMut(Pair, NodeId)) {
        for (operands, node) in self.operands.iter().zip(0..) {
            for (place, &one) in operands.iter().enumerate() {
                for &other in operands[place + 1..].iter().take(self.reach) {
                    tell((one, other), node);
                }
            }
        }
    }

    /// Notes the pairs that were found in several gates.
    fn note(&mut self, mut found: Vec<(Pair, NodeId)>) {
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
            if looked_at % PATIENCE == 0 && !go_on() {
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

    fn extract(&mut self, pair: Pair, gates: &[NodeId]) {
        // A gate that is the pair serves the others.
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

    /// The network that the operands amount to.
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

    /// Makes a node, operands first.
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

/// For each node, the gates that take it as it is.
fn takers(operands: &[Vec<Lit>]) -> Vec<Vec<NodeId>> {
    let mut takers = vec![Vec::new(); operands.len()];
    for (operands, gate) in operands.iter().zip(0..) {
        for lit in operands.iter().filter(|lit| !lit.is_negated()) {
            takers[lit.node() as usize].push(gate);
        }
    }
    takers
}

/// About how many gates have each pair: small counters, several pairs to one.
struct Counts(Vec<u8>);

impl Counts {
    /// Counters for about so many pairs.
    fn new(pairs: usize) -> Self {
        Self(vec![0; (2 * pairs).next_power_of_two()])
    }

    fn place(&self, pair: Pair) -> usize {
        FxBuildHasher.hash_one(pair) as usize & (self.0.len() - 1)
    }

    fn add(&mut self, pair: Pair) {
        let place = self.place(pair);
        self.0[place] = self.0[place].saturating_add(1);
    }

    /// False only for a pair that was added once at most.
    fn may_be_several(&self, pair: Pair) -> bool {
        self.0[self.place(pair)] > 1
    }
}
