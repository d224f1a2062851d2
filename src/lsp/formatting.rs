//! The layout of `kolibri fmt`.

use tower_lsp_server::ls_types::{Range, TextEdit};

use crate::kif::{Span, format};
use crate::lsp::document::RuleDocument;

/// The edits that lay out the whole text; `None` if its parentheses do not match.
pub(super) fn format_document(document: &RuleDocument) -> Option<Vec<TextEdit>> {
    if document.is_too_large() {
        return None;
    }
    let formatted = format(&document.text).ok()?;
    Some(replaced(
        document,
        Span::new(0, document.text.len()),
        &formatted,
    ))
}

/// The edits that lay out the facts and rules that a range touches.
pub(super) fn format_range(document: &RuleDocument, range: Range) -> Option<Vec<TextEdit>> {
    let asked = document.span(range);
    let forms = document.index().forms.iter();
    let mut touched = forms
        .filter(|form| form.span.start <= asked.end && asked.start <= form.span.end)
        .map(|form| form.span);
    let first = touched.next()?;
    let last = touched.next_back().unwrap_or(first);
    let span = Span::new(first.start, last.end);
    let formatted = format(document.slice(span)).ok()?;
    Some(replaced(document, span, formatted.trim_end()))
}

/// One edit for what changes where `new` takes the place of `span`, none if nothing does.
pub(super) fn replaced(document: &RuleDocument, span: Span, new: &str) -> Vec<TextEdit> {
    let new = match document.line_end() {
        "\n" => new.to_owned(),
        end => new.replace("\r\n", "\n").replace('\n', end),
    };
    let old = document.slice(span);
    if old == new {
        return Vec::new();
    }
    let same = |(one, other): &(char, char)| one == other;
    let before = old.chars().zip(new.chars()).take_while(same);
    let before: usize = before.map(|(character, _)| character.len_utf8()).sum();
    let rests = (&old[before..], &new[before..]);
    let after = rests.0.chars().rev().zip(rests.1.chars().rev());
    let after: usize = after
        .take_while(same)
        .map(|(character, _)| character.len_utf8())
        .sum();
    let changed = Span::new(span.start + before, span.end - after);
    vec![TextEdit {
        range: document.range(changed),
        new_text: new[before..new.len() - after].to_owned(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::fixture::{GAME, edited, view};

    fn check(text: &str, expected: &str) {
        let view = view(text);
        let edits = format_document(&view.document).unwrap();
        assert_eq!(edited(&view, &edits), expected);
    }

    #[test]
    fn a_document_is_laid_out_as_by_fmt() {
        check(GAME, GAME);
        check("(role x)(role  y)", "(role x)\n(role y)\n");
        check("(<= a\r\n b ; ž\r\n)\r\n", "(<= a\r\n    b ; ž\r\n)\r\n");
        check("(a)\n(b)\n(c d )\n(e)\n", "(a)\n(b)\n(c d)\n(e)\n");
    }

    #[test]
    fn only_what_changes_is_edited() {
        let view = view("(a)\n(b)\n(c  d)\n(e)\n");
        let edits = format_document(&view.document).unwrap();
        assert_eq!(edits.len(), 1);
        assert_eq!(edits[0].range.start.line, 2);
        assert_eq!(edits[0].range.end.line, 2);
    }

    #[test]
    fn a_text_with_unmatched_parentheses_stays() {
        assert_eq!(format_document(&view("(a").document), None);
    }

    #[test]
    fn a_range_takes_whole_rules() {
        let text = "(a  b)\n(<= c (d)\n  (e))\n(f  g)\n";
        let view = view(text);
        let range = view.document.range(Span::new(10, 12));
        let edits = format_range(&view.document, range).unwrap();
        assert_eq!(
            edited(&view, &edits),
            "(a  b)\n(<= c\n    (d)\n    (e))\n(f  g)\n"
        );
    }
}
