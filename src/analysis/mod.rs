//! Questions about a game, for any [`Game`](crate::game::Game): [`Perft`] counts paths, [`playouts()`] plays at random,
//! [`replay()`] compares a record with the rules, [`Control`] says whose turn it is.

mod control;
mod limits;
mod perft;
mod playouts;
mod replay;
mod sample;

pub use control::Control;
pub use limits::{Limits, Stopped};
pub use perft::{DepthCount, Perft};
pub use playouts::{PlayoutTotals, Playouts, playouts};
pub use replay::{Difference, Recorded, ReplayFault, replay};
pub use sample::{Sample, sample};
