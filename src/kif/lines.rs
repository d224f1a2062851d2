//! Byte offset → line and column.

use std::fmt;

/// A place in a text as people count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// Counted from 1. A line ends at `\n`, `\r\n` or `\r`.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Where the lines of a text begin.
///
/// Made in one pass; after that a place costs the same in a line of any length, because the characters before
/// every `STEP`th byte are counted once.
#[derive(Debug, Clone)]
pub struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<usize>,
    characters_before: Vec<usize>,
}

const STEP: usize = 1024;

impl<'t> LineIndex<'t> {
    /// Reads through the whole text once.
    pub fn new(text: &'t str) -> LineIndex<'t> {
        let bytes = text.as_bytes();
        let ends_line = |at: &usize| {
            bytes[*at] == b'\n' || (bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        };
        let ends = (0..bytes.len()).filter(ends_line);
        let mut characters_before = vec![0];
        for chunk in bytes.chunks(STEP) {
            let before = characters_before.last().copied().unwrap_or_default();
            characters_before.push(before + characters(chunk));
        }
        LineIndex {
            text,
            starts: std::iter::once(0).chain(ends.map(|at| at + 1)).collect(),
            characters_before,
        }
    }

    /// The line and column of a byte offset. An offset behind the end of the text stands for its end, one inside a
    /// character for that character.
    pub fn position(&self, offset: usize) -> LineColumn {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        LineColumn {
            line,
            column: self.count_before(offset) - self.count_before(start) + 1,
        }
    }

    /// The whole text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Byte offset of the first character of a line, counted from 1. The end of the text where there is no such line.
    pub fn start(&self, line: usize) -> usize {
        let start = line.checked_sub(1).and_then(|index| self.starts.get(index));
        start.copied().unwrap_or(self.text.len())
    }

    /// How many lines there are: one more than line ends.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The text of a line, counted from 1, without what ends it. Empty where there is no such line.
    pub fn line(&self, line: usize) -> &'t str {
        let (start, end) = (self.start(line), self.start(line + 1));
        let line = self.text.get(start..end).unwrap_or_default();
        line.trim_end_matches(['\r', '\n'])
    }

    fn count_before(&self, offset: usize) -> usize {
        let step = offset / STEP;
        let rest = &self.text.as_bytes()[step * STEP..offset];
        self.characters_before[step] + characters(rest)
    }
}

/// The characters that begin in a piece of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

/// A sentence in one line without comments, cut after so many characters.
pub fn in_one_line(text: &str, most: usize) -> String {
    let code = text
        .lines()
        .map(|line| line.split(';').next().unwrap_or_default());
    let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
    let line = words.join(" ");
    match line.chars().count() > most {
        true => line.chars().take(most - 1).chain(['…']).collect(),
        false => line,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::LineIndex;

    fn check(text: &str, offset: usize, expected: &str) {
        let position = LineIndex::new(text).position(offset);
        assert_eq!(position.to_string(), expected, "{offset} in {text:?}");
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        check("", 0, "1:1");
        check("ab\ncd", 0, "1:1");
        check("ab\ncd", 2, "1:3");
        check("ab\ncd", 3, "2:1");
        check("ab\ncd", 5, "2:3");
        check("ab\n", 3, "2:1");
        check("ab", 99, "1:3");
    }

    #[test]
    fn every_line_end_counts_once() {
        check("a\r\nb", 3, "2:1");
        check("a\rb", 2, "2:1");
        check("\n\r\n\rx", 4, "4:1");
    }

    #[test]
    fn columns_are_characters() {
        check("žluťoučký x", "žluťoučký ".len(), "1:11");
        check("žluťoučký x", 1, "1:1");
    }

    #[test]
    fn lines_come_without_their_ends() {
        let index = LineIndex::new("a\r\n\rb\n");
        let lines: Vec<&str> = (0..=index.count() + 1).map(|n| index.line(n)).collect();
        assert_eq!(lines, ["", "a", "", "b", "", ""]);
    }

    proptest! {
        #[test]
        fn agrees_with_counting(text in "[a-cž\u{1F600}\n]{0,3000}") {
            let index = LineIndex::new(&text);
            for (offset, _) in text.char_indices().step_by(101) {
                let before = &text[..offset];
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
                prop_assert_eq!(index.position(offset).to_string(), format!("{line}:{column}"));
            }
        }
    }

    #[test]
    fn sentences_are_written_in_one_line() {
        let text = "(<= (p ?x) ; why\n    (q ?x))";
        assert_eq!(super::in_one_line(text, 100), "(<= (p ?x) (q ?x))");
        assert_eq!(super::in_one_line(text, 8), "(<= (p …");
    }
}
