//! How rules use the arguments of their heads.

use rustc_hash::FxHashSet;

use super::{
    ArgumentPosition, IrrelevanceAnalysis, column_of, count, is_plain, is_variable, variables_of,
};
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

/// How a rule uses one argument of its head.
#[derive(PartialEq, Eq)]
pub(super) enum ArgumentUse {
    /// It passes it on, tests its domain, or compares it by inequality.
    Free,
    /// It distinguishes values in another way.
    Tested,
}

impl IrrelevanceAnalysis<'_> {
    /// Whether a rule does not use the value in a column of its head, or passes it on to `free` columns only.
    pub(super) fn is_free(
        &self,
        clause: &Clause,
        column: usize,
        free: &FxHashSet<ArgumentPosition>,
    ) -> bool {
        let Pattern::Var(variable) = clause.head.args[column] else {
            return false;
        };
        self.use_of(clause, column) == ArgumentUse::Free
            && clause.body.iter().all(|literal| {
                self.passed_on(literal, variable)
                    .is_none_or(|(_, place)| free.contains(&place))
            })
    }

    /// The literal's atom, and the argument to which it passes a variable on.
    pub(super) fn passed_on<'l>(
        &self,
        literal: &'l Literal,
        variable: usize,
    ) -> Option<(&'l Atom, ArgumentPosition)> {
        let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else {
            return None;
        };
        let column = column_of(atom, variable)?;
        let place = (atom.pred, column);
        (self.columns.contains(&place) && count(literal, variable) == 1).then_some((atom, place))
    }

    pub(super) fn use_of(&self, clause: &Clause, column: usize) -> ArgumentUse {
        let Pattern::Var(variable) = clause.head.args[column] else {
            return ArgumentUse::Tested;
        };
        let in_head = count(&Literal::Positive(clause.head.clone()), variable);
        let is_harmless = |literal: &Literal| {
            count(literal, variable) == 0
                || self.passed_on(literal, variable).is_some()
                || self.domain_of(literal, variable).is_some()
                || self.is_difference(clause, literal, variable)
        };
        if in_head == 1 && clause.body.iter().all(is_harmless) {
            ArgumentUse::Free
        } else {
            ArgumentUse::Tested
        }
    }

    pub(super) fn is_static(&self, pred: Pred) -> bool {
        !self.changing[pred.index()]
    }

    /// The domain that a literal states for a variable.
    pub(super) fn domain_of(&self, literal: &Literal, variable: usize) -> Option<Pred> {
        let Literal::Positive(Atom { pred, args }) = literal else {
            return None;
        };
        (self.is_static(*pred) && args[..] == [Pattern::Var(variable)]).then_some(*pred)
    }

    /// Whether a literal states that a variable of the head differs from variables that other literals bind.
    pub(super) fn is_difference(
        &self,
        clause: &Clause,
        literal: &Literal,
        variable: usize,
    ) -> bool {
        let is_one = match literal {
            Literal::Positive(atom) => {
                self.inequalities.contains(&atom.pred) && atom.args.iter().all(is_variable)
            }
            Literal::Distinct(left, right) => is_plain(left) && is_plain(right),
            Literal::Negative(_) | Literal::Same(..) => false,
        };
        let mut others = variables_of(literal);
        others.retain(|&of| !self.is_candidate_in_head(clause, of));
        is_one
            && count(literal, variable) == 1
            && others
                .iter()
                .all(|&other| self.is_bound(clause, literal, other))
    }

    /// Whether a variable is a possibly irrelevant argument of the head.
    pub(super) fn is_candidate_in_head(&self, clause: &Clause, variable: usize) -> bool {
        let column = column_of(&clause.head, variable);
        column.is_some_and(|column| self.columns.contains(&(clause.head.pred, column)))
    }

    /// Whether a positive literal other than `but` has the variable.
    fn is_bound(&self, clause: &Clause, but: &Literal, variable: usize) -> bool {
        clause.body.iter().any(|literal| {
            literal != but
                && matches!(literal, Literal::Positive(_))
                && count(literal, variable) > 0
        })
    }
}

/// The static relations of several columns that only state that some differ from others.
pub(in crate::ground) fn inequality_relations(
    program: &Program,
    changing: &[bool],
) -> FxHashSet<Pred> {
    let mut inequalities: FxHashSet<Pred> = FxHashSet::default();
    let mut out: FxHashSet<Pred> = FxHashSet::default();
    for clause in program.clauses() {
        let is_inequality_or_domain = |literal: &Literal| match literal {
            Literal::Distinct(..) => true,
            Literal::Positive(atom) => atom.args.len() == 1 && is_variable(&atom.args[0]),
            _ => false,
        };
        let has_distinct = clause
            .body
            .iter()
            .any(|literal| matches!(literal, Literal::Distinct(..)));
        let pred = clause.head.pred;
        if !changing[pred.index()]
            && has_distinct
            && clause.head.args.iter().all(is_variable)
            && clause.body.iter().all(is_inequality_or_domain)
        {
            inequalities.insert(pred);
        } else {
            out.insert(pred);
        }
    }
    inequalities.retain(|pred| !out.contains(pred));
    inequalities
}
