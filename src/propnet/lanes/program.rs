//! Circuits packed for execution: code over slot numbers of one size, and what executors need beside it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Weak};
use std::thread;

use pulp::Arch;

use crate::propnet::circuit::{
    ALWAYS, Circuit, CircuitOutline, LazyCircuit, NEVER, Signal, Slot, count_gates,
};
use crate::propnet::lanes::code::Code;
use crate::propnet::lanes::executor::{IndexWidth, either};
use crate::propnet::lanes::marks::Marks;
use crate::propnet::lanes::memory::{SlotIndex, is_narrow};
use crate::propnet::lanes::mobility::{MoveGroups, move_groups};
use crate::propnet::lanes::vectors::Vectors;
use crate::util::{Lazy, map_if};

/// The circuits of a game, packed for execution. Clones share them.
#[derive(Debug, Clone)]
pub struct LaneProgram {
    pub(super) packed: IndexWidth<Arc<PackedProgram<u16>>, Arc<PackedProgram<u32>>>,
}

impl LaneProgram {
    /// A program of one circuit.
    pub fn new(circuit: &Circuit) -> Self {
        Self::with_turns(&circuit.clone().into(), &[], &[])
    }

    /// A program of a circuit together with its turn-specialised circuits: `turns[k]` may be run instead wherever of the fluents
    /// in `control` only `control[k]` holds; then `control[k + 1]` holds next, cyclically. All circuits have the same bases
    /// and moves; bases have the same slots. Each circuit is packed when it is run first, and its marks when the first move is made.
    pub fn with_turns(circuit: &LazyCircuit, control: &[usize], turns: &[LazyCircuit]) -> Self {
        let circuits = turns.iter().chain([circuit]);
        let circuits = circuits.flat_map(|of| of.of_search().into_iter().chain([of]));
        let slots = circuits.map(|of| of.outline().slots).max().unwrap_or(0);
        // Room for `StateUpdate::saved`.
        let slots = slots + circuit.outline().bases.len();
        let packed = if is_narrow(slots) {
            IndexWidth::Narrow(Arc::new(PackedProgram::new(slots, circuit, control, turns)))
        } else {
            IndexWidth::Wide(Arc::new(PackedProgram::new(slots, circuit, control, turns)))
        };
        Self { packed }
    }

    /// Packs all circuits that were not run yet: large ones side by side.
    pub fn pack(&self) {
        let is_large = self.slots() > LARGE;
        either!(&self.packed, packed => {
            map_if(is_large, packed.circuits(), |circuit| Lazy::force(circuit).pack_marks());
        });
    }

    /// The same for large circuits one by one on a thread of its own, so that a search seldom has to pack what it is the first to run.
    pub fn pack_beside(&self) {
        if self.slots() > LARGE {
            let packed = self.packed.map(Arc::downgrade, Arc::downgrade);
            let pack = move || either!(&packed, packed => pack_one_by_one(packed));
            let started = thread::Builder::new().name("pack".to_owned()).spawn(pack);
            if let Err(why) = started {
                tracing::debug!("circuits are packed when they are first run: {why}");
            }
        }
    }

    /// How many gates one ply takes without guards, in the circuit of a turn where there is one.
    pub fn gates_of_ply(&self) -> usize {
        either!(&self.packed, packed => packed.gates_of_ply)
    }

    /// How many slots its circuits take.
    pub fn slots(&self) -> usize {
        either!(&self.packed, packed => packed.slots)
    }

    /// The same program for other vectors; `None` if the processor does not have them, or while a clone or a thread that packs it shares the program.
    #[must_use]
    pub fn with_vectors(mut self, vectors: Vectors) -> Option<Self> {
        let arch = vectors.arch()?;
        either!(&mut self.packed, packed => Arc::get_mut(packed)?.arch = arch);
        Some(self)
    }
}

/// Packs the circuits of a program until nobody else has it.
fn pack_one_by_one<P: SlotIndex>(program: &Weak<PackedProgram<P>>) {
    for number in 0.. {
        let Some(program) = program.upgrade() else {
            return;
        };
        match program.circuits().get(number) {
            Some(circuit) => Lazy::force(circuit).pack_marks(),
            None => return,
        }
    }
}

/// The circuits of a game, with slot numbers of one size.
#[derive(Debug)]
pub(super) struct PackedProgram<P> {
    pub(super) arch: Arch,
    /// As many as the largest circuit has.
    pub(super) slots: usize,
    pub(super) bases: Vec<P>,
    pub(super) base_rows: RowLayout<P>,
    /// Per role, its moves.
    pub(super) roles: Vec<Range<usize>>,
    /// The number of plies between two checks of the deadline.
    pub(super) check_interval: usize,
    /// The gates of the children's states and of what may be done in them.
    gates_of_ply: usize,
    /// See [`LaneProgram::with_turns`].
    control: Vec<usize>,
    whole: CircuitPair<P>,
    turns: Vec<CircuitPair<P>>,
}

/// The circuit for random games in a turn, or in all states, and the one for searches where that is another.
#[derive(Debug)]
struct CircuitPair<P> {
    of_games: Lazy<PackedCircuit<P>>,
    of_search: Option<Lazy<PackedCircuit<P>>>,
}

impl<P: SlotIndex> CircuitPair<P> {
    fn new(circuit: &LazyCircuit, marks_made_moves: bool) -> Self {
        let pack = |circuit: &LazyCircuit| {
            let circuit = circuit.without_search();
            Lazy::new(move || PackedCircuit::new(&circuit, marks_made_moves))
        };
        Self {
            of_games: pack(circuit),
            of_search: circuit.of_search().map(pack),
        }
    }

    fn of_search(&self) -> &PackedCircuit<P> {
        self.of_search.as_ref().unwrap_or(&self.of_games)
    }
}

impl<P: SlotIndex> PackedProgram<P> {
    fn new(slots: usize, circuit: &LazyCircuit, control: &[usize], turns: &[LazyCircuit]) -> Self {
        let outline = circuit.outline();
        let mut circuits = turns.iter().chain([circuit]).map(LazyCircuit::outline);
        let has_marks = circuits.any(|outline| outline.has_marks);
        let marks_made_moves = has_marks || moves(outline) > MANY_MOVES;
        let pair = |circuit| CircuitPair::new(circuit, marks_made_moves);
        let bases: Vec<P> = outline.bases.iter().map(|&base| P::pack(base)).collect();
        Self {
            arch: Arch::new(),
            slots,
            base_rows: RowLayout::new(&bases, std::slice::from_ref(&(0..bases.len())), &[]),
            bases,
            roles: outline.roles.clone(),
            check_interval: (CHECK_GATES / ply_cost(outline)).clamp(1, 8),
            gates_of_ply: gates_of_ply(turns.first().unwrap_or(circuit).outline()),
            control: control.to_vec(),
            whole: pair(circuit),
            turns: turns.iter().map(pair).collect(),
        }
    }

    /// All circuits, in the order in which they are likely to be needed: that of the whole network is run at ends alone where there are turns.
    fn circuits(&self) -> Vec<&Lazy<PackedCircuit<P>>> {
        let pairs = || self.turns.iter().chain([&self.whole]);
        let of_search = pairs().filter_map(|pair| pair.of_search.as_ref());
        of_search
            .chain(pairs().map(|pair| &pair.of_games))
            .collect()
    }

    /// The circuit for random games that may be run in all states.
    pub(super) fn whole(&self) -> &PackedCircuit<P> {
        &self.whole.of_games
    }

    /// The circuits for random games to run ply after ply from `state`, cyclically: those of the turns, or the unspecialised one.
    pub(super) fn circuits_from(&self, state: &[u64]) -> Vec<&PackedCircuit<P>> {
        match self.turn(state) {
            Some(now) => {
                let turns = (now..self.turns.len()).chain(0..now);
                turns.map(|turn| self.at_turn(Some(turn))).collect()
            }
            None => vec![self.whole()],
        }
    }

    /// How many turns have circuits of their own.
    pub(super) fn turn_count(&self) -> usize {
        self.turns.len()
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

    /// The circuit for random games to run in a turn; without one, the unspecialised one.
    pub(super) fn at_turn(&self, turn: Option<usize>) -> &PackedCircuit<P> {
        &self.pair(turn).of_games
    }

    /// The circuit to run in a turn for a few states, or for those of one search.
    pub(super) fn search_circuit(&self, turn: Option<usize>) -> &PackedCircuit<P> {
        self.pair(turn).of_search()
    }

    fn pair(&self, turn: Option<usize>) -> &CircuitPair<P> {
        turn.map_or(&self.whole, |now| &self.turns[now])
    }

    /// How many gates there are that compute what may be done, in the circuit of a turn where there is one.
    pub(super) fn legal_gates(&self) -> usize {
        let first = (!self.turns.is_empty()).then_some(0);
        self.at_turn(first).legal_code.len()
    }

    /// How many words a packed state has.
    pub(super) fn state_words(&self) -> usize {
        self.base_rows.len
    }

    /// Which words of the legal moves of a lane are those of each role.
    pub(super) fn legal_words(&self) -> Vec<Range<usize>> {
        let mut end = 0;
        let words = |moves: &Range<usize>| {
            let first = end;
            end += moves.len().div_ceil(64);
            first..end
        };
        self.roles.iter().map(words).collect()
    }
}

/// A circuit with slot numbers of one size.
#[derive(Debug)]
pub(super) struct PackedCircuit<P> {
    pub(super) bases: Vec<P>,
    pub(super) legal: Vec<P>,
    /// The words in which the legal moves of a lane are read: each role's from a new word on.
    pub(super) legal_rows: RowLayout<P>,
    pub(super) does: Vec<P>,
    pub(super) marks: Lazy<Marks<P>>,
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
    fn new(circuit: &LazyCircuit, marks_made_moves: bool) -> Self {
        let outline = circuit.outline();
        let goals = |of_role: &Vec<(u8, u32)>| {
            let packed = of_role.iter().map(|&(value, slot)| (value, P::pack(slot)));
            packed.collect()
        };
        let legal: Vec<P> = circuit.inputs.iter().map(|i| P::pack(i.legal)).collect();
        let is_direct_only = circuit.next.is_empty();
        Self {
            bases: circuit.bases.iter().map(|&base| P::pack(base)).collect(),
            legal_rows: RowLayout::new(&legal, &circuit.roles, &circuit.legal_guards),
            does: circuit.inputs.iter().map(|i| P::pack(i.does)).collect(),
            marks: Marks::of_circuit(circuit),
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
            goal_cost: count_gates(&circuit.goal_code) as f64 / ply_cost(outline) as f64,
            legal,
            marks_made_moves,
        }
    }

    /// Packs the marks, which are else packed when they are first used.
    fn pack_marks(&self) {
        Lazy::force(&self.marks);
    }

    /// The code of one transition after the legal code, whose outputs are [`PackedCircuit::next`].
    pub(super) fn transition(&self) -> &Code<P> {
        match self.is_direct_only {
            true => &self.direct_transition_code,
            false => &self.transition_code,
        }
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

/// Circuits of more slots are packed on other threads.
const LARGE: usize = 10_000;

/// The most gates between two checks of the deadline, a millisecond or two of work. There is at most one check per ply.
const CHECK_GATES: usize = 200_000;

/// In random games of more moves than this, as in those with sets of moves, only the moves that are made are marked: their slots take more
/// than two megabytes. In tests, small games have it like this, too.
const MANY_MOVES: usize = if cfg!(test) { 60 } else { 1 << 14 };

/// The cost of choosing among moves, per move: each is read, written and counted.
const GATES_PER_MOVE: usize = 4;

/// The approximate cost of a ply, in gates.
fn ply_cost(outline: &CircuitOutline) -> usize {
    let gates = outline.legal_gates + outline.transition_gates;
    (gates + GATES_PER_MOVE * moves(outline)).max(1)
}

/// See [`PackedProgram::gates_of_ply`].
fn gates_of_ply(outline: &CircuitOutline) -> usize {
    let transition = outline
        .transition_gates
        .max(outline.direct_transition_gates);
    outline.legal_gates + transition
}

/// How many moves there are.
fn moves(outline: &CircuitOutline) -> usize {
    outline.roles.iter().map(Range::len).sum()
}
