//! Evaluation on demand: whole components by semi-naive iteration, or single subgoals, each once between two changes of
//! the inputs.

use std::ops::Range;

use super::engine::DatalogEngine;
use super::plan::JoinPlan;
use super::program::Pred;
use super::run::PlanRun;
use super::terms::TermId;
use super::working_memory::WorkingMemory;

impl WorkingMemory {
    /// Derives a component unless it is derived already, in the slots from `base` on.
    pub(super) fn ensure_component(
        &mut self,
        engine: &DatalogEngine,
        component: usize,
        base: usize,
    ) {
        if !self.done[component] {
            self.derive_component(engine, component, base);
        }
    }

    /// Derives a component and what it depends on.
    fn derive_component(&mut self, engine: &DatalogEngine, component: usize, base: usize) {
        // Marked first, so that the rules of the component do not start it again.
        self.done[component] = true;
        for plan in engine.full_plans(component) {
            self.run(engine, plan, base, 0..0);
        }
        if !engine.is_recursive(component) {
            return;
        }
        engine
            .preds_of(component)
            .iter()
            .for_each(|pred| self.delta[pred.index()] = (0, 0));
        while self.advance_delta(engine.preds_of(component)) {
            for plan in engine.delta_plans(component) {
                self.run(engine, plan, base, 0..0);
            }
        }
    }

    /// Derives the rows of an adornment for the key in the slots `key`, unless they are derived already.
    pub(super) fn ensure_key(
        &mut self,
        engine: &DatalogEngine,
        adornment: usize,
        base: usize,
        key: Range<usize>,
    ) {
        let component = engine.component_of(engine.adornments[adornment].pred);
        if self.done[component] || !self.subgoals[adornment].insert(&self.slots[key.clone()]) {
            return;
        }
        self.budget.count_key();
        self.subgoal_counts[adornment] += 1;
        if !engine.is_recursive(component) {
            return self.evaluate_subgoal(engine, adornment, base, key);
        }
        self.recursive_subgoals[component].push((adornment, self.subgoals[adornment].len() - 1));
        if !std::mem::replace(&mut self.iterating[component], true) {
            self.iterate_subgoals(engine, component, base);
            self.iterating[component] = false;
            // They are complete now: later subgoals find their rows.
            self.recursive_subgoals[component].clear();
        }
    }

    /// Derives the rows of one subgoal.
    fn evaluate_subgoal(
        &mut self,
        engine: &DatalogEngine,
        adornment: usize,
        base: usize,
        key: Range<usize>,
    ) {
        for plan in &engine.adornments[adornment].plans {
            self.run(engine, plan, base, key.clone());
        }
    }

    /// Evaluates all subgoals of a recursive component, including those that arise on the way, until a fixpoint is
    /// reached. The latest come first, since earlier subgoals mostly depend on later ones.
    fn iterate_subgoals(&mut self, engine: &DatalogEngine, component: usize, base: usize) {
        let (mut answered, mut rows) = (0, usize::MAX);
        while !self.budget.must_stop() {
            while answered < self.recursive_subgoals[component].len() && !self.budget.must_stop() {
                self.evaluate_recursive_subgoal(engine, component, answered, base);
                answered += 1;
            }
            let now = self.row_count(engine, component);
            if std::mem::replace(&mut rows, now) == now {
                return;
            }
            for at in (0..answered).rev() {
                self.evaluate_recursive_subgoal(engine, component, at, base);
            }
        }
    }

    fn evaluate_recursive_subgoal(
        &mut self,
        engine: &DatalogEngine,
        component: usize,
        at: usize,
        base: usize,
    ) {
        let (adornment, row) = self.recursive_subgoals[component][at];
        let width = self.subgoals[adornment].arity();
        self.make_room(base + width);
        self.slots[base..base + width].copy_from_slice(self.subgoals[adornment].row(row));
        self.evaluate_subgoal(engine, adornment, base + width, base..base + width);
    }

    fn row_count(&self, engine: &DatalogEngine, component: usize) -> usize {
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

    /// Makes the rows derived since the last round the delta; `false` if there are none.
    fn advance_delta(&mut self, preds: &[Pred]) -> bool {
        let mut any = false;
        for pred in preds {
            let (_, seen) = self.delta[pred.index()];
            let now = self.relations[pred.index()].len();
            self.delta[pred.index()] = (seen, now);
            any |= now > seen;
        }
        any && !self.budget.must_stop()
    }

    /// Runs a plan in the slots from `base` on. The key is in the slots `key`, below `base`.
    fn run(&mut self, engine: &DatalogEngine, plan: &JoinPlan, base: usize, key: Range<usize>) {
        if self.budget.must_stop() {
            return;
        }
        self.make_room(base + plan.slots);
        let mut run = PlanRun {
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
