//! Kolibrat on other boards, with other limits and targets.

use crate::generate::family::{make, single};
use crate::generate::words::{chain, count, counted, number, numbers};
use crate::generate::{Family, Size, SizeParameter};

/// Board, limit and target of Kolibrat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KolibratSize {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Maximum number of pieces of a side on the board.
    pub pieces: u8,
    /// Points needed to win.
    pub goals: u8,
}

impl Default for KolibratSize {
    fn default() -> Self {
        Self::shipped()
    }
}

impl Size for KolibratSize {
    const FAMILY: Family = Family {
        name: "kolibrat",
        title: "Kolibrat on a board of any size, with other limits",
        parameters: &[
            SizeParameter::number("width", "columns", &[3], (2, 16)),
            SizeParameter::number("height", "rows", &[4], (2, 16)),
            SizeParameter::number(
                "pieces",
                "pieces of a side on the board, at most",
                &[4],
                (1, 99),
            ),
            SizeParameter::number("goals", "points needed to win", &[5], (1, 99)),
        ],
        presets: &[
            &[&[2], &[2]],
            &[&[2], &[4]],
            &[&[3], &[3]],
            &[&[3], &[4]],
            &[&[4], &[5]],
            &[&[5], &[6]],
            &[&[9], &[9]],
        ],
        make: make::<Self>,
    };

    fn from_numbers(numbers: &[Vec<u8>]) -> Self {
        let [width, height, pieces, goals] = single(numbers);
        Self {
            width,
            height,
            pieces,
            goals,
        }
    }

    fn numbers(&self) -> Vec<Vec<u8>> {
        let Self {
            width,
            height,
            pieces,
            goals,
        } = *self;
        [width, height, pieces, goals]
            .map(|number| vec![number])
            .to_vec()
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
