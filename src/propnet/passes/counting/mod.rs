//! Counting in binary.
//!
//! Rules count by recursion: of the first square and the next one, of these and the one after. Spelt out, that is a few
//! gates for every square and every number, thousands for the men of a board. Where a signal turns out to depend on
//! nothing but how many of some fluents hold, adders find that number in binary instead, with nine gates for each fluent
//! (the full adder of any textbook), and the signal is read off its few bits.

mod adder;
mod form;
#[cfg(test)]
mod tests;

use rustc_hash::{FxHashMap, FxHashSet};

use self::adder::Adder;
use self::form::{Forms, SetId};
use super::GoOn;
use crate::propnet::network::{Lit, Network, NodeId};

/// So often sets are dropped that do not pay; others that show up then are smaller, and pay less.
const ROUNDS: usize = 4;
/// Reading a signal off a number takes a few gates, which others share.
const READING: usize = 2;

/// The network with what the end and the goals rest on counted in binary, where that takes fewer gates.
///
/// Whether it does is judged by the gates as they are. Where few of the fluents can hold at once, other passes might have
/// made the counters smaller still.
pub fn counting(network: &Network, go_on: GoOn<'_>) -> Network {
    let counted = Forms::of(network, go_on).and_then(|forms| {
        let mut plan = Plan::new(network, &forms);
        plan.keep_what_pays(go_on).then(|| plan.carried_out())
    });
    match counted {
        Some(counted) if counted.size() < network.size() => counted,
        _ => network.clone(),
    }
}

/// Which nodes are to be read off numbers.
struct Plan<'n> {
    network: &'n Network,
    forms: &'n Forms,
    /// The sets that are not worth counting.
    costly: FxHashSet<SetId>,
    /// Per set, its nodes.
    counted: FxHashMap<SetId, Vec<NodeId>>,
    /// Per node, whether it is still made, or read off a number.
    is_reached: Vec<bool>,
}

impl<'n> Plan<'n> {
    fn new(network: &'n Network, forms: &'n Forms) -> Self {
        let mut plan = Self {
            network,
            forms,
            costly: FxHashSet::default(),
            counted: FxHashMap::default(),
            is_reached: Vec::new(),
        };
        plan.reach();
        plan
    }

    /// Walks from the outputs down to the first nodes that could be read off a number.
    fn reach(&mut self) {
        self.counted.clear();
        self.is_reached = vec![false; self.network.gates.nodes().len()];
        let cycles = self.network.outputs.cycles.iter();
        let values = cycles.flat_map(|cycle| cycle.values.iter().copied());
        let mut open: Vec<NodeId> = self
            .network
            .outputs
            .each()
            .chain(values)
            .map(Lit::node)
            .collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut self.is_reached[node as usize], true) {
                continue;
            }
            match self.number(node) {
                Some((set, _)) => self.counted.entry(set).or_default().push(node),
                None => open.extend(
                    self.network
                        .gates
                        .operands(node)
                        .iter()
                        .map(|lit| lit.node()),
                ),
            }
        }
    }

    /// The set whose number tells what a node is, and the numbers for which it is true, unless that is not worth it.
    fn number(&self, node: NodeId) -> Option<(SetId, u128)> {
        let number = self.forms.number(node);
        number.filter(|(set, _)| !self.costly.contains(set))
    }

    /// Drops sets whose nodes take fewer gates as they are than adders would; says whether any are left.
    fn keep_what_pays(&mut self, go_on: GoOn<'_>) -> bool {
        for _ in 0..ROUNDS {
            let costly = self.counted.iter().filter(|(set, nodes)| {
                let adders = Adder::gates(self.forms.size(**set)) + READING * nodes.len();
                self.cone(nodes) <= adders
            });
            let costly: Vec<SetId> = costly.map(|(set, _)| *set).collect();
            if costly.is_empty() || !go_on() {
                break;
            }
            self.costly.extend(costly);
            self.reach();
        }
        !self.counted.is_empty() && go_on()
    }

    /// How many gates of two operands these nodes take.
    fn cone(&self, nodes: &[NodeId]) -> usize {
        let gates = &self.network.gates;
        let mut seen = FxHashSet::default();
        let mut open = nodes.to_vec();
        let mut size = 0;
        while let Some(node) = open.pop() {
            if gates.is_gate(node) && seen.insert(node) {
                size += gates.operands(node).len() - 1;
                open.extend(gates.operands(node).iter().map(|lit| lit.node()));
            }
        }
        size
    }

    fn carried_out(&self) -> Network {
        let old = &self.network.gates;
        let mut gates = old.room_for_as_many();
        let mut adders: FxHashMap<SetId, Adder> = FxHashMap::default();
        let mut made = vec![Lit::FALSE; old.nodes().len()];
        for node in old.nodes().filter(|&node| self.is_reached[node as usize]) {
            made[node as usize] = match self.number(node) {
                Some((set, table)) => adders
                    .entry(set)
                    .or_insert_with(|| Adder::new(&mut gates, self.forms.members(set)))
                    .is_in(&mut gates, table),
                None if !old.is_gate(node) => Lit::new(node, false),
                None => {
                    let operands = old.operands(node).iter();
                    let lits =
                        operands.map(|lit| made[lit.node() as usize].negate_if(lit.is_negated()));
                    gates.and(&lits.collect::<Vec<_>>())
                }
            };
        }
        let uses = self.network.uses();
        self.network
            .remade(gates, &uses, |node| made[node as usize])
    }
}
