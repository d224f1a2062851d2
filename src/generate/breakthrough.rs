//! Breakthrough on other boards.

use crate::generate::words::{chain, count, last_letter, letters, number, numbers};
use crate::generate::{NoSuchSize, Size, within};

/// The board of Breakthrough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakthroughSize {
    /// Files, 2 to 26: each has a letter.
    pub width: u8,
    /// Ranks, 5 to 26: both players' pieces take two of them.
    pub height: u8,
}

impl Default for BreakthroughSize {
    fn default() -> Self {
        Self {
            width: 8,
            height: 8,
        }
    }
}

impl Size for BreakthroughSize {
    const GAME: &'static str = "breakthrough";

    fn check(&self) -> Result<(), NoSuchSize> {
        within("width", self.width, 2..=26)?;
        within("height", self.height, 5..=26)
    }

    fn parts(&self) -> Vec<String> {
        let Self { width, height } = *self;
        let (file, below) = (last_letter(width), height - 1);
        let right = chain("right", &letters(width));
        let up = chain("up", &numbers(1, height));
        vec![
            format!("; Variant: {width}x{height}; "),
            format!("black starts on ranks {below} and {height}."),
            format!("(a to {file}) and rank ?y (1 to {height})"),
            format!("{right}\n\n{up}"),
            format!("(camp black {below})\n(camp black {height})\n\n(goal_rank white {height})"),
        ]
    }

    fn guess(text: &str) -> Option<Self> {
        Some(Self {
            width: count(text, "(right ")?.checked_add(1)?,
            height: number(text, "(goal_rank white ")?,
        })
    }
}
