//! How a clause is evaluated: its literals in a cheap order, each turned into a look-up.
//!
//! The order is greedy: whatever only filters comes as soon as its variables are bound, and of the literals that
//! produce rows the one expected to produce fewest comes next. Once the head is bound, what remains only asks whether
//! there is *some* way to satisfy it: [`Plan::cut`] tells the evaluator to stop at the first.

use super::program::{Atom, Clause, Literal, Pattern, Pred};
use super::terms::{Functor, TermId};

/// Where a value comes from while a plan runs.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Constant(TermId),
    Slot(usize),
    Build(Functor, Vec<Source>),
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
    Shape(Functor, Vec<Shape>),
}

/// What to do with one argument of a term that is taken apart.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    Ignore,
    Bind(usize),
    Equal(Source),
    Inside(Functor, Vec<Shape>),
}

/// Which rows of a relation a scan sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    All,
    /// Those that were new in the last round of a fix-point.
    Recent,
}

/// A relation to look something up in.
#[derive(Debug, Clone)]
pub(super) struct Lookup {
    pub(super) pred: Pred,
    /// The columns whose values are known, in increasing order.
    pub(super) columns: Vec<usize>,
    /// Their values.
    pub(super) key: Vec<Source>,
    /// The first of the slots that hold the values during the look-up.
    pub(super) key_slot: usize,
    /// The relation's index on `columns`; filled in by the engine.
    pub(super) index: usize,
    /// How the rows come to be there; filled in by the engine.
    pub(super) supply: Supply,
}

/// How the rows of a relation come to be there when a plan looks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Supply {
    /// They are complete before any plan runs.
    Fixed,
    /// The whole component is derived when it is first needed.
    Whole(usize),
    /// Those that agree with the key are derived when they are first asked for: see `Adornment`.
    Asked(usize),
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    /// For each row that agrees with the key.
    Scan {
        lookup: Lookup,
        rows: Rows,
        actions: Vec<(usize, Action)>,
    },
    /// The row must be there.
    Has(Lookup),
    /// The row must not be there.
    Lacks(Lookup),
    Distinct(Source, Source),
    Same(Source, Source),
}

impl Step {
    pub(super) fn lookup_mut(&mut self) -> Option<&mut Lookup> {
        match self {
            Step::Scan { lookup, .. } | Step::Has(lookup) | Step::Lacks(lookup) => Some(lookup),
            Step::Distinct(..) | Step::Same(..) => None,
        }
    }
}

/// What a run of a plan begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start<'s> {
    /// Nothing: all rows of the head are wanted.
    Nothing,
    /// The positive literal at this place sees only the rows of the last round of a fix-point.
    Recent(usize),
    /// Only rows of the head with given values in these columns are wanted.
    Asked(&'s [usize]),
}

/// A clause made ready to run.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    pub(super) head: Pred,
    pub(super) head_args: Vec<Source>,
    /// What to do with each value given in a run that was asked for, before the first step.
    pub(super) entry: Vec<(usize, Action)>,
    pub(super) steps: Vec<Step>,
    /// How many steps it takes to bind the head.
    pub(super) cut: usize,
    /// How many slots a run needs.
    pub(super) slots: usize,
}

/// What is known of the relations that plans look into.
pub(super) trait Statistics {
    /// How many rows to expect, and how many different terms in each column.
    fn of(&self, pred: Pred) -> (f64, &[f64]);
    /// Whether rows are derived only for the keys asked, so that asking for all of them is to be avoided.
    fn prefers_keys(&self, pred: Pred) -> bool;
}

/// Plans `clause`.
pub(super) fn plan(clause: &Clause, start: Start, statistics: &impl Statistics) -> Plan {
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

/// How often each variable occurs, so that those that occur once can be ignored.
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
    steps: Vec<Step>,
}

impl<S: Statistics> Planner<'_, S> {
    fn run(mut self, start: Start) -> Plan {
        let mut waiting: Vec<usize> = (0..self.clause.body.len()).collect();
        let mut entry = Vec::new();
        match start {
            Start::Nothing => {}
            Start::Recent(first) => {
                waiting.retain(|&literal| literal != first);
                self.place(first, Rows::Recent);
            }
            Start::Asked(columns) => entry = self.entry(columns),
        }
        let mut cut = None;
        loop {
            cut = cut.or_else(|| self.head_is_bound().then_some(self.steps.len()));
            let Some(at) = self.choose(&waiting) else {
                break;
            };
            let literal = waiting.remove(at);
            self.place(literal, Rows::All);
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
        Plan {
            head: self.clause.head.pred,
            head_args,
            entry,
            steps: self.steps,
            cut,
            slots: self.slots,
        }
    }

    /// Binds what the values given for `columns` of the head determine.
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

    /// How many rows of `atom` agree with what is bound; at most 0 if it merely filters.
    fn expected_rows(&self, atom: &Atom) -> f64 {
        /// More than any relation has rows.
        const LAST_RESORT: f64 = 1e12;
        /// How many times as many rows a relation that is derived by key may have for each column without a key.
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
            // The rows seen are only those asked for so far: how many there may be, an open column tells better.
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

    fn place(&mut self, literal: usize, rows: Rows) {
        let step = match &self.clause.body[literal] {
            Literal::Positive(atom) => self.place_positive(atom, rows),
            Literal::Negative(atom) => Step::Lacks(self.lookup(atom)),
            Literal::Distinct(left, right) => Step::Distinct(self.source(left), self.source(right)),
            Literal::Same(left, right) => Step::Same(self.source(left), self.source(right)),
        };
        self.steps.push(step);
    }

    fn place_positive(&mut self, atom: &Atom, rows: Rows) -> Step {
        let lookup = self.lookup(atom);
        if lookup.columns.len() == atom.args.len() && rows == Rows::All {
            return Step::Has(lookup);
        }
        let open: Vec<(usize, &Pattern)> = atom
            .args
            .iter()
            .enumerate()
            .filter(|(column, _)| !lookup.columns.contains(column))
            .collect();
        Step::Scan {
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
        let key: Vec<Source> = columns
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
            supply: Supply::Fixed,
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
            Pattern::Compound(functor, args) => Some(Action::Shape(*functor, self.shapes(args))),
        }
    }

    fn shapes(&mut self, args: &[Pattern]) -> Vec<Shape> {
        args.iter().map(|arg| self.shape(arg)).collect()
    }

    fn shape(&mut self, arg: &Pattern) -> Shape {
        match arg {
            Pattern::Var(variable) if self.uses[*variable] == 1 => Shape::Ignore,
            Pattern::Var(variable) if !self.bound[*variable] => {
                self.bound[*variable] = true;
                Shape::Bind(*variable)
            }
            Pattern::Compound(functor, args) if !self.is_bound(arg) => {
                Shape::Inside(*functor, self.shapes(args))
            }
            bound => Shape::Equal(self.source(bound)),
        }
    }

    fn source(&self, pattern: &Pattern) -> Source {
        match pattern {
            Pattern::Var(variable) => Source::Slot(*variable),
            Pattern::Ground(term) => Source::Constant(*term),
            Pattern::Compound(functor, args) => {
                Source::Build(*functor, args.iter().map(|arg| self.source(arg)).collect())
            }
        }
    }
}
