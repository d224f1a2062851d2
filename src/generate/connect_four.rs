//! Connect Four on other boards.

use crate::generate::family::{make, single};
use crate::generate::words::{chain, count, last_letter, letters, number, numbers};
use crate::generate::{Family, Size, SizeParameter};

/// The board of Connect Four.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectFourSize {
    /// Columns: each has a letter.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

impl Default for ConnectFourSize {
    fn default() -> Self {
        Self::shipped()
    }
}

impl Size for ConnectFourSize {
    const FAMILY: Family = Family {
        name: "connect-four",
        title: "Connect Four on a board of any size",
        parameters: &[
            SizeParameter::number("width", "columns", &[7], (4, 26)),
            SizeParameter::number("height", "rows", &[6], (4, 26)),
        ],
        presets: &[&[&[5], &[4]], &[&[7], &[6]], &[&[8], &[8]]],
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
