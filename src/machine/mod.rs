//! Games made from checked rules.
//!
//! [`Reasoner`] is the [`Game`](crate::game::Game) that derives
//! everything bottom-up from the facts of a state, and only what is asked. [`Propnet`] is the one that has made a network
//! of gates of the rules, and runs that.

mod propnet;
mod reasoner;
mod rehearsal;
mod term;

pub use propnet::{Bits, Making, NoPropnet, Propnet};

pub use reasoner::{BuildError, Facts, MoveId, Reasoner, Scratch};
