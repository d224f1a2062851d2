//! Changes that are offered at a place: the fixes of the checker, and rules that authors forget.

use tower_lsp_server::ls_types::{CodeAction, CodeActionKind, Range, TextEdit, WorkspaceEdit};

use crate::gdl::{FixKinds, TupleKind, load, mend};
use crate::kif::{Diagnostic, Fix, Span};
use crate::lsp::describe::argument_labels;
use crate::lsp::diagnostics::diagnostic;
use crate::lsp::document::{DocumentView, RuleDocument};
use crate::lsp::formatting::replaced;
use crate::lsp::index::{DocumentIndex, Occurrence, RuleGroup, RulePart, TopForm, WordClass};

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
    let findings = findings(view);
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
        actions.extend(forgotten_rules(document, asked));
    }
    actions
}

/// Kinds are names with dots: `source` includes `source.fixAll`.
fn includes(wanted: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(wanted.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The findings about this version.
fn findings(view: &DocumentView) -> Vec<Diagnostic> {
    match view.findings.version == Some(view.document.version) {
        true => view.findings.diagnostics.clone(),
        false => load(&view.document.text).diagnostics,
    }
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
fn forgotten_rules(document: &RuleDocument, asked: Span) -> Vec<CodeAction> {
    let index = document.index();
    let Some(form) = index.form_at(asked.start) else {
        return Vec::new();
    };
    let added = match form.group {
        RuleGroup::Roles | RuleGroup::Legal => noop_rule(document, form),
        RuleGroup::Init | RuleGroup::Next => frame_rule(document, form),
        _ => None,
    };
    let Some((title, place, rule)) = added else {
        return Vec::new();
    };
    let rule = format!("\n{rule}").replace('\n', document.line_end());
    let edit = TextEdit::new(document.range(Span::at(place)), rule);
    vec![action(
        document,
        &title,
        CodeActionKind::REFACTOR,
        vec![edit],
    )]
}

/// A title, where to insert, and the rule.
type AddedRule = (String, usize, String);

/// A `noop` for whoever is not in control, where `control` says who is to move and nobody may wait.
fn noop_rule(document: &RuleDocument, form: &TopForm) -> Option<AddedRule> {
    let index = document.index();
    index.find_tuple(TupleKind::Fact, "control", Some(1))?;
    if index.find_tuple(TupleKind::Move, "noop", None).is_some() || index.roles().count() < 2 {
        return None;
    }
    let mut legal = index
        .forms
        .iter()
        .filter(|form| form.group == RuleGroup::Legal);
    let place = legal.next_back().unwrap_or(form).span.end;
    let title = "add `noop` for roles that are not in control";
    let rule = "(<= (legal ?p noop)\n    (role ?p)\n    (not (true (control ?p))))";
    Some((title.to_owned(), place, rule.to_owned()))
}

/// A rule that keeps the fact of the form, unless there is one.
fn frame_rule(document: &RuleDocument, form: &TopForm) -> Option<AddedRule> {
    let index = document.index();
    let fact = derived_fact(index, form)?;
    let key = index.tuple(fact)?;
    let next = index
        .forms
        .iter()
        .filter(|other| other.group == RuleGroup::Next && derived_fact(index, other) == Some(fact));
    let next: Vec<&TopForm> = next.collect();
    if next.iter().any(|form| keeps(index, form, fact)) {
        return None;
    }
    let name = index.name(key.name);
    let arguments = argument_labels(index, fact).into_iter().zip(1..);
    let arguments = arguments.map(|(label, number)| match label.as_str() {
        "_" => format!(" ?a{number}"),
        label => format!(" {label}"),
    });
    let fact = match key.arity {
        None => name.to_owned(),
        Some(_) => format!("({name}{})", arguments.collect::<String>()),
    };
    let place = next.last().copied().unwrap_or(form).span.end;
    let title = format!("add a frame rule for `{name}`, which keeps what does not change");
    let rule = format!("(<= (next {fact})\n    (true {fact}))");
    Some((title, place, rule))
}

/// The fact that a rule for `init` or `next` derives.
fn derived_fact(index: &DocumentIndex, form: &TopForm) -> Option<u32> {
    let words = index.words_of(form).iter();
    let mut heads =
        words.filter(|word| word.part == RulePart::Head && word.span.start > form.head.start);
    let is_fact = |tuple: &u32| {
        index
            .tuple(*tuple)
            .is_some_and(|key| key.kind == TupleKind::Fact)
    };
    heads.find_map(|word| word.tuple.filter(is_fact))
}

/// Whether a rule asks for the fact that it derives, with the same arguments.
fn keeps(index: &DocumentIndex, form: &TopForm, fact: u32) -> bool {
    let arguments = |part: RulePart| -> Vec<(u32, WordClass)> {
        let words = index.words_of(form).iter();
        let here = |word: &&Occurrence| {
            word.part == part && word.place.is_some_and(|(tuple, _)| tuple == fact)
        };
        words
            .filter(here)
            .map(|word| (word.name, word.class))
            .collect()
    };
    let head = arguments(RulePart::Head);
    let asked = arguments(RulePart::Condition);
    let asks = index
        .words_of(form)
        .iter()
        .any(|word| word.part == RulePart::Condition && word.tuple == Some(fact));
    asks && match head.is_empty() {
        true => true,
        false => asked.chunks(head.len()).any(|asked| asked == head),
    }
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
    fn a_frame_rule_is_added_where_there_is_none() {
        let frame = "(<= (next (cell ?n ?v))\n    (true (cell ?n ?v))\n    (does ?p (mark ?m))\n    (distinct ?m ?n))\n";
        let text = GAME.replace(frame, "");
        let added = after(&text, "(init (cell", "frame rule for `cell`");
        assert!(
            added.contains("(does ?p (mark ?n)))\n(<= (next (cell ?n ?p))\n    (true (cell ?n ?p)))\n(<= (next (control"),
            "{added}"
        );
        assert_eq!(codes(&added), [""; 0]);
        let view = view(GAME);
        let range = view
            .document
            .range(Span::at(GAME.find("(init (cell").unwrap()));
        assert_eq!(code_actions(&view, range, None), []);
    }

    #[test]
    fn a_noop_is_added_where_nobody_may_wait() {
        let wait = "(<= (legal ?p noop)\n    (true (control ?q))\n    (after ?q ?p))\n";
        let text = GAME.replace(wait, "");
        let added = after(&text, "(legal", "noop");
        assert!(
            added.contains("(true (cell ?n b)))\n(<= (legal ?p noop)\n    (role ?p)\n"),
            "{added}"
        );
        assert_eq!(codes(&added), [""; 0]);
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
