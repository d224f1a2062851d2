//! Safety: every variable of a rule occurs in a positive literal, so that rules derive ground sentences only.

use rustc_hash::FxHashSet;

use crate::gdl::description::{Condition, ConditionKind, Expr, Statement};
use crate::gdl::expand::{Alternative, Literal};
use crate::kif::{Diagnostic, Span};

/// Reports every variable of `statement` that some alternative of its body leaves unbound.
pub(super) fn check(
    statement: &Statement,
    alternatives: &[Alternative<'_>],
    findings: &mut Vec<Diagnostic>,
) {
    let mut reported = FxHashSet::default();
    for alternative in alternatives {
        let bound = bound_variables(alternative);
        let mut report = |place: Place, expr: &Expr| {
            expr.each_variable(&mut |name, span, _| {
                if !bound.contains(name) && reported.insert((place, span)) {
                    findings.push(unbound(statement, alternatives, place, name, span));
                }
            });
        };
        report(Place::Head, &statement.head);
        for literal in alternative {
            match *literal {
                Literal::Holds(_) => {}
                Literal::Fails(sentence) => report(Place::Negation, sentence),
                Literal::Distinct(left, right) | Literal::Same(left, right) => {
                    report(Place::Distinct, left);
                    report(Place::Distinct, right);
                }
            }
        }
    }
}

/// Where an unbound variable stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Head,
    Negation,
    Distinct,
}

fn bound_variables<'d>(alternative: &[Literal<'d>]) -> FxHashSet<&'d str> {
    let mut bound = FxHashSet::default();
    for literal in alternative {
        if let Literal::Holds(sentence) = literal {
            sentence.each_variable(&mut |name, _, _| {
                bound.insert(name);
            });
        }
    }
    bound
}

fn unbound(
    statement: &Statement,
    alternatives: &[Alternative<'_>],
    place: Place,
    name: &str,
    span: Span,
) -> Diagnostic {
    if statement.body.is_empty() {
        return variable_in_fact(name, span);
    }
    let somewhere = alternatives
        .iter()
        .any(|alternative| bound_variables(alternative).contains(name));
    let (code, message) = match place {
        Place::Head => (
            "unsafe-head",
            format!("nothing in the body says what `?{name}` is"),
        ),
        Place::Negation => (
            "unsafe-negation",
            format!("`?{name}` occurs under `not`, which cannot say what it is"),
        ),
        Place::Distinct => (
            "unsafe-distinct",
            format!("`?{name}` occurs in `distinct`, which cannot say what it is"),
        ),
    };
    let finding = Diagnostic::error(code, span, message);
    if somewhere {
        return in_one_branch_only(finding, statement, name);
    }
    finding.help(format!(
        "add a condition that holds for the values `?{name}` may take, such as `(true …)`, `(role ?{name})` or a relation that lists them"
    ))
}

fn variable_in_fact(name: &str, span: Span) -> Diagnostic {
    let message = format!("the fact contains the variable `?{name}`");
    Diagnostic::error("variable-in-fact", span, message).help(format!(
        "write `(<= fact condition …)` with conditions that say what `?{name}` is, or a word without `?`"
    ))
}

/// Points at the branches of `or` that leave the variable open.
fn in_one_branch_only(mut finding: Diagnostic, statement: &Statement, name: &str) -> Diagnostic {
    let mut branches = Vec::new();
    statement
        .body
        .iter()
        .for_each(|condition| open_branches(condition, name, &mut branches));
    for span in branches {
        finding = finding.label(span, format!("this branch says nothing about `?{name}`"));
    }
    finding.help(format!(
        "every branch of `or` must say what `?{name}` is, or a condition outside of it"
    ))
}

/// Branches without the variable, of those `or`s that have a branch with it.
fn open_branches(condition: &Condition, name: &str, found: &mut Vec<Span>) {
    let ConditionKind::Or(branches) = &condition.kind else {
        return;
    };
    if !mentions(condition, name) {
        return;
    }
    for branch in branches {
        if mentions(branch, name) {
            open_branches(branch, name, found);
        } else {
            found.push(branch.span);
        }
    }
}

fn mentions(condition: &Condition, name: &str) -> bool {
    let mut mentioned = false;
    condition.each_sentence(&mut |positive, sentence| {
        sentence.each_variable(&mut |variable, _, _| mentioned |= positive && variable == name);
    });
    mentioned
}
