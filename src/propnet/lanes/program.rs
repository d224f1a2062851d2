//! A circuit packed for running.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::propnet::circuit::{Circuit, Signal, Slot, count};
use crate::propnet::lanes::code::Code;
use crate::propnet::lanes::memory::{Place, is_narrow};
use crate::propnet::lanes::mobility::{Moves, moves};
use crate::propnet::lanes::width::Width;

/// A circuit packed for running. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) width: Width<Arc<Packed<u16>>, Arc<Packed<u32>>>,
}

impl Program {
    /// Packs a circuit.
    pub fn new(circuit: &Circuit) -> Self {
        Self::with_turns(circuit, &[], &[])
    }

    /// Packs a circuit together with circuits for the phases of the game: `phases[k]` may be run in its place wherever of
    /// the fluents in `ring` only `ring[k]` holds, and then `ring[k + 1]` holds next, after the last the first again.
    /// All have the same bases and moves, in the same slots.
    pub fn with_turns(circuit: &Circuit, ring: &[usize], phases: &[Circuit]) -> Self {
        // Room for `Advance::saved`.
        let slots = phases
            .iter()
            .chain([circuit])
            .map(|circuit| circuit.slots)
            .max();
        let width = if is_narrow(slots.unwrap_or(0) + circuit.bases.len()) {
            Width::Narrow(Arc::new(Packed::with_turns(circuit, ring, phases)))
        } else {
            Width::Wide(Arc::new(Packed::with_turns(circuit, ring, phases)))
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
    pub(super) advance: Advance<P>,
    pub(super) leap: Code<P>,
    pub(super) advance_after_leap: Advance<P>,
    /// Per role, its moves as they are counted.
    pub(super) moves: Vec<Moves<P>>,
    /// What `judge` costs, measured in steps with all that belongs to them.
    pub(super) judge_share: f64,
    /// After so many steps it is asked whether to go on.
    pub(super) patience: usize,
    /// See [`Program::with_turns`].
    ring: Vec<usize>,
    pub(super) phases: Vec<Self>,
}

/// How the next state becomes the current one, in place.
#[derive(Debug)]
pub(super) struct Advance<P> {
    /// Slots to be copied first, as fluents' next values are read from them after they are overwritten.
    pub(super) saved: Vec<[P; 2]>,
    /// Each fluent's slot, and where its next value is by then.
    pub(super) next: Vec<(P, Next<P>)>,
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
        let legal: Vec<P> = circuit.inputs.iter().map(|i| P::pack(i.legal)).collect();
        Self {
            slots: circuit.slots + circuit.bases.len(),
            bases: circuit.bases.iter().map(|&base| P::pack(base)).collect(),
            does: circuit.inputs.iter().map(|i| P::pack(i.does)).collect(),
            roles: circuit.roles.clone(),
            look: Code::new(&circuit.look),
            terminal: P::pack(circuit.terminal),
            judge: Code::new(&circuit.judge),
            goals: circuit.goals.iter().map(goals).collect(),
            step: Code::new(&circuit.step),
            next: circuit.next.iter().map(Next::new).collect(),
            advance: Advance::new(circuit, &circuit.next),
            leap: Code::new(&circuit.leap),
            advance_after_leap: Advance::new(circuit, &circuit.after_leap),
            moves: circuit
                .roles
                .iter()
                .map(|inputs| moves(&legal[inputs.clone()]))
                .collect(),
            judge_share: count(&circuit.judge) as f64 / size_of_step(circuit) as f64,
            patience: (PATIENCE / size_of_step(circuit)).clamp(1, 8),
            legal,
            ring: Vec::new(),
            phases: Vec::new(),
        }
    }

    fn with_turns(circuit: &Circuit, ring: &[usize], phases: &[Circuit]) -> Self {
        let phases: Vec<Self> = phases.iter().map(Self::new).collect();
        let whole = Self::new(circuit);
        Self {
            slots: phases
                .iter()
                .fold(whole.slots, |most, phase| most.max(phase.slots)),
            ring: ring.to_vec(),
            phases,
            ..whole
        }
    }

    /// What to run step after step from `state`, a packed state; again from the front after the last.
    pub(super) fn rounds(&self, state: &[u64]) -> Vec<&Self> {
        match self.phase(state) {
            Some(now) => {
                let (before, after) = self.phases.split_at(now);
                after.iter().chain(before).collect()
            }
            None => vec![self],
        }
    }

    /// The phase that `state` is in.
    pub(super) fn phase(&self, state: &[u64]) -> Option<usize> {
        let holds = |&base: &usize| state[base / 64] >> (base % 64) & 1 == 1;
        let now = self.ring.iter().position(holds);
        now.filter(|now| !self.ring[now + 1..].iter().any(holds))
    }

    /// The phase of all states of which `holds` tells whether a fluent holds in all (`Some(true)`), in none (`Some(false)`),
    /// or else.
    pub(super) fn phase_of_all(
        &self,
        mut holds: impl FnMut(usize) -> Option<bool>,
    ) -> Option<usize> {
        let mut now = None;
        for (phase, base) in self.ring.iter().enumerate() {
            match (holds(*base), now) {
                (Some(true), None) => now = Some(phase),
                (Some(false), _) => {}
                _ => return None,
            }
        }
        now
    }

    /// The phase after another one.
    pub(super) fn phase_after(&self, phase: Option<usize>) -> Option<usize> {
        phase.map(|now| (now + 1) % self.phases.len())
    }

    /// What to run in a phase.
    pub(super) fn in_phase(&self, phase: Option<usize>) -> &Self {
        phase.map_or(self, |now| &self.phases[now])
    }

    /// How many words a packed state has.
    pub(super) fn state_words(&self) -> usize {
        self.bases.len().div_ceil(64)
    }
}

impl<P: Place> Next<P> {
    fn new(signal: &Signal) -> Self {
        Self {
            slot: P::pack(signal.slot),
            flip: if signal.negated { !0 } else { 0 },
        }
    }
}

impl<P: Place> Advance<P> {
    fn new(circuit: &Circuit, next: &[Signal]) -> Self {
        let order: HashMap<Slot, usize> = circuit.bases.iter().copied().zip(0..).collect();
        let mut saved = Vec::new();
        let next = next.iter().enumerate().map(|(i, signal)| {
            let mut signal = *signal;
            if order
                .get(&signal.slot)
                .is_some_and(|&overwritten| overwritten < i)
            {
                let copy = (circuit.slots + saved.len()) as Slot;
                saved.push([signal.slot, copy].map(P::pack));
                signal.slot = copy;
            }
            (P::pack(circuit.bases[i]), Next::new(&signal))
        });
        Self {
            next: next.collect(),
            saved,
        }
    }
}

/// Whether to go on is asked at least once in so many gates, which take a millisecond or two, but after a step at the
/// earliest.
const PATIENCE: usize = 200_000;

/// Every move is read, written and counted several times over.
const GATES_PER_MOVE: usize = 4;

/// About how much work a step is, in gates.
fn size_of_step(circuit: &Circuit) -> usize {
    let gates = count(&circuit.look) + count(&circuit.step);
    (gates + GATES_PER_MOVE * circuit.inputs.len()).max(1)
}
