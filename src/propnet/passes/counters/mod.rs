//! Counter extraction: replaces unary counters by binary adders.
//!
//! Rules count by recursion, one square after the other. Ground, that takes a few gates for every pair of a square and a
//! number, thousands for the pieces on a board. Where a signal depends only on how many of some fluents hold, full adders
//! compute that number in binary, with nine gates per fluent, and the signal is computed from its bits.

mod adder;
mod form;
#[cfg(test)]
mod tests;

use rustc_hash::{FxHashMap, FxHashSet};

use self::adder::Adder;
use self::form::{Forms, SetId};
use super::GoOn;
use crate::propnet::network::{Lit, Network, NodeId};

/// How often sets that do not pay are dropped; sets that are found instead are smaller and pay less.
const ROUNDS: usize = 4;
/// Gates for computing one signal from the bits of a number; signals share some of them.
const READING: usize = 2;

/// The network with the counters that the end and the goals depend on replaced by adders, where that takes fewer gates.
///
/// The gates are compared before the other passes. Where few of the fluents can hold at once, these might have made the
/// unary counters smaller still.
pub fn extract_counters(network: &Network, go_on: GoOn<'_>) -> Network {
    let counted = Forms::of(network, go_on).and_then(|forms| {
        let mut plan = AdderPlan::new(network, &forms);
        plan.keep_what_pays(go_on).then(|| plan.carried_out())
    });
    match counted {
        Some(counted) if counted.size() < network.size() => counted,
        _ => network.clone(),
    }
}

/// Which nodes are to be computed from numbers.
struct AdderPlan<'n> {
    network: &'n Network,
    forms: &'n Forms,
    /// The sets for which an adder does not pay.
    costly: FxHashSet<SetId>,
    /// Per set, its nodes.
    counted: FxHashMap<SetId, Vec<NodeId>>,
    /// Per node, whether the new network has it, as a gate or computed from a number.
    is_reached: Vec<bool>,
}

impl<'n> AdderPlan<'n> {
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

    /// Walks from the outputs down to the first nodes that can be computed from a number.
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

    /// The set whose number determines a node, and the numbers for which the node is true, unless an adder does not pay.
    fn number(&self, node: NodeId) -> Option<(SetId, u128)> {
        let number = self.forms.number(node);
        number.filter(|(set, _)| !self.costly.contains(set))
    }

    /// Drops sets whose nodes take fewer gates than an adder would. Returns whether any are left.
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

    /// How many gates of two operands the cone of these nodes has.
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
