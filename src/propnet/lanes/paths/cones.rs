//! Gates that something depends on, as code.

use rustc_hash::FxHashMap;

use crate::propnet::circuit::{Gate, NEVER, Segment, Slot};
use crate::propnet::lanes::code::Code;
use crate::propnet::lanes::paths::logic::{GateLiteral, GateNode, Logic};

/// The slots of what all moves share come first, then those of a single one.
pub(super) const OF_ONE_MOVE: Slot = 1 << 15;
/// Slots of complements that are counted.
pub(super) const COMPLEMENTS: Slot = 61_440;
/// The end of all slots.
pub(super) const END: Slot = 1 << 16;

/// A slot, and whether it holds the complement.
pub(super) type SlotSignal = (u16, bool);

/// Finds the gates that nodes depend on, and gives them slots.
#[derive(Debug, Default)]
pub(super) struct Cones {
    /// Per node its slot, where that is not its own number; 0 where it is.
    slots: Vec<u16>,
    found: Vec<Slot>,
    open: Vec<Slot>,
}

impl Cones {
    /// The gates that these nodes need beside the known ones, in order, in slots for what one move needs.
    pub(super) fn gates(
        &mut self,
        logic: &Logic,
        wanted: &[Slot],
        known: &[bool],
    ) -> Vec<(Slot, GateNode)> {
        self.find(logic, wanted, known);
        for (node, slot) in self.found.iter().zip(OF_ONE_MOVE..COMPLEMENTS) {
            self.slots[*node as usize] = slot as u16;
        }
        let gate = |node: &Slot| {
            let (kind, operands) = logic.gate_of(*node)?;
            let operands = operands.map(|operand| self.slot(operand).into());
            Some((self.slot(*node).into(), (*kind, operands)))
        };
        self.found.iter().filter_map(gate).collect()
    }

    /// All gates that these nodes depend on, in order, in the slots of their own numbers.
    pub(super) fn gates_in_place(
        &mut self,
        logic: &Logic,
        wanted: &[Slot],
    ) -> Vec<(Slot, GateNode)> {
        self.find(logic, wanted, &[]);
        let gate = |node: &Slot| Some((*node, *logic.gate_of(*node)?));
        self.found.iter().filter_map(gate).collect()
    }

    fn find(&mut self, logic: &Logic, wanted: &[Slot], known: &[bool]) {
        for node in self.found.drain(..) {
            self.slots[node as usize] = 0;
        }
        self.slots.resize(self.slots.len().max(logic.len()), 0);
        self.open.extend(wanted);
        while let Some(node) = self.open.pop() {
            let at = node as usize;
            if let Some((_, operands)) = logic.gate_of(node)
                && known.get(at) != Some(&true)
                && self.slots[at] == 0
            {
                self.slots[at] = 1;
                self.found.push(node);
                self.open.extend(operands);
            }
        }
        self.found.sort_unstable();
    }

    /// Where a node is.
    pub(super) fn slot(&self, node: Slot) -> u16 {
        match self.slots.get(node as usize) {
            None | Some(0) => node as u16,
            Some(slot) => *slot,
        }
    }

    pub(super) fn signal(&self, literal: GateLiteral) -> SlotSignal {
        (self.slot(literal.node()), literal.is_negated())
    }
}

/// Code for gates that come in order, sorted so that gates of one kind follow each other.
pub(super) fn code(gates: Vec<(Slot, GateNode)>) -> Code<u16> {
    let mut depths: FxHashMap<Slot, u32> = FxHashMap::default();
    let mut sorted: Vec<(u32, Slot, GateNode)> = Vec::with_capacity(gates.len());
    for (out, (kind, operands)) in gates {
        let below = operands.iter().filter_map(|operand| depths.get(operand));
        let depth = below.max().map_or(0, |depth| depth + 1);
        depths.insert(out, depth);
        sorted.push((depth, out, (kind, operands)));
    }
    sorted.sort_unstable_by_key(|(depth, out, (kind, _))| (*depth, kind.table(), *out));
    let runs = sorted.chunk_by(|one, other| one.2.0 == other.2.0);
    let segments = runs.map(|run| Segment::Gates {
        kind: run[0].2.0,
        gates: run
            .iter()
            .map(|&(_, out, (_, [a, b, c]))| Gate {
                out,
                operands: [a, b, c, NEVER],
            })
            .collect(),
    });
    Code::new(&segments.collect::<Vec<_>>())
}
