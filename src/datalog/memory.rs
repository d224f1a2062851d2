//! Evaluation: the rows one thread has derived, and how it derives more.

use std::time::Instant;

use super::engine::{Engine, Exhausted, Query};
use super::plan::{Action, Plan, Rows, Shape, Source, Step};
use super::program::Pred;
use super::relation::Relation;
use super::terms::{Functor, LocalTerms, TermId, Terms};

/// No caller is to stop: what [`Run::step`] answers when it has seen every row.
const GO_ON: usize = usize::MAX;
/// Every caller is to stop.
const STOP: usize = 0;
/// How many steps pass between two looks at the clock; a power of two.
const STEPS_PER_LOOK: u64 = 1 << 16;

/// The working memory of one thread: inputs, and all that was derived from them so far.
#[derive(Debug)]
pub struct Memory {
    relations: Vec<Relation>,
    /// For each predicate of the component being derived, which rows were new in the last round.
    recent: Vec<(usize, usize)>,
    done: Vec<bool>,
    terms: LocalTerms,
    slots: Vec<TermId>,
    row: Vec<TermId>,
    rows_left: usize,
    steps: u64,
    started: Option<Instant>,
    exhausted: Option<Exhausted>,
}

impl Memory {
    pub(super) fn new(engine: &Engine) -> Self {
        Self {
            relations: engine.template.clone(),
            recent: vec![(0, 0); engine.template.len()],
            done: vec![false; engine.component_count()],
            terms: engine.terms.local(),
            slots: Vec::new(),
            row: Vec::new(),
            rows_left: engine.limits.rows,
            steps: 0,
            started: None,
            exhausted: None,
        }
    }

    /// Forgets all inputs of `level` and higher with everything derived from them, and starts the budget afresh.
    pub fn reset(&mut self, engine: &Engine, level: usize) {
        for component in 0..self.done.len() {
            if engine.level_of(component) >= level {
                if std::mem::take(&mut self.done[component]) {
                    engine
                        .preds_of(component)
                        .iter()
                        .for_each(|pred| self.relations[pred.index()].clear());
                } else {
                    self.clear_inputs(engine, component, level);
                }
            }
        }
        self.rows_left = engine.limits.rows;
        self.started = None;
    }

    fn clear_inputs(&mut self, engine: &Engine, component: usize, level: usize) {
        for &pred in engine.preds_of(component) {
            if engine.input_level(pred) >= level {
                self.relations[pred.index()].clear();
            }
        }
    }

    /// Adds a row to an input.
    pub fn supply(&mut self, pred: Pred, row: &[TermId]) {
        self.relations[pred.index()].insert(row);
    }

    /// Derives all that `query` needs and is not derived yet.
    pub fn derive(&mut self, engine: &Engine, query: &Query) {
        for &component in &query.components {
            if !self.done[component] {
                self.derive_component(engine, component);
            }
        }
    }

    /// The rows of a relation that changes, as far as it was derived.
    pub fn rows(&self, pred: Pred) -> impl Iterator<Item = &[TermId]> {
        self.relations[pred.index()].rows()
    }

    /// How many rows of a relation that changes were derived.
    pub fn count(&self, pred: Pred) -> usize {
        self.relations[pred.index()].len()
    }

    /// The limit that was passed, if any; from then on answers are incomplete.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted
    }

    /// How much work was done in the life of this memory: rows looked at.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The table of terms with `term` in it.
    pub fn knowing(&mut self, term: TermId) -> &Terms {
        self.terms.knowing(term)
    }

    /// The table of terms, as far as this thread has seen it.
    pub fn terms(&self) -> &Terms {
        self.terms.known()
    }

    /// Stores a term.
    pub fn intern(&mut self, functor: Functor, args: &[TermId]) -> Option<TermId> {
        self.terms.intern(functor, args)
    }

    pub(super) fn take(&mut self, pred: Pred) -> Relation {
        std::mem::replace(&mut self.relations[pred.index()], Relation::new(0))
    }

    /// The relations that were derived since the inputs last changed.
    pub(super) fn derived<'m>(&'m self, engine: &Engine) -> Vec<(Pred, &'m Relation)> {
        let done = (0..self.done.len()).filter(|&component| self.done[component]);
        let preds = done.flat_map(|component| engine.preds_of(component).iter().copied());
        preds
            .map(|pred| (pred, &self.relations[pred.index()]))
            .collect()
    }

    /// Derives one component; all below it must be done.
    pub(super) fn derive_component(&mut self, engine: &Engine, component: usize) {
        self.done[component] = true;
        for plan in engine.whole_plans(component) {
            self.run(engine, plan);
        }
        if !engine.is_recursive(component) {
            return;
        }
        engine
            .preds_of(component)
            .iter()
            .for_each(|pred| self.recent[pred.index()] = (0, 0));
        while self.next_round(engine.preds_of(component)) {
            for plan in engine.recent_plans(component) {
                self.run(engine, plan);
            }
        }
    }

    /// Makes the rows derived since the last round the recent ones; `false` if there are none.
    fn next_round(&mut self, preds: &[Pred]) -> bool {
        let mut any = false;
        for pred in preds {
            let (_, seen) = self.recent[pred.index()];
            let now = self.relations[pred.index()].len();
            self.recent[pred.index()] = (seen, now);
            any |= now > seen;
        }
        any && self.exhausted.is_none()
    }

    fn run(&mut self, engine: &Engine, plan: &Plan) {
        if self.exhausted.is_some() {
            return;
        }
        if self.slots.len() < plan.slots {
            self.slots.resize(plan.slots, TermId(0));
        }
        Run {
            engine,
            memory: self,
            plan,
        }
        .step(0);
    }
}

/// One plan at work.
struct Run<'r> {
    engine: &'r Engine,
    memory: &'r mut Memory,
    plan: &'r Plan,
}

impl Run<'_> {
    /// Tries everything from step `depth` on. Answers the depth of the steps that are to stop looking: those at that
    /// depth or deeper have nothing to add any more.
    fn step(&mut self, depth: usize) -> usize {
        if self.memory.exhausted.is_some() {
            return STOP;
        }
        if depth == self.plan.steps.len() {
            return self.emit();
        }
        if depth == self.plan.cut && self.head_is_known() {
            return GO_ON;
        }
        match &self.plan.steps[depth] {
            Step::Scan {
                pred,
                rows: Rows::All,
                columns,
                index,
                key,
                key_slot,
                actions,
            } if !columns.is_empty() => {
                self.scan_index(depth, *pred, *index, key, *key_slot, actions)
            }
            Step::Scan {
                pred,
                rows,
                columns,
                key,
                key_slot,
                actions,
                ..
            } => {
                let Some(key) = self.key(key, *key_slot) else {
                    return GO_ON;
                };
                self.scan_rows(depth, *pred, *rows, columns, key, actions)
            }
            Step::Has {
                pred,
                key,
                key_slot,
            } => self.go_on_if(depth, |run| {
                run.key(key, *key_slot)
                    .is_some_and(|key| run.contains(*pred, key))
            }),
            Step::Lacks {
                pred,
                key,
                key_slot,
            } => self.go_on_if(depth, |run| {
                !run.key(key, *key_slot)
                    .is_some_and(|key| run.contains(*pred, key))
            }),
            Step::Distinct(left, right) => {
                self.go_on_if(depth, |run| run.value(left) != run.value(right))
            }
            Step::Same(left, right) => {
                self.go_on_if(depth, |run| run.value(left) == run.value(right))
            }
        }
    }

    fn go_on_if(&mut self, depth: usize, holds: impl FnOnce(&mut Self) -> bool) -> usize {
        if holds(self) {
            self.step(depth + 1)
        } else {
            GO_ON
        }
    }

    fn scan_index(
        &mut self,
        depth: usize,
        pred: Pred,
        index: usize,
        key: &[Source],
        key_slot: usize,
        actions: &[(usize, Action)],
    ) -> usize {
        let Some(key) = self.key(key, key_slot) else {
            return GO_ON;
        };
        if self.engine.fixed[pred.index()].is_none() {
            self.memory.relations[pred.index()].refresh(index);
        }
        let mut row = self
            .relation(pred)
            .first(index, &self.memory.slots[key.clone()]);
        while let Some(at) = row {
            if self.act(pred, at, actions) {
                let stop = self.step(depth + 1);
                if stop <= depth {
                    return stop;
                }
            }
            row = self
                .relation(pred)
                .after(index, at, &self.memory.slots[key.clone()]);
        }
        GO_ON
    }

    fn scan_rows(
        &mut self,
        depth: usize,
        pred: Pred,
        rows: Rows,
        columns: &[usize],
        key: std::ops::Range<usize>,
        actions: &[(usize, Action)],
    ) -> usize {
        let (from, to) = match rows {
            Rows::All => (0, self.relation(pred).len()),
            Rows::Recent => self.memory.recent[pred.index()],
        };
        for at in from..to {
            let row = self.relation(pred).row(at);
            let wanted = &self.memory.slots[key.clone()];
            if columns
                .iter()
                .zip(wanted)
                .all(|(&column, &wanted)| row[column] == wanted)
                && self.act(pred, at, actions)
            {
                let stop = self.step(depth + 1);
                if stop <= depth {
                    return stop;
                }
            }
        }
        GO_ON
    }

    fn relation(&self, pred: Pred) -> &Relation {
        self.engine.fixed[pred.index()]
            .as_ref()
            .unwrap_or_else(|| &self.memory.relations[pred.index()])
    }

    fn contains(&mut self, pred: Pred, key: std::ops::Range<usize>) -> bool {
        let row = &self.memory.slots[key];
        match &self.engine.fixed[pred.index()] {
            Some(fixed) => fixed.holds(row),
            None => self.memory.relations[pred.index()].contains(row),
        }
    }

    /// Puts the values of `key` into the slots from `at` on. `None` if one of them cannot be built.
    fn key(&mut self, key: &[Source], at: usize) -> Option<std::ops::Range<usize>> {
        for (offset, source) in key.iter().enumerate() {
            self.memory.slots[at + offset] = self.value(source)?;
        }
        Some(at..at + key.len())
    }

    fn value(&mut self, source: &Source) -> Option<TermId> {
        match source {
            Source::Constant(term) => Some(*term),
            Source::Slot(slot) => Some(self.memory.slots[*slot]),
            Source::Build(functor, args) => self.build(*functor, args),
        }
    }

    fn build(&mut self, functor: Functor, args: &[Source]) -> Option<TermId> {
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
        let term = self.memory.terms.intern(functor, values);
        if term.is_none() {
            self.memory.exhausted = Some(Exhausted::Terms(self.engine.limits.terms));
        }
        term
    }

    /// Applies the actions of a scan to a row; `false` if the row does not fit. Counts the work.
    fn act(&mut self, pred: Pred, at: usize, actions: &[(usize, Action)]) -> bool {
        self.memory.steps += 1;
        if self.memory.steps.is_multiple_of(STEPS_PER_LOOK) {
            self.look_at_the_clock();
        }
        actions.iter().all(|(column, action)| {
            let cell = self.relation(pred).row(at)[*column];
            match action {
                Action::Bind(slot) => {
                    self.memory.slots[*slot] = cell;
                    true
                }
                Action::Check(slot) => self.memory.slots[*slot] == cell,
                Action::Shape(functor, shapes) => self.fits(cell, *functor, shapes),
            }
        })
    }

    fn fits(&mut self, term: TermId, functor: Functor, shapes: &[Shape]) -> bool {
        let terms = self.memory.terms.knowing(term);
        if terms.functor_of(term) != functor {
            return false;
        }
        shapes.iter().enumerate().all(|(at, shape)| {
            let arg = self.memory.terms.known().args_of(term)[at];
            match shape {
                Shape::Ignore => true,
                Shape::Bind(slot) => {
                    self.memory.slots[*slot] = arg;
                    true
                }
                Shape::Equal(source) => self.value(source) == Some(arg),
                Shape::Inside(functor, shapes) => self.fits(arg, *functor, shapes),
            }
        })
    }

    fn look_at_the_clock(&mut self) {
        let started = *self.memory.started.get_or_insert_with(Instant::now);
        if started.elapsed() > self.engine.limits.time {
            self.memory.exhausted = Some(Exhausted::Time(self.engine.limits.time));
        }
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
        let Some(row) = self.head() else { return STOP };
        if self.memory.relations[self.plan.head.index()].insert(&row) {
            self.memory.rows_left = self.memory.rows_left.saturating_sub(1);
            if self.memory.rows_left == 0 {
                self.memory.exhausted = Some(Exhausted::Rows(self.engine.limits.rows));
            }
        }
        self.memory.row = row;
        if self.memory.exhausted.is_some() {
            STOP
        } else {
            self.plan.cut
        }
    }
}
