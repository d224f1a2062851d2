//! Join plans: the literals of a clause in a cheap order, each as a look-up.
//!
//! The order is greedy: a literal that only filters comes as soon as its variables are bound, and of the other literals
//! the one with the fewest expected rows comes next. Once the head is bound, the remaining literals are existential:
//! [`JoinPlan::cut`] tells the evaluator to stop at the first solution.

use super::program::{Atom, Clause, Literal, Pattern, Pred};
use super::terms::{Functor, TermId};

/// Where a value comes from while a plan runs.
#[derive(Debug, Clone)]
pub(super) enum ValueSource {
    Constant(TermId),
    Slot(usize),
    Build(Functor, Vec<ValueSource>),
}

/// What to do with one column of a row that was found.
#[derive(Debug, Clone)]
pub(super) enum Action {
    /// Put it in a slot.
    Bind(usize),
    /// It must equal a slot bound earlier in the same row.
    Check(usize),
    /// It must be this term.
    Equal(TermId),
    /// It must have this shape.
    TermShape(Functor, Vec<TermShape>),
}

/// What to do with one argument of a compound term.
#[derive(Debug, Clone)]
pub(super) enum TermShape {
    Ignore,
    Bind(usize),
    Equal(ValueSource),
    Inside(Functor, Vec<TermShape>),
}

/// Which rows of a relation a scan sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScanRows {
    All,
    /// The delta: those that were new in the last round of a fixpoint.
    Delta,
}

/// A look-up in a relation.
#[derive(Debug, Clone)]
pub(super) struct Lookup {
    pub(super) pred: Pred,
    /// The columns whose values are known, in increasing order.
    pub(super) columns: Vec<usize>,
    /// Their values.
    pub(super) key: Vec<ValueSource>,
    /// The first of the slots that hold the values during the look-up.
    pub(super) key_slot: usize,
    /// The relation's index on `columns`; filled in by the engine.
    pub(super) index: usize,
    /// How the rows get there; filled in by the engine.
    pub(super) row_source: RowSource,
}

/// How the rows of a relation get there when a plan looks them up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowSource {
    /// The relation is static: complete before any plan runs.
    Static,
    /// The component is derived as a whole when it is first needed.
    Component(usize),
    /// The rows that agree with the key are derived when the key is first looked up: see `Adornment`.
    Key(usize),
}

#[derive(Debug, Clone)]
pub(super) enum PlanStep {
    /// For each row that agrees with the key.
    Scan {
        lookup: Lookup,
        rows: ScanRows,
        actions: Vec<(usize, Action)>,
    },
    /// The row must exist.
    Has(Lookup),
    /// The row must not exist.
    Lacks(Lookup),
    Distinct(ValueSource, ValueSource),
    Same(ValueSource, ValueSource),
}

impl PlanStep {
    pub(super) fn lookup_mut(&mut self) -> Option<&mut Lookup> {
        match self {
            PlanStep::Scan { lookup, .. } | PlanStep::Has(lookup) | PlanStep::Lacks(lookup) => {
                Some(lookup)
            }
            PlanStep::Distinct(..) | PlanStep::Same(..) => None,
        }
    }
}

/// The restriction with which a plan begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start<'s> {
    /// Nothing: all rows of the head are wanted.
    Nothing,
    /// The positive literal at this place sees only the delta.
    Delta(usize),
    /// Only rows of the head with given values in these columns are wanted.
    Key(&'s [usize]),
}

/// A clause with a join order.
#[derive(Debug, Clone, Default)]
pub(super) struct JoinPlan {
    pub(super) head: Pred,
    pub(super) head_args: Vec<ValueSource>,
    /// What to do with each value of the key before the first step.
    pub(super) entry: Vec<(usize, Action)>,
    pub(super) steps: Vec<PlanStep>,
    /// After how many steps the head is bound.
    pub(super) cut: usize,
    /// How many slots a run needs.
    pub(super) slots: usize,
}

/// The statistics that the planner uses.
pub(super) trait Statistics {
    /// How many rows to expect, and how many different terms in each column.
    fn of(&self, pred: Pred) -> (f64, &[f64]);
    /// Whether rows are derived only for the keys looked up, so that scanning the whole relation is to be avoided.
    fn prefers_keys(&self, pred: Pred) -> bool;
}

/// Plans `clause`.
pub(super) fn plan(clause: &Clause, start: Start, statistics: &impl Statistics) -> JoinPlan {
    Planner {
        clause,
        statistics,
        uses: count_uses(clause),
        bound: vec![false; clause.variables],
        slots: clause.variables,
        steps: Vec::new(),
    }
    .run(start)
}

/// How often each variable occurs: those that occur once can be ignored.
fn count_uses(clause: &Clause) -> Vec<usize> {
    let mut uses = vec![0; clause.variables];
    clause.each_variable(&mut |variable| uses[variable] += 1);
    uses
}

struct Planner<'c, S> {
    clause: &'c Clause,
    statistics: &'c S,
    uses: Vec<usize>,
    bound: Vec<bool>,
    slots: usize,
    steps: Vec<PlanStep>,
}

impl<S: Statistics> Planner<'_, S> {
    fn run(mut self, start: Start) -> JoinPlan {
        let mut waiting: Vec<usize> = (0..self.clause.body.len()).collect();
        let mut entry = Vec::new();
        match start {
            Start::Nothing => {}
            Start::Delta(first) => {
                waiting.retain(|&literal| literal != first);
                self.place(first, ScanRows::Delta);
            }
            Start::Key(columns) => entry = self.entry(columns),
        }
        let mut cut = None;
        loop {
            cut = cut.or_else(|| self.head_is_bound().then_some(self.steps.len()));
            let Some(at) = self.choose(&waiting) else {
                break;
            };
            let literal = waiting.remove(at);
            self.place(literal, ScanRows::All);
        }
        debug_assert!(waiting.is_empty(), "an unsafe clause got past the checker");
        let head_args = self
            .clause
            .head
            .args
            .iter()
            .map(|arg| self.source(arg))
            .collect();
        let cut = cut.unwrap_or(self.steps.len());
        JoinPlan {
            head: self.clause.head.pred,
            head_args,
            entry,
            steps: self.steps,
            cut,
            slots: self.slots,
        }
    }

    /// Binds the variables that the key determines.
    fn entry(&mut self, columns: &[usize]) -> Vec<(usize, Action)> {
        let clause = self.clause;
        let args: Vec<(usize, &Pattern)> = columns
            .iter()
            .map(|&column| &clause.head.args[column])
            .enumerate()
            .collect();
        self.actions(&args)
    }

    fn head_is_bound(&self) -> bool {
        self.clause.head.args.iter().all(|arg| self.is_bound(arg))
    }

    fn is_bound(&self, pattern: &Pattern) -> bool {
        let mut all = true;
        pattern.each_variable(&mut |variable| all &= self.bound[variable]);
        all
    }

    /// The position in `waiting` of the literal to evaluate next.
    fn choose(&self, waiting: &[usize]) -> Option<usize> {
        let cost = |&literal: &usize| match &self.clause.body[literal] {
            Literal::Positive(atom) => Some(self.expected_rows(atom)),
            Literal::Negative(atom) => atom
                .args
                .iter()
                .all(|arg| self.is_bound(arg))
                .then_some(0.0),
            Literal::Distinct(left, right) | Literal::Same(left, right) => {
                (self.is_bound(left) && self.is_bound(right)).then_some(-1.0)
            }
        };
        let costs = waiting.iter().map(cost).enumerate();
        costs
            .filter_map(|(at, cost)| Some((at, cost?)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(at, _)| at)
    }

    /// The expected number of rows of `atom` that agree with the bound variables; at most 0 if it only filters.
    fn expected_rows(&self, atom: &Atom) -> f64 {
        /// More than any relation has rows.
        const LAST_RESORT: f64 = 1e12;
        /// The factor for each unbound column of a relation that is derived by key.
        const OPEN_COLUMN: f64 = 16.0;
        let (size, distinct) = self.statistics.of(atom.pred);
        let bound = atom.args.iter().filter(|arg| self.is_bound(arg)).count();
        if bound == atom.args.len() {
            return 0.0;
        }
        if bound == 0 && self.statistics.prefers_keys(atom.pred) {
            return LAST_RESORT;
        }
        let mut rows = size.max(0.5);
        if self.statistics.prefers_keys(atom.pred) {
            // The statistics only count the rows derived so far, so the unbound columns give a better estimate.
            rows = rows.max(1.0) * OPEN_COLUMN.powi((atom.args.len() - bound) as i32);
        }
        for (arg, &different) in atom.args.iter().zip(distinct) {
            if self.is_bound(arg) {
                rows /= different.max(1.0);
            } else if matches!(arg, Pattern::Compound(..)) {
                rows /= 2.0;
            }
        }
        rows
    }

    fn place(&mut self, literal: usize, rows: ScanRows) {
        let step = match &self.clause.body[literal] {
            Literal::Positive(atom) => self.place_positive(atom, rows),
            Literal::Negative(atom) => PlanStep::Lacks(self.lookup(atom)),
            Literal::Distinct(left, right) => {
                PlanStep::Distinct(self.source(left), self.source(right))
            }
            Literal::Same(left, right) => PlanStep::Same(self.source(left), self.source(right)),
        };
        self.steps.push(step);
    }

    fn place_positive(&mut self, atom: &Atom, rows: ScanRows) -> PlanStep {
        let lookup = self.lookup(atom);
        if lookup.columns.len() == atom.args.len() && rows == ScanRows::All {
            return PlanStep::Has(lookup);
        }
        let open: Vec<(usize, &Pattern)> = atom
            .args
            .iter()
            .enumerate()
            .filter(|(column, _)| !lookup.columns.contains(column))
            .collect();
        PlanStep::Scan {
            lookup,
            rows,
            actions: self.actions(&open),
        }
    }

    /// The look-up of `atom` with all that is bound so far as its key.
    fn lookup(&mut self, atom: &Atom) -> Lookup {
        let columns: Vec<usize> = (0..atom.args.len())
            .filter(|&column| self.is_bound(&atom.args[column]))
            .collect();
        let key: Vec<ValueSource> = columns
            .iter()
            .map(|&column| self.source(&atom.args[column]))
            .collect();
        let key_slot = self.reserve(key.len());
        Lookup {
            pred: atom.pred,
            columns,
            key,
            key_slot,
            index: 0,
            row_source: RowSource::Static,
        }
    }

    /// What to do with the values at the given places: terms are taken apart last, when the plain variables have bound
    /// what a shape may refer to.
    fn actions(&mut self, args: &[(usize, &Pattern)]) -> Vec<(usize, Action)> {
        let is_compound = |arg: &Pattern| matches!(arg, Pattern::Compound(..));
        let plain = args.iter().filter(|(_, arg)| !is_compound(arg));
        let compound = args.iter().filter(|(_, arg)| is_compound(arg));
        plain
            .chain(compound)
            .filter_map(|&(at, arg)| Some((at, self.action(arg)?)))
            .collect()
    }

    fn reserve(&mut self, slots: usize) -> usize {
        self.slots += slots;
        self.slots - slots
    }

    fn action(&mut self, arg: &Pattern) -> Option<Action> {
        match arg {
            Pattern::Var(variable) if self.bound[*variable] => Some(Action::Check(*variable)),
            Pattern::Var(variable) if self.uses[*variable] == 1 => None,
            Pattern::Var(variable) => {
                self.bound[*variable] = true;
                Some(Action::Bind(*variable))
            }
            Pattern::Ground(term) => Some(Action::Equal(*term)),
            Pattern::Compound(functor, args) => {
                Some(Action::TermShape(*functor, self.shapes(args)))
            }
        }
    }

    fn shapes(&mut self, args: &[Pattern]) -> Vec<TermShape> {
        args.iter().map(|arg| self.shape(arg)).collect()
    }

    fn shape(&mut self, arg: &Pattern) -> TermShape {
        match arg {
            Pattern::Var(variable) if self.uses[*variable] == 1 => TermShape::Ignore,
            Pattern::Var(variable) if !self.bound[*variable] => {
                self.bound[*variable] = true;
                TermShape::Bind(*variable)
            }
            Pattern::Compound(functor, args) if !self.is_bound(arg) => {
                TermShape::Inside(*functor, self.shapes(args))
            }
            bound => TermShape::Equal(self.source(bound)),
        }
    }

    fn source(&self, pattern: &Pattern) -> ValueSource {
        match pattern {
            Pattern::Var(variable) => ValueSource::Slot(*variable),
            Pattern::Ground(term) => ValueSource::Constant(*term),
            Pattern::Compound(functor, args) => {
                ValueSource::Build(*functor, args.iter().map(|arg| self.source(arg)).collect())
            }
        }
    }
}
