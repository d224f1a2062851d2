//! Native engines of shipped games, written by hand on bitboards: the baseline for engines made from rule files.
//!
//! A native engine has the roles, facts and moves of its rule file, so that the two can be compared state by state.
//! Its author implements [`NativeRules`]: positions of a few words, and the legal moves of a position as a set of bits
//! ([`MoveBits`]), which is counted, drawn from and iterated without a list. [`NativeEngine`] makes a
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
mod move_set;
mod paths;
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
pub use move_set::{MoveBits, MoveSet};
pub use rules::NativeRules;
pub use tictactoe::TicTacToe;

/// The names of the evaluations that come with the native engines.
pub fn evaluations() -> impl Iterator<Item = &'static str> {
    let all = kolibrat::EVALUATIONS.iter().chain(checkers::EVALUATIONS);
    all.copied()
}

/// Checks that an evaluation with this name comes with a native engine: one of [`evaluations`], or weights for Kolibrat.
///
/// # Errors
/// What to write in its place.
pub fn check_evaluation(name: &str) -> Result<(), String> {
    if evaluations().any(|known| known == name) {
        return Ok(());
    }
    let checked = kolibrat::check_evaluation(name);
    checked.map_err(|fault| match name.contains('/') {
        true => fault.to_string(),
        false => {
            let names: Vec<&str> = evaluations().collect();
            format!(
                "one of {}, or eleven weights W1/…/W11 for kolibrat",
                names.join(", ")
            )
        }
    })
}
