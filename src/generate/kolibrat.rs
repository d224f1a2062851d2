//! Kolibrat on other boards, with other limits and targets.

use crate::generate::words::{chain, count, counted, number, numbers};
use crate::generate::{NoSuchSize, Size, within};

/// Board, limit and target of Kolibrat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KolibratSize {
    /// Columns, 2 to 16.
    pub width: u8,
    /// Rows, 2 to 16.
    pub height: u8,
    /// Maximum number of pieces of a side on the board, 1 to 99.
    pub pieces: u8,
    /// Points needed to win, 1 to 99.
    pub goals: u8,
}

impl Default for KolibratSize {
    fn default() -> Self {
        Self {
            width: 3,
            height: 4,
            pieces: 4,
            goals: 5,
        }
    }
}

impl Size for KolibratSize {
    const GAME: &'static str = "kolibrat";

    fn check(&self) -> Result<(), NoSuchSize> {
        within("width", self.width, 2..=16)?;
        within("height", self.height, 2..=16)?;
        within("pieces", self.pieces, 1..=99)?;
        within("goals", self.goals, 1..=99)
    }

    fn parts(&self) -> Vec<String> {
        let Self {
            width,
            height,
            pieces,
            goals,
        } = *self;
        let standard = match *self == Self::default() {
            true => "the standard one: ",
            false => "",
        };
        let (most, target) = (counted(pieces, "piece"), counted(goals, "point"));
        let right = chain("right", &numbers(0, width - 1));
        let up = chain("up", &numbers(0, height - 1));
        let succ = chain("succ", &numbers(0, pieces.max(goals)));
        let top = height - 1;
        vec![
            format!(
                "; Variant: {standard}{width} columns, {height} rows, at most {most} a side, {target} to win."
            ),
            format!(
                "{right}\n\n{up}\n\n(bottom 0)\n(top {top})\n\n\
                 (most_pieces {pieces})\n(winning_score {goals})\n\n{succ}"
            ),
        ]
    }

    fn guess(text: &str) -> Option<Self> {
        Some(Self {
            width: count(text, "(right ")?.checked_add(1)?,
            height: number(text, "(top ")?.checked_add(1)?,
            pieces: number(text, "(most_pieces ")?,
            goals: number(text, "(winning_score ")?,
        })
    }
}
