//! A batch of states with their legal moves, ends and goals.

use crate::propnet::lanes::executor::{MANY, either};
use crate::propnet::lanes::legal_moves::LegalMoves;
use crate::propnet::lanes::memory::SlotIndex;
use crate::propnet::lanes::program::{LaneProgram, PackedProgram};

/// Marks a missing goal; goals are at most 100.
pub(super) const NO_GOAL: u8 = u8::MAX;

/// What it takes to make one state by one joint move, in cycles of the processor.
const COST_OF_STATE: f64 = 60.0;

/// No more is done in one call, so that the caller can look at the clock.
const MOST_CYCLES: f64 = 3e8;

/// What it takes to count what follows from a joint move made in all lanes, without gates.
const COST_OF_MOVE: f64 = 300.0;

/// A batch of states with what was evaluated for each: whether the game is over, goals, and legal moves.
#[derive(Debug, Clone)]
pub struct LaneBatch {
    pub(super) len: usize,
    pub(super) state_words: usize,
    /// Packed states, one after the other.
    pub(super) states: Vec<u64>,
    pub(super) legal: LegalMoves,
    pub(super) is_terminal: Vec<bool>,
    /// Per state and role.
    pub(super) goals: Vec<u8>,
}

impl LaneBatch {
    /// An empty batch.
    pub fn new(program: &LaneProgram) -> Self {
        either!(&program.packed, packed => Self::of(packed))
    }

    fn of<P: SlotIndex>(program: &PackedProgram<P>) -> Self {
        Self {
            len: 0,
            state_words: program.state_words(),
            states: Vec::new(),
            legal: LegalMoves::new(program),
            is_terminal: Vec::new(),
            goals: Vec::new(),
        }
    }

    /// Makes room for `len` states, in which no move is legal yet.
    pub(super) fn resize(&mut self, len: usize) {
        self.len = len;
        self.states.resize(len * self.state_words, 0);
        self.legal.reset(len);
        self.is_terminal.resize(len, false);
        self.goals.clear();
        self.goals.resize(len * self.roles(), NO_GOAL);
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A state, packed.
    pub fn state(&self, index: usize) -> &[u64] {
        &self.states[index * self.state_words..][..self.state_words]
    }

    /// Whether the game is over.
    pub fn is_terminal(&self, index: usize) -> bool {
        self.is_terminal[index]
    }

    /// The goal of `role`, if the game is over and exactly one value holds.
    pub fn goal(&self, index: usize, role: usize) -> Option<u8> {
        let goal = self.goals[index * self.roles() + role];
        (goal != NO_GOAL).then_some(goal)
    }

    /// How many legal moves `role` has.
    pub fn legal_count(&self, index: usize, role: usize) -> usize {
        self.legal.count(index, role)
    }

    /// Replaces `moves` by the legal moves of `role`, as numbers of inputs, ascending.
    pub fn legal(&self, index: usize, role: usize, moves: &mut Vec<u32>) {
        self.legal.list(index, role, moves);
    }

    /// Whether making all moves in all states together, `plies` deep, is cheaper than making only the legal ones, for a program
    /// whose legal moves take so many gates: if most moves are legal in most of the states.
    pub(super) fn is_crowded(&self, plies: u32, gates: usize) -> bool {
        let goes_on = |state: usize| !self.is_terminal[state];
        let going_on = (0..self.len).filter(|state| goes_on(*state));
        let states = going_on.clone().count();
        let of_state = |state| (0..self.roles()).map(move |role| self.legal_count(state, role));
        let legal: usize = going_on.flat_map(of_state).sum();
        let live = self.legal.count_in_any(goes_on);
        // The roles that wait have a move, too.
        let waiting = self.roles() as f64 - 1.0;
        let moves = (legal as f64 / states.max(1) as f64 - waiting).max(1.0);
        let live = (live as f64 - waiting).max(1.0);
        let gates = gates as f64;
        let of_all_lanes = 3.0 * gates + live * (COST_OF_MOVE + gates / 4.0);
        let made = plies as i32 - 2;
        let of_one = COST_OF_STATE + of_all_lanes / MANY as f64;
        let one_by_one = states as f64 * moves.powi(made) * of_one;
        live.powi(made) * of_all_lanes < one_by_one.min(MOST_CYCLES)
    }

    /// How many roles there are.
    pub(super) fn roles(&self) -> usize {
        self.legal.roles()
    }
}
