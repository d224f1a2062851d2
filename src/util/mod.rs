//! What every module may use: deadlines and stop flags, words.

mod alarm;
mod deadline;
mod plural;
mod spelling;
mod system;

pub use alarm::Alarm;
pub use deadline::{Deadline, Expired, SparseCheck, StopFlag};
pub use plural::plural;
pub use spelling::spelling_distance;
pub use system::system_said;
