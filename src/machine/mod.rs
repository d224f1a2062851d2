//! Games made from checked rules.
//!
//! [`translate`] turns GDL's words into predicates; [`Reasoner`] is the [`Game`](crate::game::Game) that derives
//! everything bottom-up from the facts of a state, and only what is asked.

mod reasoner;
mod translate;

pub use reasoner::{BuildError, Facts, MoveId, Reasoner, Scratch};
pub use translate::{Words, translate};
