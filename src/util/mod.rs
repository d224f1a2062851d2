//! What every module may use: deadlines and stop flags, the time that work takes, work side by side, values that are kept, words.

mod alarm;
mod deadline;
mod differences;
#[cfg(test)]
mod fixture;
mod lazy;
mod lists;
mod natural_order;
mod parallel;
mod plural;
mod pool;
mod side_by_side;
mod small_numbers;
mod spelling;
mod system;
mod work_time;

pub use alarm::Alarm;
pub use deadline::{Deadline, Expired, SparseCheck, StopFlag};
pub(crate) use differences::rows;
pub use lazy::Lazy;
pub use lists::Lists;
pub(crate) use lists::Texts;
pub use natural_order::natural_order;
pub use parallel::{join_if, map_if};
pub use plural::plural;
pub use pool::{ObjectPool, Pooled};
pub use side_by_side::choose_side_by_side;
pub use spelling::spelling_distance;
pub use system::system_said;
#[cfg(test)]
pub(crate) use work_time::ThreadTime;
pub(crate) use work_time::WorkTime;
