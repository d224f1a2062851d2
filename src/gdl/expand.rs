//! Expansion of `or` to disjunctive normal form: one rule for every combination of branches.
//!
//! `not` moves inwards (De Morgan's laws) until it stands before a sentence or a `distinct`.

use crate::gdl::description::{Condition, ConditionKind, Expr, Statement};

/// How many rules one rule may expand to.
pub(super) const MOST_ALTERNATIVES: usize = 10_000;

/// How many literals the alternatives of one rule may have together: bounds memory where bodies are long.
const MOST_LITERALS: usize = 1_000_000;

/// A condition without `not` or `or` around it.
#[derive(Debug, Clone, Copy)]
pub(super) enum ExprLiteral<'d> {
    Holds(&'d Expr),
    Fails(&'d Expr),
    Distinct(&'d Expr, &'d Expr),
    Same(&'d Expr, &'d Expr),
}

/// One way to satisfy a body: all of these literals.
pub(super) type Alternative<'d> = Vec<ExprLiteral<'d>>;

/// A rule expands to more rules than [`MOST_ALTERNATIVES`], or they are too long.
#[derive(Debug)]
pub(super) struct TooMany;

/// The alternatives of a rule, in the order of its branches. A fact has one, without literals.
pub(super) fn alternatives(statement: &Statement) -> Result<Vec<Alternative<'_>>, TooMany> {
    all(&statement.body, true)
}

fn expand(condition: &Condition, positive: bool) -> Result<Vec<Alternative<'_>>, TooMany> {
    let literal = match (&condition.kind, positive) {
        (ConditionKind::Not(inner), _) => return expand(inner, !positive),
        (ConditionKind::Or(branches), true) => return any(branches, true),
        (ConditionKind::Or(branches), false) => return all(branches, false),
        (ConditionKind::Holds(sentence), true) => ExprLiteral::Holds(sentence),
        (ConditionKind::Holds(sentence), false) => ExprLiteral::Fails(sentence),
        (ConditionKind::Distinct(left, right), true) => ExprLiteral::Distinct(left, right),
        (ConditionKind::Distinct(left, right), false) => ExprLiteral::Same(left, right),
    };
    Ok(vec![vec![literal]])
}

/// At least one of the conditions.
fn any(conditions: &[Condition], positive: bool) -> Result<Vec<Alternative<'_>>, TooMany> {
    let mut found = Vec::new();
    for condition in conditions {
        found.append(&mut expand(condition, positive)?);
        within_budget(found.len(), literals(&found))?;
    }
    Ok(found)
}

/// All of the conditions.
fn all(conditions: &[Condition], positive: bool) -> Result<Vec<Alternative<'_>>, TooMany> {
    let mut found = vec![Vec::new()];
    let mut length = 0;
    for condition in conditions {
        let next = expand(condition, positive)?;
        if let [only] = next.as_slice() {
            length += only.len() * found.len();
            within_budget(found.len(), length)?;
            found
                .iter_mut()
                .for_each(|alternative| alternative.extend_from_slice(only));
        } else {
            found = product(&found, &next)?;
            length = literals(&found);
        }
    }
    Ok(found)
}

fn product<'d>(
    left: &[Alternative<'d>],
    right: &[Alternative<'d>],
) -> Result<Vec<Alternative<'d>>, TooMany> {
    let length = literals(left) * right.len() + literals(right) * left.len();
    within_budget(left.len() * right.len(), length)?;
    let pairs = left
        .iter()
        .flat_map(|a| right.iter().map(move |b| [a.as_slice(), b].concat()));
    Ok(pairs.collect())
}

fn literals(alternatives: &[Alternative<'_>]) -> usize {
    alternatives.iter().map(Vec::len).sum()
}

fn within_budget(alternatives: usize, literals: usize) -> Result<(), TooMany> {
    if alternatives > MOST_ALTERNATIVES || (alternatives > 1 && literals > MOST_LITERALS) {
        return Err(TooMany);
    }
    Ok(())
}
