//! Executes a [`Circuit`](crate::propnet::Circuit) for many games at a time: bit-parallel simulation on SIMD vectors.
//!
//! A slot is a vector of machine words, and each bit position of it is a *lane*: one game. A gate is one bitwise instruction
//! for all lanes. States enter the lanes, and states and legal moves leave them, by bit-matrix transposition or a cheaper way that does the same.
//!
//! A [`LaneProgram`] has the circuits of a game, packed for execution when they are first run, and shared by all threads. Every executor has working memory of its own: a
//! [`SingleLane`] evaluates one state at a time, [`run_playouts`] plays many random games at a time, a [`RolloutRunner`] plays
//! a few from each of many states, and an [`Expander`] makes transitions from many states in one call.
//!
//! States are packed: a `&[u64]` whose bit `i % 64` of word `i / 64` tells whether the circuit's fluent `i` holds. Moves
//! are the numbers of [`Circuit::inputs`](crate::propnet::Circuit::inputs).

#![allow(
    clippy::needless_range_loop,
    reason = "iterator calls are not always inlined into functions compiled for one instruction set, which prevents \
              vectorisation"
)]

mod batch;
mod choose;
mod code;
mod end_tally;
mod executor;
mod expand;
mod generator;
mod lane_width;
mod legal_moves;
mod marks;
mod memory;
mod mobility;
mod ops;
mod packing;
mod pairs;
mod paths;
mod planes;
mod playout;
mod playout_runner;
mod program;
mod rollout;
mod single;
mod totals;
mod transpose;
mod vectors;

pub use batch::LaneBatch;
pub use expand::Expander;
pub use lane_width::LaneWidth;
pub use playout::{PlayoutJob, run_playouts};
pub use program::LaneProgram;
pub use rollout::{RolloutJob, RolloutRunner, RolloutSink, TrackedBase};
pub use single::SingleLane;
pub use totals::LaneTotals;
pub use vectors::Vectors;

#[cfg(test)]
pub(super) mod fixture;
#[cfg(test)]
mod tests;
