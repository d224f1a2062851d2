//! The working memory of one thread: the rows it was given and those it has derived.

use super::engine::{Adornment, DatalogEngine};
use super::limits::{EvaluationBudget, Exhausted};
use super::program::Pred;
use super::relation::Relation;
use super::terms::{Functor, LocalTerms, TermId, Terms};
use crate::util::Deadline;

/// The working memory of one thread: the inputs, and what was derived from them so far.
#[derive(Debug)]
pub struct WorkingMemory {
    pub(super) relations: Vec<Relation>,
    /// For each adornment, its subgoals: the keys whose rows were derived.
    pub(super) subgoals: Vec<Relation>,
    /// For each predicate of a component being derived, its delta: the range of rows that were new in the last round.
    pub(super) delta: Vec<(usize, usize)>,
    pub(super) done: Vec<bool>,
    /// For each recursive component, the subgoals that are being evaluated: an adornment, and a row of its `subgoals`.
    pub(super) recursive_subgoals: Vec<Vec<(usize, usize)>>,
    /// The recursive components whose subgoals are being evaluated.
    pub(super) iterating: Vec<bool>,
    pub(super) terms: LocalTerms,
    /// The variables of the running plans, those of an inner run after those of the run that needs it.
    pub(super) slots: Vec<TermId>,
    pub(super) row: Vec<TermId>,
    pub(super) subgoal_counts: Vec<u64>,
    pub(super) budget: EvaluationBudget,
    shape: (usize, usize),
}

impl WorkingMemory {
    pub(super) fn new(engine: &DatalogEngine) -> Self {
        let subgoals = |adornment: &Adornment| Relation::new(adornment.columns.len());
        Self {
            relations: engine.template.clone(),
            subgoals: engine.adornments.iter().map(subgoals).collect(),
            delta: vec![(0, 0); engine.template.len()],
            done: vec![false; engine.component_count()],
            recursive_subgoals: vec![Vec::new(); engine.component_count()],
            iterating: vec![false; engine.component_count()],
            terms: engine.terms.local(),
            slots: Vec::new(),
            row: Vec::new(),
            subgoal_counts: vec![0; engine.adornments.len()],
            budget: EvaluationBudget::new(&engine.limits),
            shape: engine.shape(),
        }
    }

    /// Clears all inputs of `level` and higher with everything derived from them, and restarts the budget.
    pub fn reset(&mut self, engine: &DatalogEngine, level: usize) {
        for component in 0..self.done.len() {
            if engine.level_of(component) >= level {
                self.done[component] = false;
                self.recursive_subgoals[component].clear();
                engine
                    .preds_of(component)
                    .iter()
                    .for_each(|pred| self.relations[pred.index()].clear());
            }
        }
        for (adornment, subgoals) in engine.adornments.iter().zip(&mut self.subgoals) {
            if engine.level_of(engine.component_of(adornment.pred)) >= level {
                subgoals.clear();
            }
        }
        self.budget.renew(&engine.limits);
    }

    /// Adds a row to an input.
    pub fn supply(&mut self, pred: Pred, row: &[TermId]) {
        self.relations[pred.index()].insert(row);
    }

    /// Derives all rows of `pred`, unless that was done.
    pub fn derive(&mut self, engine: &DatalogEngine, pred: Pred) {
        if engine.is_deep {
            self.derive_in_order(engine, pred);
        } else if engine.static_relations[pred.index()].is_none() {
            self.ensure_component(engine, engine.component_of(pred), 0);
        }
    }

    /// Derives what `pred` depends on in order, so that no derivation needs another inside it.
    fn derive_in_order(&mut self, engine: &DatalogEngine, pred: Pred) {
        for component in engine.cone(&[pred]) {
            if engine.static_relations[engine.preds_of(component)[0].index()].is_none() {
                self.ensure_component(engine, component, 0);
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

    /// The limit that was exceeded, if any; from then on results are incomplete.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.budget.exhausted()
    }

    /// The work done in the life of this memory: rows examined, and new subgoals.
    pub fn work(&self) -> u64 {
        self.budget.work()
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
    ///
    /// # Errors
    /// Says why there is no room for it.
    pub fn intern(&mut self, functor: Functor, args: &[TermId]) -> Result<TermId, Exhausted> {
        self.terms.intern(functor, args)
    }

    /// How many subgoals an adornment got in the life of this memory.
    pub(super) fn subgoal_counts(&self, adornment: usize) -> u64 {
        self.subgoal_counts[adornment]
    }

    /// The shape of the engine's plans when this memory was created.
    pub(super) fn shape(&self) -> (usize, usize) {
        self.shape
    }

    pub(super) fn take(&mut self, pred: Pred) -> Relation {
        std::mem::replace(&mut self.relations[pred.index()], Relation::new(0))
    }

    /// The relations that hold rows now and may change.
    pub(super) fn derived<'m>(
        &'m self,
        engine: &'m DatalogEngine,
    ) -> impl Iterator<Item = (Pred, &'m Relation)> {
        let preds =
            (0..self.done.len()).flat_map(|component| engine.preds_of(component).iter().copied());
        let live = preds.map(|pred| (pred, &self.relations[pred.index()]));
        live.filter(|(pred, relation)| relation.len() > 0 || self.done[engine.component_of(*pred)])
    }

    /// From now on, stops once more than `work` was done in all.
    pub fn limit_work(&mut self, work: u64) {
        self.budget.limit_work(work);
    }

    /// From now on, stops soon after `deadline` is due.
    pub fn set_deadline(&mut self, deadline: Deadline) {
        self.budget.set_deadline(deadline);
    }

    /// Whether the limit on work was exceeded; if so, results are incomplete.
    pub fn gave_up(&self) -> bool {
        self.budget.gave_up()
    }
}
