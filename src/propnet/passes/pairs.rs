//! Pairs of signals that several gates take together become gates of their own.
//!
//! The pair that most gates share comes first, again and again, as in the extraction of common cubes (Rudell 1989).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::propnet::network::{Gates, Lit, Network, NodeId};

/// In a wider gate a signal is paired only with so many that come after it; fewer where that makes too many pairs.
const REACH: usize = 24;
/// So many pairs are counted at most, as long as each signal is paired with two others.
const PAIRS: usize = 4_000_000;

/// The network with common pairs extracted.
pub fn pairs(network: &Network) -> Network {
    let mut extraction = Extraction::new(network);
    extraction.run();
    extraction.rebuilt(network)
}

type Pair = (Lit, Lit);

/// The operands of the gates as they become fewer. Extracted pairs are gates too, with numbers after the network's.
struct Extraction {
    /// Per node, its operands in order; empty for leaves and for gates nobody wants.
    operands: Vec<Vec<Lit>>,
    gates_with: FxHashMap<Pair, Vec<NodeId>>,
    most: BinaryHeap<(usize, Reverse<Pair>)>,
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
            operands,
            gates_with: FxHashMap::default(),
            most: BinaryHeap::new(),
        };
        for node in nodes {
            extraction.note_all(node);
        }
        let counts = extraction
            .gates_with
            .iter()
            .filter(|(_, gates)| gates.len() > 1);
        extraction.most = counts
            .map(|(&pair, gates)| (gates.len(), Reverse(pair)))
            .collect();
        extraction
    }

    fn note_all(&mut self, node: NodeId) {
        let operands = &self.operands[node as usize];
        for (place, &one) in operands.iter().enumerate() {
            for &other in operands[place + 1..].iter().take(self.reach) {
                self.gates_with.entry((one, other)).or_default().push(node);
            }
        }
    }

    fn run(&mut self) {
        while let Some((count, Reverse(pair))) = self.most.pop() {
            let gates = self.still_with(pair);
            if gates.len() < 2 {
                continue;
            }
            if gates.len() < count {
                self.most.push((gates.len(), Reverse(pair)));
                continue;
            }
            self.extract(pair, &gates);
        }
    }

    /// The gates that take both of a pair now.
    fn still_with(&mut self, pair: Pair) -> Vec<NodeId> {
        let mut gates = self.gates_with.remove(&pair).unwrap_or_default();
        gates.retain(|&gate| {
            let operands = &self.operands[gate as usize];
            operands.binary_search(&pair.0).is_ok() && operands.binary_search(&pair.1).is_ok()
        });
        gates.sort_unstable();
        gates.dedup();
        self.gates_with.insert(pair, gates.clone());
        gates
    }

    fn extract(&mut self, pair: Pair, gates: &[NodeId]) {
        self.gates_with.remove(&pair);
        // A gate that is the pair serves the others.
        let is_pair = |&&gate: &&NodeId| self.operands[gate as usize].len() == 2;
        let node = gates.iter().find(is_pair).copied().unwrap_or_else(|| {
            self.operands.push(vec![pair.0, pair.1]);
            (self.operands.len() - 1) as NodeId
        });
        let both = Lit::new(node, false);
        for &gate in gates.iter().filter(|&&gate| gate != node) {
            let operands = &mut self.operands[gate as usize];
            operands.retain(|&lit| lit != pair.0 && lit != pair.1);
            let place = operands.partition_point(|&lit| lit < both);
            operands.insert(place, both);
            self.note_new(gate, both);
        }
    }

    /// Notes the pairs of `gate` with its new operand.
    fn note_new(&mut self, gate: NodeId, new: Lit) {
        let operands = &self.operands[gate as usize];
        for &other in operands
            .iter()
            .rev()
            .filter(|&&lit| lit != new)
            .take(self.reach)
        {
            let pair = (other.min(new), other.max(new));
            let gates = self.gates_with.entry(pair).or_default();
            gates.push(gate);
            if gates.len() > 1 {
                self.most.push((gates.len(), Reverse(pair)));
            }
        }
    }

    /// The network that the operands amount to.
    fn rebuilt(&self, network: &Network) -> Network {
        let mut gates = Gates::new(network.gates.leaves());
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
