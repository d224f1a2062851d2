//! Connect Four on other boards.

use crate::generate::words::{chain, count, last_letter, letters, number, numbers};
use crate::generate::{NoSuchSize, Size, within};

/// The board of Connect Four.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectFourSize {
    /// Columns, 4 to 26: each has a letter.
    pub width: u8,
    /// Rows, 4 to 26.
    pub height: u8,
}

impl Default for ConnectFourSize {
    fn default() -> Self {
        Self {
            width: 7,
            height: 6,
        }
    }
}

impl Size for ConnectFourSize {
    const GAME: &'static str = "connect-four";

    fn check(&self) -> Result<(), NoSuchSize> {
        within("width", self.width, 4..=26)?;
        within("height", self.height, 4..=26)
    }

    fn parts(&self) -> Vec<String> {
        let Self { width, height } = *self;
        let last = last_letter(width);
        let right = chain("right", &letters(width));
        let up = chain("up", &numbers(1, height));
        vec![
            format!(
                "; Variant: {width} columns, a to {last}, and {height} rows, counted from the bottom."
            ),
            format!("{right}\n\n{up}\n\n(bottom 1)\n(top {height})"),
        ]
    }

    fn guess(text: &str) -> Option<Self> {
        Some(Self {
            width: count(text, "(right ")?.checked_add(1)?,
            height: number(text, "(top ")?,
        })
    }
}
