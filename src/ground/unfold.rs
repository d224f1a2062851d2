//! Wide relations that only gather others are spelt out where they are asked for.
//!
//! A relation of many columns has many rows, whether or not they mean much: `(queen_threatens ?who ?from ?to ?ignored)`
//! says again for every queen what is known of rows, columns and diagonals. Where its rules take its place, these many
//! rows are never made, and what it gathers can be settled ray by ray.

use super::relax::{map_atom, map_literal, map_pattern};
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program, stratify};
use rustc_hash::FxHashSet;

/// A relation with so many columns is wide.
pub(super) const WIDE: usize = 6;
/// A relation with more rules is not spelt out.
const MOST_RULES: usize = 8;
/// How many rules may take the place of one.
const MOST_FROM_ONE: usize = 32;

/// A program with the same meaning in which wide relations that rest on no more than one derived relation in each of
/// their rules are spelt out where only some of their columns matter.
pub(super) fn unfold(program: &Program, roots: &[Pred]) -> Program {
    let is_recursive = recursive(program);
    let mut clauses = program.clauses().to_vec();
    let is_open = |pred: &Pred| {
        program.arity(*pred) >= WIDE && !roots.contains(pred) && !is_recursive.contains(pred)
    };
    let candidates: Vec<Pred> = program.preds().filter(is_open).collect();
    let most = 4 * clauses.len() + MOST_FROM_ONE;
    // What was spelt out may ask for others in turn.
    while clauses.len() < most
        && let Some(&pred) = candidates.iter().find(|&&pred| {
            clauses
                .iter()
                .any(|clause| is_to_be_replaced(clause, pred, &clauses))
                && is_gathering(pred, &clauses)
        })
    {
        clauses = spelt_out(pred, clauses);
    }
    with_clauses(program, clauses)
}

fn with_clauses(program: &Program, clauses: Vec<Clause>) -> Program {
    let mut changed = program.without_clauses();
    clauses.into_iter().for_each(|clause| changed.add(clause));
    changed
}

/// The relations that rest on themselves.
pub(super) fn recursive(program: &Program) -> FxHashSet<Pred> {
    let components = stratify(program).unwrap_or_default();
    let recursive = components.iter().filter(|of| of.recursive);
    recursive.flat_map(|of| of.preds.iter().copied()).collect()
}

/// Whether the rules of a relation are few and plain, and each rests on one derived relation at most.
fn is_gathering(pred: Pred, clauses: &[Clause]) -> bool {
    let own = || clauses.iter().filter(|clause| clause.head.pred == pred);
    let is_derived = |pred: Pred| {
        clauses
            .iter()
            .any(|of| of.head.pred == pred && !of.body.is_empty())
    };
    let derived_in = |clause: &Clause| {
        let atoms = clause.body.iter().filter(|literal| match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => is_derived(atom.pred),
            Literal::Distinct(..) | Literal::Same(..) => false,
        });
        atoms.count()
    };
    let are_plain = |args: &[Pattern]| args.iter().all(|arg| !matches!(arg, Pattern::Compound(..)));
    let heads_are_plain = own().all(|of| {
        of.head
            .args
            .iter()
            .all(|arg| matches!(arg, Pattern::Var(_)))
    });
    let mut questions = clauses.iter().flat_map(|clause| asked_in(clause, pred));
    (1..=MOST_RULES).contains(&own().count())
        && own().all(|clause| derived_in(clause) == 1)
        && heads_are_plain
        && questions.all(|atom| are_plain(&atom.args))
}

fn asked_in(clause: &Clause, pred: Pred) -> impl Iterator<Item = &Atom> {
    clause.body.iter().filter_map(move |literal| match literal {
        Literal::Positive(atom) => (atom.pred == pred).then_some(atom),
        _ => None,
    })
}

/// Whether a clause asks for a relation, but not for all of its columns, and few rules would take its place.
fn is_to_be_replaced(clause: &Clause, pred: Pred, clauses: &[Clause]) -> bool {
    let mut shown = Vec::new();
    let mut see = |variable| shown.push(variable);
    clause
        .head
        .args
        .iter()
        .for_each(|arg| arg.each_variable(&mut see));
    let is_hidden = |arg: &Pattern| matches!(arg, Pattern::Var(of) if !shown.contains(of));
    let mut questions = asked_in(clause, pred);
    let rules = clauses.iter().filter(|of| of.head.pred == pred).count();
    let many = rules.checked_pow(asked_in(clause, pred).count() as u32);
    questions.any(|atom| atom.args.iter().any(is_hidden))
        && many.is_some_and(|many| many <= MOST_FROM_ONE)
}

/// The clauses with the rules of `pred` in place of it; unless it is asked for elsewhere, it is gone.
fn spelt_out(pred: Pred, clauses: Vec<Clause>) -> Vec<Clause> {
    let (own, others): (Vec<Clause>, Vec<Clause>) = clauses
        .into_iter()
        .partition(|clause| clause.head.pred == pred);
    let mut all = Vec::with_capacity(others.len());
    for clause in others {
        if is_to_be_replaced(&clause, pred, &own) {
            all.extend(replaced(vec![clause], pred, &own));
        } else {
            all.push(clause);
        }
    }
    let is_asked = |literal: &Literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => atom.pred == pred,
        Literal::Distinct(..) | Literal::Same(..) => false,
    };
    if all.iter().flat_map(|clause| &clause.body).any(is_asked) {
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
    let mut see = |variable| {
        if !order.contains(&variable) {
            order.push(variable);
        }
    };
    clause
        .head
        .args
        .iter()
        .for_each(|arg| arg.each_variable(&mut see));
    clause
        .body
        .iter()
        .for_each(|literal| literal.each_variable(&mut see));
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
