//! Evaluation: the rows one thread has derived, and how it derives more.

use std::ops::Range;
use std::time::Instant;

use super::engine::{Adornment, Engine, Exhausted};
use super::plan::{Action, Lookup, Plan, Rows, Shape, Source, Step, Supply};
use super::program::Pred;
use super::relation::Relation;
use super::terms::{Functor, LocalTerms, TermId, Terms};

/// No caller is to stop: what [`Run::step`] answers when it has seen every row.
const GO_ON: usize = usize::MAX;
/// Every caller is to stop.
const STOP: usize = 0;
/// How many rows can be looked at in the time it takes to begin deriving for a new key.
const KEY_WORK: u64 = 4;
/// How many rows can be looked at in the time it takes to store a new term.
const TERM_WORK: u64 = 8;
/// How many steps pass between two looks at the clock.
const STEPS_PER_LOOK: u64 = 1 << 16;

/// The working memory of one thread: inputs, and all that was derived from them so far.
#[derive(Debug)]
pub struct Memory {
    relations: Vec<Relation>,
    /// For each adornment, the keys whose rows were derived.
    asked: Vec<Relation>,
    /// For each predicate of a component being derived, which rows were new in the last round.
    recent: Vec<(usize, usize)>,
    done: Vec<bool>,
    /// For each recursive component, the keys asked of it: an adornment, and a row of its `asked`.
    agenda: Vec<Vec<(usize, usize)>>,
    /// The recursive components whose keys are being answered.
    circling: Vec<bool>,
    terms: LocalTerms,
    /// The variables of the plans at work, each run's behind those of the run that needed it.
    slots: Vec<TermId>,
    row: Vec<TermId>,
    rows_left: usize,
    steps: u64,
    keys: u64,
    times_asked: Vec<u64>,
    work_limit: u64,
    /// The step at which to look at the clock again.
    next_look: u64,
    started: Option<Instant>,
    exhausted: Option<Exhausted>,
    gave_up: bool,
}

impl Memory {
    pub(super) fn new(engine: &Engine) -> Self {
        let asked = |adornment: &Adornment| Relation::new(adornment.columns.len());
        Self {
            relations: engine.template.clone(),
            asked: engine.adornments.iter().map(asked).collect(),
            recent: vec![(0, 0); engine.template.len()],
            done: vec![false; engine.component_count()],
            agenda: vec![Vec::new(); engine.component_count()],
            circling: vec![false; engine.component_count()],
            terms: engine.terms.local(),
            slots: Vec::new(),
            row: Vec::new(),
            rows_left: engine.limits.rows,
            steps: 0,
            keys: 0,
            times_asked: vec![0; engine.adornments.len()],
            work_limit: u64::MAX,
            next_look: STEPS_PER_LOOK,
            started: None,
            exhausted: None,
            gave_up: false,
        }
    }

    /// Forgets all inputs of `level` and higher with everything derived from them, and starts the budget afresh.
    pub fn reset(&mut self, engine: &Engine, level: usize) {
        for component in 0..self.done.len() {
            if engine.level_of(component) >= level {
                self.done[component] = false;
                self.agenda[component].clear();
                engine
                    .preds_of(component)
                    .iter()
                    .for_each(|pred| self.relations[pred.index()].clear());
            }
        }
        for (adornment, asked) in engine.adornments.iter().zip(&mut self.asked) {
            if engine.level_of(engine.component_of(adornment.pred)) >= level {
                asked.clear();
            }
        }
        self.rows_left = engine.limits.rows;
        self.started = None;
    }

    /// Adds a row to an input.
    pub fn supply(&mut self, pred: Pred, row: &[TermId]) {
        self.relations[pred.index()].insert(row);
    }

    /// Derives all rows of `pred`, unless that was done.
    pub fn derive(&mut self, engine: &Engine, pred: Pred) {
        if engine.is_deep {
            self.derive_in_order(engine, pred);
        } else if engine.fixed[pred.index()].is_none() {
            self.need_whole(engine, engine.component_of(pred), 0);
        }
    }

    /// Derives what `pred` rests on from the bottom up, so that nothing has to wait.
    fn derive_in_order(&mut self, engine: &Engine, pred: Pred) {
        for component in engine.cone(&[pred]) {
            if engine.fixed[engine.preds_of(component)[0].index()].is_none() {
                self.need_whole(engine, component, 0);
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

    /// How much work was done in the life of this memory: rows looked at, and keys asked for the first time.
    pub fn work(&self) -> u64 {
        self.steps + self.keys * KEY_WORK
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

    /// How often an adornment was asked for a new key, in the life of this memory.
    pub(super) fn times_asked(&self, adornment: usize) -> u64 {
        self.times_asked[adornment]
    }

    pub(super) fn take(&mut self, pred: Pred) -> Relation {
        std::mem::replace(&mut self.relations[pred.index()], Relation::new(0))
    }

    /// The relations that hold rows now and may change.
    pub(super) fn derived<'m>(
        &'m self,
        engine: &'m Engine,
    ) -> impl Iterator<Item = (Pred, &'m Relation)> {
        let preds =
            (0..self.done.len()).flat_map(|component| engine.preds_of(component).iter().copied());
        let live = preds.map(|pred| (pred, &self.relations[pred.index()]));
        live.filter(|(pred, relation)| relation.len() > 0 || self.done[engine.component_of(*pred)])
    }

    /// From now on, gives up once more than `work` was done in all.
    pub fn limit_work(&mut self, work: u64) {
        self.work_limit = work;
    }

    /// Whether the limit on work was passed; if so, answers are incomplete.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Derives a component, unless that was done, in the slots from `base` on.
    pub(super) fn need_whole(&mut self, engine: &Engine, component: usize, base: usize) {
        if !self.done[component] {
            self.derive_component(engine, component, base);
        }
    }

    /// Derives one component, with whatever below it is not derived yet.
    fn derive_component(&mut self, engine: &Engine, component: usize, base: usize) {
        // Marked first: the rules of the component must not start it again.
        self.done[component] = true;
        for plan in engine.whole_plans(component) {
            self.run(engine, plan, base, 0..0);
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
                self.run(engine, plan, base, 0..0);
            }
        }
    }

    /// Derives the rows of an adornment for the key in the slots `key`, unless that was done.
    fn need_key(&mut self, engine: &Engine, adornment: usize, base: usize, key: Range<usize>) {
        let component = engine.component_of(engine.adornments[adornment].pred);
        if self.done[component] || !self.asked[adornment].insert(&self.slots[key.clone()]) {
            return;
        }
        self.keys += 1;
        self.times_asked[adornment] += 1;
        if !engine.is_recursive(component) {
            return self.answer(engine, adornment, base, key);
        }
        self.agenda[component].push((adornment, self.asked[adornment].len() - 1));
        if !std::mem::replace(&mut self.circling[component], true) {
            self.circle(engine, component, base);
            self.circling[component] = false;
        }
    }

    /// Derives what a single key asks for.
    fn answer(&mut self, engine: &Engine, adornment: usize, base: usize, key: Range<usize>) {
        for plan in &engine.adornments[adornment].plans {
            self.run(engine, plan, base, key.clone());
        }
    }

    /// Answers every key asked of a recursive component, those that come up on the way included, over and over until
    /// nothing is new. The latest first, since earlier keys mostly wait for later ones.
    fn circle(&mut self, engine: &Engine, component: usize, base: usize) {
        let (mut answered, mut rows) = (0, usize::MAX);
        while !self.must_stop() {
            while answered < self.agenda[component].len() && !self.must_stop() {
                self.answer_again(engine, component, answered, base);
                answered += 1;
            }
            let now = self.row_count(engine, component);
            if std::mem::replace(&mut rows, now) == now {
                return;
            }
            for at in (0..answered).rev() {
                self.answer_again(engine, component, at, base);
            }
        }
    }

    fn answer_again(&mut self, engine: &Engine, component: usize, at: usize, base: usize) {
        let (adornment, row) = self.agenda[component][at];
        let width = self.asked[adornment].arity();
        self.make_room(base + width);
        self.slots[base..base + width].copy_from_slice(self.asked[adornment].row(row));
        self.answer(engine, adornment, base + width, base..base + width);
    }

    fn row_count(&self, engine: &Engine, component: usize) -> usize {
        engine
            .preds_of(component)
            .iter()
            .map(|pred| self.relations[pred.index()].len())
            .sum()
    }

    fn must_stop(&self) -> bool {
        self.exhausted.is_some() || self.gave_up
    }

    fn make_room(&mut self, slots: usize) {
        if self.slots.len() < slots {
            self.slots.resize(slots, TermId(0));
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
        any && !self.must_stop()
    }

    /// Runs a plan in the slots from `base` on. What was asked for is in the slots `key`, below `base`.
    fn run(&mut self, engine: &Engine, plan: &Plan, base: usize, key: Range<usize>) {
        if self.must_stop() {
            return;
        }
        self.make_room(base + plan.slots);
        let mut run = Run {
            engine,
            memory: self,
            plan,
            base,
        };
        if run.enter(key) {
            run.step(0);
        }
    }
}

/// One plan at work.
struct Run<'r> {
    engine: &'r Engine,
    memory: &'r mut Memory,
    plan: &'r Plan,
    base: usize,
}

impl Run<'_> {
    /// Takes over what was asked for; `false` if the clause cannot produce it.
    fn enter(&mut self, key: Range<usize>) -> bool {
        let plan = self.plan;
        plan.entry.iter().all(|(at, action)| {
            let value = self.memory.slots[key.start + at];
            self.apply(value, action)
        })
    }

    /// Tries everything from step `depth` on. Answers the depth of the steps that are to stop looking: those at that
    /// depth or deeper have nothing to add any more.
    fn step(&mut self, depth: usize) -> usize {
        if self.memory.must_stop() {
            return STOP;
        }
        if depth == self.plan.steps.len() {
            return self.emit();
        }
        if depth == self.plan.cut && self.head_is_known() {
            return GO_ON;
        }
        let plan = self.plan;
        match &plan.steps[depth] {
            Step::Scan {
                lookup,
                rows,
                actions,
            } => self.scan(depth, lookup, *rows, actions),
            Step::Has(lookup) => self.go_on_if(depth, |run| run.holds(lookup)),
            Step::Lacks(lookup) => self.go_on_if(depth, |run| !run.holds(lookup)),
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

    /// Sees to it that the rows a look-up wants are there. Answers the slots that hold its key; `None` if one of its
    /// terms cannot be built.
    fn prepare(&mut self, lookup: &Lookup) -> Option<Range<usize>> {
        let from = self.base + lookup.key_slot;
        for (slot, source) in (from..).zip(&lookup.key) {
            self.memory.slots[slot] = self.value(source)?;
        }
        let (key, above) = (from..from + lookup.key.len(), self.base + self.plan.slots);
        match lookup.supply {
            Supply::Fixed => {}
            Supply::Whole(component) => self.memory.need_whole(self.engine, component, above),
            Supply::Asked(adornment) => {
                self.memory
                    .need_key(self.engine, adornment, above, key.clone())
            }
        }
        Some(key)
    }

    fn holds(&mut self, lookup: &Lookup) -> bool {
        let Some(key) = self.prepare(lookup) else {
            return false;
        };
        let row = &self.memory.slots[key];
        match &self.engine.fixed[lookup.pred.index()] {
            Some(fixed) => fixed.holds(row),
            None => self.memory.relations[lookup.pred.index()].contains(row),
        }
    }

    fn scan(
        &mut self,
        depth: usize,
        lookup: &Lookup,
        rows: Rows,
        actions: &[(usize, Action)],
    ) -> usize {
        let Some(key) = self.prepare(lookup) else {
            return GO_ON;
        };
        if rows == Rows::Recent || lookup.columns.is_empty() {
            return self.scan_rows(depth, lookup, rows, key, actions);
        }
        if lookup.supply != Supply::Fixed {
            self.memory.relations[lookup.pred.index()].refresh(lookup.index);
        }
        let mut row = self
            .relation(lookup.pred)
            .first(lookup.index, &self.memory.slots[key.clone()]);
        while let Some(at) = row {
            if self.act(lookup.pred, at, actions) {
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
        rows: Rows,
        key: Range<usize>,
        actions: &[(usize, Action)],
    ) -> usize {
        let (from, to) = match rows {
            Rows::All => (0, self.relation(lookup.pred).len()),
            Rows::Recent => self.memory.recent[lookup.pred.index()],
        };
        for at in from..to {
            let row = self.relation(lookup.pred).row(at);
            let wanted = &self.memory.slots[key.clone()];
            let agrees = lookup
                .columns
                .iter()
                .zip(wanted)
                .all(|(&column, &wanted)| row[column] == wanted);
            if agrees && self.act(lookup.pred, at, actions) {
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

    fn value(&mut self, source: &Source) -> Option<TermId> {
        match source {
            Source::Constant(term) => Some(*term),
            Source::Slot(slot) => Some(self.memory.slots[self.base + *slot]),
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
        let known = self.memory.terms.known().len();
        let term = self.memory.terms.intern(functor, values);
        // A term that is new costs far more than a row that is looked at.
        self.memory.steps += TERM_WORK * (self.memory.terms.known().len() - known) as u64;
        if term.is_none() {
            self.memory.exhausted = Some(Exhausted::Terms(self.engine.limits.terms));
        }
        term
    }

    /// Applies the actions of a scan to a row; `false` if the row does not fit. Counts the work.
    fn act(&mut self, pred: Pred, at: usize, actions: &[(usize, Action)]) -> bool {
        self.memory.steps += 1;
        if self.memory.steps >= self.memory.next_look {
            self.look_at_the_clock();
        }
        self.memory.gave_up |= self.memory.work() > self.memory.work_limit;
        actions.iter().all(|(column, action)| {
            let cell = self.relation(pred).row(at)[*column];
            self.apply(cell, action)
        })
    }

    fn apply(&mut self, value: TermId, action: &Action) -> bool {
        match action {
            Action::Bind(slot) => {
                self.memory.slots[self.base + *slot] = value;
                true
            }
            Action::Check(slot) => self.memory.slots[self.base + *slot] == value,
            Action::Equal(term) => *term == value,
            Action::Shape(functor, shapes) => self.fits(value, *functor, shapes),
        }
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
                    self.memory.slots[self.base + *slot] = arg;
                    true
                }
                Shape::Equal(source) => self.value(source) == Some(arg),
                Shape::Inside(functor, shapes) => self.fits(arg, *functor, shapes),
            }
        })
    }

    fn look_at_the_clock(&mut self) {
        self.memory.next_look = self.memory.steps + STEPS_PER_LOOK;
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
