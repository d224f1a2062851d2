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

#[derive(Debug, Clone)]
pub(super) enum Step {
    /// For each row whose `key` columns have these values.
    Scan {
        pred: Pred,
        rows: Rows,
        columns: Vec<usize>,
        index: usize,
        key: Vec<Source>,
        key_slot: usize,
        actions: Vec<(usize, Action)>,
    },
    /// The row must be there.
    Has {
        pred: Pred,
        key: Vec<Source>,
        key_slot: usize,
    },
    /// The row must not be there.
    Lacks {
        pred: Pred,
        key: Vec<Source>,
        key_slot: usize,
    },
    Distinct(Source, Source),
    Same(Source, Source),
}

/// A clause made ready to run.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) head: Pred,
    pub(super) head_args: Vec<Source>,
    pub(super) steps: Vec<Step>,
    /// How many steps it takes to bind the head.
    pub(super) cut: usize,
    /// How many slots a run needs.
    pub(super) slots: usize,
}

/// What is known of the sizes of relations.
pub(super) trait Statistics {
    /// How many rows to expect, and how many different terms in each column.
    fn of(&self, pred: Pred) -> (f64, &[f64]);
}

/// Plans `clause`; `recent` is the positive literal that sees only the rows of the last round.
pub(super) fn plan(clause: &Clause, recent: Option<usize>, statistics: &impl Statistics) -> Plan {
    Planner {
        clause,
        statistics,
        uses: count_uses(clause),
        bound: vec![false; clause.variables],
        slots: clause.variables,
        steps: Vec::new(),
    }
    .run(recent)
}

/// How often each variable occurs, so that those that occur once can be ignored.
fn count_uses(clause: &Clause) -> Vec<usize> {
    let mut uses = vec![0; clause.variables];
    let mut see = |variable: usize| uses[variable] += 1;
    clause
        .head
        .args
        .iter()
        .for_each(|arg| arg.each_variable(&mut see));
    clause
        .body
        .iter()
        .for_each(|literal| literal.each_variable(&mut see));
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
    fn run(mut self, recent: Option<usize>) -> Plan {
        let mut waiting: Vec<usize> = (0..self.clause.body.len()).collect();
        let mut cut = None;
        if let Some(first) = recent {
            waiting.retain(|&literal| literal != first);
            self.place(first, Rows::Recent);
        }
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
            steps: self.steps,
            cut,
            slots: self.slots,
        }
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
        let (size, distinct) = self.statistics.of(atom.pred);
        if atom.args.iter().all(|arg| self.is_bound(arg)) {
            return 0.0;
        }
        let mut rows = size.max(0.5);
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
            Literal::Negative(atom) => {
                let key = atom.args.iter().map(|arg| self.source(arg)).collect();
                Step::Lacks {
                    pred: atom.pred,
                    key,
                    key_slot: self.reserve(atom.args.len()),
                }
            }
            Literal::Distinct(left, right) => Step::Distinct(self.source(left), self.source(right)),
            Literal::Same(left, right) => Step::Same(self.source(left), self.source(right)),
        };
        self.steps.push(step);
    }

    fn place_positive(&mut self, atom: &Atom, rows: Rows) -> Step {
        let columns: Vec<usize> = (0..atom.args.len())
            .filter(|&column| self.is_bound(&atom.args[column]))
            .collect();
        let key: Vec<Source> = columns
            .iter()
            .map(|&column| self.source(&atom.args[column]))
            .collect();
        let key_slot = self.reserve(key.len());
        if columns.len() == atom.args.len() && rows == Rows::All {
            return Step::Has {
                pred: atom.pred,
                key,
                key_slot,
            };
        }
        // Terms are taken apart last, when the plain columns have bound what a shape may refer to.
        let (shapes, plain): (Vec<usize>, Vec<usize>) = (0..atom.args.len())
            .filter(|column| !columns.contains(column))
            .partition(|&column| matches!(atom.args[column], Pattern::Compound(..)));
        let mut actions = Vec::new();
        for column in plain.into_iter().chain(shapes) {
            if let Some(action) = self.action(&atom.args[column]) {
                actions.push((column, action));
            }
        }
        Step::Scan {
            pred: atom.pred,
            rows,
            columns,
            index: 0,
            key,
            key_slot,
            actions,
        }
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
            Pattern::Ground(_) => unreachable!("ground columns are keys"),
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
