//! Unfolding of inequalities: static relations that only say that two tuples differ.
//!
//! `(different ?a ?b ?c ?d)` holds where `?a` differs from `?c` or `?b` from `?d`, for almost all values. A rule that asks it of
//! variables that it does not need otherwise, as in *attacked from a cell other than this one*, has an instance for almost
//! all pairs of tuples. With one rule for each argument that may differ, each rule needs the values of that argument alone.

use rustc_hash::FxHashSet;

use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};
use crate::ground::GroundError;
use crate::ground::budget::GroundingBudget;
use crate::ground::decompose::width;
use crate::ground::inline::inline_rule;
use crate::ground::thresholds::Thresholds;

/// How many rules one may become.
const MOST_FROM_ONE: usize = 16;

/// The cases of a clause in which inequalities are unfolded, as far as they have fewer variables once they are decomposed.
///
/// # Errors
/// [`GroundError`] if the time limit is exceeded.
pub(super) fn unfolded(
    clause: &Clause,
    program: &Program,
    inequalities: &FxHashSet<Pred>,
    thresholds: &Thresholds,
    budget: &mut GroundingBudget,
) -> Result<Vec<Clause>, GroundError> {
    let is_inequality = |literal: &Literal| match literal {
        Literal::Positive(Atom { pred, args }) => {
            let is_plain = |arg: &Pattern| !matches!(arg, Pattern::Compound(..));
            inequalities.contains(pred) && args.iter().all(is_plain)
        }
        _ => false,
    };
    let (mut open, mut done) = (vec![(clause.clone(), 0)], Vec::new());
    while let Some((clause, from)) = open.pop() {
        let Some(place) = clause.body[from..].iter().position(is_inequality) else {
            done.push(clause);
            continue;
        };
        let cases = cases(program, &clause, from + place);
        let before = width(&clause, thresholds, budget)?;
        let mut is_narrower = open.len() + done.len() + cases.len() <= MOST_FROM_ONE;
        for case in &cases {
            is_narrower = is_narrower && width(case, thresholds, budget)? < before;
        }
        match is_narrower {
            true => open.extend(cases.into_iter().rev().map(|case| (case, from + place))),
            false => open.push((clause, from + place + 1)),
        }
    }
    Ok(done)
}

/// A clause with each rule of the relation of its literal number `place` in the place of that.
fn cases(program: &Program, clause: &Clause, place: usize) -> Vec<Clause> {
    let Literal::Positive(atom) = &clause.body[place] else {
        return Vec::new();
    };
    let rules = program
        .clauses()
        .iter()
        .filter(|rule| rule.head.pred == atom.pred);
    rules
        .filter_map(|rule| inline_rule(clause, place, rule))
        .collect()
}
