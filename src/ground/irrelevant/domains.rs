//! The domains of irrelevant arguments: the static unary relations whose members are interchangeable.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::uses::ArgumentUse;
use super::{ArgumentPosition, IrrelevanceAnalysis, column_of};
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};
use crate::ground::GroundError;
use crate::ground::budget::GroundingBudget;

/// The domains of each argument.
pub(super) type ColumnDomains = FxHashMap<ArgumentPosition, BTreeSet<Pred>>;

/// The domains of each irrelevant argument, from the rules of its relation and of those that it is passed on to.
pub(super) fn find_domains(
    analysis: &IrrelevanceAnalysis<'_>,
    relaxed: &mut Program,
    budget: &mut GroundingBudget,
) -> Result<ColumnDomains, GroundError> {
    let mut domains = ColumnDomains::default();
    loop {
        budget.count(analysis.conditions_on_heads(), 0)?;
        let mut is_settled = true;
        for (clause, column, variable) in heads(analysis) {
            if analysis.use_of(clause, column) == ArgumentUse::Free {
                let tested =
                    tested_domains(analysis, clause, variable, &domains, |_| true, relaxed);
                let known = domains.entry((clause.head.pred, column)).or_default();
                is_settled &= tested.is_subset(known);
                known.extend(tested);
            }
        }
        if is_settled {
            return Ok(domains);
        }
    }
}

/// Those of `domains` that every rule of a relation tests, so that it has no rows with other values.
pub(super) fn guaranteed_domains(
    analysis: &IrrelevanceAnalysis<'_>,
    domains: &ColumnDomains,
    relaxed: &mut Program,
    budget: &mut GroundingBudget,
) -> Result<ColumnDomains, GroundError> {
    let mut guaranteed = domains.clone();
    loop {
        budget.count(analysis.conditions_on_heads(), 0)?;
        let mut is_settled = true;
        for clause in &analysis.clauses {
            for (column, value) in clause.head.args.iter().enumerate() {
                let place = (clause.head.pred, column);
                if !guaranteed.contains_key(&place) {
                    continue;
                }
                let tested = match *value {
                    Pattern::Var(variable) => {
                        domains_in(analysis, clause, variable, &guaranteed, relaxed)
                    }
                    _ => BTreeSet::new(),
                };
                if let Some(known) = guaranteed.get_mut(&place) {
                    is_settled &= known.is_subset(&tested);
                    known.retain(|domain| tested.contains(domain));
                }
            }
        }
        if is_settled {
            return Ok(guaranteed);
        }
    }
}

/// The domains of a variable of a rule's head wherever the rule applies, given those `guaranteed` for all rows of other
/// relations.
pub(super) fn domains_in(
    analysis: &IrrelevanceAnalysis<'_>,
    clause: &Clause,
    variable: usize,
    guaranteed: &ColumnDomains,
    relaxed: &mut Program,
) -> BTreeSet<Pred> {
    let must_hold = |literal: &Literal| matches!(literal, Literal::Positive(_));
    tested_domains(analysis, clause, variable, guaranteed, must_hold, relaxed)
}

/// Every rule with each variable of its head in a possibly irrelevant column.
fn heads<'f>(
    analysis: &'f IrrelevanceAnalysis<'_>,
) -> impl Iterator<Item = (&'f Clause, usize, usize)> {
    let columns = analysis.clauses.iter().flat_map(|&clause| {
        let args = clause.head.args.iter().enumerate();
        args.map(move |(column, value)| (clause, column, value))
    });
    columns.filter_map(|(clause, column, value)| match *value {
        Pattern::Var(variable) if analysis.columns.contains(&(clause.head.pred, column)) => {
            Some((clause, column, variable))
        }
        _ => None,
    })
}

/// The domains of a variable by a rule's static conditions, and by those conditions it is passed on to that `counts`
/// accepts.
fn tested_domains(
    analysis: &IrrelevanceAnalysis<'_>,
    clause: &Clause,
    variable: usize,
    domains: &ColumnDomains,
    counts: impl Fn(&Literal) -> bool,
    relaxed: &mut Program,
) -> BTreeSet<Pred> {
    let mut tested = BTreeSet::new();
    for literal in &clause.body {
        if let Some((_, place)) = analysis.passed_on(literal, variable) {
            let known = domains.get(&place).filter(|_| counts(literal));
            tested.extend(known.into_iter().flatten());
        } else if let Some(domain) = analysis.domain_of(literal, variable) {
            tested.insert(domain);
        } else if let Literal::Positive(atom) = literal
            && analysis.is_static(atom.pred)
            && let Some(at) = column_of(atom, variable)
        {
            tested.insert(values_in(atom.pred, at, analysis.program, relaxed));
        }
    }
    tested
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
