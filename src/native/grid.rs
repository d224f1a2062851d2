//! The squares of a board and their names in facts and moves.

use crate::game::InvalidFacts;
use crate::native::bits::squares;
use crate::native::facts::{FactReader, control};

/// A board of `width` columns and as many rows as the squares allow: square `y * width + x` is in column `x` and row `y`.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    columns: Vec<String>,
    rows: Vec<String>,
    /// The squares that are in use.
    pub(super) board: u64,
}

/// How columns or rows are called.
#[derive(Debug, Clone, Copy)]
pub(super) enum Names {
    /// `a`, `b`, …
    Letters,
    /// This number, and so on.
    From(usize),
}

impl Names {
    fn list(self, count: usize) -> Vec<String> {
        match self {
            Self::Letters => ('a'..='z').take(count).map(String::from).collect(),
            Self::From(first) => (first..first + count).map(|n| n.to_string()).collect(),
        }
    }
}

impl Grid {
    /// A board of at most 64 squares, all of them in use.
    pub(super) fn new((columns, width): (Names, usize), (rows, height): (Names, usize)) -> Self {
        Self {
            columns: columns.list(width),
            rows: rows.list(height),
            board: !0 >> (64 - width * height),
        }
    }

    /// The square as facts and moves have it: `3 4`.
    pub(super) fn name(&self, square: u32) -> String {
        let (x, y) = (self.column(square), square as usize / self.columns.len());
        format!("{} {}", self.columns[x], self.rows[y])
    }

    /// The name of the square's column.
    pub(super) fn column_name(&self, square: u32) -> &str {
        &self.columns[self.column(square)]
    }

    fn column(&self, square: u32) -> usize {
        square as usize % self.columns.len()
    }

    /// The square of this name.
    ///
    /// # Errors
    /// Says that there is no such square.
    pub(super) fn square(&self, x: &str, y: &str) -> Result<u32, InvalidFacts> {
        let index = |names: &[String], name| names.iter().position(|known| known == name);
        let square = index(&self.columns, x)
            .zip(index(&self.rows, y))
            .map(|(x, y)| (y * self.columns.len() + x) as u32);
        let square = square.filter(|&square| self.board >> square & 1 == 1);
        square.ok_or_else(|| InvalidFacts(format!("there is no square ({x} {y})")))
    }

    /// The fact `(cell X Y CONTENT)`, if the square is in use.
    pub(super) fn cell(&self, square: u32, content: &str) -> Option<String> {
        let is_used = self.board >> square & 1 == 1;
        is_used.then(|| format!("(cell {} {content})", self.name(square)))
    }

    /// A fact of a position in which two players have pieces of one kind each: the words are the squares of their pieces,
    /// those of blank squares, and who is in control.
    pub(super) fn fact(&self, roles: [&str; 2], word: usize, bit: u32) -> Option<String> {
        match word {
            0 | 1 => self.cell(bit, roles[word]),
            2 => self.cell(bit, "blank"),
            _ => control(roles, bit),
        }
    }

    /// The move from one square to another, or that of a player who stays where he is.
    pub(super) fn move_text(&self, [from, to]: [u8; 2]) -> String {
        let [from, to] = [from, to].map(u32::from);
        match from == to {
            true => "noop".to_owned(),
            false => format!("(move {} {})", self.name(from), self.name(to)),
        }
    }

    /// Takes the cells out of `facts`: one set of squares for each of `contents`, which leave out `blank`.
    ///
    /// # Errors
    /// Says which square has no content, or two, or an unknown one.
    pub(super) fn read<const N: usize>(
        &self,
        facts: &mut FactReader<'_>,
        contents: [&str; N],
    ) -> Result<[u64; N], InvalidFacts> {
        let (mut sets, mut seen) = ([0; N], 0);
        for [x, y, content] in facts.take("cell") {
            let square = 1 << self.square(x, y)?;
            if seen & square != 0 {
                return Err(InvalidFacts(format!(
                    "the square ({x} {y}) holds two things"
                )));
            }
            seen |= square;
            match contents.iter().position(|&known| known == content) {
                Some(piece) => sets[piece] |= square,
                None if content == "blank" => {}
                None => {
                    return Err(InvalidFacts(format!(
                        "`{content}` is nothing that a square can hold"
                    )));
                }
            }
        }
        match squares(self.board & !seen).next() {
            None => Ok(sets),
            Some(square) => Err(InvalidFacts(format!(
                "nothing is said of square ({})",
                self.name(square)
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif::read_each;

    #[test]
    fn boards_are_read_as_they_are_written() {
        let grid = Grid::new((Names::Letters, 3), (Names::From(1), 2));
        let contents = ["blank", "blank", "blank", "blank", "x", "o"];
        let texts = (0..).zip(contents);
        let texts = texts.filter_map(|(square, content)| grid.cell(square, content));
        let texts: Vec<String> = texts.collect();
        assert_eq!(texts[4..], ["(cell b 2 x)", "(cell c 2 o)"]);
        assert_eq!(grid.cell(6, "x"), None);
        let read = |texts: &[String]| {
            let facts = read_each(texts).unwrap();
            grid.read(&mut FactReader::new(&facts).unwrap(), ["x", "o"])
        };
        assert_eq!(read(&texts), Ok([0b01_0000, 0b10_0000]));
        assert!(read(&texts[1..]).unwrap_err().to_string().contains("(a 1)"));
        for wrong in ["(cell a 1 o)", "(cell a 3 x)", "(cell d 1 x)"] {
            let more: Vec<String> = texts.iter().cloned().chain([wrong.to_owned()]).collect();
            assert!(read(&more).is_err(), "{wrong}");
        }
    }
}
