//! The owned face of the library: a [`Game`] that can be kept in a variable, cloned and sent to another thread, its
//! [`Position`]s as values, a [`Session`] with a history, and searches that can be watched and stopped.
//!
//! Everything here works in text, whatever the engine: roles, moves and facts are KIF terms. Inside, each call is
//! dispatched once to code made for the engine.

mod erased;
mod error;
mod found;
mod game;
mod history;
mod loading;
mod playouts;
mod position;
mod running;
mod searches;
#[cfg(test)]
mod tests;
mod weights;
mod words;

pub use crate::game::InvalidFacts;
pub use error::{GameError, IllegalMove, PlayoutsError, SearchError, UnknownRole};
pub use found::{Found, MoveFound};
pub use game::Game;
pub use history::Session;
pub use loading::LoadingGame;
pub use playouts::{PlayoutResult, PlayoutRun};
pub use position::Position;
pub use running::RunningSearch;
pub use searches::{
    Mcts, Minimax, RoleSearcher, START_CLOCK, SearchKind, SearchOptions, start_clock,
};
pub use weights::{WeightsError, WeightsFault, read_any_weights, read_weights};
