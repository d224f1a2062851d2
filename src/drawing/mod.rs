//! Positions drawn: boards as text and as SVG.
//!
//! Which facts are squares of a board is found by [`BoardLayout`](crate::info::board::BoardLayout). A [`Screen`] draws
//! the states of one match. What is drawn of a state is one `Picture`, whatever it becomes:
//!
//! ```text
//! facts ─▶ Screen ─▶ Picture ─┬─▶ text
//!                             └─▶ svg
//! ```

mod clicks;
mod legend;
mod picture;
mod screen;
mod survey;
#[cfg(feature = "cli")]
mod svg;
mod text;

pub use clicks::ClickCounts;
pub use picture::bare;
pub use screen::Screen;
#[cfg(feature = "cli")]
pub use svg::SVG_STYLE;
pub use text::{DrawnText, SquarePlace, Style};
