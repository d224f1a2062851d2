//! Interactive play, line by line.

mod advice;
mod autosave;
mod commands;
mod completion;
mod find_move;
mod giving_up;
mod interactive;
mod interrupts;
mod kept;
mod leaving;
mod lines;
mod menu;
mod opponents;
mod players;
mod request;
mod saved;
mod undoing;
mod words;

pub use autosave::{Autosave, KeptGame};
pub use completion::{completions, file_name_begun};
pub use find_move::moves_like;
pub use interactive::{Ended, Interactive};
pub use interrupts::Interrupts;
pub use lines::{LineSource, PipedLines, Typed};
pub use menu::groups;
pub use players::Players;
pub use words::{move_line, quoted, verdict, wrapped};
