//! What runs a [`Circuit`](crate::propnet::Circuit), as fast as the machine allows.
//!
//! A [`Program`] is a circuit packed for running, shared by all threads. Every executor has working memory of its own:
//! a [`Position`] is one state at a time.
//!
//! States are packed: a `&[u64]` whose bit `i % 64` of word `i / 64` tells whether the circuit's fluent `i` holds. Moves
//! are the numbers of [`Circuit::inputs`](crate::propnet::Circuit::inputs).

mod code;
mod memory;
mod position;
mod program;

pub use position::Position;
pub use program::Program;

#[cfg(test)]
mod toy;
