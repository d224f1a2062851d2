//! Byte offsets ⇄ the positions of the protocol: lines and UTF-16 code units.

use tower_lsp_server::ls_types::{Position, Range};

use crate::kif::Span;

/// Where the lines of a text begin, and how many UTF-16 code units stand before every `STEP`th byte, so that a position
/// costs the same in a line of any length. Every method takes the text it was made of.
#[derive(Debug, Clone, Default)]
pub(super) struct Positions {
    starts: Vec<usize>,
    units_before: Vec<usize>,
}

const STEP: usize = 1024;

impl Positions {
    pub(super) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends_line = |at: &usize| {
            bytes[*at] == b'\n' || (bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        };
        let ends = (0..bytes.len()).filter(ends_line).map(|at| at + 1);
        let mut units_before = vec![0];
        for chunk in bytes.chunks(STEP) {
            let before = units_before.last().copied().unwrap_or_default();
            units_before.push(before + units(chunk));
        }
        Self {
            starts: std::iter::once(0).chain(ends).collect(),
            units_before,
        }
    }

    /// The line of an offset, counted from 0.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// Where a line, counted from 0, begins: the end of the text where there is no such line.
    pub(super) fn line_start(&self, text: &str, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(text.len())
    }

    /// The text of a line, without what ends it.
    pub(super) fn line_text<'t>(&self, text: &'t str, line: usize) -> &'t str {
        let (start, end) = (
            self.line_start(text, line),
            self.line_start(text, line.saturating_add(1)),
        );
        text[start..end].trim_end_matches(['\r', '\n'])
    }

    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset.min(text.len()));
        let line = self.line(offset);
        let start = self.starts[line];
        let character = match offset - start < STEP {
            true => units(&text.as_bytes()[start..offset]),
            false => self.count_before(text, offset) - self.count_before(text, start),
        };
        Position::new(number(line), number(character))
    }

    pub(super) fn range(&self, text: &str, span: Span) -> Range {
        Range::new(
            self.position(text, span.start),
            self.position(text, span.end),
        )
    }

    /// The offset of a position. One behind the end of its line stands for that end, one inside a character for the
    /// character, one behind the last line for the end of the text.
    pub(super) fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let start = self.line_start(text, line);
        let mut left = position.character as usize;
        let line_text = self.line_text(text, line);
        for (offset, character) in line_text.char_indices() {
            if left < character.len_utf16() {
                return start + offset;
            }
            left -= character.len_utf16();
        }
        start + line_text.len()
    }

    pub(super) fn span(&self, text: &str, range: Range) -> Span {
        let start = self.offset(text, range.start);
        Span::new(start, self.offset(text, range.end).max(start))
    }

    fn count_before(&self, text: &str, offset: usize) -> usize {
        let step = offset / STEP;
        self.units_before[step] + units(&text.as_bytes()[step * STEP..offset])
    }
}

/// The code units of the characters that begin in a piece of UTF-8.
fn units(bytes: &[u8]) -> usize {
    let units = bytes.iter().map(|byte| match byte {
        byte if byte & 0xC0 == 0x80 => 0,
        // Four bytes: outside the basic plane, a surrogate pair.
        0xF0.. => 2,
        _ => 1,
    });
    units.sum()
}

/// Texts are far shorter than this can fail for.
pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, offset: usize, line: u32, character: u32) {
        let positions = Positions::new(text);
        let position = positions.position(text, offset);
        assert_eq!(
            (position.line, position.character),
            (line, character),
            "{text:?}"
        );
        assert_eq!(positions.offset(text, position), offset, "{text:?}");
    }

    #[test]
    fn lines_end_in_three_ways() {
        check("a\nb", 2, 1, 0);
        check("a\r\nb", 3, 1, 0);
        check("a\rb", 2, 1, 0);
        check("a\r\n", 3, 1, 0);
        check("", 0, 0, 0);
    }

    #[test]
    fn columns_are_utf_16() {
        check("žx", 2, 0, 1);
        check("😀x", 4, 0, 2);
        check("a\n😀ž)", 8, 1, 3);
    }

    #[test]
    fn positions_that_are_not_there_stand_for_the_nearest() {
        let offset = |text: &str, line, character| {
            Positions::new(text).offset(text, Position::new(line, character))
        };
        assert_eq!(offset("ab\r\nc", 0, 99), 2);
        assert_eq!(offset("ab\r\nc", 9, 0), 5);
        assert_eq!(offset("😀x", 0, 1), 0);
        assert_eq!(offset("ab", u32::MAX, u32::MAX), 2);
    }

    proptest! {
        #[test]
        fn there_and_back(text in "[a-cž\u{1F600}\r\n]{0,2500}") {
            let positions = Positions::new(&text);
            for (offset, character) in text.char_indices().step_by(37) {
                if character != '\n' {
                    let position = positions.position(&text, offset);
                    prop_assert_eq!(positions.offset(&text, position), offset);
                }
            }
        }
    }
}
