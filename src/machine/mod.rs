//! Games made from checked rules.
//!
//! [`Reasoner`] is the [`Game`](crate::game::Game) that derives
//! everything bottom-up from the facts of a state, and only what is asked.

mod reasoner;
mod rehearsal;

pub use reasoner::{BuildError, Facts, MoveId, Reasoner, Scratch};
