//! Propositional networks: from ground rules to bit-parallel programs.
//!
//! A propositional network (Schkufza, Love and Genesereth 2008) is a combinational circuit: fluents and moves go in, the
//! end, the legal moves, the goals and the next state come out. [`build()`] makes the network from ground rules, the
//! [`passes`] simplify it, [`turn_networks`] specialises it to turns, [`schedule()`] compiles it to a [`Circuit`], a
//! straight-line program, and [`lanes`] executes that for many games at a time.

mod build;
pub mod circuit;
pub mod lanes;
pub mod network;
pub mod passes;
mod print;
mod sampling;
mod schedule;
mod turns;

#[cfg(test)]
mod tests;

pub use build::{Interface, build};
pub use circuit::Circuit;
pub use network::Network;
pub use print::NetworkPrinter;
pub use sampling::FactFrequencies;
pub use schedule::{schedule, schedule_for_search};
pub(crate) use turns::LARGEST_SIMPLIFIED;
pub use turns::{TurnNetworks, large_turn_networks, turn_networks};
