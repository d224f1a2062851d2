//! What a player keeps in mind from one move to the next.

use std::time::Duration;

use super::{Limits, Memory, Outcome, Settings, best_move};
use crate::game::{Engine, Role};

/// How a player chooses its moves, and what it remembers of earlier searches. Belongs to one game and one role.
#[derive(Debug)]
pub enum Mind {
    /// Min-Max.
    Minimax(Box<Memory>),
}

impl Mind {
    /// The mind of a Min-Max player.
    pub fn minimax(settings: Settings) -> Self {
        Self::Minimax(Box::new(Memory::new(settings)))
    }
}

/// Gets ready to play `role`, as long as `time` allows: finds weights for heuristics.
pub fn prepare<G: Engine>(game: &G, role: Role, mind: &mut Mind, time: Duration) {
    match mind {
        Mind::Minimax(memory) => memory.train(game, role, time),
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
