//! Of what kind values must be to be like others.

use rustc_hash::FxHashSet;

use super::uses::Use;
use super::{AllIndifferent, Finder, Place, column_of};
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};
use crate::ground::GroundError;
use crate::ground::budget::Budget;

/// Values in a column that are to be of a kind.
type Kinds = FxHashSet<(Place, Pred)>;

/// Notes of what kind values must be, by the rules of their relation and those that they are handed on to.
pub(super) fn add_kinds(
    finder: &Finder<'_>,
    all: &mut AllIndifferent,
    relaxed: &mut Program,
    budget: &mut Budget,
) -> Result<(), GroundError> {
    let mut kinds = Kinds::default();
    loop {
        budget.count(finder.conditions_on_heads(), 0)?;
        let before = kinds.len();
        for clause in &finder.clauses {
            for column in 0..clause.head.args.len() {
                if finder.columns.contains(&(clause.head.pred, column))
                    && finder.use_of(clause, column) == Use::Free
                {
                    note(finder, clause, column, &mut kinds, relaxed);
                }
            }
        }
        if kinds.len() == before {
            break;
        }
    }
    let mut kinds: Vec<(Place, Pred)> = kinds.into_iter().collect();
    kinds.sort_unstable();
    for ((pred, column), kind) in kinds {
        let groups = all.get_mut(&pred).into_iter().flatten();
        for group in groups.filter(|group| group.columns.contains(&column)) {
            group.kinds.push((column, kind));
        }
    }
    Ok(())
}

/// Notes of what kind the values in a column of a rule's head must be.
fn note(
    finder: &Finder<'_>,
    clause: &Clause,
    column: usize,
    kinds: &mut Kinds,
    relaxed: &mut Program,
) {
    let place = (clause.head.pred, column);
    let Pattern::Var(variable) = clause.head.args[column] else {
        return;
    };
    let own = own_kinds(finder, clause, variable, relaxed);
    kinds.extend(own.into_iter().map(|kind| (place, kind)));
    for literal in &clause.body {
        if let Some((_, next)) = finder.handed_on(literal, variable) {
            let more = kinds.iter().filter(|(of, _)| *of == next);
            let more: Vec<Pred> = more.map(|&(_, kind)| kind).collect();
            kinds.extend(more.into_iter().map(|kind| (place, kind)));
        }
    }
}

/// Of what kind a rule itself says that the values of a variable of its head are, which it does not test.
pub(super) fn own_kinds(
    finder: &Finder<'_>,
    clause: &Clause,
    variable: usize,
    relaxed: &mut Program,
) -> Vec<Pred> {
    let mut kind_in = |literal: &Literal| {
        if let Some(kind) = finder.kind_of(literal, variable) {
            return Some(kind);
        }
        match literal {
            Literal::Positive(atom) if finder.handed_on(literal, variable).is_none() => {
                let at = column_of(atom, variable)?;
                Some(values_in(atom.pred, at, finder.program, relaxed))
            }
            _ => None,
        }
    };
    clause.body.iter().filter_map(&mut kind_in).collect()
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
