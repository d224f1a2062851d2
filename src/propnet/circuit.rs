//! A network as a straight-line program over slots.
//!
//! A slot holds one bit per *lane*, and every lane is a game of its own. To make a step, put the fluents into
//! [`Circuit::bases`], run [`Circuit::look`], read [`Circuit::terminal`] and the legal moves, mark one move per role in
//! its [`Input::does`], run [`Circuit::step`], and copy [`Circuit::next`] to the bases.

use std::ops::Range;

/// A slot's number.
pub type Slot = u32;

/// The slot in which every bit is clear.
pub const NEVER: Slot = 0;
/// The slot in which every bit is set.
pub const ALWAYS: Slot = 1;
/// The slot that is written and never read.
pub const SINK: Slot = 2;

/// What a gate does with its two or three operands: for each of their eight values, that of `a` counting 1, of `b` 2 and of
/// `c` 4, the bit of that number is what comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(u8);

impl Kind {
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

    /// All of two operands.
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

    /// The table.
    pub const fn table(self) -> u8 {
        self.0
    }

    /// How many operands it reads, two or three.
    pub fn operands(self) -> usize {
        let reads_c = self.0 >> 4 != self.0 & 0b1111;
        2 + usize::from(reads_c)
    }

    /// The gate's output, bit by bit.
    pub fn apply(self, [a, b, c]: [u64; 3]) -> u64 {
        let row = |number: u8| {
            let column = |at: u8, bits: u64| if number >> at & 1 == 1 { bits } else { !bits };
            column(0, a) & column(1, b) & column(2, c)
        };
        let rows = (0..8).filter(|&number| self.0 >> number & 1 == 1).map(row);
        rows.fold(0, |all, row| all | row)
    }

    /// What a gate of two operands does when its operand `at` is what another such gate computes: the other operand
    /// comes first, then those of the inner gate.
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

    /// The same for operands in an order that is the same for all kinds that differ in their order only; also which of
    /// the old ones is the first, the second and the third then.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Gate {
    /// Where the output goes.
    pub out: Slot,
    /// The operands; the third is [`NEVER`] where there are two. Of three, they are in the order in which the kind is the
    /// least of all that differ by their order alone.
    pub operands: [Slot; 3],
}

/// A variable of a [`Step::Loop`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Feedback {
    /// The slot that the body reads.
    pub variable: Slot,
    /// The slot in which the body leaves the variable's next value.
    pub value: Slot,
}

/// A piece of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Gates of one kind, one after the other.
    Run {
        /// What they do.
        kind: Kind,
        /// A later gate may read what an earlier one wrote.
        gates: Vec<Gate>,
    },
    /// A least fix-point: every variable starts clear; the body runs, and every new value is copied to its variable,
    /// until nothing changes in any lane. The body is monotone in the variables, so the end is reached, and lanes that
    /// have reached theirs stay there.
    Loop {
        /// The variables.
        feedback: Vec<Feedback>,
        /// What computes their next values.
        body: Vec<Step>,
    },
}

/// Where an output is to be read, and whether it is stored inverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Signal {
    /// The slot.
    pub slot: Slot,
    /// Whether the output is the complement of the slot.
    pub negated: bool,
}

/// A move that may become legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Input {
    /// Where the move is legal, after [`Circuit::look`]. May be [`ALWAYS`], and several moves may share a slot.
    pub legal: Slot,
    /// Where it is said, before [`Circuit::step`], that the move is made. [`SINK`] if no rule asks.
    pub does: Slot,
}

/// The program.
#[derive(Debug, Clone)]
pub struct Circuit {
    /// How many slots there are.
    pub slots: usize,
    /// One slot per fluent that can ever hold; no two fluents share one, and only the executor writes them.
    pub bases: Vec<Slot>,
    /// Per fluent, whether it holds in the initial state.
    pub initial: Vec<bool>,
    /// The moves, role by role.
    pub inputs: Vec<Input>,
    /// Per role, its moves in [`Circuit::inputs`].
    pub roles: Vec<Range<usize>>,
    /// From the bases to the end and the legal moves.
    pub look: Vec<Step>,
    /// Where the game is over, after [`Circuit::look`].
    pub terminal: Slot,
    /// From the bases, after [`Circuit::look`], to the goals. Leaves alone what [`Circuit::step`] reads.
    pub judge: Vec<Step>,
    /// Per role, each goal value and the slot in which it holds, after [`Circuit::judge`]. Ascending.
    pub goals: Vec<Vec<(u8, Slot)>>,
    /// From the bases and the moves made, after [`Circuit::look`], to the next state.
    pub step: Vec<Step>,
    /// Per fluent, whether it holds next, after [`Circuit::step`]. May be any slot: another fluent's base, or a move.
    pub next: Vec<Signal>,
    /// From the bases and the moves made to the next state without [`Circuit::look`], for those who know already what is
    /// legal. May overwrite whatever other programs computed.
    pub leap: Vec<Step>,
    /// Per fluent, whether it holds next, after [`Circuit::leap`].
    pub after_leap: Vec<Signal>,
}

impl Circuit {
    /// The gates of the programs that lead from state to state by way of a look, and of [`Circuit::judge`]: a loop's once, and
    /// one of three operands as the two gates of two operands that it does the work of.
    pub fn gate_count(&self) -> usize {
        [&self.look, &self.judge, &self.step]
            .into_iter()
            .map(|steps| count(steps))
            .sum()
    }
}

/// The gates of some steps as if all had two operands, a loop's counted once.
pub(crate) fn count(steps: &[Step]) -> usize {
    let gates = |step: &Step| match step {
        Step::Run { kind, gates } => gates.len() * (kind.operands() - 1),
        Step::Loop { body, .. } => count(body),
    };
    steps.iter().map(gates).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_within_a_gate_is_one_gate() {
        let [x, y, z] = [0b0101_0011_u64, 0b1100_1010, 0b0110_1001];
        for (outer, inner) in Kind::OF_TWO
            .iter()
            .flat_map(|outer| Kind::OF_TWO.map(|inner| (outer, inner)))
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
        assert!(Kind::OF_TWO.iter().all(|kind| kind.operands() == 2));
    }
}
