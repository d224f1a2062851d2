//! Of what kind values must be to be like others.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::uses::Use;
use super::{Finder, Place, column_of};
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};
use crate::ground::GroundError;
use crate::ground::budget::Budget;

/// Of what kinds the values in columns are, by columns.
pub(super) type Kinds = FxHashMap<Place, BTreeSet<Pred>>;

/// Of what kinds values must be to be like others, by the rules of their relation and those that they are handed on to.
pub(super) fn find_kinds(
    finder: &Finder<'_>,
    relaxed: &mut Program,
    budget: &mut Budget,
) -> Result<Kinds, GroundError> {
    let mut kinds = Kinds::default();
    loop {
        budget.count(finder.conditions_on_heads(), 0)?;
        let mut is_settled = true;
        for (clause, column, variable) in heads(finder) {
            if finder.use_of(clause, column) == Use::Free {
                let asked = asked_of(finder, clause, variable, &kinds, |_| true, relaxed);
                let known = kinds.entry((clause.head.pred, column)).or_default();
                is_settled &= asked.is_subset(known);
                known.extend(asked);
            }
        }
        if is_settled {
            return Ok(kinds);
        }
    }
}

/// Those of `kinds` that every rule of a relation asks for, so that it has no rows with other values.
pub(super) fn certain_kinds(
    finder: &Finder<'_>,
    kinds: &Kinds,
    relaxed: &mut Program,
    budget: &mut Budget,
) -> Result<Kinds, GroundError> {
    let mut certain = kinds.clone();
    loop {
        budget.count(finder.conditions_on_heads(), 0)?;
        let mut is_settled = true;
        for clause in &finder.clauses {
            for (column, value) in clause.head.args.iter().enumerate() {
                let place = (clause.head.pred, column);
                if !certain.contains_key(&place) {
                    continue;
                }
                let asked = match *value {
                    Pattern::Var(variable) => kinds_in(finder, clause, variable, &certain, relaxed),
                    _ => BTreeSet::new(),
                };
                if let Some(known) = certain.get_mut(&place) {
                    is_settled &= known.is_subset(&asked);
                    known.retain(|kind| asked.contains(kind));
                }
            }
        }
        if is_settled {
            return Ok(certain);
        }
    }
}

/// Of what kinds the values of a variable of a rule's head are wherever it applies, given what is `certain` of all rows of
/// other relations.
pub(super) fn kinds_in(
    finder: &Finder<'_>,
    clause: &Clause,
    variable: usize,
    certain: &Kinds,
    relaxed: &mut Program,
) -> BTreeSet<Pred> {
    let must_hold = |literal: &Literal| matches!(literal, Literal::Positive(_));
    asked_of(finder, clause, variable, certain, must_hold, relaxed)
}

/// Every rule with each variable of its head that stands in a column whose values may make no difference.
fn heads<'f>(finder: &'f Finder<'_>) -> impl Iterator<Item = (&'f Clause, usize, usize)> {
    let columns = finder.clauses.iter().flat_map(|&clause| {
        let args = clause.head.args.iter().enumerate();
        args.map(move |(column, value)| (clause, column, value))
    });
    columns.filter_map(|(clause, column, value)| match *value {
        Pattern::Var(variable) if finder.columns.contains(&(clause.head.pred, column)) => {
            Some((clause, column, variable))
        }
        _ => None,
    })
}

/// Of what kinds a rule's static conditions say that a variable's values are, and those conditions it is handed on to that
/// `counts` lets through.
fn asked_of(
    finder: &Finder<'_>,
    clause: &Clause,
    variable: usize,
    kinds: &Kinds,
    counts: impl Fn(&Literal) -> bool,
    relaxed: &mut Program,
) -> BTreeSet<Pred> {
    let mut asked = BTreeSet::new();
    for literal in &clause.body {
        if let Some((_, place)) = finder.handed_on(literal, variable) {
            let known = kinds.get(&place).filter(|_| counts(literal));
            asked.extend(known.into_iter().flatten());
        } else if let Some(kind) = finder.kind_of(literal, variable) {
            asked.insert(kind);
        } else if let Literal::Positive(atom) = literal
            && finder.is_static(atom.pred)
            && let Some(at) = column_of(atom, variable)
        {
            asked.insert(values_in(atom.pred, at, finder.program, relaxed));
        }
    }
    asked
}

/// The relation of the values in a column of a static relation.
pub(super) fn values_in(
    pred: Pred,
    column: usize,
    program: &Program,
    relaxed: &mut Program,
) -> Pred {
    let name = format!("values in {column} of {}", program.label(pred));
    if let Some(known) = relaxed.find_pred(&name, 1) {
        return known;
    }
    let values = relaxed.pred(&name, 1);
    let args: Vec<Pattern> = (0..program.arity(pred)).map(Pattern::Var).collect();
    let variables = args.len();
    relaxed.add(Clause {
        head: Atom {
            pred: values,
            args: vec![Pattern::Var(column)],
        },
        body: vec![Literal::Positive(Atom { pred, args })],
        variables,
    });
    values
}
