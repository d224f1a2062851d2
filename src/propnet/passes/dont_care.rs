//! Don't-care simplification: removes operands that the context of a gate already implies.
//!
//! In `a and (a or b)` the second operand is redundant. So it is in `does m and (legal m or x)`, since only legal moves are
//! made. A gate with one user is simplified under everything that holds where its output matters: its sibling operands,
//! what these imply through their own operands or through a group of which at most one member is true, and the legality
//! of the moves made.

use super::groups::NodeGroups;
use crate::propnet::network::{Gates, Leaf, Lit, Network, NodeId};

/// Gates nested deeper than this are simplified without context, so that the recursion stays shallow.
const DEPTH: u32 = 100;
/// The most implied signals that are visited for an assumed one.
const IMPLIED: usize = 200;

/// The network with every gate simplified under what holds where its output matters.
pub fn simplify_dont_cares<'n>(network: &'n Network, groups: &'n NodeGroups) -> Network {
    let uses = network.uses();
    let mut walk = ContextWalk {
        network,
        is_inner: inner(network, &uses),
        gates: Gates::new(network.gates.leaves()),
        made: vec![Lit::FALSE; network.gates.nodes().len()],
        context: Context::new(network, groups),
    };
    for node in network.gates.nodes() {
        if !network.gates.is_gate(node) {
            walk.made[node as usize] = Lit::new(node, false);
        } else if uses[node as usize] > 0 && !walk.is_inner[node as usize] {
            walk.made[node as usize] = walk.gate(node);
        }
    }
    let ContextWalk { gates, made, .. } = walk;
    network.remade(gates, &uses, |node| made[node as usize])
}

/// Per node, whether it is a gate whose only user is another gate, and not too deep below one that is not.
fn inner(network: &Network, uses: &[u32]) -> Vec<bool> {
    let gates = &network.gates;
    let mut is_inner = vec![false; uses.len()];
    let mut depths = vec![0; uses.len()];
    let is_output = {
        let mut is_output = vec![false; uses.len()];
        let values = network
            .outputs
            .cycles
            .iter()
            .flat_map(|cycle| &cycle.values)
            .copied();
        network
            .outputs
            .each()
            .chain(values)
            .for_each(|lit| is_output[lit.node() as usize] = true);
        is_output
    };
    for node in gates.nodes().filter(|&node| gates.is_gate(node)) {
        let below = gates
            .operands(node)
            .iter()
            .filter(|lit| is_inner[lit.node() as usize]);
        let depth = below
            .map(|lit| depths[lit.node() as usize] + 1)
            .max()
            .unwrap_or(0);
        depths[node as usize] = depth;
        is_inner[node as usize] =
            uses[node as usize] == 1 && !is_output[node as usize] && depth < DEPTH;
    }
    is_inner
}

struct ContextWalk<'n> {
    network: &'n Network,
    is_inner: Vec<bool>,
    gates: Gates,
    /// Per old node that is not inner, its signal in the new network.
    made: Vec<Lit>,
    context: Context<'n>,
}

impl ContextWalk<'_> {
    /// Rebuilds a gate under what is known.
    fn gate(&mut self, node: NodeId) -> Lit {
        let mark = self.context.trail.len();
        let lit = self.conjunction(node);
        self.context.forget(mark);
        lit
    }

    fn conjunction(&mut self, node: NodeId) -> Lit {
        let network = self.network;
        let operands = network.gates.operands(node);
        let (inner, mut plain): (Vec<Lit>, Vec<Lit>) = operands
            .iter()
            .partition(|lit| self.is_inner[lit.node() as usize]);
        let mut lits = Vec::with_capacity(operands.len());
        // Positive literals imply more than negated ones, and moves imply most.
        let leaves = network.gates.leaves();
        plain.sort_by_key(|lit| {
            let is_move = matches!(leaves.leaf(lit.node()), Some(Leaf::Does(_)));
            (
                lit.is_negated(),
                !is_move,
                network.gates.is_gate(lit.node()),
                *lit,
            )
        });
        for lit in plain {
            match self.context.value(lit) {
                Some(true) => {}
                Some(false) => return Lit::FALSE,
                None => {
                    lits.push(self.made[lit.node() as usize].negate_if(lit.is_negated()));
                    if !self.context.assume(lit) {
                        return Lit::FALSE;
                    }
                }
            }
        }
        for lit in inner {
            lits.push(self.gate(lit.node()).negate_if(lit.is_negated()));
        }
        self.gates.and(&lits)
    }
}

/// What holds where the output of the current gate matters, by nodes of the old network.
struct Context<'n> {
    network: &'n Network,
    groups: &'n NodeGroups,
    /// Per node, its known value.
    values: Vec<Option<bool>>,
    /// Per group, the member known to be true.
    true_of: Vec<Option<NodeId>>,
    /// The nodes whose values were learnt, in order.
    trail: Vec<NodeId>,
    work: Vec<Lit>,
}

impl<'n> Context<'n> {
    fn new(network: &'n Network, groups: &'n NodeGroups) -> Self {
        Self {
            network,
            groups,
            values: vec![None; network.gates.nodes().len()],
            true_of: vec![None; groups.count()],
            trail: Vec::new(),
            work: Vec::new(),
        }
    }

    /// The known value of a signal.
    fn value(&self, lit: Lit) -> Option<bool> {
        let node = lit.node();
        let value = self.values[node as usize].or_else(|| {
            let mut groups = self.groups.of(node).iter();
            let is_excluded = groups.any(|&group| self.true_of[group as usize].is_some());
            is_excluded.then_some(false)
        });
        value.map(|value| value != lit.is_negated())
    }

    /// Learns that a signal is true, and what that implies; `false` if it contradicts what is known.
    fn assume(&mut self, lit: Lit) -> bool {
        self.work.clear();
        self.work.push(lit);
        let mut left = IMPLIED;
        while let Some(lit) = self.work.pop() {
            match self.value(lit) {
                Some(true) => continue,
                Some(false) => return false,
                None if left == 0 => continue,
                None => left -= 1,
            }
            self.learn(lit);
        }
        true
    }

    fn learn(&mut self, lit: Lit) {
        let node = lit.node();
        self.values[node as usize] = Some(!lit.is_negated());
        self.trail.push(node);
        if lit.is_negated() {
            return;
        }
        for &group in self.groups.of(node) {
            self.true_of[group as usize] = Some(node);
        }
        let gates = &self.network.gates;
        self.work.extend(gates.operands(node));
        if let Some(Leaf::Does(input)) = gates.leaves().leaf(node) {
            self.work.push(self.network.outputs.legal[input]);
        }
    }

    /// Forgets everything learnt since the trail had length `mark`.
    fn forget(&mut self, mark: usize) {
        for node in self.trail.drain(mark..) {
            if self.values[node as usize].take() == Some(true) {
                for &group in self.groups.of(node) {
                    self.true_of[group as usize] = None;
                }
            }
        }
    }
}
