//! Questions about a game, for any [`Game`](crate::game::Game): [`Perft`] counts paths, [`replay()`] compares a record
//! with the rules, [`sample()`] tells what the game is like, [`Control`] says whose turn it is.

mod control;
mod perft;
mod replay;
mod sample;

pub use control::Control;
pub use perft::{DepthCount, Perft};
pub use replay::{Difference, Recorded, ReplayFault, replay};
pub use sample::{Sample, sample};
