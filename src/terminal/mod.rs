//! Games for people: boards as text, and interactive play.
//!
//! Which facts are squares of a board is found from the facts of some states alone, whatever their names: see
//! [`Layout`]. A [`Screen`] draws the states of one match.

mod ask;
mod candidate;
mod content;
mod draw;
mod facts;
mod interactive;
mod layout;
mod orient;
mod saved;
mod scale;
mod screen;
mod view;
mod words;

pub use draw::Style;
pub use interactive::Interactive;
pub use layout::{BoardPlan, Layout};
pub use screen::Screen;
pub use words::{move_line, quoted, verdict};
