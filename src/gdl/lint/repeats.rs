//! Repeated rules, and contradictory conditions.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::gdl::description::{ConditionKind, Description, Expr, Statement};
use crate::gdl::keyword::Keyword;
use crate::kif::{Diagnostic, Fix, Span};

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let mut seen: FxHashMap<String, Span> = FxHashMap::default();
    for statement in &description.statements {
        let is_role = statement.head.name() == Some(Keyword::Role.name());
        match seen.entry(fingerprint(statement)) {
            Entry::Vacant(entry) => {
                entry.insert(statement.span);
            }
            Entry::Occupied(first) if !is_role => findings.push(repeated(statement, *first.get())),
            Entry::Occupied(_) => {}
        }
        if statement.arrow && statement.body.is_empty() && !is_role {
            findings.push(empty_body(statement));
        }
        contradictions(statement, findings);
    }
}

/// Equal for two rules with the same words, in whatever order their conditions stand.
fn fingerprint(statement: &Statement) -> String {
    let mut body: Vec<String> = statement.body.iter().map(ToString::to_string).collect();
    body.sort_unstable();
    format!("{} {}", statement.head, body.join(" "))
}

fn repeated(statement: &Statement, first: Span) -> Diagnostic {
    let what = if statement.body.is_empty() {
        "fact"
    } else {
        "rule"
    };
    Diagnostic::warning(
        "duplicate-rule",
        statement.span,
        format!("this {what} is repeated"),
    )
    .label(first, "first written here")
    .help("remove one of the two, or check what should differ")
    .fix(Fix::safe("remove the repetition").delete(statement.span))
}

fn empty_body(statement: &Statement) -> Diagnostic {
    let message = "a rule without conditions always holds";
    Diagnostic::warning("empty-body", statement.span, message)
        .help(format!(
            "write `{}` without `<=`, or add the conditions",
            statement.head
        ))
        .fix(without_arrow(statement, Fix::safe))
}

/// Leaves the head of a rule as a fact.
pub(in crate::gdl) fn without_arrow(statement: &Statement, kind: fn(&'static str) -> Fix) -> Fix {
    let (whole, head) = (statement.span, statement.head.span);
    kind("write it as a fact")
        .delete(Span::new(whole.start, head.start))
        .delete(Span::new(head.end, whole.end))
}

fn contradictions(statement: &Statement, findings: &mut Vec<Diagnostic>) {
    let mut stated = FxHashMap::default();
    for condition in &statement.body {
        match &condition.kind {
            ConditionKind::Holds(sentence) => {
                stated.insert(sentence.to_term(), sentence.span);
            }
            ConditionKind::Distinct(left, right) if left.to_term() == right.to_term() => {
                findings.push(
                    Diagnostic::warning(
                        "never-holds",
                        condition.span,
                        format!("`{left}` is never distinct from itself"),
                    )
                    .help("compare it with another term, or remove the rule")
                    .fix(Fix::guess("remove the condition").delete(condition.span)),
                );
            }
            _ => {}
        }
    }
    for condition in &statement.body {
        if let ConditionKind::Not(denied) = &condition.kind
            && let ConditionKind::Holds(denied) = &denied.kind
            && let Some(stated) = stated.get(&denied.to_term())
        {
            findings.push(contradiction(condition.span, denied, *stated));
        }
    }
}

fn contradiction(negation: Span, denied: &Expr, stated: Span) -> Diagnostic {
    let message = format!("`{denied}` cannot both hold and not hold, so this rule never applies");
    Diagnostic::warning("never-holds", negation, message)
        .label(stated, "required to hold here")
        .help("remove one of the two conditions")
        .fix(Fix::guess("remove this condition").delete(negation))
}
