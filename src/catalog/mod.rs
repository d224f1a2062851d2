//! A name or a path → the text of a game → a game with an engine.
//!
//! The shipped games are embedded in the program, so their names work in any folder. A name wins over a file that is
//! called the same: `nim` is the shipped game, `./nim` a file.

mod fault;
mod open;
mod read;
mod shipped;
mod similar;
mod sizes;
mod twin;

pub use crate::native::{evaluation_named, evaluations};
pub use fault::{SourceError, system_said};
pub use open::{
    EngineChoice, InvalidGame, OpenError, OpenOptions, Opened, Visit, check, how_to_report, open,
};
pub use read::{GameSource, Origin};
pub use shipped::{SHIPPED, Shipped};
pub use similar::most_similar;
pub use sizes::{
    BreakthroughSize, CheckersSize, ConnectFourSize, KolibratSize, NimSize, NoSuchSize, Size,
};
pub use twin::TWINS;
