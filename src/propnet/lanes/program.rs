//! A circuit packed for execution: code over slot numbers of one size, and what executors need beside it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use pulp::Arch;

use crate::propnet::circuit::{ALWAYS, Circuit, NEVER, Signal, Slot, count_gates};
use crate::propnet::lanes::code::Code;
use crate::propnet::lanes::executor::{IndexWidth, either};
use crate::propnet::lanes::marks::Marks;
use crate::propnet::lanes::memory::{SlotIndex, is_narrow};
use crate::propnet::lanes::mobility::{MoveGroups, move_groups};
use crate::propnet::lanes::vectors::Vectors;
use crate::util::{join_if, map_if};

/// A circuit packed for execution. Clones share it.
#[derive(Debug, Clone)]
pub struct LaneProgram {
    pub(super) packed: IndexWidth<Arc<PackedCircuit<u16>>, Arc<PackedCircuit<u32>>>,
}

impl LaneProgram {
    /// Packs a circuit.
    pub fn new(circuit: &Circuit) -> Self {
        Self::with_turns(circuit, &[], &[])
    }

    /// Packs a circuit together with its turn-specialised circuits: `turns[k]` may be run instead wherever of the fluents
    /// in `control` only `control[k]` holds; then `control[k + 1]` holds next, cyclically. All circuits have the same bases
    /// and moves, in the same slots.
    pub fn with_turns(circuit: &Circuit, control: &[usize], turns: &[Circuit]) -> Self {
        // Room for `StateUpdate::saved`.
        let circuits = turns.iter().chain([circuit]);
        let circuits = circuits.flat_map(|of| of.of_search.as_deref().into_iter().chain([of]));
        let slots = circuits.map(|circuit| circuit.slots).max();
        let packed = if is_narrow(slots.unwrap_or(0) + circuit.bases.len()) {
            IndexWidth::Narrow(Arc::new(PackedCircuit::with_turns(circuit, control, turns)))
        } else {
            IndexWidth::Wide(Arc::new(PackedCircuit::with_turns(circuit, control, turns)))
        };
        Self { packed }
    }

    /// How many gates one ply takes without guards, in the circuit of a turn where there is one.
    pub fn gates_of_ply(&self) -> usize {
        either!(&self.packed, packed => packed.turns.first().unwrap_or(packed).gates_of_ply)
    }

    /// How many slots its circuits take.
    pub fn slots(&self) -> usize {
        either!(&self.packed, packed => packed.slots)
    }

    /// The same program for other vectors; `None` if the processor does not have them, or if a clone shares the program.
    #[must_use]
    pub fn with_vectors(mut self, vectors: Vectors) -> Option<Self> {
        let arch = vectors.arch()?;
        either!(&mut self.packed, packed => Arc::get_mut(packed)?.arch = arch);
        Some(self)
    }
}

/// A circuit with slot numbers of one size.
#[derive(Debug)]
pub(super) struct PackedCircuit<P> {
    pub(super) arch: Arch,
    pub(super) slots: usize,
    pub(super) bases: Vec<P>,
    pub(super) legal: Vec<P>,
    /// The words in which the legal moves of a lane are read: each role's from a new word on.
    pub(super) legal_rows: RowLayout<P>,
    pub(super) base_rows: RowLayout<P>,
    pub(super) does: Vec<P>,
    pub(super) marks: Arc<Marks<P>>,
    pub(super) roles: Vec<Range<usize>>,
    pub(super) legal_code: Code<P>,
    pub(super) terminal: P,
    pub(super) goal_code: Code<P>,
    pub(super) goals: Vec<Vec<(u8, P)>>,
    pub(super) transition_code: Code<P>,
    /// What the transition code computes, or what the direct one does where that is the only one.
    pub(super) next: Vec<NextValue<P>>,
    pub(super) is_direct_only: bool,
    pub(super) advance: StateUpdate<P>,
    pub(super) direct_transition_code: Code<P>,
    pub(super) direct_advance: StateUpdate<P>,
    /// Per role, its moves in groups, for counting.
    pub(super) moves: Vec<MoveGroups<P>>,
    /// The cost of `goal_code`, as a share of a ply's cost.
    pub(super) goal_cost: f64,
    /// The number of plies between two checks of the deadline.
    pub(super) check_interval: usize,
    /// The gates of the children's states and of what may be done in them.
    gates_of_ply: usize,
    /// See [`LaneProgram::with_turns`].
    control: Vec<usize>,
    pub(super) turns: Vec<Self>,
    /// See [`Circuit::of_search`].
    of_search: Option<Box<Self>>,
    /// In random games, only the moves that are made are marked, and the marks are taken back. Choosers that mark all moves as made or not
    /// leave bits in slots that the sets of another turn have, so that this is the same in all circuits of a game.
    pub(super) marks_made_moves: bool,
}

/// How slots are read as a row of words for each lane.
#[derive(Debug)]
pub(super) struct RowLayout<P> {
    /// The number of words.
    pub(super) len: usize,
    /// Which of them are those of each part of the slots.
    pub(super) parts: Vec<Range<usize>>,
    /// Those that are not clear in every state.
    pub(super) words: Vec<RowWord<P>>,
}

/// A word of a row.
#[derive(Debug)]
pub(super) struct RowWord<P> {
    pub(super) place: usize,
    /// Which of the slots are its bits.
    pub(super) from: Range<usize>,
    /// A slot without which all of them are clear.
    pub(super) guard: P,
}

impl<P: SlotIndex> RowLayout<P> {
    /// Rows of some parts of the slots, each from a new word on; `guards` has those of the words of each part, or nothing.
    fn new(slots: &[P], parts: &[Range<usize>], guards: &[Vec<Slot>]) -> Self {
        let mut layout = Self {
            len: 0,
            parts: Vec::new(),
            words: Vec::new(),
        };
        for (part, bits) in parts.iter().enumerate() {
            let first = layout.len;
            let guards = guards.get(part).map_or(&[][..], |guards| guards);
            for (word, start) in bits.clone().step_by(64).enumerate() {
                layout.add(slots, start..bits.end.min(start + 64), guards.get(word));
            }
            layout.parts.push(first..layout.len);
        }
        layout
    }

    fn add(&mut self, slots: &[P], from: Range<usize>, guard: Option<&Slot>) {
        let guard = guard.copied().unwrap_or(ALWAYS);
        let is_clear = slots[from.clone()]
            .iter()
            .all(|slot| *slot == P::pack(NEVER));
        if !is_clear && guard != NEVER {
            self.words.push(RowWord {
                place: self.len,
                from,
                guard: P::pack(guard),
            });
        }
        self.len += 1;
    }
}

/// How to overwrite the current state with the next one, in place (a parallel move).
#[derive(Debug)]
pub(super) struct StateUpdate<P> {
    /// Slots to be copied first: a fluent's next value is read from them after they are overwritten.
    pub(super) saved: Vec<[P; 2]>,
    /// Each fluent's slot, and where its next value is after these copies.
    pub(super) next: Vec<(P, NextValue<P>)>,
}

/// Where a fluent's next value is.
#[derive(Debug, Clone, Copy)]
pub(super) struct NextValue<P> {
    pub(super) slot: P,
    /// All ones where the slot holds the complement, else zero.
    pub(super) flip: u64,
}

impl<P: SlotIndex> PackedCircuit<P> {
    fn new(circuit: &Circuit) -> Self {
        let goals = |of_role: &Vec<(u8, u32)>| {
            let packed = of_role.iter().map(|&(value, slot)| (value, P::pack(slot)));
            packed.collect()
        };
        let legal: Vec<P> = circuit.inputs.iter().map(|i| P::pack(i.legal)).collect();
        let bases: Vec<P> = circuit.bases.iter().map(|&base| P::pack(base)).collect();
        let of_search = circuit.of_search.as_deref().map(Self::new).map(Box::new);
        let is_direct_only = circuit.next.is_empty();
        let slots = circuit.slots + circuit.bases.len();
        Self {
            arch: Arch::new(),
            slots: of_search.as_ref().map_or(slots, |of| of.slots.max(slots)),
            legal_rows: RowLayout::new(&legal, &circuit.roles, &circuit.legal_guards),
            base_rows: RowLayout::new(&bases, std::slice::from_ref(&(0..bases.len())), &[]),
            bases,
            does: circuit.inputs.iter().map(|i| P::pack(i.does)).collect(),
            marks: Arc::new(Marks::new(circuit)),
            roles: circuit.roles.clone(),
            legal_code: Code::new(&circuit.legal_code),
            terminal: P::pack(circuit.terminal),
            goal_code: Code::new(&circuit.goal_code),
            goals: circuit.goals.iter().map(goals).collect(),
            transition_code: Code::new(&circuit.transition_code),
            next: if is_direct_only {
                circuit.direct_next.iter()
            } else {
                circuit.next.iter()
            }
            .map(NextValue::new)
            .collect(),
            is_direct_only,
            advance: StateUpdate::new(circuit, &circuit.next),
            direct_transition_code: Code::new(&circuit.direct_transition_code),
            direct_advance: StateUpdate::new(circuit, &circuit.direct_next),
            moves: circuit
                .roles
                .iter()
                .map(|inputs| move_groups(&legal[inputs.clone()]))
                .collect(),
            goal_cost: count_gates(&circuit.goal_code) as f64 / ply_cost(circuit) as f64,
            check_interval: (CHECK_GATES / ply_cost(circuit)).clamp(1, 8),
            gates_of_ply: count_gates(&circuit.legal_code)
                + count_gates(&circuit.transition_code)
                    .max(count_gates(&circuit.direct_transition_code)),
            legal,
            control: Vec::new(),
            turns: Vec::new(),
            of_search,
            marks_made_moves: !circuit.marks.is_empty() || circuit.inputs.len() > MANY_MOVES,
        }
    }

    fn with_turns(circuit: &Circuit, control: &[usize], turns: &[Circuit]) -> Self {
        let is_large = circuit.slots > LARGE;
        let (whole, turns) = join_if(
            is_large,
            || Self::new(circuit),
            || map_if(is_large, turns.iter().collect(), Self::new),
        );
        let marks_made_moves = turns.iter().fold(whole.marks_made_moves, |any, turn| {
            any || turn.marks_made_moves
        });
        let turns = turns.into_iter().map(|turn| Self {
            marks_made_moves,
            ..turn
        });
        let turns: Vec<Self> = turns.collect();
        Self {
            slots: turns
                .iter()
                .fold(whole.slots, |most, turn| most.max(turn.slots)),
            control: control.to_vec(),
            turns,
            marks_made_moves,
            ..whole
        }
    }

    /// The programs to run ply after ply from `state`, cyclically: those of the turns, or the unspecialised one.
    pub(super) fn turn_programs(&self, state: &[u64]) -> Vec<&Self> {
        match self.turn(state) {
            Some(now) => {
                let (before, after) = self.turns.split_at(now);
                after.iter().chain(before).collect()
            }
            None => vec![self],
        }
    }

    /// Whose turn it is in `state`, if exactly one control fluent holds.
    pub(super) fn turn(&self, state: &[u64]) -> Option<usize> {
        let holds = |&base: &usize| state[base / 64] >> (base % 64) & 1 == 1;
        let now = self.control.iter().position(holds);
        now.filter(|now| !self.control[now + 1..].iter().any(holds))
    }

    /// The common turn of several states. `holds` says whether a fluent holds in all of them (`Some(true)`), in none
    /// (`Some(false)`), or in some.
    pub(super) fn turn_of_all(
        &self,
        mut holds: impl FnMut(usize) -> Option<bool>,
    ) -> Option<usize> {
        let mut now = None;
        for (turn, base) in self.control.iter().enumerate() {
            match (holds(*base), now) {
                (Some(true), None) => now = Some(turn),
                (Some(false), _) => {}
                _ => return None,
            }
        }
        now
    }

    /// The turn after `turn`.
    pub(super) fn turn_after(&self, turn: Option<usize>) -> Option<usize> {
        turn.map(|now| (now + 1) % self.turns.len())
    }

    /// The program to run in a turn; without one, the unspecialised program.
    pub(super) fn at_turn(&self, turn: Option<usize>) -> &Self {
        turn.map_or(self, |now| &self.turns[now])
    }

    /// The program to run in a turn for a few states, or for those of one search.
    pub(super) fn search_program(&self, turn: Option<usize>) -> &Self {
        let program = self.at_turn(turn);
        program.of_search.as_deref().unwrap_or(program)
    }

    /// The code of one transition after the legal code, whose outputs are [`PackedCircuit::next`].
    pub(super) fn transition(&self) -> &Code<P> {
        match self.is_direct_only {
            true => &self.direct_transition_code,
            false => &self.transition_code,
        }
    }

    /// How many gates there are that compute what may be done, in the circuit of a turn where there is one.
    pub(super) fn legal_gates(&self) -> usize {
        self.turns.first().unwrap_or(self).legal_code.len()
    }

    /// How many words a packed state has.
    pub(super) fn state_words(&self) -> usize {
        self.base_rows.len
    }
}

impl<P: SlotIndex> NextValue<P> {
    fn new(signal: &Signal) -> Self {
        Self {
            slot: P::pack(signal.slot),
            flip: if signal.negated { !0 } else { 0 },
        }
    }
}

impl<P: SlotIndex> StateUpdate<P> {
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
            (P::pack(circuit.bases[i]), NextValue::new(&signal))
        });
        Self {
            next: next.collect(),
            saved,
        }
    }
}

/// Circuits of more slots are packed side by side.
const LARGE: usize = 10_000;

/// The most gates between two checks of the deadline, a millisecond or two of work. There is at most one check per ply.
const CHECK_GATES: usize = 200_000;

/// In random games of more moves than this, as in those with sets of moves, only the moves that are made are marked: their slots take more
/// than two megabytes. In tests, small games have it like this, too.
const MANY_MOVES: usize = if cfg!(test) { 60 } else { 1 << 14 };

/// The cost of choosing among moves, per move: each is read, written and counted.
const GATES_PER_MOVE: usize = 4;

/// The approximate cost of a ply, in gates.
fn ply_cost(circuit: &Circuit) -> usize {
    let gates = count_gates(&circuit.legal_code) + count_gates(&circuit.transition_code);
    (gates + GATES_PER_MOVE * circuit.inputs.len()).max(1)
}
