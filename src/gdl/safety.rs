//! Safety: every variable of a rule occurs in a positive literal, so that rules derive ground sentences only.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use crate::gdl::description::{Condition, ConditionKind, Expr, Statement};
use crate::gdl::expand::{Alternative, ExprLiteral};
use crate::gdl::keyword::Keyword;
use crate::gdl::lint::is_slip;
use crate::gdl::suggest::rename;
use crate::kif::{Diagnostic, Fix, Span};

/// The limit on reported variables of one rule.
const MOST_FINDINGS: usize = 20;

/// How many branches of `or` are pointed at for one variable.
const MOST_BRANCHES: usize = 4;

/// Reports the variables of `statement` that some alternative of its body leaves unbound.
pub(super) fn check(
    statement: &Statement,
    alternatives: &[Alternative<'_>],
    findings: &mut Vec<Diagnostic>,
) {
    let mut open = IndexMap::new();
    for alternative in alternatives {
        let bound = bound_variables(alternative);
        let mut see = |place: VariablePlace, expr| collect_open(place, expr, &bound, &mut open);
        see(VariablePlace::Head, &statement.head);
        for literal in alternative {
            match *literal {
                ExprLiteral::Holds(_) => {}
                ExprLiteral::Fails(sentence) => see(VariablePlace::Negation, sentence),
                ExprLiteral::Distinct(left, right) | ExprLiteral::Same(left, right) => {
                    see(VariablePlace::Distinct, left);
                    see(VariablePlace::Distinct, right);
                }
            }
        }
    }
    for ((place, span), name) in open {
        let finding = unbound(statement, alternatives, place, name, span);
        findings.push(
            finding
                .fix(misspelling(statement, alternatives, name))
                .fix(bound_by_role(statement, name)),
        );
    }
}

/// A variable of the same rule that every alternative binds and that has almost the same name.
fn misspelling(statement: &Statement, alternatives: &[Alternative<'_>], name: &str) -> Option<Fix> {
    let mut bound = alternatives.iter().map(|one| bound_variables(one));
    let first = bound.next()?;
    let common = bound.fold(first, |common, other| &common & &other);
    let mut similar: Vec<&str> = common
        .into_iter()
        .filter(|one| is_slip(name, one))
        .collect();
    similar.sort_unstable();
    let mut places = Vec::new();
    statement.each_expr(|expr| {
        expr.each_variable(&mut |variable, span, _| {
            places.extend((variable == name).then_some(span));
        });
    });
    let new = format!("?{}", similar.first()?);
    Some(rename(&format!("?{name}"), &new, places))
}

/// A condition that the variable is a player, if it stands where players do.
fn bound_by_role(statement: &Statement, name: &str) -> Option<Fix> {
    let mut is_player = false;
    let mut others = false;
    statement.each_expr(|expr| {
        let keyword = expr.name().and_then(Keyword::named);
        let of_players = matches!(
            keyword,
            Some(Keyword::Legal | Keyword::Does | Keyword::Goal | Keyword::Input)
        );
        let player = expr.args().first().filter(|_| of_players);
        is_player |= player.is_some_and(|player| player.is_variable_named(name));
        expr.each_variable(&mut |variable, _, _| others |= variable != name);
    });
    let condition = format!("(role ?{name})");
    let end = statement.span.end;
    let fix = Fix::guess(format!("add the condition `{condition}`"));
    match (is_player, statement.arrow) {
        (true, true) => Some(fix.insert(end - 1, format!(" {condition}"))),
        (true, false) if !others => Some(
            fix.insert(statement.span.start, "(<= ")
                .insert(end, format!(" {condition})")),
        ),
        _ => None,
    }
}

fn collect_open<'d>(
    place: VariablePlace,
    expr: &'d Expr,
    bound: &FxHashSet<&str>,
    open: &mut IndexMap<(VariablePlace, Span), &'d str>,
) {
    expr.each_variable(&mut |name, span, _| {
        if !bound.contains(name) && open.len() < MOST_FINDINGS {
            open.insert((place, span), name);
        }
    });
}

/// Where an unbound variable stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum VariablePlace {
    Head,
    Negation,
    Distinct,
}

impl VariablePlace {
    fn code(self) -> &'static str {
        match self {
            Self::Head => "unsafe-head",
            Self::Negation => "unsafe-negation",
            Self::Distinct => "unsafe-distinct",
        }
    }
}

fn bound_variables<'d>(alternative: &[ExprLiteral<'d>]) -> FxHashSet<&'d str> {
    let mut bound = FxHashSet::default();
    for literal in alternative {
        if let ExprLiteral::Holds(sentence) = literal {
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
    place: VariablePlace,
    name: &str,
    span: Span,
) -> Diagnostic {
    if statement.body.is_empty() {
        return variable_in_fact(name, span);
    }
    let bound_somewhere =
        |alternative: &Alternative<'_>| bound_variables(alternative).contains(name);
    if alternatives.iter().any(bound_somewhere) {
        return in_one_branch_only(statement, place, name, span);
    }
    let message = match place {
        VariablePlace::Head => format!("no positive condition binds `?{name}`"),
        VariablePlace::Negation => {
            format!("`?{name}` occurs under `not`, and no positive condition binds it")
        }
        VariablePlace::Distinct => {
            format!("`?{name}` occurs in `distinct`, and no positive condition binds it")
        }
    };
    let help = match place {
        VariablePlace::Head | VariablePlace::Distinct => format!(
            "add a condition that binds `?{name}`, such as `(true …)` or a relation that lists its values"
        ),
        VariablePlace::Negation => format!(
            "add a condition that binds `?{name}`; to state that no value exists, write a relation `(<= some …)` for this condition, and `(not some)` here"
        ),
    };
    Diagnostic::error(place.code(), span, message).help(help)
}

fn variable_in_fact(name: &str, span: Span) -> Diagnostic {
    let message = format!("the fact contains the variable `?{name}`");
    Diagnostic::error("variable-in-fact", span, message).help(format!(
        "write `(<= fact condition …)` with conditions that bind `?{name}`, or a constant without `?`"
    ))
}

/// Points at the branches of `or` that leave the variable open.
fn in_one_branch_only(
    statement: &Statement,
    place: VariablePlace,
    name: &str,
    span: Span,
) -> Diagnostic {
    let message = format!("not every branch of `or` binds `?{name}`");
    let mut finding = Diagnostic::error(place.code(), span, message);
    let mut branches = Vec::new();
    for condition in &statement.body {
        open_branches(condition, name, &mut branches);
    }
    for span in branches.into_iter().take(MOST_BRANCHES) {
        finding = finding.label(span, format!("this branch does not bind `?{name}`"));
    }
    finding.help(format!(
        "mention `?{name}` in every branch, or in a condition outside of the `or`"
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
