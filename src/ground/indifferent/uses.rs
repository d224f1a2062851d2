//! How rules use the values in the columns of their heads.

use rustc_hash::FxHashSet;

use super::{Finder, Place, column_of, count, is_plain, is_variable, variables_of};
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

/// How a rule uses the value in one column of its head.
#[derive(PartialEq, Eq)]
pub(super) enum Use {
    /// It hands it on, asks only whether it is of a kind, or differs from another value.
    Free,
    /// It tells values apart.
    Tested,
}

impl Finder<'_> {
    /// Whether a rule uses the value in a column of its head for nothing, or hands it on to `free` columns.
    pub(super) fn is_free(&self, clause: &Clause, column: usize, free: &FxHashSet<Place>) -> bool {
        let Pattern::Var(variable) = clause.head.args[column] else {
            return false;
        };
        self.use_of(clause, column) == Use::Free
            && clause.body.iter().all(|literal| {
                self.handed_on(literal, variable)
                    .is_none_or(|(_, place)| free.contains(&place))
            })
    }

    /// The literal's atom, and the column in which it takes over a variable.
    pub(super) fn handed_on<'l>(
        &self,
        literal: &'l Literal,
        variable: usize,
    ) -> Option<(&'l Atom, Place)> {
        let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else {
            return None;
        };
        let column = column_of(atom, variable)?;
        let place = (atom.pred, column);
        (self.columns.contains(&place) && count(literal, variable) == 1).then_some((atom, place))
    }

    pub(super) fn use_of(&self, clause: &Clause, column: usize) -> Use {
        let Pattern::Var(variable) = clause.head.args[column] else {
            return Use::Tested;
        };
        let in_head = count(&Literal::Positive(clause.head.clone()), variable);
        let is_harmless = |literal: &Literal| {
            count(literal, variable) == 0
                || self.handed_on(literal, variable).is_some()
                || self.kind_of(literal, variable).is_some()
                || self.is_difference(clause, literal, variable)
        };
        if in_head == 1 && clause.body.iter().all(is_harmless) {
            Use::Free
        } else {
            Use::Tested
        }
    }

    pub(super) fn is_static(&self, pred: Pred) -> bool {
        !self.changing[pred.index()]
    }

    /// The static relation that a literal says a variable to be in.
    pub(super) fn kind_of(&self, literal: &Literal, variable: usize) -> Option<Pred> {
        let Literal::Positive(Atom { pred, args }) = literal else {
            return None;
        };
        (self.is_static(*pred) && args[..] == [Pattern::Var(variable)]).then_some(*pred)
    }

    /// Whether a literal says that a variable of the head differs from variables that others bind.
    pub(super) fn is_difference(
        &self,
        clause: &Clause,
        literal: &Literal,
        variable: usize,
    ) -> bool {
        let is_one = match literal {
            Literal::Positive(atom) => {
                self.differs.contains(&atom.pred) && atom.args.iter().all(is_variable)
            }
            Literal::Distinct(left, right) => is_plain(left) && is_plain(right),
            Literal::Negative(_) | Literal::Same(..) => false,
        };
        let mut others = variables_of(literal);
        others.retain(|&of| !self.is_open_in_head(clause, of));
        is_one
            && count(literal, variable) == 1
            && others
                .iter()
                .all(|&other| self.is_bound(clause, literal, other))
    }

    /// Whether a variable stands in a column of the head whose values may make no difference.
    pub(super) fn is_open_in_head(&self, clause: &Clause, variable: usize) -> bool {
        let column = column_of(&clause.head, variable);
        column.is_some_and(|column| self.columns.contains(&(clause.head.pred, column)))
    }

    /// Whether another positive literal than `but` has a variable.
    fn is_bound(&self, clause: &Clause, but: &Literal, variable: usize) -> bool {
        clause.body.iter().any(|literal| {
            literal != but
                && matches!(literal, Literal::Positive(_))
                && count(literal, variable) > 0
        })
    }
}

/// The static relations of several columns that only say that some differ from others.
pub(super) fn differing(program: &Program, changing: &[bool]) -> FxHashSet<Pred> {
    let mut differs: FxHashSet<Pred> = FxHashSet::default();
    let mut out: FxHashSet<Pred> = FxHashSet::default();
    for clause in program.clauses() {
        let tells = |literal: &Literal| match literal {
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
            && clause.body.iter().all(tells)
        {
            differs.insert(pred);
        } else {
            out.insert(pred);
        }
    }
    differs.retain(|pred| !out.contains(pred));
    differs
}
