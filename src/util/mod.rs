//! What every module may use: deadlines and stop flags.

mod alarm;
mod deadline;
mod spelling;
mod system;

pub use alarm::Alarm;
pub use deadline::{Deadline, Expired, SparseCheck, StopFlag};
pub use spelling::spelling_distance;
pub use system::system_said;
