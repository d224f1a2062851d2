//! Documents for the tests of this module: a `|` marks the cursor.

use std::sync::Arc;

use tower_lsp_server::ls_types::{Position, TextEdit, Uri};

use crate::lsp::document::{DocumentView, RuleDocument};
use crate::lsp::knowledge::RuleKnowledge;
use crate::util::StopFlag;

pub(super) fn uri(name: &str) -> Uri {
    format!("file:///{name}.kif").parse().unwrap()
}

/// A view of a checked document, and the cursor.
pub(super) fn view_at(marked: &str) -> (DocumentView, Position) {
    let offset = marked.find('|').unwrap_or(marked.len());
    let view = view(&marked.replacen('|', "", 1));
    let position = view.document.position(offset);
    (view, position)
}

pub(super) fn view(text: &str) -> DocumentView {
    let document = RuleDocument::new(uri("rules"), 1, text.to_owned());
    let rules = document.checked().unwrap().rules.as_ref();
    let knowledge = RuleKnowledge::of(text, rules, &StopFlag::default());
    DocumentView {
        knowledge: Arc::new(knowledge),
        document: Arc::new(document),
    }
}

/// The text after edits.
pub(super) fn edited(view: &DocumentView, edits: &[TextEdit]) -> String {
    let document = &view.document;
    let mut edits: Vec<_> = edits
        .iter()
        .map(|edit| (document.span(edit.range), &edit.new_text))
        .collect();
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = document.text.clone();
    for (span, new) in edits {
        text.replace_range(span.start..span.end, new);
    }
    text
}

/// A game for tests: two players mark three squares in turn.
pub(super) const GAME: &str = "\
; Three squares in a row.

(role x)
(role o)

; who follows whom
(after x o)
(after o x)
(square 1)
(square 2)
(square 3)

(init (control x))
(<= (init (cell ?n b))
    (square ?n))

(<= (legal ?p (mark ?n))
    (true (control ?p))
    (true (cell ?n b)))
(<= (legal ?p noop)
    (true (control ?q))
    (after ?q ?p))

(<= (next (cell ?n ?p))
    (does ?p (mark ?n)))
(<= (next (cell ?n ?v))
    (true (cell ?n ?v))
    (does ?p (mark ?m))
    (distinct ?m ?n))
(<= (next (control ?p))
    (true (control ?q))
    (after ?q ?p))

; some square is blank
(<= open
    (true (cell ?n b)))

(<= terminal
    (not open))
(<= (goal ?p 100)
    (true (cell 2 ?p))
    (role ?p))
(<= (goal ?p 0)
    (role ?p)
    (not (true (cell 2 ?p))))
";
