//! A network as a straight-line program over slots (registers).
//!
//! A slot holds one bit per *lane*, and every lane is a game of its own (bit-parallel simulation). To make a transition,
//! put the fluents into [`Circuit::bases`], run [`Circuit::legal_code`], read [`Circuit::terminal`] and the legal moves,
//! set [`Input::does`] of one move per role, run [`Circuit::transition_code`], and copy [`Circuit::next`] to the bases.
//! Where there are [`Circuit::marks`], set those of the moves made instead. A circuit for searches has no other transition than
//! [`Circuit::direct_transition_code`].

mod gate_kind;
mod lazy;

pub use gate_kind::GateKind;
pub use lazy::{CircuitOutline, LazyCircuit};

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::util::rows::{self, NumberRow};
use crate::util::{Lazy, Lists};

/// A slot's number.
pub type Slot = u32;

/// The slot in which every bit is clear.
pub const NEVER: Slot = 0;
/// The slot in which every bit is set.
pub const ALWAYS: Slot = 1;
/// A slot that is written and never read.
pub const SINK: Slot = 2;

/// A gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Gate {
    /// The slot of the output.
    pub out: Slot,
    /// The operands, then [`NEVER`] where there are fewer than four. Three and four are in the canonical order of their kind.
    pub operands: [Slot; 4],
}

impl NumberRow for Gate {
    type Numbers = [Slot; 5];

    fn numbers(&self) -> [Slot; 5] {
        let [a, b, c, d] = self.operands;
        [self.out, a, b, c, d]
    }

    fn of_numbers([out, a, b, c, d]: [Slot; 5]) -> Self {
        let operands = [a, b, c, d];
        Self { out, operands }
    }
}

/// A variable of a [`Segment::Loop`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Feedback {
    /// The slot that the body reads.
    pub variable: Slot,
    /// The slot in which the body leaves the variable's next value.
    pub value: Slot,
}

/// A part of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Segment {
    /// Gates of one kind, one after the other.
    Gates {
        /// Their kind.
        kind: GateKind,
        /// A later gate may read what an earlier one wrote.
        #[serde(with = "rows")]
        gates: Vec<Gate>,
    },
    /// A least fixed point: every variable starts clear; the body runs, and every new value is copied to its variable,
    /// until nothing changes in any lane. The body is monotone in the variables, so the iteration ends, and lanes that
    /// have reached their fixed point keep it.
    Loop {
        /// The variables.
        feedback: Vec<Feedback>,
        /// What computes their next values.
        body: Vec<Segment>,
    },
    /// Gates that may be left out where the guard is clear in all lanes (guarded evaluation): then nothing observes what they would
    /// write, or it stands there already.
    Guarded {
        /// The slot of a fluent.
        guard: Slot,
        /// Gates alone.
        body: Vec<Segment>,
    },
    /// Slots that are set or cleared in all lanes.
    Fill {
        /// The slots.
        slots: Range<Slot>,
        /// Whether they are set.
        value: bool,
    },
}

/// The slot of an output, and whether it is stored inverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signal {
    /// The slot.
    pub slot: Slot,
    /// Whether the output is the complement of the slot.
    pub negated: bool,
}

/// A move that can become legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Input {
    /// Whether the move is legal, after [`Circuit::legal_code`]. May be [`ALWAYS`], and several moves may share a slot.
    pub legal: Slot,
    /// To be set before [`Circuit::transition_code`] if the move is made. [`SINK`] if no rule depends on it.
    pub does: Slot,
}

impl NumberRow for Input {
    type Numbers = [Slot; 2];

    fn numbers(&self) -> [Slot; 2] {
        [self.legal, self.does]
    }

    fn of_numbers([legal, does]: [Slot; 2]) -> Self {
        Self { legal, does }
    }
}

/// The program: code for the legal moves and the end, for the goals, and for the transition to the next state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Circuit {
    /// How many slots there are.
    pub slots: usize,
    /// The slot of each fluent; no two fluents share one, and no code writes them.
    pub bases: Vec<Slot>,
    /// Per fluent, whether it holds in the initial state.
    pub initial: Vec<bool>,
    /// The moves, role by role.
    #[serde(with = "rows")]
    pub inputs: Vec<Input>,
    /// Per role, its moves in [`Circuit::inputs`].
    pub roles: Vec<Range<usize>>,
    /// Computes the end and the legal moves from the bases.
    pub legal_code: Vec<Segment>,
    /// Whether the game is over, after [`Circuit::legal_code`].
    pub terminal: Slot,
    /// Computes the goals, after [`Circuit::legal_code`]. Overwrites nothing that [`Circuit::transition_code`] reads.
    pub goal_code: Vec<Segment>,
    /// Per role, each goal value and the slot in which it holds, after [`Circuit::goal_code`]. Ascending.
    pub goals: Vec<Vec<(u8, Slot)>>,
    /// Computes the next state from the moves made, after [`Circuit::legal_code`].
    pub transition_code: Vec<Segment>,
    /// Per fluent, whether it holds next, after [`Circuit::transition_code`]. May be any slot, even another fluent's base
    /// or a move.
    pub next: Vec<Signal>,
    /// Computes the next state from the bases and the moves made, without [`Circuit::legal_code`], where the moves are
    /// known to be legal. May overwrite what other code computed. Empty in a circuit for random games with sets of moves: searches run
    /// that of [`Circuit::of_search`].
    pub direct_transition_code: Vec<Segment>,
    /// Per fluent, whether it holds next, after [`Circuit::direct_transition_code`].
    pub direct_next: Vec<Signal>,
    /// Per move, the slots to be set in place of [`Input::does`] before a transition, those of the sets that it belongs to; empty in
    /// circuits without sets of moves. They are decoded when they are first used: legal moves need none.
    pub marks: Lazy<Lists<Slot>>,
    /// Per role, for each 64 of its moves a slot without which none of them is legal; [`ALWAYS`] where that is not known, [`NEVER`] where
    /// none ever is, nothing in circuits without guards.
    pub legal_guards: Vec<Vec<Slot>>,
    /// The same circuit for searches: faster where few states are in the lanes, or states that have most of their facts in common, and
    /// slower for many games. Bases have the same slots, and its only transition is the direct one. Serialised apart.
    #[serde(skip)]
    pub of_search: Option<Box<Circuit>>,
}

impl Circuit {
    /// The gates of all code but [`Circuit::direct_transition_code`]: a loop's once, and a gate of three or four operands
    /// as two or three of two.
    pub fn gate_count(&self) -> usize {
        [&self.legal_code, &self.goal_code, &self.transition_code]
            .into_iter()
            .map(|code| count_gates(code))
            .sum()
    }

    /// What the circuit for searches leaves out, if there is one.
    pub fn search_savings(&self) -> Option<SearchSavings> {
        self.of_search.as_deref().map(SearchSavings::of)
    }
}

/// What the circuit for searches leaves out ([`Circuit::of_search`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSavings {
    /// How many facts are guards.
    pub guards: usize,
    /// How many gates are under guards, counted as gates of two operands.
    pub guarded_gates: usize,
    /// How many sets of moves are looked up.
    pub move_sets: usize,
}

impl SearchSavings {
    /// Those of a circuit for searches.
    fn of(circuit: &Circuit) -> Self {
        let guarded = circuit
            .legal_code
            .iter()
            .filter_map(|segment| match segment {
                Segment::Guarded { guard, body } => Some((*guard, count_gates(body))),
                _ => None,
            });
        let (guards, gates): (BTreeSet<Slot>, Vec<usize>) = guarded.unzip();
        let sets: BTreeSet<&Slot> = circuit.marks.items().iter().collect();
        Self {
            guards: guards.len(),
            guarded_gates: gates.iter().sum(),
            move_sets: sets.len(),
        }
    }
}

/// The gates of some code, counted as gates of two operands; a loop's once.
pub(crate) fn count_gates(code: &[Segment]) -> usize {
    let gates = |segment: &Segment| match segment {
        Segment::Gates { kind, gates } => gates.len() * (kind.operands() - 1),
        Segment::Loop { body, .. } | Segment::Guarded { body, .. } => count_gates(body),
        Segment::Fill { .. } => 0,
    };
    code.iter().map(gates).sum()
}
