//! The slots that are set for a move that is made.

use crate::propnet::circuit::{LazyCircuit, Slot};
use crate::propnet::lanes::memory::SlotIndex;
use crate::util::{Lazy, Lists};

/// The slots to be set for the moves made: one for each, or those of the sets that a move belongs to.
#[derive(Debug)]
pub(super) struct Marks<P> {
    of_moves: Lists<P>,
    /// All slots, each once.
    pub(super) all: Vec<P>,
}

impl<P: SlotIndex> Marks<P> {
    /// Those of a circuit. Where they are sets of moves, they are decoded and packed when they are first used.
    pub(super) fn of_circuit(circuit: &LazyCircuit) -> Lazy<Self> {
        match circuit.outline().has_marks {
            true => {
                let lists = circuit.marks.clone();
                Lazy::new(move || Self::of_lists(&lists))
            }
            false => {
                let lists = circuit.inputs.iter().map(|input| [input.does]);
                Self::of_lists(&lists.collect()).into()
            }
        }
    }

    /// From the slots of each move.
    pub(super) fn of_lists(lists: &Lists<Slot>) -> Self {
        let last = lists.items().iter().max();
        let mut is_marked = vec![false; last.map_or(0, |last| *last as usize + 1)];
        for slot in lists.items() {
            is_marked[*slot as usize] = true;
        }
        let all = (0..).zip(is_marked).filter(|(_, is_marked)| *is_marked);
        Self {
            of_moves: lists.map(|slot| P::pack(*slot)),
            all: all.map(|(slot, _)| P::pack(slot)).collect(),
        }
    }

    /// Those of a move.
    pub(super) fn of(&self, input: u32) -> &[P] {
        self.of_moves.list(input as usize)
    }
}
