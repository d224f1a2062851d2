//! Changes that are offered at a place: the fixes of the checker, and rules that authors forget.

use tower_lsp_server::ls_types::{CodeAction, CodeActionKind, Range, TextEdit, WorkspaceEdit};

use crate::gdl::{FixKinds, load, mend};
use crate::kif::{Diagnostic, Fix, Span};
use crate::lsp::diagnostics::diagnostic;
use crate::lsp::document::{DocumentView, RuleDocument};
use crate::lsp::forgotten::forgotten_rule;
use crate::lsp::formatting::replaced;

/// What can be changed at `range`: only kinds of `only`, where there are some.
pub(super) fn code_actions(
    view: &DocumentView,
    range: Range,
    only: Option<&[CodeActionKind]>,
) -> Vec<CodeAction> {
    let is_wanted = |kind: &CodeActionKind| {
        only.is_none_or(|only| only.iter().any(|wanted| includes(wanted, kind)))
    };
    let asks_for_all = only.is_some_and(|_| is_wanted(&CodeActionKind::SOURCE_FIX_ALL));
    let document = &view.document;
    let asked = document.span(range);
    let mut actions = Vec::new();
    if document.is_too_large() {
        return actions;
    }
    let Some(checked) = document.checked() else {
        return actions;
    };
    let findings = &checked.diagnostics;
    if is_wanted(&CodeActionKind::QUICKFIX) {
        let here = findings.iter().filter(|finding| touch(finding.span, asked));
        actions.extend(here.flat_map(|finding| quick_fixes(document, finding)));
    }
    let is_fixable = |finding: &Diagnostic| finding.fixes.iter().any(|fix| fix.safe);
    let offers_all = findings
        .iter()
        .filter(|finding| is_fixable(finding))
        .count()
        > 1;
    let is_near = findings
        .iter()
        .any(|finding| is_fixable(finding) && touch(finding.span, asked));
    if asks_for_all || (only.is_none() && offers_all && is_near) {
        actions.extend(fix_all(document));
    }
    if is_wanted(&CodeActionKind::REFACTOR) {
        actions.extend(additions(view, asked));
    }
    actions
}

/// Kinds are names with dots: `source` includes `source.fixAll`.
fn includes(wanted: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(wanted.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn touch(one: Span, other: Span) -> bool {
    one.start <= other.end && other.start <= one.end
}

fn quick_fixes(document: &RuleDocument, finding: &Diagnostic) -> Vec<CodeAction> {
    let action = |(number, fix): (usize, &Fix)| {
        let edits = fix.edits.iter();
        let edits = edits.map(|edit| TextEdit::new(document.range(edit.span), edit.text.clone()));
        CodeAction {
            diagnostics: Some(vec![diagnostic(document, finding)]),
            is_preferred: (number == 0).then_some(true),
            ..action(
                document,
                &fix.title,
                CodeActionKind::QUICKFIX,
                edits.collect(),
            )
        }
    };
    finding.fixes.iter().enumerate().map(action).collect()
}

/// Every fix that keeps the meaning, as `kolibri check --fix` applies them.
fn fix_all(document: &RuleDocument) -> Option<CodeAction> {
    let mended = mend(&document.text, FixKinds::Safe, load);
    let whole = Span::new(0, document.text.len());
    let edits = replaced(document, whole, &mended.text);
    let title = "apply every fix that keeps the meaning";
    (!edits.is_empty()).then(|| action(document, title, CodeActionKind::SOURCE_FIX_ALL, edits))
}

fn action(
    document: &RuleDocument,
    title: &str,
    kind: CodeActionKind,
    edits: Vec<TextEdit>,
) -> CodeAction {
    CodeAction {
        title: title.to_owned(),
        kind: Some(kind),
        edit: Some(WorkspaceEdit {
            changes: Some([(document.uri.clone(), edits)].into()),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    }
}

/// Rules that can be added to what stands at `asked`.
fn additions(view: &DocumentView, asked: Span) -> Vec<CodeAction> {
    let document = &view.document;
    let added = forgotten_rule(view, asked.start);
    let added = added.map(|rule| {
        let text = format!("\n{}", rule.text).replace('\n', document.line_end());
        let edit = TextEdit::new(document.range(Span::at(rule.place)), text);
        action(document, &rule.title, CodeActionKind::REFACTOR, vec![edit])
    });
    added.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::fixture::{GAME, edited, view};

    /// The text after the action with this title, offered at the first `place`.
    fn after(text: &str, place: &str, title: &str) -> String {
        let view = view(text);
        let offset = text.find(place).unwrap();
        let range = view.document.range(Span::at(offset));
        let actions = code_actions(&view, range, None);
        let titles: Vec<&str> = actions.iter().map(|action| action.title.as_str()).collect();
        let chosen = actions.iter().find(|action| action.title.contains(title));
        let chosen = chosen.unwrap_or_else(|| panic!("{titles:?}"));
        let changes = chosen.edit.as_ref().unwrap().changes.as_ref().unwrap();
        edited(&view, &changes[&view.document.uri])
    }

    fn codes(text: &str) -> Vec<&'static str> {
        let found = load(text).diagnostics;
        found.iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn fixes_of_the_checker_make_the_finding_go_away() {
        let text = GAME.replace("(not open)", "(not opne)");
        assert!(codes(&text).contains(&"undefined-relation"));
        assert_eq!(after(&text, "opne", "open"), GAME);
    }

    #[test]
    fn safe_fixes_are_applied_together() {
        let text = GAME.replace("(after o x)", "(<= (after o x))\n(<= (after o x))");
        assert_eq!(codes(&text), ["empty-body", "duplicate-rule", "empty-body"]);
        let text = after(&text, "(<= (after", "every fix");
        assert_eq!(codes(&text), [""; 0], "{text}");
        let view = view(&text);
        let range = view.document.range(Span::at(0));
        let only = [CodeActionKind::SOURCE];
        assert_eq!(code_actions(&view, range, Some(&only)), []);
    }

    #[test]
    fn a_rule_is_added_on_a_line_of_its_own() {
        let wait = "(<= (legal ?p noop)\n    (true (control ?q))\n    (after ?q ?p))\n";
        let text = GAME.replace(wait, "").replace('\n', "\r\n");
        let added = after(&text, "(legal", "noop");
        let rule = "(<= (legal ?p noop)\r\n    (role ?p)\r\n    (not (true (control ?p))))\r\n\r\n(<= (next";
        assert!(
            added.contains(&format!("(true (cell ?n b)))\r\n{rule}")),
            "{added}"
        );
    }

    #[test]
    fn only_the_kinds_asked_for_are_given() {
        let text = GAME.replace("(not open)", "(not opne)");
        let view = view(&text);
        let range = view.document.range(Span::at(text.find("opne").unwrap()));
        let kinds = |only: &[CodeActionKind]| code_actions(&view, range, Some(only)).len();
        assert!(kinds(&[CodeActionKind::QUICKFIX]) > 0);
        assert_eq!(kinds(&[CodeActionKind::REFACTOR]), 0);
    }
}
