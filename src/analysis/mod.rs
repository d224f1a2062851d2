//! Questions about a game, for any [`StateMachine`](crate::game::StateMachine): [`Perft`] counts paths, [`sample()`] tells what
//! the game is like, [`Control`] says whose turn it is.

pub(crate) mod children;
mod control;
mod perft;
mod sample;

pub use control::Control;
pub use perft::{DepthCount, Perft};
pub use sample::{Sample, SampleOptions, sample};
