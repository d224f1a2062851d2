//! The network of gates that rules without variables amount to, made small, and run many games at a time.
//!
//! A propositional network (Schkufza, Love and Genesereth 2008) is a combinational circuit: fluents and moves go in, the
//! end, the legal moves, the goals and the next state come out. A [`Circuit`] is the network as a straight-line program;
//! whoever runs it decides how many games its slots hold.

mod build;
pub mod circuit;
mod drawing;
pub mod lanes;
pub mod network;
pub mod passes;
mod phases;
mod schedule;

#[cfg(test)]
mod tests;

pub use build::{Interface, build};
pub use circuit::Circuit;
pub use drawing::Drawing;
pub use network::Network;
pub(crate) use phases::LARGEST;
pub use phases::{Phases, phases};
pub use schedule::schedule;
