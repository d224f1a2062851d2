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

/// What a gate does with its two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `a & b`
    And,
    /// `a & !b`
    AndNot,
    /// `a | b`
    Or,
    /// `a | !b`
    OrNot,
    /// `!(a & b)`
    Nand,
    /// `!(a | b)`
    Nor,
}

impl Kind {
    /// The gate's output, bit by bit.
    pub fn apply(self, a: u64, b: u64) -> u64 {
        match self {
            Self::And => a & b,
            Self::AndNot => a & !b,
            Self::Or => a | b,
            Self::OrNot => a | !b,
            Self::Nand => !(a & b),
            Self::Nor => !(a | b),
        }
    }
}

/// A gate of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Gate {
    /// Where the output goes.
    pub out: Slot,
    /// The first operand.
    pub a: Slot,
    /// The second operand.
    pub b: Slot,
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
    /// The gates of the programs that lead from state to state by way of a look, and of [`Circuit::judge`], a loop's counted once.
    pub fn gate_count(&self) -> usize {
        [&self.look, &self.judge, &self.step]
            .into_iter()
            .map(|steps| count(steps))
            .sum()
    }
}

/// The gates of some steps, a loop's counted once.
pub(crate) fn count(steps: &[Step]) -> usize {
    let gates = |step: &Step| match step {
        Step::Run { gates, .. } => gates.len(),
        Step::Loop { body, .. } => count(body),
    };
    steps.iter().map(gates).sum()
}
