//! Symmetries of a game, by which one state stands for all that are the same but for them.
//!
//! ```text
//! facts ─exchanges─▶ candidates ─confirmed, by random games─▶ FactSymmetry: learning
//!                                └─proof, on the network────▶ SymmetryGroup: states, solutions, tables of searches
//! ground rules ─invariants::symmetries────────────────────────────┘
//! ```

mod candidates;
mod confirmed;
mod exchanges;
mod group;
mod moves;
mod permutation;
mod proof;
#[cfg(test)]
mod tests;

pub(crate) use self::confirmed::{FactSymmetry, fact_symmetries};
pub(crate) use self::group::OrbitScratch;
pub use self::group::SymmetryGroup;
pub(crate) use self::permutation::FactPermutation;
