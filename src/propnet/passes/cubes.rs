//! Common-cube extraction: pairs of operands that several gates share become gates of their own.
//!
//! The pair that most gates share is extracted first, repeatedly (Rudell 1989). Before, gates that have all operands of another
//! large gate take it instead.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;
use std::ops::Range;

use rayon::slice::ParallelSliceMut;
use rustc_hash::FxBuildHasher;

use super::GoOn;
use super::subsets::share_subsets;
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
    /// Per node, how many pairs had been extracted when its operands changed last.
    changed: Vec<u32>,
    extracted: u32,
    /// The gates of all findings, one finding after the other.
    gates_with: Vec<NodeId>,
    findings: Vec<SharedPair>,
    most: SharedPairQueue,
    reach: usize,
}

/// A pair that was found in several gates.
struct SharedPair {
    pair: LitPair,
    /// The places of these gates in `gates_with`.
    gates: Range<usize>,
    /// How many pairs had been extracted when the gates were last looked at.
    seen: u32,
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
        let mut operands: Vec<Vec<Lit>> = nodes.clone().map(wanted).collect();
        share_subsets(&mut operands);
        let signals: usize = operands.iter().map(Vec::len).sum();
        let mut extraction = Self {
            reach: (PAIRS / signals.max(1)).clamp(2, REACH),
            takers: takers(&operands),
            changed: vec![0; operands.len()],
            extracted: 0,
            operands,
            gates_with: Vec::new(),
            findings: Vec::new(),
            most: SharedPairQueue::default(),
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
        found.par_sort_unstable();
        for same in found.chunk_by(|one, other| one.0 == other.0) {
            if let [(pair, _), _, ..] = same {
                let first = self.gates_with.len();
                self.gates_with.extend(same.iter().map(|(_, node)| *node));
                self.most.push(same.len(), *pair, self.findings.len());
                self.findings.push(SharedPair {
                    pair: *pair,
                    gates: first..self.gates_with.len(),
                    seen: self.extracted,
                });
            }
        }
    }

    fn run(&mut self, go_on: GoOn<'_>) {
        let mut looked_at = 0;
        while let Some((count, number)) = self.most.pop() {
            looked_at += 1;
            if looked_at % PAIRS_BETWEEN_CHECKS == 0 && !go_on() {
                return;
            }
            let left = self.look_again(number);
            match left.len() {
                0 | 1 => {}
                same if same == count => {
                    let gates = self.gates_with[left].to_vec();
                    self.extract(self.findings[number].pair, &gates);
                }
                fewer => self.most.push(fewer, self.findings[number].pair, number),
            }
        }
    }

    /// The places of the gates that still have the pair of a finding.
    fn look_again(&mut self, number: usize) -> Range<usize> {
        let SharedPair { pair, gates, seen } = &mut self.findings[number];
        let mut end = gates.start;
        for place in gates.clone() {
            let gate = self.gates_with[place];
            let has_pair = self.changed[gate as usize] <= *seen || {
                let operands = &self.operands[gate as usize];
                operands.binary_search(&pair.0).is_ok() && operands.binary_search(&pair.1).is_ok()
            };
            if has_pair {
                self.gates_with[end] = gate;
                end += 1;
            }
        }
        gates.end = end;
        *seen = self.extracted;
        gates.clone()
    }

    fn extract(&mut self, pair: LitPair, gates: &[NodeId]) {
        self.extracted += 1;
        // A gate with no other operands than the pair is reused.
        let is_pair = |&&gate: &&NodeId| self.operands[gate as usize].len() == 2;
        let node = gates.iter().find(is_pair).copied().unwrap_or_else(|| {
            self.operands.push(vec![pair.0, pair.1]);
            self.takers.push(Vec::new());
            self.changed.push(self.extracted);
            (self.operands.len() - 1) as NodeId
        });
        let both = Lit::new(node, false);
        for &gate in gates.iter().filter(|&&gate| gate != node) {
            let operands = &mut self.operands[gate as usize];
            operands.retain(|&lit| lit != pair.0 && lit != pair.1);
            let place = operands.partition_point(|&lit| lit < both);
            operands.insert(place, both);
            self.changed[gate as usize] = self.extracted;
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

/// A pair, and the number of a finding of it; the later one comes first.
type QueuedPair = (LitPair, Reverse<usize>);

/// Findings, those in most gates first; of those in equally many, the pairs of smaller literals first.
struct SharedPairQueue {
    /// Per number of gates. Those of `current` are in order, the last one first.
    by_count: Vec<Vec<QueuedPair>>,
    /// The most gates that a finding has.
    current: usize,
    /// More findings in as many gates.
    late: BinaryHeap<Reverse<QueuedPair>>,
}

impl Default for SharedPairQueue {
    fn default() -> Self {
        Self {
            by_count: Vec::new(),
            current: usize::MAX,
            late: BinaryHeap::new(),
        }
    }
}

impl SharedPairQueue {
    /// Enters a finding of a pair in so many gates.
    fn push(&mut self, count: usize, pair: LitPair, number: usize) {
        let entry = (pair, Reverse(number));
        if count == self.current {
            return self.late.push(Reverse(entry));
        }
        if self.by_count.len() <= count {
            self.by_count.resize(count + 1, Vec::new());
        }
        self.by_count[count].push(entry);
        if count > self.current {
            let late = self.late.drain().map(|Reverse(entry)| entry);
            self.by_count[self.current].extend(late);
            self.current = count;
        }
    }

    /// The next finding, with the number of its gates when it was entered.
    fn pop(&mut self) -> Option<(usize, usize)> {
        self.current = self.current.min(self.by_count.len());
        loop {
            let ordered = self.by_count.get_mut(self.current);
            let next = ordered.as_ref().and_then(|ordered| ordered.last());
            let late = self.late.peek().map(|Reverse(entry)| entry);
            let is_late = match (next, late) {
                (Some(next), Some(late)) => late < next,
                (None, Some(_)) => true,
                (Some(_), None) => false,
                (None, None) => {
                    self.current = self.current.checked_sub(1)?;
                    self.by_count[self.current].sort_unstable_by(|one, other| other.cmp(one));
                    continue;
                }
            };
            let entry = match is_late {
                true => self.late.pop().map(|Reverse(entry)| entry),
                false => ordered.and_then(Vec::pop),
            };
            return entry.map(|(_, Reverse(number))| (self.current, number));
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
