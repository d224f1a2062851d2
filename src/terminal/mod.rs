//! Games for people: boards as text, and interactive play.
//!
//! Which facts are squares of a board is found by [`BoardLayout`](crate::info::board::BoardLayout). A [`Screen`] draws
//! the states of one match.

mod advice;
mod autosave;
mod block;
mod commands;
mod completion;
mod draw;
mod find_move;
mod giving_up;
mod interactive;
mod interrupts;
mod kept;
mod leaving;
mod legend;
mod lines;
mod menu;
mod opponents;
mod panel;
mod players;
mod points;
mod request;
mod saved;
mod screen;
mod undoing;

mod words;

pub use autosave::{Autosave, KeptGame};
pub use completion::{completions, file_name_begun};
pub use draw::Style;
pub use find_move::moves_like;
pub use interactive::{Ended, Interactive};
pub use interrupts::Interrupts;
pub use lines::{LineSource, PipedLines, Typed};
pub use menu::groups;
pub use players::Players;
pub use screen::Screen;
pub use words::{move_line, quoted, verdict, wrapped};
