//! What every module may use.

mod deadline;

pub use deadline::{Deadline, Expired, StopFlag};
