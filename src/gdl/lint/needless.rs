//! Conditions that change nothing: stated twice, always true, or denied twice.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::gdl::description::{Condition, ConditionKind, Description, Statement};
use crate::kif::{Diagnostic, Fix, Span};

/// A file with more repetitions was written by a program: they are reported as one.
const MOST_REPETITIONS: usize = 20;

/// A condition that is stated again: where, and where first.
type Repetition = (Span, Span);

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let mut repetitions: Vec<Repetition> = Vec::new();
    for statement in &description.statements {
        repetitions.extend(stated_twice(statement));
        findings.extend(statement.body.iter().filter_map(always_distinct));
        for condition in &statement.body {
            denied_twice(condition, findings);
        }
    }
    let size = match repetitions.len() > MOST_REPETITIONS {
        true => repetitions.len(),
        false => 1,
    };
    findings.extend(repetitions.chunks(size).map(repeated));
}

fn stated_twice(statement: &Statement) -> Vec<Repetition> {
    let mut stated: FxHashMap<String, Span> = FxHashMap::default();
    let mut again = Vec::new();
    for condition in &statement.body {
        match stated.entry(condition.to_string()) {
            Entry::Vacant(entry) => drop(entry.insert(condition.span)),
            Entry::Occupied(first) => again.push((condition.span, *first.get())),
        }
    }
    again
}

/// One finding for all of these.
fn repeated(repetitions: &[Repetition]) -> Diagnostic {
    let (span, first) = repetitions[0];
    let more = match repetitions.len() - 1 {
        0 => String::new(),
        more => format!(", and so are {more} others in this file"),
    };
    let again = repetitions.iter().map(|(again, _)| *again);
    finding(span, format!("this condition is stated twice{more}"))
        .label(first, "first stated here")
        .help("remove one of the two, or check what should differ")
        .fix(Fix::safe("remove what is repeated").replace_each(again, ""))
}

/// A `distinct` between two terms without variables that differ.
fn always_distinct(condition: &Condition) -> Option<Diagnostic> {
    let ConditionKind::Distinct(left, right) = &condition.kind else {
        return None;
    };
    let is_certain = !left.is_open() && !right.is_open() && left.to_term() != right.to_term();
    let finding = || {
        let message = format!("`{left}` and `{right}` are always distinct");
        finding(condition.span, message)
            .help("compare a variable, such as `?x`, or remove the condition")
            .fix(Fix::safe("remove the condition").delete(condition.span))
    };
    is_certain.then(finding)
}

fn denied_twice(condition: &Condition, findings: &mut Vec<Diagnostic>) {
    match &condition.kind {
        ConditionKind::Not(denied) => match &denied.kind {
            ConditionKind::Not(stated) => {
                findings.push(double_negation(condition.span, stated));
                denied_twice(stated, findings);
            }
            _ => denied_twice(denied, findings),
        },
        ConditionKind::Or(branches) => {
            branches
                .iter()
                .for_each(|branch| denied_twice(branch, findings));
        }
        ConditionKind::Holds(_) | ConditionKind::Distinct(..) => {}
    }
}

fn double_negation(whole: Span, stated: &Condition) -> Diagnostic {
    let kept = stated.span;
    let fix = Fix::safe("remove both")
        .delete(Span::new(whole.start, kept.start))
        .delete(Span::new(kept.end, whole.end));
    finding(whole, "`not` twice says the same as none")
        .help(format!("write `{stated}`"))
        .fix(fix)
}

fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::warning("needless-condition", span, message)
}
