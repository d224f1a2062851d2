//! A name or a path → the text of a game.
//!
//! The shipped games are embedded in the program, so their names work in any folder. A name wins over a file that is
//! called the same: `nim` is the shipped game, `./nim` a file.

mod fault;
mod read;
mod shipped;
mod similar;

pub use fault::SourceError;
pub use read::{GameSource, Origin, open};
pub use shipped::{SHIPPED, Shipped};
pub use similar::most_similar;
