//! Growing selections: a word, the list around it, the rule, everything.

use tower_lsp_server::ls_types::{Position, SelectionRange};

use crate::kif::{Sexpr, Span, parse};
use crate::lsp::document::RuleDocument;

/// For each position the expressions around it, innermost first.
pub(super) fn selection_ranges(
    document: &RuleDocument,
    positions: &[Position],
) -> Vec<SelectionRange> {
    positions
        .iter()
        .map(|position| selection_range(document, document.offset(*position)))
        .collect()
}

fn selection_range(document: &RuleDocument, offset: usize) -> SelectionRange {
    let mut spans = vec![Span::new(0, document.text.len())];
    if let Some(form) = document.index().form_at(offset) {
        let text = document.slice(form.span);
        for sexpr in &parse(text).sexprs {
            add_around(sexpr, form.span.start, offset, &mut spans);
        }
    }
    let mut ranges = spans.into_iter().map(|span| document.range(span));
    // There is at least the whole text.
    let whole = SelectionRange {
        range: ranges.next().unwrap_or_default(),
        parent: None,
    };
    ranges.fold(whole, |outer, range| SelectionRange {
        range,
        parent: Some(Box::new(outer)),
    })
}

/// Adds the expressions around `offset`, outermost first; for a list also what stands between its parentheses.
fn add_around(sexpr: &Sexpr<'_>, base: usize, offset: usize, spans: &mut Vec<Span>) {
    let span = Span::new(base + sexpr.span.start, base + sexpr.span.end);
    if offset < span.start || span.end < offset {
        return;
    }
    spans.push(span);
    let Some([first, .., last]) = sexpr.as_list() else {
        if let Some([only]) = sexpr.as_list() {
            add_around(only, base, offset, spans);
        }
        return;
    };
    let inside = Span::new(base + first.span.start, base + last.span.end);
    if inside.start <= offset && offset <= inside.end {
        spans.push(inside);
    }
    let items = sexpr.as_list().unwrap_or_default().iter();
    let touches =
        |item: &&Sexpr<'_>| base + item.span.start <= offset && offset <= base + item.span.end;
    // Between two items that touch the offset both, the later one is meant, as with a cursor before it.
    if let Some(item) = items.rev().find(touches) {
        add_around(item, base, offset, spans);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::fixture::view_at;

    fn selected(marked: &str) -> Vec<String> {
        let (view, position) = view_at(marked);
        let document = &view.document;
        let mut ranges = selection_ranges(document, &[position]);
        let mut texts = Vec::new();
        let mut next = ranges.pop();
        while let Some(range) = next {
            let span = document.span(range.range);
            texts.push(document.slice(span).to_owned());
            next = range.parent.map(|parent| *parent);
        }
        texts
    }

    #[test]
    fn a_selection_grows_by_expressions() {
        assert_eq!(
            selected("(a) (<= (b ?ž|) c)"),
            [
                "?ž",
                "b ?ž",
                "(b ?ž)",
                "<= (b ?ž) c",
                "(<= (b ?ž) c)",
                "(a) (<= (b ?ž) c)"
            ]
        );
        assert_eq!(selected("(a) | (b)"), ["(a)  (b)"]);
        assert_eq!(selected("((a|"), ["a", "(a", "((a", "((a"]);
    }
}
