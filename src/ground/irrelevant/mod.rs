//! Irrelevant arguments: rows that differ only in them are equivalent, and one representative is instantiated.
//!
//! `(threatened ?square ?ignored)` has the same truth value for every ignored square, except for the few between the
//! attackers and their target. If no rule distinguishes two values of an argument, rows with either value have the same
//! definition. A rule does not distinguish values if it only passes them on to other irrelevant arguments, or only tests
//! whether they belong to a domain (a static unary relation). It *distinguishes* them by other static relations,
//! constants, other variables, or facts. The analysis derives the distinguished rows by additional rules of the relaxed
//! program; only those are instantiated one by one, and one representative stands for all others that agree in the
//! remaining arguments. The idea is that of redundant argument filtering (Leuschel and Sørensen 1996), per row.

mod argument_sets;
mod distinguished;
mod domains;
mod representatives;
mod uses;

use rustc_hash::{FxHashMap, FxHashSet};

use self::distinguished::define;
use super::GroundError;
use super::budget::GroundingBudget;
use super::relaxed_reachability::RelaxedProgram;
use super::thresholds::Thresholds;
use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

pub(super) use self::representatives::Representatives;
pub(super) use self::uses::inequality_relations;

/// Columns of a relation whose values are distinguished together.
#[derive(Debug, Clone)]
pub(super) struct IrrelevantArguments {
    /// The columns.
    pub(super) columns: Vec<usize>,
    /// The columns that are in no set of irrelevant arguments.
    pub(super) fixed: Vec<usize>,
    /// The relation of the distinguished rows: the values of `fixed`, then those of `columns`.
    pub(super) distinguished: Pred,
    /// A value is irrelevant only within these domains: a column, and a unary relation.
    pub(super) domains: Vec<(usize, Pred)>,
}

/// The sets of irrelevant arguments of each relation.
pub(super) type IrrelevantByRelation = FxHashMap<Pred, Vec<IrrelevantArguments>>;

/// A column of a relation.
type ArgumentPosition = (Pred, usize);

/// Finds the irrelevant arguments of `program`'s changing relations, except `roots`, and adds the rules that derive the
/// distinguished rows to the relaxed program.
///
/// # Errors
/// [`GroundError`] if the time limit is exceeded.
pub(super) fn find_irrelevant_arguments(
    program: &Program,
    changing: &[bool],
    roots: &[Pred],
    thresholds: &Thresholds,
    relaxed: &mut RelaxedProgram,
    budget: &mut GroundingBudget,
) -> Result<IrrelevantByRelation, GroundError> {
    // A representative may be a row that is never queried, which a relation restricted by magic sets lacks.
    let is_wide = |pred: Pred| {
        changing[pred.index()]
            && program.arity(pred) >= thresholds.irrelevant_from
            && !roots.contains(&pred)
            && !relaxed.restricted.contains(&pred)
    };
    let mut analysis = IrrelevanceAnalysis::new(program, changing, is_wide);
    analysis.find_columns(budget)?;
    if analysis.columns.is_empty() {
        return Ok(IrrelevantByRelation::default());
    }
    let sets = analysis.sets(budget)?;
    define(&analysis, &sets, relaxed, budget)
}

struct IrrelevanceAnalysis<'p> {
    program: &'p Program,
    changing: &'p [bool],
    /// The rules of all relations that are analysed.
    clauses: Vec<&'p Clause>,
    /// The arguments that may be irrelevant.
    columns: FxHashSet<ArgumentPosition>,
    /// Static relations that only state that some columns differ from others.
    inequalities: FxHashSet<Pred>,
}

impl<'p> IrrelevanceAnalysis<'p> {
    fn new(program: &'p Program, changing: &'p [bool], is_wide: impl Fn(Pred) -> bool) -> Self {
        let clauses = program.clauses().iter();
        let clauses: Vec<&Clause> = clauses.filter(|of| is_wide(of.head.pred)).collect();
        let columns = clauses.iter().flat_map(|clause| {
            let pred = clause.head.pred;
            (0..program.arity(pred)).map(move |column| (pred, column))
        });
        Self {
            columns: columns.collect(),
            inequalities: inequality_relations(program, changing),
            program,
            changing,
            clauses,
        }
    }

    /// Computes the greatest fixpoint of the columns whose values some rule does not test.
    fn find_columns(&mut self, budget: &mut GroundingBudget) -> Result<(), GroundError> {
        loop {
            let free = self.free_columns(budget)?;
            if free.len() == self.columns.len() {
                return Ok(());
            }
            self.columns = free;
        }
    }

    fn free_columns(
        &self,
        budget: &mut GroundingBudget,
    ) -> Result<FxHashSet<ArgumentPosition>, GroundError> {
        let mut free: FxHashSet<ArgumentPosition> = FxHashSet::default();
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

    /// How many conditions one pass over all rules examines, for each argument of their heads.
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
