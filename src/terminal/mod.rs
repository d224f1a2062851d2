//! Games for people: boards as text, and interactive play.
//!
//! Which facts are squares of a board is found by [`BoardLayout`](crate::info::board::BoardLayout). A [`Screen`] draws
//! the states of one match.

mod ask;
mod draw;
mod interactive;
mod legend;
mod saved;
mod screen;
mod words;

pub use draw::Style;
pub use interactive::Interactive;
pub use screen::Screen;
pub use words::{move_line, quoted, verdict};
