//! The promises that every engine keeps, and how they are tested: the laws of one engine, two engines side by side on
//! the same random games, and recorded games replayed.

mod differential;
pub mod laws;
mod replay;

pub use differential::{
    Agreement, DifferentialTest, Divergence, Walk, Walker, compare_walks, differential_test,
};
pub use replay::{Difference, Recorded, ReplayFault, replay};
