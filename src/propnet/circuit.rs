//! A network as a straight-line program over slots (registers).
//!
//! A slot holds one bit per *lane*, and every lane is a game of its own (bit-parallel simulation). To make a transition,
//! put the fluents into [`Circuit::bases`], run [`Circuit::legal_code`], read [`Circuit::terminal`] and the legal moves,
//! set [`Input::does`] of one move per role, run [`Circuit::transition_code`], and copy [`Circuit::next`] to the bases.
//! In a circuit for searches, set [`Circuit::marks`] instead, and run [`Circuit::direct_transition_code`], the only one there.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A slot's number.
pub type Slot = u32;

/// The slot in which every bit is clear.
pub const NEVER: Slot = 0;
/// The slot in which every bit is set.
pub const ALWAYS: Slot = 1;
/// A slot that is written and never read.
pub const SINK: Slot = 2;

/// The function of a gate with two or three operands, as a truth table: bit `a + 2 b + 4 c` is the output for the operands
/// `a`, `b` and `c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GateKind(u8);

impl GateKind {
    /// `a & b`
    pub const AND: Self = Self(Self::A & Self::B);
    /// `a & !b`
    pub const AND_NOT: Self = Self(Self::A & !Self::B);
    /// `a | b`
    pub const OR: Self = Self(Self::A | Self::B);
    /// `a | !b`
    pub const OR_NOT: Self = Self(Self::A | !Self::B);
    /// `!(a & b)`
    pub const NAND: Self = Self(!(Self::A & Self::B));
    /// `!(a | b)`
    pub const NOR: Self = Self(!(Self::A | Self::B));

    /// All kinds of two operands.
    #[cfg(test)]
    pub(in crate::propnet) const OF_TWO: [Self; 6] = [
        Self::AND,
        Self::AND_NOT,
        Self::OR,
        Self::OR_NOT,
        Self::NAND,
        Self::NOR,
    ];

    const A: u8 = 0b1010_1010;
    const B: u8 = 0b1100_1100;
    const C: u8 = 0b1111_0000;

    /// The kind of a truth table, which executors know only if it is that of a gate of two operands or of one such gate within
    /// another.
    pub(in crate::propnet) const fn of_table(table: u8) -> Self {
        Self(table)
    }

    /// The truth table.
    pub const fn table(self) -> u8 {
        self.0
    }

    /// How many operands there are, two or three.
    pub fn operands(self) -> usize {
        let reads_c = self.0 >> 4 != self.0 & 0b1111;
        2 + usize::from(reads_c)
    }

    /// The output, bit by bit.
    pub fn apply(self, [a, b, c]: [u64; 3]) -> u64 {
        let row = |number: u8| {
            let column = |at: u8, bits: u64| if number >> at & 1 == 1 { bits } else { !bits };
            column(0, a) & column(1, b) & column(2, c)
        };
        let rows = (0..8).filter(|&number| self.0 >> number & 1 == 1).map(row);
        rows.fold(0, |all, row| all | row)
    }

    /// The composition of two gates of two operands: operand `at` of this one is the output of `inner`. The operands of
    /// the result are this gate's other operand, then those of the inner gate.
    pub(crate) fn around(self, at: usize, inner: Self) -> Self {
        let [a, b, c] = [Self::A, Self::B, Self::C].map(u64::from);
        let inner = inner.apply([b, c, 0]);
        let operands = if at == 0 {
            [inner, a, 0]
        } else {
            [a, inner, 0]
        };
        Self(self.apply(operands) as u8)
    }

    /// The canonical kind among those that differ by the order of operands only, and the permutation: which of the old
    /// operands is the first, the second and the third.
    pub(crate) fn sorted(self) -> (Self, [usize; 3]) {
        const ORDERS: [[usize; 3]; 6] = [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ];
        let reordered = |order: [usize; 3]| {
            let mut operands = [0; 3];
            for (column, old) in [Self::A, Self::B, Self::C].into_iter().zip(order) {
                operands[old] = u64::from(column);
            }
            (Self(self.apply(operands) as u8), order)
        };
        let all = ORDERS.map(reordered);
        all.into_iter().min().unwrap_or((self, ORDERS[0]))
    }
}

/// A gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Gate {
    /// The slot of the output.
    pub out: Slot,
    /// The operands; the third is [`NEVER`] where there are two. Three are in the canonical order of their kind.
    pub operands: [Slot; 3],
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Input {
    /// Whether the move is legal, after [`Circuit::legal_code`]. May be [`ALWAYS`], and several moves may share a slot.
    pub legal: Slot,
    /// To be set before [`Circuit::transition_code`] if the move is made. [`SINK`] if no rule depends on it.
    pub does: Slot,
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
    /// known to be legal. May overwrite what other code computed.
    pub direct_transition_code: Vec<Segment>,
    /// Per fluent, whether it holds next, after [`Circuit::direct_transition_code`].
    pub direct_next: Vec<Signal>,
    /// Per move, the slots to be set in place of [`Input::does`] before [`Circuit::direct_transition_code`]; empty in circuits
    /// without sets of moves.
    pub marks: Vec<Vec<Slot>>,
    /// Per role, for each 64 of its moves a slot without which none of them is legal; [`ALWAYS`] where that is not known, [`NEVER`] where
    /// none ever is, nothing in circuits without guards.
    pub legal_guards: Vec<Vec<Slot>>,
    /// The same circuit for searches: faster where few states are in the lanes, or states that have most of their facts in common, and
    /// slower for many games. Bases have the same slots, and its only transition is the direct one. Serialised apart.
    #[serde(skip)]
    pub of_search: Option<Box<Circuit>>,
}

impl Circuit {
    /// The gates of all code but [`Circuit::direct_transition_code`]: a loop's once, and a gate of three operands as two of
    /// two.
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
        let sets: BTreeSet<&Slot> = circuit.marks.iter().flatten().collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_gates_compose_to_one() {
        let [x, y, z] = [0b0101_0011_u64, 0b1100_1010, 0b0110_1001];
        for (outer, inner) in GateKind::OF_TWO
            .iter()
            .flat_map(|outer| GateKind::OF_TWO.map(|inner| (outer, inner)))
        {
            let within = inner.apply([y, z, 0]);
            for (at, expected) in [[within, x, 0], [x, within, 0]].into_iter().enumerate() {
                let both = outer.around(at, inner);
                assert_eq!(both.apply([x, y, z]), outer.apply(expected));
                assert_eq!(both.operands(), 3);
                let (sorted, order) = both.sorted();
                assert_eq!(
                    sorted.apply(order.map(|old| [x, y, z][old])),
                    both.apply([x, y, z])
                );
                assert_eq!(sorted.sorted().0, sorted);
            }
        }
        assert!(GateKind::OF_TWO.iter().all(|kind| kind.operands() == 2));
    }
}
