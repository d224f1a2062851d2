//! A batch of states with their legal moves, ends and goals.

use std::ops::Range;

use crate::propnet::lanes::executor::{MANY, either};
use crate::propnet::lanes::memory::SlotIndex;
use crate::propnet::lanes::program::{LaneProgram, PackedCircuit};

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
    pub(super) roles: Vec<LegalWords>,
    pub(super) state_words: usize,
    pub(super) legal_words: usize,
    /// Packed states, one after the other.
    pub(super) states: Vec<u64>,
    /// Per state the legal moves of all roles, each role's from a new word on.
    pub(super) legal: Vec<u64>,
    pub(super) is_terminal: Vec<bool>,
    /// Per state and role.
    pub(super) goals: Vec<u8>,
}

/// Which words of a state's legal moves are a role's.
#[derive(Debug, Clone)]
pub(super) struct LegalWords {
    /// The role's first input.
    first: usize,
    /// Words of each state's legal moves.
    pub(super) words: Range<usize>,
}

impl LaneBatch {
    /// An empty batch.
    pub fn new(program: &LaneProgram) -> Self {
        either!(&program.packed, packed => Self::of(packed))
    }

    fn of<P: SlotIndex>(program: &PackedCircuit<P>) -> Self {
        let roles = program.roles.iter().zip(&program.legal_rows.parts);
        let roles = roles.map(|(inputs, words)| LegalWords {
            first: inputs.start,
            words: words.clone(),
        });
        Self {
            len: 0,
            roles: roles.collect(),
            state_words: program.state_words(),
            legal_words: program.legal_rows.len,
            states: Vec::new(),
            legal: Vec::new(),
            is_terminal: Vec::new(),
            goals: Vec::new(),
        }
    }

    /// Makes room for `len` states, in which no move is legal yet.
    pub(super) fn resize(&mut self, len: usize) {
        self.len = len;
        self.states.resize(len * self.state_words, 0);
        self.legal.clear();
        self.legal.resize(len * self.legal_words, 0);
        self.is_terminal.resize(len, false);
        self.goals.clear();
        self.goals.resize(len * self.roles.len(), NO_GOAL);
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
        let goal = self.goals[index * self.roles.len() + role];
        (goal != NO_GOAL).then_some(goal)
    }

    /// How many legal moves `role` has.
    pub fn legal_count(&self, index: usize, role: usize) -> usize {
        let mut count = 0;
        for word in self.legal_words(index, role) {
            count += word.count_ones();
        }
        count as usize
    }

    /// Replaces `moves` by the legal moves of `role`, as numbers of inputs, ascending.
    pub fn legal(&self, index: usize, role: usize, moves: &mut Vec<u32>) {
        moves.clear();
        let mut first = self.roles[role].first as u32;
        for word in self.legal_words(index, role) {
            let mut left = *word;
            while left != 0 {
                moves.push(first + left.trailing_zeros());
                left &= left - 1;
            }
            first += 64;
        }
    }

    /// Whether making all moves in all states together, `plies` deep, is cheaper than making only the legal ones, for a program
    /// whose legal moves take so many gates: if most moves are legal in most of the states.
    pub(super) fn is_crowded(&self, plies: u32, gates: usize) -> bool {
        let mut live = vec![0; self.legal_words];
        let (mut legal, mut states) = (0_u64, 0_u64);
        for state in (0..self.len).filter(|state| !self.is_terminal[*state]) {
            states += 1;
            let words = &self.legal[state * self.legal_words..][..self.legal_words];
            for (live, word) in live.iter_mut().zip(words) {
                *live |= word;
                legal += u64::from(word.count_ones());
            }
        }
        let live: u64 = live.iter().map(|word| u64::from(word.count_ones())).sum();
        // The roles that wait have a move, too.
        let waiting = self.roles.len() as f64 - 1.0;
        let moves = (legal as f64 / states.max(1) as f64 - waiting).max(1.0);
        let live = (live as f64 - waiting).max(1.0);
        let gates = gates as f64;
        let of_all_lanes = 3.0 * gates + live * (COST_OF_MOVE + gates / 4.0);
        let made = plies as i32 - 2;
        let of_one = COST_OF_STATE + of_all_lanes / MANY as f64;
        let one_by_one = states as f64 * moves.powi(made) * of_one;
        live.powi(made) * of_all_lanes < one_by_one.min(MOST_CYCLES)
    }

    fn legal_words(&self, index: usize, role: usize) -> &[u64] {
        &self.legal[index * self.legal_words..][self.roles[role].words.clone()]
    }
}
