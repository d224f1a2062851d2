//! Lines of text side by side.

use std::fmt::Write;

/// Lines of text of one width, as seen: colour codes do not count.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    lines: Vec<String>,
    width: usize,
}

impl Block {
    pub(super) fn push(&mut self, line: String) {
        self.width = self.width.max(seen_width(&line));
        self.lines.push(line);
    }

    /// Adds the lines of another block below.
    pub(super) fn append(&mut self, other: Self) {
        other.lines.into_iter().for_each(|line| self.push(line));
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.lines.len()
    }
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
pub(super) fn write_blocks(text: &mut String, blocks: &[Block], width: usize) {
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
        for line in 0..height {
            let mut joined = String::new();
            for block in row {
                let part = block.lines.get(line).map_or("", String::as_str);
                let padding = block.width - seen_width(part) + GAP;
                let _ = write!(joined, "{part}{}", " ".repeat(padding));
            }
            text.push_str(joined.trim_end());
            text.push('\n');
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
