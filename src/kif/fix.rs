//! Fixes: changes of a text that make a finding about it go away, and how they are applied.

use crate::kif::Span;
use crate::kif::lexeme::{Lexeme, ends_line, lexemes};

/// One way to mend a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an instruction: lower case, no final dot.
    pub title: String,
    /// What changes, in the order of the text, without overlaps.
    pub edits: Vec<Edit>,
    /// Whether it can be applied unseen: it keeps what the rules mean, or the text has no other reading. Any other fix is
    /// a guess at what the author meant.
    pub safe: bool,
}

/// A piece of a text, and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edit {
    /// What is replaced; empty where something is inserted.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

impl Fix {
    /// A fix that keeps the meaning, or is the only reading.
    pub fn safe(title: impl Into<String>) -> Fix {
        Fix {
            title: title.into(),
            edits: Vec::new(),
            safe: true,
        }
    }

    /// A fix that may not be what the author meant.
    pub fn guess(title: impl Into<String>) -> Fix {
        Fix {
            safe: false,
            ..Fix::safe(title)
        }
    }

    /// Puts `text` in the place of what is at `span`.
    #[must_use]
    pub fn replace(mut self, span: Span, text: impl Into<String>) -> Fix {
        let text = text.into();
        self.edits.push(Edit { span, text });
        self
    }

    /// Puts `text` in the place of what is at each of `spans`.
    #[must_use]
    pub fn replace_each(self, spans: impl IntoIterator<Item = Span>, text: &str) -> Fix {
        spans
            .into_iter()
            .fold(self, |fix, span| fix.replace(span, text))
    }

    /// Removes the parentheses of the list at `span`, and keeps what stands in it.
    #[must_use]
    pub fn unwrap(self, span: Span) -> Fix {
        self.delete(Span::new(span.start, span.start + 1))
            .delete(Span::new(span.end - 1, span.end))
    }

    /// Puts `text` before the byte at `offset`.
    #[must_use]
    pub fn insert(self, offset: usize, text: impl Into<String>) -> Fix {
        self.replace(Span::at(offset), text)
    }

    /// Removes what is at `span`.
    #[must_use]
    pub fn delete(self, span: Span) -> Fix {
        self.replace(span, "")
    }

    /// Puts the edits in order, and makes them leave no gaps: a line of which nothing remains goes as a whole, blanks beside
    /// what is removed go with it, and a new line stands behind the comment of the line before it. A fix that removes a
    /// comment is no longer safe.
    pub(crate) fn tidy(&mut self, text: &str) {
        self.edits.sort();
        self.edits.dedup();
        let mut done = 0;
        for edit in &mut self.edits {
            let removed = &text[edit.span.start..edit.span.end];
            let is_comment = |(lexeme, _)| matches!(lexeme, Lexeme::Comment(_));
            self.safe &= !lexemes(removed).any(is_comment);
            if edit.text.is_empty() {
                edit.span = without_gap(text, edit.span);
                edit.span.start = edit.span.start.max(done);
            } else if edit.text.starts_with('\n') {
                edit.span = Span::at(behind_comment(text, edit.span.start));
            }
            done = edit.span.end;
        }
    }
}

/// The span of what to remove, with the blanks around it that separated it from its neighbours.
fn without_gap(text: &str, span: Span) -> Span {
    let is_blank = |character: char| character.is_whitespace() && !ends_line(character);
    let before = text[..span.start].trim_end_matches(is_blank);
    let after = text[span.end..].trim_start_matches(is_blank);
    let begins_line = before.is_empty() || before.ends_with(ends_line);
    let ends = after.is_empty() || after.starts_with(ends_line);
    let rest = text.len() - after.len();
    match (begins_line, ends) {
        (true, true) => {
            let line_end = after.find('\n').map_or(text.len(), |at| rest + at + 1);
            Span::new(before.len(), line_end)
        }
        (true, false) => Span::new(span.start, rest),
        (false, true) => Span::new(before.len(), span.end),
        (false, false) if before.ends_with('(') => Span::new(span.start, rest),
        (false, false) if after.starts_with(')') || rest > span.end => {
            Span::new(before.len(), span.end)
        }
        (false, false) => span,
    }
}

/// The end of the line if nothing but a comment follows in it.
fn behind_comment(text: &str, offset: usize) -> usize {
    let line = text[offset..].split(ends_line).next().unwrap_or_default();
    match line.trim_start().is_empty() || line.trim_start().starts_with(';') {
        true => offset + line.trim_end().len(),
        false => offset,
    }
}

/// The text with these edits; `None` where two of them overlap or reach beyond the text.
pub fn apply<'e>(text: &str, edits: impl IntoIterator<Item = &'e Edit>) -> Option<String> {
    let mut edits: Vec<&Edit> = edits.into_iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut edited = String::with_capacity(text.len());
    let mut done = 0;
    for Edit { span, text: new } in edits {
        if span.start < done {
            return None;
        }
        edited.push_str(text.get(done..span.start)?);
        edited.push_str(new);
        text.get(span.start..span.end)?;
        done = span.end;
    }
    edited.push_str(text.get(done..)?);
    Some(edited)
}

#[cfg(test)]
mod tests {
    use super::{Fix, apply};
    use crate::kif::Span;

    fn place(text: &str, piece: &str) -> Span {
        let start = text.find(piece).unwrap();
        Span::new(start, start + piece.len())
    }

    /// The text after `piece` is removed from it.
    fn removed(text: &str, piece: &str) -> String {
        let mut fix = Fix::safe("remove it").delete(place(text, piece));
        fix.tidy(text);
        apply(text, &fix.edits).unwrap()
    }

    #[test]
    fn edits_are_applied_in_any_order() {
        let text = "(terminal) (true (or a b))";
        let fix = Fix::safe("swap")
            .replace(place(text, "or"), "true")
            .replace(place(text, "true"), "or")
            .insert(0, "; begin\n");
        assert_eq!(
            apply(text, &fix.edits).unwrap(),
            "; begin\n(terminal) (or (true a b))"
        );
    }

    #[test]
    fn overlapping_edits_are_refused() {
        let fix = Fix::safe("")
            .delete(Span::new(0, 3))
            .delete(Span::new(2, 4));
        assert_eq!(apply("abcdef", &fix.edits), None);
        assert_eq!(
            apply("ab", &Fix::safe("").delete(Span::new(1, 3)).edits),
            None
        );
        assert_eq!(
            apply("ž", &Fix::safe("").delete(Span::new(0, 1)).edits),
            None
        );
    }

    #[test]
    fn removals_leave_no_gaps() {
        assert_eq!(removed("(a)\n  (b)\n(c)\n", "(b)"), "(a)\n(c)\n");
        assert_eq!(removed("(a)\n(b)", "(b)"), "(a)\n");
        assert_eq!(removed("(a) (b)\n(c)", "(b)"), "(a)\n(c)");
        assert_eq!(removed("(a) (b) (c)", "(b)"), "(a) (c)");
        assert_eq!(removed("(a) (b) (c)", "(a)"), "(b) (c)");
        assert_eq!(removed("(<= x (b) )", "(b)"), "(<= x )");
        assert_eq!(removed("(<= x (b))", "(b)"), "(<= x)");
        assert_eq!(removed("(f x)", "f"), "(x)");
        assert_eq!(removed("a\r\n(b)\r\nc", "(b)"), "a\r\nc");
    }

    #[test]
    fn neighbours_are_removed_one_by_one() {
        let text = "(a) (b)\n(c)\n";
        let mut fix = Fix::safe("")
            .delete(Span::new(4, 7))
            .delete(Span::new(0, 3));
        fix.tidy(text);
        assert_eq!(apply(text, &fix.edits).unwrap().trim(), "(c)");
    }

    #[test]
    fn a_new_line_stands_behind_the_comment_of_the_line_before() {
        let text = "(a) ; first\n(b) (c)";
        for (offset, expected) in [
            (3, "(a) ; first\n(d)\n(b) (c)"),
            (15, "(a) ; first\n(b)\n(d) (c)"),
        ] {
            let mut fix = Fix::safe("").insert(offset, "\n(d)");
            fix.tidy(text);
            assert_eq!(apply(text, &fix.edits).unwrap(), expected);
        }
    }

    #[test]
    fn a_fix_that_removes_a_comment_is_not_safe() {
        let text = "(<= ; why\n (a))";
        let is_safe = |piece| {
            let mut fix = Fix::safe("").delete(place(text, piece));
            fix.tidy(text);
            fix.safe
        };
        assert!(is_safe("(a)"));
        assert!(!is_safe("(<= ; why\n (a))"));
    }
}
