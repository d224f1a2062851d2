//! Lines of text side by side.

use std::fmt::Write;

/// Where a square stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SquarePlace {
    /// What [`Screen::clicks`](crate::drawing::Screen::clicks) calls the square.
    pub id: String,
    /// The line, from 0.
    pub line: usize,
    /// The first column of what stands on it, from 0.
    pub column: usize,
    /// Columns that it takes. Beside them is room for a mark on both sides.
    pub width: usize,
}

/// A text, and where the squares stand in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawnText {
    /// The lines; each ends in a line feed.
    pub text: String,
    /// The squares.
    pub squares: Vec<SquarePlace>,
}

impl DrawnText {
    /// What comes before the first square.
    pub(super) fn beginning(text: String) -> Self {
        let squares = Vec::new();
        Self { text, squares }
    }

    /// Writes the next square at the end of a text of one line.
    pub(super) fn push_square(&mut self, id: String, text: &str) {
        self.squares.push(SquarePlace {
            id,
            line: 0,
            column: seen_width(&self.text),
            width: seen_width(text),
        });
        self.text.push_str(text);
    }
}

/// Lines of text of one width, as seen: colour codes do not count.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    lines: Vec<String>,
    squares: Vec<SquarePlace>,
    width: usize,
}

impl Block {
    pub(super) fn push(&mut self, line: String) {
        self.width = self.width.max(seen_width(&line));
        self.lines.push(line);
    }

    /// Adds a line with squares.
    pub(super) fn push_drawn(&mut self, line: DrawnText) {
        let below = self.lines.len();
        self.squares.extend(moved(line.squares, (below, 0)));
        self.push(line.text);
    }

    /// Notes that a square stands here.
    pub(super) fn place(&mut self, square: SquarePlace) {
        self.squares.push(square);
    }

    /// Adds the lines of another block below.
    pub(super) fn append(&mut self, other: Self) {
        let below = self.lines.len();
        self.squares.extend(moved(other.squares, (below, 0)));
        other.lines.into_iter().for_each(|line| self.push(line));
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.lines.len()
    }
}

/// The same squares, so many lines further down and columns to the right.
fn moved(
    squares: Vec<SquarePlace>,
    (lines, columns): (usize, usize),
) -> impl Iterator<Item = SquarePlace> {
    squares.into_iter().map(move |square| SquarePlace {
        line: square.line + lines,
        column: square.column + columns,
        ..square
    })
}

/// The columns between two blocks.
pub(super) const GAP: usize = 3;

/// How wide the last row is if as many blocks as fit in `width` columns stand side by side.
pub(super) fn last_row_width(blocks: &[Block], width: usize) -> usize {
    blocks.iter().fold(0, |used, block| match used {
        0 => block.width,
        used if used + GAP + block.width <= width => used + GAP + block.width,
        _ => block.width,
    })
}

/// Writes blocks side by side, as many as fit in a row of `width` columns.
pub(super) fn write_blocks(drawn: &mut DrawnText, blocks: &[Block], width: usize) {
    let mut rest = blocks;
    while !rest.is_empty() {
        let mut used = rest[0].width;
        let more = rest[1..].iter().take_while(|block| {
            used += GAP + block.width;
            used <= width
        });
        let (row, others) = rest.split_at(1 + more.count());
        rest = others;
        let height = row.iter().map(Block::height).max().unwrap_or(0);
        let mut place = (drawn.text.lines().count(), 0);
        for block in row {
            drawn.squares.extend(moved(block.squares.clone(), place));
            place.1 += block.width + GAP;
        }
        for line in 0..height {
            let mut joined = String::new();
            for block in row {
                let part = block.lines.get(line).map_or("", String::as_str);
                let padding = block.width - seen_width(part) + GAP;
                let _ = write!(joined, "{part}{}", " ".repeat(padding));
            }
            drawn.text.push_str(joined.trim_end());
            drawn.text.push('\n');
        }
    }
}

/// Columns that a line takes: colour codes take none.
pub(super) fn seen_width(line: &str) -> usize {
    let mut width = 0;
    let mut in_code = false;
    for c in line.chars() {
        match (in_code, c) {
            (false, '\u{1b}') => in_code = true,
            (false, _) => width += 1,
            (true, c) => in_code = !c.is_ascii_alphabetic(),
        }
    }
    width
}

/// The text, or its beginning where it takes more than `width` columns.
pub(super) fn cut(text: &str, width: usize, unicode: bool) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mark = if unicode { "…" } else { "~" };
    let start: String = text.chars().take(width.saturating_sub(1)).collect();
    start + mark
}
