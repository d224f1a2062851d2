//! What every module may use.

mod deadline;
mod system;

pub use deadline::{Deadline, Expired, StopFlag};
pub use system::system_said;
