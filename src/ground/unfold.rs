//! Wide relations that only gather others are spelt out where they are asked for.
//!
//! A relation of many columns has many rows, whether or not they mean much: `(queen_threatens ?who ?from ?to ?ignored)`
//! says again for every queen what is known of rows, columns and diagonals. Where its rules take its place, these many
//! rows are never made, and what it gathers can be settled ray by ray.

use super::GroundError;
use super::budget::Budget;
use super::relax::{map_atom, map_literal, map_pattern};
use super::tuning::Tuning;
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program, stratify};
use rustc_hash::FxHashSet;

/// A relation with more rules is not spelt out.
const MOST_RULES: usize = 8;
/// How many rules may take the place of one.
const MOST_FROM_ONE: usize = 32;
/// How many literals a rule may have after others took the place of some.
const MOST_LITERALS: usize = 64;
/// How many times as many rules there may be in the end.
const MOST_GROWTH: usize = 4;

/// A program with the same meaning in which wide relations that rest on no more than one derived relation in each of
/// their rules are spelt out where only some of their columns matter.
///
/// # Errors
/// [`GroundError`] if the budget's time is over.
pub(super) fn unfold(
    program: &Program,
    roots: &[Pred],
    tuning: &Tuning,
    budget: &mut Budget,
) -> Result<Program, GroundError> {
    let components = stratify(program).unwrap_or_default();
    let mut clauses = program.clauses().to_vec();
    let most = MOST_GROWTH * clauses.len() + MOST_FROM_ONE;
    // What was spelt out may ask for others in turn, but only for those below.
    for component in components.iter().rev().filter(|of| !of.recursive) {
        for &pred in &component.preds {
            if program.arity(pred) < tuning.wide || roots.contains(&pred) {
                continue;
            }
            budget.count(clauses.len(), 0)?;
            if is_gathering(pred, &clauses) && is_worth_it(pred, &clauses, most) {
                clauses = spelt_out(pred, clauses);
            }
        }
    }
    let mut changed = program.without_clauses();
    clauses.into_iter().for_each(|clause| changed.add(clause));
    Ok(changed)
}

/// The relations that rest on themselves.
pub(super) fn recursive(program: &Program) -> FxHashSet<Pred> {
    let components = stratify(program).unwrap_or_default();
    let recursive = components.iter().filter(|of| of.recursive);
    recursive.flat_map(|of| of.preds.iter().copied()).collect()
}

/// Whether the rules of a relation are few and plain, and each rests on one derived relation.
fn is_gathering(pred: Pred, clauses: &[Clause]) -> bool {
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
        && clauses.iter().all(|of| asked_in(of, pred).all(are_plain))
        && {
            let derived = derived_below(&own, clauses);
            own.iter().all(|of| asks_for_one(of, &derived))
        }
}

/// The relations in the bodies of `own` that rules derive.
fn derived_below(own: &[&Clause], clauses: &[Clause]) -> FxHashSet<Pred> {
    let below: FxHashSet<Pred> = own
        .iter()
        .flat_map(|of| &of.body)
        .filter_map(asked_by)
        .collect();
    let rules = clauses.iter().filter(|of| !of.body.is_empty());
    let heads = rules.map(|of| of.head.pred);
    heads.filter(|pred| below.contains(pred)).collect()
}

/// Whether a rule has one literal about the relations `derived`.
fn asks_for_one(clause: &Clause, derived: &FxHashSet<Pred>) -> bool {
    let preds = clause.body.iter().filter_map(asked_by);
    preds.filter(|pred| derived.contains(pred)).count() == 1
}

/// The relation that a literal asks for, to hold or to fail.
fn asked_by(literal: &Literal) -> Option<Pred> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(atom.pred),
        Literal::Distinct(..) | Literal::Same(..) => None,
    }
}

/// Whether any clause is to be replaced, and there are no more than `most` rules then.
fn is_worth_it(pred: Pred, clauses: &[Clause], most: usize) -> bool {
    let own = Size::of(clauses.iter().filter(|of| of.head.pred == pred));
    let replaced = clauses.iter().filter_map(|of| replacements(of, pred, own));
    let (mut any, mut more) = (false, 0usize);
    replaced.for_each(|many| {
        any = true;
        more = more.saturating_add(many);
    });
    any && clauses.len().saturating_add(more) <= most
}

fn asked_in(clause: &Clause, pred: Pred) -> impl Iterator<Item = &Atom> {
    clause.body.iter().filter_map(move |literal| match literal {
        Literal::Positive(atom) => (atom.pred == pred).then_some(atom),
        _ => None,
    })
}

/// How much the rules of a relation are.
#[derive(Clone, Copy)]
struct Size {
    rules: usize,
    /// The most literals that one of them has.
    longest: usize,
}

impl Size {
    fn of<'c>(own: impl Iterator<Item = &'c Clause>) -> Self {
        let lengths: Vec<usize> = own.map(|of| of.body.len()).collect();
        Self {
            rules: lengths.len(),
            longest: lengths.into_iter().max().unwrap_or(0),
        }
    }
}

/// How many rules would take the place of a clause that asks for a relation of this size; `None` if they would be too
/// many or too long, or all of its columns matter.
fn replacements(clause: &Clause, pred: Pred, own: Size) -> Option<usize> {
    let questions = asked_in(clause, pred).count();
    if questions == 0 || clause.body.len() + questions * own.longest > MOST_LITERALS {
        return None;
    }
    let mut shown = Vec::new();
    let mut see = |variable| shown.push(variable);
    let shows = clause.head.args.iter();
    shows.for_each(|arg| arg.each_variable(&mut see));
    let is_hidden = |arg: &Pattern| matches!(arg, Pattern::Var(of) if !shown.contains(of));
    let hides = asked_in(clause, pred).any(|atom| atom.args.iter().any(is_hidden));
    let many = own.rules.checked_pow(u32::try_from(questions).ok()?)?;
    (hides && many <= MOST_FROM_ONE).then_some(many)
}

/// The clauses with the rules of `pred` in place of it; unless it is asked for elsewhere, it is gone.
fn spelt_out(pred: Pred, clauses: Vec<Clause>) -> Vec<Clause> {
    let (own, others): (Vec<Clause>, Vec<Clause>) = clauses
        .into_iter()
        .partition(|clause| clause.head.pred == pred);
    let mut all = Vec::with_capacity(others.len());
    let size = Size::of(own.iter());
    for clause in others {
        if replacements(&clause, pred, size).is_some() {
            all.extend(replaced(vec![clause], pred, &own));
        } else {
            all.push(clause);
        }
    }
    let mut asked = all
        .iter()
        .flat_map(|clause| &clause.body)
        .filter_map(asked_by);
    if asked.any(|of| of == pred) {
        all.extend(own);
    }
    all
}

/// Clauses with one question about `pred` after the other replaced by each of its rules.
fn replaced(mut open: Vec<Clause>, pred: Pred, own: &[Clause]) -> Vec<Clause> {
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
                    .filter_map(|rule| with_rule(&clause, place, rule)),
            ),
            None => done.push(clause),
        }
    }
    done
}

/// A clause with the body of `rule` in place of its literal number `place`; `None` if they cannot meet.
fn with_rule(clause: &Clause, place: usize, rule: &Clause) -> Option<Clause> {
    let Literal::Positive(question) = &clause.body[place] else {
        return None;
    };
    let total = clause.variables + rule.variables;
    let mut values: Vec<Pattern> = (0..total).map(Pattern::Var).collect();
    for (asked, given) in question.args.iter().zip(&rule.head.args) {
        let given = moved(given, clause.variables);
        let (asked, given) = (final_value(asked, &values), final_value(&given, &values));
        match (&asked, &given) {
            _ if asked == given => {}
            (_, Pattern::Var(variable)) => values[*variable] = asked.clone(),
            (Pattern::Var(variable), _) => values[*variable] = given.clone(),
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
    Some(numbered(&Clause {
        head,
        body,
        variables: total,
    }))
}

fn moved(pattern: &Pattern, by: usize) -> Pattern {
    map_pattern(pattern, &|variable| Pattern::Var(variable + by))
}

/// What a variable or a term stands for in the end.
fn final_value(pattern: &Pattern, values: &[Pattern]) -> Pattern {
    let mut pattern = pattern;
    while let Pattern::Var(variable) = pattern
        && values[*variable] != *pattern
    {
        pattern = &values[*variable];
    }
    pattern.clone()
}

/// A clause with its variables numbered in the order in which they come up.
pub(super) fn numbered(clause: &Clause) -> Clause {
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
