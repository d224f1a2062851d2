//! Tests of engines: the promises of one engine on random walks, two engines side by side on the same random games,
//! and recorded games replayed.

mod check_engine;
mod check_machine;
mod differential;
mod replay;

pub use check_engine::check_engine;
pub use check_machine::{ConformanceReport, Violation, check};
pub use differential::{
    Agreement, DifferentialTest, Divergence, Walk, Walker, compare_walks, differential_test,
};
pub use replay::{Difference, Recorded, ReplayFault, replay};
