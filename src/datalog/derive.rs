//! What gets derived when: whole components, or the keys asked of them, each once between two changes of the inputs.

use std::ops::Range;

use super::engine::Engine;
use super::memory::Memory;
use super::plan::Plan;
use super::program::Pred;
use super::run::Run;
use super::terms::TermId;

impl Memory {
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
    pub(super) fn need_key(
        &mut self,
        engine: &Engine,
        adornment: usize,
        base: usize,
        key: Range<usize>,
    ) {
        let component = engine.component_of(engine.adornments[adornment].pred);
        if self.done[component] || !self.asked[adornment].insert(&self.slots[key.clone()]) {
            return;
        }
        self.budget.count_key();
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
        while !self.budget.must_stop() {
            while answered < self.agenda[component].len() && !self.budget.must_stop() {
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

    pub(super) fn make_room(&mut self, slots: usize) {
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
        any && !self.budget.must_stop()
    }

    /// Runs a plan in the slots from `base` on. What was asked for is in the slots `key`, below `base`.
    fn run(&mut self, engine: &Engine, plan: &Plan, base: usize, key: Range<usize>) {
        if self.budget.must_stop() {
            return;
        }
        self.make_room(base + plan.slots);
        let mut run = Run {
            engine,
            memory: self,
            plan,
            base,
            sink: None,
        };
        if run.enter(key) {
            run.step(0);
        }
    }
}
