//! The rows one thread was given and has derived.

use super::engine::{Adornment, Engine};
use super::limits::{Budget, Exhausted};
use super::program::Pred;
use super::relation::Relation;
use super::terms::{Functor, LocalTerms, TermId, Terms};
use crate::util::Deadline;

/// The working memory of one thread: inputs, and all that was derived from them so far.
#[derive(Debug)]
pub struct Memory {
    pub(super) relations: Vec<Relation>,
    /// For each adornment, the keys whose rows were derived.
    pub(super) asked: Vec<Relation>,
    /// For each predicate of a component being derived, which rows were new in the last round.
    pub(super) recent: Vec<(usize, usize)>,
    pub(super) done: Vec<bool>,
    /// For each recursive component, the keys asked of it: an adornment, and a row of its `asked`.
    pub(super) agenda: Vec<Vec<(usize, usize)>>,
    /// The recursive components whose keys are being answered.
    pub(super) circling: Vec<bool>,
    pub(super) terms: LocalTerms,
    /// The variables of the plans at work, each run's behind those of the run that needed it.
    pub(super) slots: Vec<TermId>,
    pub(super) row: Vec<TermId>,
    pub(super) times_asked: Vec<u64>,
    pub(super) budget: Budget,
    shape: (usize, usize),
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
            times_asked: vec![0; engine.adornments.len()],
            budget: Budget::new(&engine.limits),
            shape: engine.shape(),
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
        self.budget.renew(&engine.limits);
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
        self.budget.exhausted()
    }

    /// How much work was done in the life of this memory: rows looked at, and keys asked for the first time.
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

    /// How often an adornment was asked for a new key, in the life of this memory.
    pub(super) fn times_asked(&self, adornment: usize) -> u64 {
        self.times_asked[adornment]
    }

    /// What the engine's plans needed when this memory was made.
    pub(super) fn shape(&self) -> (usize, usize) {
        self.shape
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
        self.budget.limit_work(work);
    }

    /// From now on, gives up soon after `deadline` is due.
    pub fn set_deadline(&mut self, deadline: Deadline) {
        self.budget.set_deadline(deadline);
    }

    /// Whether the limit on work was passed; if so, answers are incomplete.
    pub fn gave_up(&self) -> bool {
        self.budget.gave_up()
    }
}
