//! Hand-written native engines of shipped games, on bitboards: the yardstick for what is made from rule files.
//!
//! A native engine says the same words as its rule file (roles, facts, moves), so that the two can be compared state by state.
//! Its author writes [`NativeRules`]: positions of a few words, and the places (see [`PlaceBits`]) of all moves of a position, one bit each,
//! which are counted, drawn from and walked through without being listed. [`NativeEngine`] makes a
//! [`StateMachine`](crate::game::StateMachine) of that.

mod batch;
mod bits;
pub mod breakthrough;
pub mod checkers;
pub mod connect_four;
mod engine;
mod facts;
mod forward;
mod grid;
pub mod kolibrat;
pub mod lines_of_action;
mod paths;
mod places;
mod playouts;
mod rules;
pub mod tictactoe;

pub use batch::NativeBatch;
pub use breakthrough::Breakthrough;
pub use checkers::Checkers;
pub use connect_four::ConnectFour;
pub use engine::{FactSource, NativeEngine};
pub use facts::FactReader;
pub use kolibrat::Kolibrat;
pub use lines_of_action::LinesOfAction;
pub use places::{PlaceBits, PlaceSet};
pub use rules::NativeRules;
pub use tictactoe::TicTacToe;

/// The names of the evaluations that come with the native engines.
pub fn evaluations() -> impl Iterator<Item = &'static str> {
    let all = kolibrat::EVALUATIONS.iter().chain(checkers::EVALUATIONS);
    all.copied()
}

/// The one of [`evaluations`] that is called this.
pub fn evaluation_named(name: &str) -> Option<&'static str> {
    evaluations().find(|known| *known == name)
}
