//! The graph of a state space: what each state is, and where its joint moves lead.

use std::sync::{Mutex, PoisonError};

use super::kind::StateKind;
use super::table::StateNumber;

/// Some states with the states after them.
#[derive(Debug, Clone, Default)]
pub(super) struct GraphPart {
    pub(super) states: Vec<StateNumber>,
    pub(super) kinds: Vec<StateKind>,
    /// How many joint moves each has.
    pub(super) degrees: Vec<u16>,
    /// For each state of kind [`StateKind::SEVERAL`], how many legal moves each role has.
    pub(super) widths: Vec<Vec<u16>>,
    /// Where they lead, state by state.
    pub(super) targets: Vec<StateNumber>,
}

impl GraphPart {
    /// Adds a state, whose targets are to follow.
    pub(super) fn push(&mut self, state: StateNumber, kind: StateKind, degree: u16) {
        self.states.push(state);
        self.kinds.push(kind);
        self.degrees.push(degree);
    }

    /// Adds the states of another part.
    pub(super) fn append(&mut self, other: Self) {
        self.states.extend(other.states);
        self.kinds.extend(other.kinds);
        self.degrees.extend(other.degrees);
        self.widths.extend(other.widths);
        self.targets.extend(other.targets);
    }
}

/// The goals with which a game ends, numbered.
#[derive(Debug, Default)]
pub(super) struct EndNames(Mutex<Vec<Vec<Option<u8>>>>);

impl EndNames {
    /// The number of these goals.
    pub(super) fn number(&self, goals: &[Option<u8>]) -> usize {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .iter()
            .position(|one| one == goals)
            .unwrap_or_else(|| {
                known.push(goals.to_vec());
                known.len() - 1
            })
    }

    /// The goals by their numbers.
    pub(super) fn into_goals(self) -> Vec<Vec<Option<u8>>> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
