//! Breakthrough on other boards.

use crate::generate::family::{make, single};
use crate::generate::words::{chain, count, last_letter, letters, number, numbers};
use crate::generate::{Family, Size, SizeParameter};

/// The board of Breakthrough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakthroughSize {
    /// Files: each has a letter.
    pub width: u8,
    /// Ranks: both players' pieces take two of them.
    pub height: u8,
}

impl Default for BreakthroughSize {
    fn default() -> Self {
        Self::shipped()
    }
}

impl Size for BreakthroughSize {
    const FAMILY: Family = Family {
        name: "breakthrough",
        title: "Breakthrough on a board of any size, with two ranks of pieces a side",
        parameters: &[
            SizeParameter::number("width", "files", &[8], (2, 26)),
            SizeParameter::number("height", "ranks", &[8], (5, 26)),
        ],
        presets: &[&[&[5], &[5]], &[&[6], &[6]], &[&[8], &[8]]],
        make: make::<Self>,
    };

    fn from_numbers(numbers: &[Vec<u8>]) -> Self {
        let [width, height] = single(numbers);
        Self { width, height }
    }

    fn numbers(&self) -> Vec<Vec<u8>> {
        let Self { width, height } = *self;
        [width, height].map(|number| vec![number]).to_vec()
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
