//! Values that make no difference.
//!
//! `(threatened ?square ?ignored)` says the same for every square that is ignored, but for the few between the attackers
//! and their aim. Where a rule only hands a value on, or asks no more than whether it is a value of its kind, all values
//! have the same rows with everything that follows. What remains is where some rule *tells values apart*: by static
//! relations, constants, other variables, or facts. The rows for which that can happen are derived with the relaxed
//! program, and of all others that differ in nothing else one stands for the rest, so that each is settled once.

mod define;
mod kinds;
mod spokesmen;
mod together;
mod uses;

use rustc_hash::{FxHashMap, FxHashSet};

use self::define::define;
use self::uses::differing;
use super::GroundError;
use super::budget::Budget;
use super::relax::Relaxed;
use super::tuning::Tuning;
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

pub(super) use self::spokesmen::Spokesmen;

/// Columns of a relation whose values are told apart together.
#[derive(Debug, Clone)]
pub(super) struct Indifferent {
    /// The columns.
    pub(super) columns: Vec<usize>,
    /// The columns that are in no such set.
    pub(super) fixed: Vec<usize>,
    /// Which values in `fixed` and then in `columns` are told apart from others.
    pub(super) told_apart: Pred,
    /// What each value must be to be like others: a column, and a relation of one column.
    pub(super) kinds: Vec<(usize, Pred)>,
}

/// What can be said of each relation.
pub(super) type AllIndifferent = FxHashMap<Pred, Vec<Indifferent>>;

/// A column of a relation.
type Place = (Pred, usize);

/// Finds the columns of `program`'s changing relations, but for `roots`, whose values mostly make no difference, and adds
/// what derives the exceptions to the relaxed program.
///
/// # Errors
/// [`GroundError`] if the budget's time is over.
pub(super) fn find_indifferent(
    program: &Program,
    changing: &[bool],
    roots: &[Pred],
    tuning: &Tuning,
    relaxed: &mut Relaxed,
    budget: &mut Budget,
) -> Result<AllIndifferent, GroundError> {
    // A row that stands for others may be one that nobody asks for, and a restricted relation lacks it.
    let is_wide = |pred: Pred| {
        changing[pred.index()]
            && program.arity(pred) >= tuning.indifferent_from
            && !roots.contains(&pred)
            && !relaxed.restricted.contains(&pred)
    };
    let mut finder = Finder::new(program, changing, is_wide);
    finder.find_columns(budget)?;
    if finder.columns.is_empty() {
        return Ok(AllIndifferent::default());
    }
    let groups = finder.groups(budget)?;
    define(&finder, &groups, relaxed, budget)
}

struct Finder<'p> {
    program: &'p Program,
    changing: &'p [bool],
    /// The rules of all relations whose columns are looked at.
    clauses: Vec<&'p Clause>,
    /// The columns whose values may make no difference.
    columns: FxHashSet<Place>,
    /// Static relations that only say that some columns differ from others.
    differs: FxHashSet<Pred>,
}

impl<'p> Finder<'p> {
    fn new(program: &'p Program, changing: &'p [bool], is_wide: impl Fn(Pred) -> bool) -> Self {
        let clauses = program.clauses().iter();
        let clauses: Vec<&Clause> = clauses.filter(|of| is_wide(of.head.pred)).collect();
        let columns = clauses.iter().flat_map(|clause| {
            let pred = clause.head.pred;
            (0..program.arity(pred)).map(move |column| (pred, column))
        });
        Self {
            columns: columns.collect(),
            differs: differing(program, changing),
            program,
            changing,
            clauses,
        }
    }

    /// Keeps the columns whose values some rule does not look at, over and over until all are of that kind.
    fn find_columns(&mut self, budget: &mut Budget) -> Result<(), GroundError> {
        loop {
            let free = self.free_columns(budget)?;
            if free.len() == self.columns.len() {
                return Ok(());
            }
            self.columns = free;
        }
    }

    fn free_columns(&self, budget: &mut Budget) -> Result<FxHashSet<Place>, GroundError> {
        let mut free: FxHashSet<Place> = FxHashSet::default();
        loop {
            budget.count(self.conditions_on_heads(), 0)?;
            let before = free.len();
            for clause in &self.clauses {
                for column in 0..clause.head.args.len() {
                    let place = (clause.head.pred, column);
                    if self.columns.contains(&place) && self.is_free(clause, column, &free) {
                        free.insert(place);
                    }
                }
            }
            if free.len() == before {
                return Ok(free);
            }
        }
    }

    /// How many conditions are looked at when those of all rules are, for each place in their heads.
    fn conditions_on_heads(&self) -> usize {
        let of_rule = |of: &&Clause| of.head.args.len() * (1 + of.body.len());
        self.clauses.iter().map(of_rule).sum()
    }
}

fn column_of(atom: &Atom, variable: usize) -> Option<usize> {
    atom.args
        .iter()
        .position(|arg| *arg == Pattern::Var(variable))
}

fn count(literal: &Literal, variable: usize) -> usize {
    variables_of(literal)
        .iter()
        .filter(|&&of| of == variable)
        .count()
}

fn variables_of(literal: &Literal) -> Vec<usize> {
    let mut all = Vec::new();
    literal.each_variable(&mut |variable| all.push(variable));
    all
}

fn variables_in(pattern: &Pattern) -> Vec<usize> {
    let mut all = Vec::new();
    pattern.each_variable(&mut |variable| all.push(variable));
    all
}

fn is_variable(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Var(_))
}

fn is_plain(pattern: &Pattern) -> bool {
    !matches!(pattern, Pattern::Compound(..))
}
