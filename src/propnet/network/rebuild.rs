//! Rebuilds a network gate by gate, in topological order: the basis of all passes.

use super::{Gates, Lit, Network, NodeId};

impl Network {
    /// A network with the same outputs, in which `remake` has made every live gate anew, operands first.
    ///
    /// `remake` gets the operands as signals of the new network. An AND gate that only one other AND gate uses has been merged
    /// into that.
    pub fn rebuild(&self, remake: impl FnMut(&mut Gates, &[Operand]) -> Lit) -> Self {
        self.rebuild_from(|_| None, remake)
    }

    /// The same network with some leaves replaced by constants.
    pub fn with_leaves(&self, constant: impl Fn(NodeId) -> Option<Lit>) -> Self {
        self.rebuild_from(constant, conjunction)
    }

    fn rebuild_from(
        &self,
        constant: impl Fn(NodeId) -> Option<Lit>,
        mut remake: impl FnMut(&mut Gates, &[Operand]) -> Lit,
    ) -> Self {
        let uses = self.uses();
        let mut gates = self.gates.room_for_as_many();
        let mut made = vec![Lit::FALSE; self.gates.nodes().len()];
        let mut sharing = Sharing::default();
        let mut operands = Vec::new();
        for node in self.gates.nodes() {
            if !self.gates.is_gate(node) {
                made[node as usize] = constant(node).unwrap_or(Lit::new(node, false));
                continue;
            }
            if uses[node as usize] == 0 {
                continue;
            }
            operands.clear();
            for &lit in self.gates.operands(node) {
                let lit = made[lit.node() as usize].negate_if(lit.is_negated());
                merge(&gates, &sharing, lit, &mut operands);
            }
            let lit = remake(&mut gates, &operands);
            sharing.note(lit, uses[node as usize]);
            made[node as usize] = lit;
        }
        self.remade(gates, &uses, |node| made[node as usize])
    }

    /// A network of the new `gates`, in which `made` is the signal of each live node; dead loops are left out.
    pub(in crate::propnet) fn remade(
        &self,
        gates: Gates,
        uses: &[u32],
        made: impl Fn(NodeId) -> Lit,
    ) -> Self {
        let leaves = gates.leaves();
        let is_used = |number: usize| uses[leaves.variable(number).node() as usize] > 0;
        let outputs = self.outputs.renamed(
            |lit| made(lit.node()).negate_if(lit.is_negated()),
            |cycle| cycle.variables.clone().any(is_used),
        );
        Self { gates, outputs }
    }

    /// The same network without dead gates, and with every AND gate merged into the only AND gate that uses it.
    pub fn merged(&self) -> Self {
        self.rebuild(conjunction)
    }
}

fn conjunction(gates: &mut Gates, operands: &[Operand]) -> Lit {
    let lits: Vec<Lit> = operands.iter().map(|operand| operand.lit).collect();
    gates.and(&lits)
}

/// An operand of a gate that is rebuilt.
#[derive(Debug, Clone, Copy)]
pub struct Operand {
    /// The signal in the new network.
    pub lit: Lit,
    /// Whether it is a gate's output, and no other use of it is known.
    pub is_own: bool,
}

/// How often the gates of a new network will be used.
#[derive(Default)]
struct Sharing(Vec<u32>);

impl Sharing {
    fn note(&mut self, lit: Lit, uses: u32) {
        let node = lit.node() as usize;
        if self.0.len() <= node {
            self.0.resize(node + 1, 0);
        }
        self.0[node] += uses;
    }

    fn is_shared(&self, node: NodeId) -> bool {
        self.0.get(node as usize).is_some_and(|&uses| uses > 1)
    }
}

fn merge(gates: &Gates, sharing: &Sharing, lit: Lit, into: &mut Vec<Operand>) {
    let is_own = gates.is_gate(lit.node()) && !sharing.is_shared(lit.node());
    if is_own && !lit.is_negated() {
        for &lit in gates.operands(lit.node()) {
            let is_own = gates.is_gate(lit.node()) && !sharing.is_shared(lit.node());
            into.push(Operand { lit, is_own });
        }
    } else {
        into.push(Operand { lit, is_own });
    }
}
