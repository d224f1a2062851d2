//! A name or a path → the text of a game.
//!
//! The shipped games are embedded in the program, so their names work in any folder. A path always wins over nothing,
//! and a name over a file without an ending: `./nim` means the file, `nim` the shipped game.

mod fault;
mod read;
mod shipped;

pub use fault::SourceError;
pub use read::{GameSource, Origin};
pub use shipped::{SHIPPED, Shipped};
