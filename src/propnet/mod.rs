//! The network of gates that rules without variables amount to, made small, and run many games at a time.
//!
//! A propositional network (Schkufza, Love and Genesereth 2008) is a combinational circuit: fluents and moves go in, the
//! end, the legal moves, the goals and the next state come out. A [`Circuit`] is the network as a straight-line program;
//! whoever runs it decides how many games its slots hold.

mod build;
pub mod circuit;
pub mod lanes;
pub mod network;
pub mod passes;
mod print;
mod schedule;
mod turns;

#[cfg(test)]
mod tests;

pub use build::{Interface, build};
pub use circuit::Circuit;
pub use network::Network;
pub use print::NetworkPrinter;
pub use schedule::schedule;
pub(crate) use turns::LARGEST_SPECIALISED;
pub use turns::{TurnNetworks, turn_networks};
