//! Hints between the words: the names of arguments.

use tower_lsp_server::ls_types::{
    InlayHint, InlayHintKind, InlayHintLabel, InlayHintTooltip, Range,
};

use crate::lsp::describe::{argument_values, listed};
use crate::lsp::document::DocumentView;
use crate::lsp::index::{Occurrence, RulePart, TopForm, WordClass};

/// A name before each constant and function that is an argument of a relation, fact or move with at least two, where
/// variables tell what the argument is called. Of facts that follow each other and have the same name only the first has
/// hints.
pub(super) fn inlay_hints(view: &DocumentView, range: Range) -> Vec<InlayHint> {
    let document = &view.document;
    let index = document.index();
    let wanted = document.span(range);
    let mut hints = Vec::new();
    let mut names: Vec<Option<Vec<Option<String>>>> = vec![None; index.tuples().count()];
    for (number, form) in index.forms.iter().enumerate() {
        let is_wanted = wanted.start <= form.span.end && form.span.start <= wanted.end;
        let before = number.checked_sub(1).map(|before| &index.forms[before]);
        if !is_wanted || before.is_some_and(|before| continues(view, before, form)) {
            continue;
        }
        for word in index.words_of(form) {
            let Some((tuple, argument)) = hinted(view, word) else {
                continue;
            };
            let names = names[tuple as usize].get_or_insert_with(|| index.argument_names(tuple));
            if let Some(Some(name)) = names.get(argument as usize) {
                hints.push(hint(view, word, name));
            }
        }
    }
    hints
}

/// Whether a fact follows one of the same name.
fn continues(view: &DocumentView, before: &TopForm, form: &TopForm) -> bool {
    let index = view.document.index();
    let facts = !before.is_rule && !form.is_rule;
    let names = |form| {
        let words: Vec<_> = index
            .words_of(form)
            .iter()
            .filter_map(|word| word.tuple)
            .collect();
        words
    };
    facts && names(before) == names(form)
}

/// The argument that a word, or the list it begins, stands for, if a hint helps there.
fn hinted(view: &DocumentView, word: &Occurrence) -> Option<(u32, u32)> {
    let index = view.document.index();
    let (tuple, argument) = word.place?;
    let key = index.tuple(tuple)?;
    let is_keyword = index.name(key.name);
    let is_keyword = crate::lsp::index::keyword(is_keyword).is_some();
    let is_named = word.class == WordClass::Variable;
    (key.arity >= Some(2) && !is_keyword && !is_named).then_some((tuple, argument))
}

fn hint(view: &DocumentView, word: &Occurrence, name: &str) -> InlayHint {
    let document = &view.document;
    let index = document.index();
    // Before the parenthesis of a function.
    let is_list = word.class == WordClass::Function;
    let before = document.text[..word.span.start].trim_end();
    let start = match is_list && before.ends_with('(') {
        true => before.len() - 1,
        false => word.span.start,
    };
    let values = word.place.and_then(|(tuple, argument)| {
        argument_values(view, index.tuple(tuple)?, argument as usize)
    });
    let what = match word.part {
        RulePart::Head => "derived argument",
        RulePart::Condition | RulePart::Negation => "argument",
    };
    let tooltip = values.map(|values| format!("{what}: {}", listed(values).replace('`', "")));
    InlayHint {
        position: document.position(start),
        label: InlayHintLabel::String(format!("{name}:")),
        kind: Some(InlayHintKind::PARAMETER),
        text_edits: None,
        tooltip: tooltip.map(InlayHintTooltip::String),
        padding_left: None,
        padding_right: Some(true),
        data: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif::Span;
    use crate::lsp::fixture::{GAME, view};

    /// The text with its hints.
    fn hinted_text(text: &str) -> String {
        let view = view(text);
        let whole = view.document.range(Span::new(0, text.len()));
        let mut shown = text.to_owned();
        for hint in inlay_hints(&view, whole).into_iter().rev() {
            let InlayHintLabel::String(label) = hint.label else {
                panic!("one label")
            };
            shown.insert_str(view.document.offset(hint.position), &label);
        }
        shown
    }

    #[test]
    fn constants_have_the_names_of_their_arguments() {
        let shown = hinted_text(GAME);
        assert!(shown.contains("(after q:x p:o)\n(after o x)"), "{shown}");
        assert!(shown.contains("(true (cell ?n p:b))"), "{shown}");
        assert!(shown.contains("(goal ?p 100)"), "{shown}");
        assert!(shown.contains("(square 1)"), "{shown}");
    }

    #[test]
    fn lists_have_their_hint_before_the_parenthesis() {
        let shown = hinted_text("(p (f a) 1)\n(<= (q ?x ?y) (p ?x ?y))");
        assert_eq!(shown, "(p x:(f a) y:1)\n(<= (q ?x ?y) (p ?x ?y))");
    }

    #[test]
    fn a_range_has_its_own_hints() {
        let view = view(GAME);
        let start = GAME.find("(after").unwrap();
        let range = view.document.range(Span::new(start, start + 3));
        assert_eq!(inlay_hints(&view, range).len(), 2);
    }
}
