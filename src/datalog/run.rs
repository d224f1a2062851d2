//! Evaluation of one plan: nested-loop joins over indexed look-ups.

use std::ops::Range;

use super::engine::DatalogEngine;
use super::plan::{
    Action, JoinPlan, Lookup, PlanStep, RowSource, ScanRows, TermShape, ValueSource,
};
use super::program::Pred;
use super::relation::Relation;
use super::terms::{Functor, TermId};
use super::working_memory::WorkingMemory;

/// Returned by [`PlanRun::step`] when it has seen every row: no caller stops.
const GO_ON: usize = usize::MAX;
/// Every caller stops.
const STOP: usize = 0;

/// Receives the rows that a plan derives.
pub(super) type Sink<'s> = dyn FnMut(&[TermId]) + 's;

/// A running plan.
pub(super) struct PlanRun<'r> {
    pub(super) engine: &'r DatalogEngine,
    pub(super) memory: &'r mut WorkingMemory,
    pub(super) plan: &'r JoinPlan,
    /// The first of the slots that belong to this run.
    pub(super) base: usize,
    /// Receives the derived rows; if there is none, they are stored.
    pub(super) sink: Option<&'r mut Sink<'r>>,
}

impl PlanRun<'_> {
    /// Binds the variables of the key; `false` if the clause cannot derive such a row.
    pub(super) fn enter(&mut self, key: Range<usize>) -> bool {
        let plan = self.plan;
        plan.entry.iter().all(|(at, action)| {
            let value = self.memory.slots[key.start + at];
            self.apply(value, action)
        })
    }

    /// Runs the plan from step `depth` on. Returns the depth of the steps that stop: those at that depth or deeper cannot
    /// add anything.
    pub(super) fn step(&mut self, depth: usize) -> usize {
        if self.memory.budget.must_stop() {
            return self.stop();
        }
        if depth == self.plan.steps.len() {
            return self.emit();
        }
        if depth == self.plan.cut && self.head_is_known() {
            return GO_ON;
        }
        let plan = self.plan;
        match &plan.steps[depth] {
            PlanStep::Scan {
                lookup,
                rows,
                actions,
            } => self.scan(depth, lookup, *rows, actions),
            PlanStep::Has(lookup) => self.go_on_if(depth, |run| run.holds(lookup)),
            PlanStep::Lacks(lookup) => self.go_on_if(depth, |run| !run.holds(lookup)),
            PlanStep::Distinct(left, right) => {
                self.go_on_if(depth, |run| run.value(left) != run.value(right))
            }
            PlanStep::Same(left, right) => {
                self.go_on_if(depth, |run| run.value(left) == run.value(right))
            }
        }
    }

    /// A limit was passed, by this plan or by one that it needs.
    fn stop(&mut self) -> usize {
        let functor = match self.plan.head_args.as_slice() {
            [ValueSource::Build(functor, _)] => Some(*functor),
            _ => None,
        };
        self.memory.budget.blame(self.plan.head, functor);
        STOP
    }

    fn go_on_if(&mut self, depth: usize, holds: impl FnOnce(&mut Self) -> bool) -> usize {
        if holds(self) {
            self.step(depth + 1)
        } else {
            GO_ON
        }
    }

    /// Derives the rows that a look-up needs. Returns the slots of its key; `None` if one of its terms cannot be built.
    fn prepare(&mut self, lookup: &Lookup) -> Option<Range<usize>> {
        let from = self.base + lookup.key_slot;
        for (slot, source) in (from..).zip(&lookup.key) {
            self.memory.slots[slot] = self.value(source)?;
        }
        let (key, above) = (from..from + lookup.key.len(), self.base + self.plan.slots);
        match lookup.row_source {
            RowSource::Static => {}
            RowSource::Component(component) => {
                self.memory.ensure_component(self.engine, component, above)
            }
            RowSource::Key(adornment) => {
                self.memory
                    .ensure_key(self.engine, adornment, above, key.clone())
            }
        }
        Some(key)
    }

    fn holds(&mut self, lookup: &Lookup) -> bool {
        let Some(key) = self.prepare(lookup) else {
            return false;
        };
        let row = &self.memory.slots[key];
        match &self.engine.static_relations[lookup.pred.index()] {
            Some(fixed) => fixed.holds(row),
            None => self.memory.relations[lookup.pred.index()].contains(row),
        }
    }

    fn scan(
        &mut self,
        depth: usize,
        lookup: &Lookup,
        rows: ScanRows,
        actions: &[(usize, Action)],
    ) -> usize {
        let Some(key) = self.prepare(lookup) else {
            return GO_ON;
        };
        if rows == ScanRows::Delta || lookup.columns.is_empty() {
            return self.scan_rows(depth, lookup, rows, key, actions);
        }
        if lookup.row_source != RowSource::Static {
            self.memory.relations[lookup.pred.index()].refresh(lookup.index);
        }
        let mut row = self
            .relation(lookup.pred)
            .first(lookup.index, &self.memory.slots[key.clone()]);
        while let Some(at) = row {
            if self.match_row(lookup.pred, at, actions) {
                let stop = self.step(depth + 1);
                if stop <= depth {
                    return stop;
                }
            }
            row =
                self.relation(lookup.pred)
                    .after(lookup.index, at, &self.memory.slots[key.clone()]);
        }
        GO_ON
    }

    fn scan_rows(
        &mut self,
        depth: usize,
        lookup: &Lookup,
        rows: ScanRows,
        key: Range<usize>,
        actions: &[(usize, Action)],
    ) -> usize {
        let (from, to) = match rows {
            ScanRows::All => (0, self.relation(lookup.pred).len()),
            ScanRows::Delta => self.memory.delta[lookup.pred.index()],
        };
        for at in from..to {
            let row = self.relation(lookup.pred).row(at);
            let wanted = &self.memory.slots[key.clone()];
            let agrees = lookup
                .columns
                .iter()
                .zip(wanted)
                .all(|(&column, &wanted)| row[column] == wanted);
            if agrees && self.match_row(lookup.pred, at, actions) {
                let stop = self.step(depth + 1);
                if stop <= depth {
                    return stop;
                }
            }
        }
        GO_ON
    }

    #[inline]
    fn relation(&self, pred: Pred) -> &Relation {
        self.engine.static_relations[pred.index()]
            .as_ref()
            .unwrap_or_else(|| &self.memory.relations[pred.index()])
    }

    #[inline]
    fn value(&mut self, source: &ValueSource) -> Option<TermId> {
        match source {
            ValueSource::Constant(term) => Some(*term),
            ValueSource::Slot(slot) => Some(self.memory.slots[self.base + *slot]),
            ValueSource::Build(functor, args) => self.build(*functor, args),
        }
    }

    fn build(&mut self, functor: Functor, args: &[ValueSource]) -> Option<TermId> {
        let mut few = [TermId(0); 8];
        let mut many = Vec::new();
        let values = match few.get_mut(..args.len()) {
            Some(values) => values,
            None => {
                many.resize(args.len(), TermId(0));
                &mut many[..]
            }
        };
        for (value, source) in values.iter_mut().zip(args) {
            *value = self.value(source)?;
        }
        let known = self.memory.terms.known().len();
        let term = self.memory.terms.intern(functor, values);
        self.memory
            .budget
            .count_terms(self.memory.terms.known().len() - known);
        if let Err(why) = term {
            self.memory.budget.exhaust(why);
            self.stop();
        }
        term.ok()
    }

    /// Matches a row against the actions of a scan; `false` if it does not match. Counts the work.
    #[inline]
    fn match_row(&mut self, pred: Pred, at: usize, actions: &[(usize, Action)]) -> bool {
        self.memory.budget.count_row(&self.engine.limits);
        actions.iter().all(|(column, action)| {
            let cell = self.relation(pred).row(at)[*column];
            self.apply(cell, action)
        })
    }

    #[inline]
    fn apply(&mut self, value: TermId, action: &Action) -> bool {
        match action {
            Action::Bind(slot) => {
                self.memory.slots[self.base + *slot] = value;
                true
            }
            Action::Check(slot) => self.memory.slots[self.base + *slot] == value,
            Action::Equal(term) => *term == value,
            Action::TermShape(functor, shapes) => self.matches(value, *functor, shapes),
        }
    }

    fn matches(&mut self, term: TermId, functor: Functor, shapes: &[TermShape]) -> bool {
        let terms = self.memory.terms.knowing(term);
        if terms.functor_of(term) != functor {
            return false;
        }
        shapes.iter().enumerate().all(|(at, shape)| {
            let arg = self.memory.terms.known().args_of(term)[at];
            match shape {
                TermShape::Ignore => true,
                TermShape::Bind(slot) => {
                    self.memory.slots[self.base + *slot] = arg;
                    true
                }
                TermShape::Equal(source) => self.value(source) == Some(arg),
                TermShape::Inside(functor, shapes) => self.matches(arg, *functor, shapes),
            }
        })
    }

    fn head(&mut self) -> Option<Vec<TermId>> {
        let mut row = std::mem::take(&mut self.memory.row);
        row.clear();
        for source in &self.plan.head_args {
            row.push(self.value(source)?);
        }
        Some(row)
    }

    fn head_is_known(&mut self) -> bool {
        let Some(row) = self.head() else { return true };
        let known = self.memory.relations[self.plan.head.index()].contains(&row);
        self.memory.row = row;
        known
    }

    fn emit(&mut self) -> usize {
        let Some(row) = self.head() else {
            return self.stop();
        };
        let mut go_on = self.plan.cut;
        if let Some(see) = &mut self.sink {
            see(&row);
            go_on = GO_ON;
        } else if self.memory.relations[self.plan.head.index()].insert(&row) {
            let columns = row.len();
            self.memory.budget.count_fact(columns, &self.engine.limits);
        }
        self.memory.row = row;
        match self.memory.budget.must_stop() {
            true => self.stop(),
            false => go_on,
        }
    }
}
