//! A circuit packed for running.

use std::ops::Range;
use std::sync::Arc;

use crate::propnet::circuit::{Circuit, Signal};
use crate::propnet::lanes::code::Code;
use crate::propnet::lanes::memory::{Place, is_narrow};

/// A circuit packed for running. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) width: Width,
}

/// The same in slot numbers of either size.
#[derive(Debug, Clone)]
pub(super) enum Width {
    Narrow(Arc<Packed<u16>>),
    Wide(Arc<Packed<u32>>),
}

impl Program {
    /// Packs a circuit.
    pub fn new(circuit: &Circuit) -> Self {
        let width = if is_narrow(circuit.slots) {
            Width::Narrow(Arc::new(Packed::new(circuit)))
        } else {
            Width::Wide(Arc::new(Packed::new(circuit)))
        };
        Self { width }
    }
}

/// All of a circuit, with slot numbers of one size.
#[derive(Debug)]
pub(super) struct Packed<P> {
    pub(super) slots: usize,
    pub(super) bases: Vec<P>,
    pub(super) legal: Vec<P>,
    pub(super) does: Vec<P>,
    pub(super) roles: Vec<Range<usize>>,
    pub(super) look: Code<P>,
    pub(super) terminal: P,
    pub(super) judge: Code<P>,
    pub(super) goals: Vec<Vec<(u8, P)>>,
    pub(super) step: Code<P>,
    pub(super) next: Vec<Next<P>>,
}

/// Where a fluent's next value is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Next<P> {
    pub(super) slot: P,
    /// All ones where the slot holds the complement, else zero.
    pub(super) flip: u64,
}

impl<P: Place> Packed<P> {
    fn new(circuit: &Circuit) -> Self {
        let goals = |of_role: &Vec<(u8, u32)>| {
            let packed = of_role.iter().map(|&(value, slot)| (value, P::pack(slot)));
            packed.collect()
        };
        let next = |signal: &Signal| Next {
            slot: P::pack(signal.slot),
            flip: if signal.negated { !0 } else { 0 },
        };
        Self {
            slots: circuit.slots,
            bases: circuit.bases.iter().map(|&base| P::pack(base)).collect(),
            legal: circuit.inputs.iter().map(|i| P::pack(i.legal)).collect(),
            does: circuit.inputs.iter().map(|i| P::pack(i.does)).collect(),
            roles: circuit.roles.clone(),
            look: Code::new(&circuit.look),
            terminal: P::pack(circuit.terminal),
            judge: Code::new(&circuit.judge),
            goals: circuit.goals.iter().map(goals).collect(),
            step: Code::new(&circuit.step),
            next: circuit.next.iter().map(next).collect(),
        }
    }

    /// How many words a packed state has.
    pub(super) fn state_words(&self) -> usize {
        self.bases.len().div_ceil(64)
    }
}
