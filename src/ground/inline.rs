//! Inlining (unfolding) of wide relations that are unions of others.
//!
//! A relation of many columns has many rows: `(queen_threatens ?who ?from ?to ?ignored)` repeats for every queen what is
//! known of rows, columns and diagonals. Where a rule uses such a relation and not all of its columns matter, the bodies of
//! its rules replace it (Tamaki and Sato 1984), so that its rows are never derived.

use super::GroundError;
use super::budget::GroundingBudget;
use super::relaxed_reachability::{map_atom, map_literal, map_pattern};
use super::thresholds::Thresholds;
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program, stratify};
use rustc_hash::FxHashSet;

/// A relation with more rules is not inlined.
const MOST_RULES: usize = 8;
/// How many rules may replace one.
const MOST_FROM_ONE: usize = 32;
/// How many literals a rule may have after inlining.
const MOST_LITERALS: usize = 64;
/// The number of rules may grow by this factor.
const MOST_GROWTH: usize = 4;

/// An equivalent program in which wide relations with exactly one derived relation in the body of each rule are inlined
/// where only some of their columns matter.
///
/// # Errors
/// [`GroundError`] if the time limit is exceeded.
pub(super) fn inline(
    program: &Program,
    roots: &[Pred],
    thresholds: &Thresholds,
    budget: &mut GroundingBudget,
) -> Result<Program, GroundError> {
    let components = stratify(program).unwrap_or_default();
    let mut clauses = program.clauses().to_vec();
    let most = MOST_GROWTH * clauses.len() + MOST_FROM_ONE;
    // Inlined bodies may mention further relations to inline, but only those of lower components.
    for component in components.iter().rev().filter(|of| !of.recursive) {
        for &pred in &component.preds {
            if program.arity(pred) < thresholds.wide || roots.contains(&pred) {
                continue;
            }
            budget.count(clauses.len(), 0)?;
            if is_union(pred, &clauses) && is_worth_it(pred, &clauses, most) {
                clauses = inlined(pred, clauses);
            }
        }
    }
    let mut changed = program.without_clauses();
    clauses.into_iter().for_each(|clause| changed.add(clause));
    Ok(changed)
}

/// The recursive relations.
pub(super) fn recursive(program: &Program) -> FxHashSet<Pred> {
    let components = stratify(program).unwrap_or_default();
    let recursive = components.iter().filter(|of| of.recursive);
    recursive.flat_map(|of| of.preds.iter().copied()).collect()
}

/// Whether a relation has few rules, without compound terms, and one derived relation in the body of each.
fn is_union(pred: Pred, clauses: &[Clause]) -> bool {
    let own: Vec<&Clause> = clauses.iter().filter(|of| of.head.pred == pred).collect();
    let is_variable = |arg: &Pattern| matches!(arg, Pattern::Var(_));
    let are_plain = |atom: &Atom| {
        !atom
            .args
            .iter()
            .any(|arg| matches!(arg, Pattern::Compound(..)))
    };
    (1..=MOST_RULES).contains(&own.len())
        && own.iter().all(|of| of.head.args.iter().all(is_variable))
        && clauses.iter().all(|of| uses_of(of, pred).all(are_plain))
        && {
            let derived = derived_below(&own, clauses);
            own.iter().all(|of| has_one_of(of, &derived))
        }
}

/// The derived relations in the bodies of `own`.
fn derived_below(own: &[&Clause], clauses: &[Clause]) -> FxHashSet<Pred> {
    let below: FxHashSet<Pred> = own
        .iter()
        .flat_map(|of| &of.body)
        .filter_map(pred_of)
        .collect();
    let rules = clauses.iter().filter(|of| !of.body.is_empty());
    let heads = rules.map(|of| of.head.pred);
    heads.filter(|pred| below.contains(pred)).collect()
}

/// Whether exactly one literal of a rule has a relation of `derived`.
fn has_one_of(clause: &Clause, derived: &FxHashSet<Pred>) -> bool {
    let preds = clause.body.iter().filter_map(pred_of);
    preds.filter(|pred| derived.contains(pred)).count() == 1
}

/// The relation of a positive or negative literal.
pub(super) fn pred_of(literal: &Literal) -> Option<Pred> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(atom.pred),
        Literal::Distinct(..) | Literal::Same(..) => None,
    }
}

/// Whether any clause is replaced, and at most `most` rules result.
fn is_worth_it(pred: Pred, clauses: &[Clause], most: usize) -> bool {
    let own = RelationSize::of(clauses.iter().filter(|of| of.head.pred == pred));
    let inline_rules = clauses
        .iter()
        .filter_map(|of| inlined_rule_count(of, pred, own));
    let (mut any, mut more) = (false, 0usize);
    inline_rules.for_each(|many| {
        any = true;
        more = more.saturating_add(many);
    });
    any && clauses.len().saturating_add(more) <= most
}

fn uses_of(clause: &Clause, pred: Pred) -> impl Iterator<Item = &Atom> {
    clause.body.iter().filter_map(move |literal| match literal {
        Literal::Positive(atom) => (atom.pred == pred).then_some(atom),
        _ => None,
    })
}

/// The size of a relation's definition.
#[derive(Clone, Copy)]
struct RelationSize {
    rules: usize,
    /// The number of literals of the longest rule.
    longest: usize,
}

impl RelationSize {
    fn of<'c>(own: impl Iterator<Item = &'c Clause>) -> Self {
        let lengths: Vec<usize> = own.map(|of| of.body.len()).collect();
        Self {
            rules: lengths.len(),
            longest: lengths.into_iter().max().unwrap_or(0),
        }
    }
}

/// How many rules would replace a clause that uses `pred`, which has a definition of this size; `None` if they would be
/// too many or too long, or if all columns matter.
fn inlined_rule_count(clause: &Clause, pred: Pred, own: RelationSize) -> Option<usize> {
    let uses = uses_of(clause, pred).count();
    if uses == 0 || clause.body.len() + uses * own.longest > MOST_LITERALS {
        return None;
    }
    let mut shown = Vec::new();
    let mut see = |variable| shown.push(variable);
    let shows = clause.head.args.iter();
    shows.for_each(|arg| arg.each_variable(&mut see));
    let is_projected = |arg: &Pattern| matches!(arg, Pattern::Var(of) if !shown.contains(of));
    let projects = uses_of(clause, pred).any(|atom| atom.args.iter().any(is_projected));
    let many = own.rules.checked_pow(u32::try_from(uses).ok()?)?;
    (projects && many <= MOST_FROM_ONE).then_some(many)
}

/// The clauses with `pred` replaced by the bodies of its rules. Its own rules are dropped unless it is still used.
fn inlined(pred: Pred, clauses: Vec<Clause>) -> Vec<Clause> {
    let (own, others): (Vec<Clause>, Vec<Clause>) = clauses
        .into_iter()
        .partition(|clause| clause.head.pred == pred);
    let mut all = Vec::with_capacity(others.len());
    let size = RelationSize::of(own.iter());
    for clause in others {
        if inlined_rule_count(&clause, pred, size).is_some() {
            all.extend(inline_rules(vec![clause], pred, &own));
        } else {
            all.push(clause);
        }
    }
    let mut used = all
        .iter()
        .flat_map(|clause| &clause.body)
        .filter_map(pred_of);
    if used.any(|of| of == pred) {
        all.extend(own);
    }
    all
}

/// Clauses with every literal about `pred` replaced by the body of each of its rules.
fn inline_rules(mut open: Vec<Clause>, pred: Pred, own: &[Clause]) -> Vec<Clause> {
    let mut done = Vec::new();
    while let Some(clause) = open.pop() {
        let place = clause
            .body
            .iter()
            .position(|literal| matches!(literal, Literal::Positive(atom) if atom.pred == pred));
        match place {
            Some(place) => open.extend(
                own.iter()
                    .rev()
                    .filter_map(|rule| inline_rule(&clause, place, rule)),
            ),
            None => done.push(clause),
        }
    }
    done
}

/// The resolvent of a clause on its literal number `place` with `rule`; `None` if they do not unify.
pub(super) fn inline_rule(clause: &Clause, place: usize, rule: &Clause) -> Option<Clause> {
    let Literal::Positive(atom) = &clause.body[place] else {
        return None;
    };
    let total = clause.variables + rule.variables;
    let mut values: Vec<Pattern> = (0..total).map(Pattern::Var).collect();
    for (actual, formal) in atom.args.iter().zip(&rule.head.args) {
        let formal = moved(formal, clause.variables);
        let (actual, formal) = (final_value(actual, &values), final_value(&formal, &values));
        match (&actual, &formal) {
            _ if actual == formal => {}
            (_, Pattern::Var(variable)) => values[*variable] = actual.clone(),
            (Pattern::Var(variable), _) => values[*variable] = formal.clone(),
            _ => return None,
        }
    }
    let before = clause.body[..place].iter().cloned();
    let inner = rule
        .body
        .iter()
        .map(|literal| map_literal(literal, &|of| Pattern::Var(of + clause.variables)));
    let after = clause.body[place + 1..].iter().cloned();
    let value = |variable: usize| final_value(&Pattern::Var(variable), &values);
    let body: Vec<Literal> = before.chain(inner).chain(after).collect();
    let body = body
        .iter()
        .map(|literal| map_literal(literal, &value))
        .collect();
    let head = map_atom(&clause.head, &value);
    Some(renumbered(&Clause {
        head,
        body,
        variables: total,
    }))
}

fn moved(pattern: &Pattern, by: usize) -> Pattern {
    map_pattern(pattern, &|variable| Pattern::Var(variable + by))
}

/// A term with the substitution applied until nothing changes.
fn final_value(pattern: &Pattern, values: &[Pattern]) -> Pattern {
    let mut pattern = pattern;
    while let Pattern::Var(variable) = pattern
        && values[*variable] != *pattern
    {
        pattern = &values[*variable];
    }
    pattern.clone()
}

/// A clause with its variables renumbered in order of appearance.
pub(super) fn renumbered(clause: &Clause) -> Clause {
    let mut order = Vec::new();
    clause.each_variable(&mut |variable| {
        if !order.contains(&variable) {
            order.push(variable);
        }
    });
    let place = |variable: usize| {
        let place = order.iter().position(|&of| of == variable);
        Pattern::Var(place.unwrap_or(order.len()))
    };
    Clause {
        head: map_atom(&clause.head, &place),
        body: clause
            .body
            .iter()
            .map(|literal| map_literal(literal, &place))
            .collect(),
        variables: order.len(),
    }
}
