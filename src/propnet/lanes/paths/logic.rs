//! Boolean functions of the fluents, as gates that are shared where they are the same and folded where operands are known.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::propnet::circuit::{GateKind, NEVER, Slot};

/// A function, or its complement: twice the number of its node, plus one for the complement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct GateLiteral(u32);

impl GateLiteral {
    pub(super) const FALSE: Self = Self(0);
    pub(super) const TRUE: Self = Self(1);

    /// The function that a node computes. Node 0 is false in all states.
    pub(super) fn of(node: Slot) -> Self {
        Self(2 * node)
    }

    pub(super) fn node(self) -> Slot {
        self.0 / 2
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    #[must_use]
    pub(super) fn negated_if(self, negated: bool) -> Self {
        Self(self.0 ^ u32::from(negated))
    }

    /// The value, where it is the same in all states.
    pub(super) fn constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }
}

/// A gate and the nodes that it reads.
pub(super) type GateNode = (GateKind, [Slot; 3]);

/// All functions that are known: constants, leaves, and gates over those before them.
#[derive(Debug)]
pub(super) struct Logic {
    leaves: usize,
    nodes: Vec<GateNode>,
    known: FxHashMap<GateNode, Slot>,
}

impl Logic {
    /// Only leaves, those of number 0 and 1 among them: 0 is false, and 1 is not to be read.
    pub(super) fn new(leaves: usize) -> Self {
        Self {
            leaves,
            nodes: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// How many nodes there are, leaves included.
    pub(super) fn len(&self) -> usize {
        self.leaves + self.nodes.len()
    }

    /// Forgets all gates but the first ones.
    pub(super) fn truncate(&mut self, len: usize) {
        for node in self.nodes.drain(len - self.leaves..) {
            self.known.remove(&node);
        }
    }

    /// The gate of a node, unless it is a leaf.
    pub(super) fn gate_of(&self, node: Slot) -> Option<&GateNode> {
        let gate = (node as usize).checked_sub(self.leaves)?;
        self.nodes.get(gate)
    }

    /// The output of a gate.
    pub(super) fn gate(&mut self, kind: GateKind, operands: [GateLiteral; 3]) -> GateLiteral {
        let (kind, nodes) = match folded(kind, operands) {
            Folded::GateLiteral(literal) => return literal,
            Folded::Gate(kind, nodes) => (kind, nodes),
        };
        let (kind, order) = SORTED[usize::from(kind.table() & 0xff)];
        let node = (kind, order.map(|old| nodes[old]));
        let next = self.len() as Slot;
        let known = *self.known.entry(node).or_insert(next);
        if known == next {
            self.nodes.push(node);
        }
        GateLiteral::of(known)
    }
}

/// A gate whose operands are different nodes, all of which count; those it does not have are [`NEVER`].
enum Folded {
    GateLiteral(GateLiteral),
    Gate(GateKind, [Slot; 3]),
}

/// Per truth table the canonical kind that differs by the order of operands only, and the permutation; two operands stay the first
/// ones.
static SORTED: LazyLock<[(GateKind, [usize; 3]); 256]> = LazyLock::new(|| {
    std::array::from_fn(|table| {
        // Operand `d` does not count.
        let table = table as u16 * 0x0101;
        let kind = GateKind::of_table(table);
        let swapped = GateKind::of_table(moved(moved(moved(table, 0, 2), 1, 0), 2, 1));
        match kind.operands() {
            2 if kind <= swapped => (kind, [0, 1, 2]),
            2 => (swapped, [1, 0, 2]),
            _ => {
                let (kind, [a, b, c, _]) = kind.sorted();
                (kind, [a, b, c])
            }
        }
    })
});

fn folded(kind: GateKind, operands: [GateLiteral; 3]) -> Folded {
    let mut table = kind.table();
    for at in 0..3 {
        let operand = operands[at];
        if let Some(value) = operand.constant() {
            table = restricted(table, at, value);
        } else if operand.is_negated() {
            let (low, high) = (restricted(table, at, false), restricted(table, at, true));
            table = low & GateKind::COLUMNS[at] | high & !GateKind::COLUMNS[at];
        }
    }
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        if operands[one].node() == operands[other].node() {
            let [low, high] =
                [false, true].map(|value| restricted(restricted(table, one, value), other, value));
            table = low & !GateKind::COLUMNS[one] | high & GateKind::COLUMNS[one];
        }
    }
    // What counts comes first.
    let (mut nodes, mut counted) = ([NEVER; 3], 0);
    for at in 0..3 {
        if restricted(table, at, false) == restricted(table, at, true) {
            continue;
        }
        table = moved(table, at, counted);
        nodes[counted] = operands[at].node();
        counted += 1;
    }
    match counted {
        0 => Folded::GateLiteral(GateLiteral::FALSE.negated_if(table & 1 == 1)),
        1 => Folded::GateLiteral(GateLiteral::of(nodes[0]).negated_if(table & 1 == 1)),
        _ => Folded::Gate(GateKind::of_table(table), nodes),
    }
}

/// The table where an operand has a value, whatever is said of the operand then.
fn restricted(table: u16, operand: usize, value: bool) -> u16 {
    let (column, by) = (GateKind::COLUMNS[operand], 1 << operand);
    if value {
        table & column | (table & column) >> by
    } else {
        table & !column | (table & !column) << by
    }
}

/// The table with operand `from` in the place of operand `to`, which did not count.
fn moved(table: u16, from: usize, to: usize) -> u16 {
    let [low, high] = [false, true].map(|value| restricted(table, from, value));
    low & !GateKind::COLUMNS[to] | high & GateKind::COLUMNS[to]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LEAVES: [u64; 5] = [0, 0, 0b1010_1010, 0b1100_1100, 0b1111_0000];

    fn value(logic: &Logic, literal: GateLiteral) -> u64 {
        let node = literal.node();
        let value = match logic.gate_of(node) {
            Some((kind, operands)) => {
                let [a, b, c] = operands.map(|operand| value(logic, GateLiteral::of(operand)));
                kind.apply([a, b, c, 0])
            }
            None => LEAVES[node as usize],
        };
        if literal.is_negated() { !value } else { value }
    }

    /// All kinds of gates that there are.
    fn kinds() -> Vec<GateKind> {
        let of_three = GateKind::OF_TWO.iter().flat_map(|outer| {
            let inner = GateKind::OF_TWO.iter();
            inner.flat_map(|inner| [0, 1].map(|at| outer.around(at, *inner).sorted().0))
        });
        GateKind::OF_TWO.into_iter().chain(of_three).collect()
    }

    proptest! {
        #[test]
        fn folded_gates_compute_the_same_by_gates_of_the_same_kinds(
            kind in 0..kinds().len(), operands in prop::array::uniform3((0_u32..4, any::<bool>())),
        ) {
            let kind = kinds()[kind];
            let leaf = |(leaf, negated): (u32, bool)| {
                GateLiteral::of(if leaf == 0 { 0 } else { leaf + 1 }).negated_if(negated)
            };
            let mut operands = operands.map(leaf);
            if kind.operands() == 2 {
                operands[2] = GateLiteral::FALSE;
            }
            let mut logic = Logic::new(LEAVES.len());
            let folded = logic.gate(kind, operands);
            let [a, b, c] = operands.map(|operand| value(&logic, operand));
            let expected = kind.apply([a, b, c, 0]);
            prop_assert_eq!(value(&logic, folded), expected);
            prop_assert_eq!(logic.gate(kind, operands), folded);
            if let Some((folded, _)) = logic.gate_of(folded.node()) {
                prop_assert!(kinds().contains(folded), "{folded:?}");
            }
            logic.truncate(LEAVES.len());
            prop_assert!(logic.known.is_empty());
        }
    }
}
