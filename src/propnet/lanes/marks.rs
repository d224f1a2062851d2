//! The slots that are set for a move that is made.

use std::collections::BTreeSet;

use crate::propnet::circuit::{Circuit, Slot};
use crate::propnet::lanes::memory::SlotIndex;

/// The slots to be set for the moves made: one for each, or those of the sets that a move belongs to.
#[derive(Debug)]
pub(super) struct Marks<P> {
    /// Per move, where its slots begin; one more at the end.
    starts: Vec<u32>,
    slots: Vec<P>,
    /// All slots, each once.
    pub(super) all: Vec<P>,
}

impl<P: SlotIndex> Marks<P> {
    pub(super) fn new(circuit: &Circuit) -> Self {
        match circuit.marks.is_empty() {
            true => Self::of_lists(circuit.inputs.iter().map(|input| vec![input.does])),
            false => Self::of_lists(circuit.marks.iter().cloned()),
        }
    }

    /// From the slots of each move.
    pub(super) fn of_lists(lists: impl Iterator<Item = Vec<Slot>>) -> Self {
        let (mut starts, mut slots) = (vec![0], Vec::new());
        for list in lists {
            slots.extend(list);
            starts.push(slots.len() as u32);
        }
        let all: BTreeSet<Slot> = slots.iter().copied().collect();
        Self {
            starts,
            slots: slots.into_iter().map(P::pack).collect(),
            all: all.into_iter().map(P::pack).collect(),
        }
    }

    /// Those of a move.
    pub(super) fn of(&self, input: u32) -> &[P] {
        let input = input as usize;
        &self.slots[self.starts[input] as usize..self.starts[input + 1] as usize]
    }
}
