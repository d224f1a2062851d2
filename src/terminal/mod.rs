//! Interactive play: line by line, or on the whole screen.

mod advice;
mod autosave;
mod commands;
mod completion;
mod find_move;
#[cfg(feature = "cli")]
mod full_screen;
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
mod variations;
mod words;

pub use autosave::{Autosave, KeptGame};
pub use completion::{completions, file_name_begun};
pub use find_move::moves_like;
#[cfg(feature = "cli")]
pub use full_screen::{Events, FullScreen, LEAST_SCREEN, Messages, ThoughtsShown};
pub use interactive::{Ended, Interactive};
pub use interrupts::Interrupts;
pub use lines::{LeftLine, LineSource, PipedLines, Scene, Typed};
pub use menu::groups;
pub use players::Players;
pub use words::{move_line, quoted, verdict, wrapped};
