//! What a player keeps in mind from one move to the next.

use std::time::Duration;

use super::{Lessons, Limits, Memory, Outcome, Settings, best_move};
use crate::game::{Engine, Role};

/// How a player chooses its moves, and what it remembers of earlier searches. Belongs to one game and one role.
#[derive(Debug)]
pub enum Mind {
    /// Min-Max.
    Minimax(Box<Memory>),
}

impl Mind {
    /// What each heuristic adds to what `role` expects of `state`, in units of the logistic function's argument; nothing if
    /// it has learned nothing.
    pub fn opinions<G: Engine>(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
    ) -> Vec<(&'static str, f64)> {
        match self {
            Self::Minimax(memory) => memory.opinions(game, state, role),
        }
    }

    /// What it has learned: heuristics, features and their weights.
    pub fn weights(&self) -> Vec<(&'static str, String, f64)> {
        match self {
            Self::Minimax(memory) => memory.weights(),
        }
    }

    /// The mind of a Min-Max player.
    pub fn minimax(settings: Settings) -> Self {
        Self::Minimax(Box::new(Memory::new(settings)))
    }
}

/// Gets ready to play `role`: finds weights for heuristics, within `time`, unless that was done or learned before.
pub fn prepare<G: Engine>(
    game: &G,
    role: Role,
    mind: &mut Mind,
    lessons: &mut Lessons,
    time: Duration,
) {
    match mind {
        Mind::Minimax(memory) => memory.train(game, role, lessons, time),
    }
}

/// Thinks about the moves of `role` in `state`, as its mind and the limits allow; `None` if the game is over or the role
/// has no legal move.
pub fn think<G: Engine>(
    game: &G,
    state: &G::State,
    role: Role,
    limits: &Limits<'_>,
    mind: &mut Mind,
) -> Option<Outcome<G::Move>> {
    match mind {
        Mind::Minimax(memory) => best_move(game, state, role, limits, memory),
    }
}
