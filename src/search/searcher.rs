//! What a player keeps in mind from one move to the next.

use std::hash::Hash;
use std::time::Duration;

use super::auto::suits_minimax;
use super::limits::SearchClock;
use super::{LearnedWeights, Limits, Memory, Outcome, Settings, best_move, mcts};
use crate::game::{Engine, Role};
use crate::util::StopFlag;

/// How a player chooses its moves, and what it remembers of earlier searches. Belongs to one game and one role.
#[derive(Debug)]
pub enum Searcher {
    /// Min-Max.
    Minimax(Box<Memory>),
    /// Monte-Carlo tree search.
    Mcts(Box<mcts::Memory>),
    /// One of the two, whichever suits the game, which is not known yet.
    Auto(Settings, mcts::Settings),
}

impl Searcher {
    /// Takes note of the states that stood on the table before the one it will be asked about: going round in circles wins
    /// nothing.
    pub fn recall<'s, S: Hash + 's>(&mut self, past: impl Iterator<Item = &'s S>) {
        if let Self::Minimax(memory) = self {
            memory.recall(past);
        }
    }

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
            Self::Mcts(_) | Self::Auto(..) => Vec::new(),
        }
    }

    /// What it has learned: heuristics, features and their weights.
    pub fn weights(&self) -> Vec<(&'static str, String, f64)> {
        match self {
            Self::Minimax(memory) => memory.weights(),
            Self::Mcts(_) | Self::Auto(..) => Vec::new(),
        }
    }

    /// Whether the clock cut the search for weights short, so that they may be others another time.
    pub fn learned_in_haste(&self) -> bool {
        match self {
            Self::Minimax(memory) => memory.is_hasty(),
            Self::Mcts(_) | Self::Auto(..) => false,
        }
    }

    /// The mind of a Min-Max player.
    pub fn minimax(settings: Settings) -> Self {
        Self::Minimax(Box::new(Memory::new(settings)))
    }

    /// The mind of a player by Monte-Carlo tree search.
    pub fn mcts(settings: mcts::Settings) -> Self {
        Self::Mcts(Box::new(mcts::Memory::new(settings)))
    }

    /// The mind of a player who decides between the two when it sees the game.
    pub fn auto(minimax: Settings, mcts: mcts::Settings) -> Self {
        Self::Auto(minimax, mcts)
    }

    /// Decides, now that the game is known.
    fn settle<G: Engine>(&mut self, game: &G, stop: &StopFlag) {
        if let Self::Auto(minimax, mcts) = self {
            let suits_minimax = suits_minimax(game, stop);
            let player = if suits_minimax { "minimax" } else { "mcts" };
            tracing::info!("auto takes {player}");
            *self = match suits_minimax {
                true => Self::minimax(minimax.clone()),
                false => Self::mcts(*mcts),
            };
        }
    }
}

/// Gets ready to play `role`: finds weights for heuristics, within `time` and until `stop` is true, unless
/// that was done or learned before.
pub fn prepare<G: Engine>(
    game: &G,
    role: Role,
    searcher: &mut Searcher,
    learned: &mut LearnedWeights,
    (time, stop): (Duration, &StopFlag),
) {
    searcher.settle(game, stop);
    if let Searcher::Minimax(memory) = searcher {
        memory.train(game, role, learned, &SearchClock::within(time, stop));
    }
}

/// Thinks about the moves of `role` in `state`, as its mind and the limits allow; `None` if the game is over or the role
/// has no legal move.
pub fn think<G: Engine>(
    game: &G,
    state: &G::State,
    role: Role,
    limits: &Limits<'_>,
    searcher: &mut Searcher,
) -> Option<Outcome<G::Move>> {
    searcher.settle(game, limits.stop.unwrap_or(&StopFlag::default()));
    match searcher {
        Searcher::Minimax(memory) => best_move(game, state, role, limits, memory),
        Searcher::Mcts(memory) => mcts::best_move(game, state, role, limits, memory),
        Searcher::Auto(..) => None,
    }
}
