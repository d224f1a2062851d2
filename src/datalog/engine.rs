//! A program made ready to be evaluated: components in order, plans per clause, and the relations that never change.

use std::sync::Arc;
use std::time::Duration;

use super::limits::{Exhausted, Limits};
use super::memory::Memory;
use super::plan::Plan;
use super::program::{Clause, Pred, Program};
use super::relation::Relation;
use super::statistics::Observed;
use super::strata::{Component, Unstratified, stratify};
use super::terms::{Room, SharedTerms};

/// How many components may wait for each other; each takes some of the machine's stack.
const MOST_NESTED: usize = 300;

/// Why a program cannot be evaluated at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// See [`Unstratified`].
    #[error(transparent)]
    Unstratified(#[from] Unstratified),
    /// What never changes is already too much.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// A clause with a plan for each way in which it can produce something new.
#[derive(Debug, Clone)]
pub(super) struct PlannedClause {
    pub(super) clause: Clause,
    pub(super) whole: Plan,
    /// One plan per positive literal within the clause's own component.
    pub(super) recent: Vec<Plan>,
}

#[derive(Debug, Clone)]
pub(super) struct PlannedComponent {
    component: Component,
    pub(super) clauses: Vec<PlannedClause>,
    /// Whether its rows are derived only for the keys that are asked.
    pub(super) by_key: bool,
    /// Whether users of the engine want it as a whole.
    is_asked: bool,
}

/// One way in which a relation is asked for: with given values in some of its columns.
///
/// Chess rules, say, define which squares a piece attacks if another piece were gone, for every pair of squares, and
/// ask for a handful of them: only those are derived, each once.
#[derive(Debug, Clone)]
pub(super) struct Adornment {
    pub(super) pred: Pred,
    pub(super) columns: Vec<usize>,
    /// One plan per clause of the relation.
    pub(super) plans: Vec<Plan>,
}

/// When a relation that never changes counts as large.
#[derive(Debug, Clone, Copy)]
struct Patience {
    /// How many rows of a relation are looked at before.
    rows: u64,
    /// How many rows of all relations are: none gets more than a quarter of what is left, and each a
    /// [thousandth](PART_OF_EACH) of it all.
    rows_of_all: u64,
    /// Whether recursive relations may be derived by key, which takes far longer if many keys are asked.
    may_circle_by_key: bool,
}

/// Large relations that come first may use up what there is. Small ones are derived nevertheless: were they asked by key,
/// plans would not know how small they are.
const PART_OF_EACH: u64 = 1000;

/// An immutable evaluator, shared between threads; each thread brings its own [`Memory`].
#[derive(Debug)]
pub struct Engine {
    pub(super) components: Vec<PlannedComponent>,
    component_of: Vec<usize>,
    pub(super) adornments: Vec<Adornment>,
    /// Whether components rest on each other in chains too long to be derived by need.
    pub(super) is_deep: bool,
    pub(super) limits: Limits,
    pub(super) terms: Arc<SharedTerms>,
    /// Relations of level 0, complete.
    pub(super) fixed: Vec<Option<Relation>>,
    /// Empty relations with the indices that plans use; memories start as copies of it.
    pub(super) template: Vec<Relation>,
    /// How many indices were added to the template.
    pub(super) indices: usize,
    pub(super) statistics: Observed,
}

impl Engine {
    /// Prepares `program` for questions about `asked`, and derives what never changes and is asked as a whole.
    ///
    /// # Errors
    /// [`EngineError`] where negation is not stratified or a limit is passed.
    pub fn new(program: Program, asked: &[Pred], limits: Limits) -> Result<Self, EngineError> {
        let components = stratify(&program)?;
        let clauses = program.clauses().to_vec();
        let mut component_of = vec![0; program.pred_count()];
        for (number, component) in components.iter().enumerate() {
            component
                .preds
                .iter()
                .for_each(|pred| component_of[pred.index()] = number);
        }
        let template: Vec<Relation> = program
            .preds()
            .map(|pred| Relation::new(program.arity(pred)))
            .collect();
        let terms = Arc::new(SharedTerms::new(
            program.terms,
            Room {
                terms: limits.terms,
                depth: limits.depth,
            },
        ));
        let mut engine = Self {
            components: Vec::new(),
            component_of,
            adornments: Vec::new(),
            is_deep: false,
            indices: 0,
            limits,
            fixed: vec![None; template.len()],
            statistics: Observed::unknown(&template),
            template,
            terms,
        };
        engine.add_components(components, &clauses, asked);
        engine.replan();
        let patience = Patience {
            rows: 400_000,
            rows_of_all: u64::MAX,
            may_circle_by_key: true,
        };
        engine.derive_fixed(asked, patience)?;
        engine.replan();
        Ok(engine)
    }

    /// Allows less time, or more, to memories made from now on.
    pub fn limit_time(&mut self, time: Duration) {
        self.limits.time = time;
    }

    /// Working memory for one thread, with all inputs empty.
    pub fn memory(&self) -> Memory {
        Memory::new(self)
    }

    /// The terms of this engine, as all threads see them.
    pub fn terms(&self) -> &Arc<SharedTerms> {
        &self.terms
    }

    /// The rows of a relation that is complete from the start; `None` for any other.
    pub fn fixed_rows(&self, pred: Pred) -> Option<impl Iterator<Item = &[super::TermId]>> {
        self.fixed[pred.index()].as_ref().map(Relation::rows)
    }

    /// Whether a relation that is complete from the start holds a row; `None` for any other.
    pub fn fixed_holds(&self, pred: Pred, row: &[super::TermId]) -> Option<bool> {
        let relation = self.fixed[pred.index()].as_ref()?;
        Some(relation.holds(row))
    }

    /// Derives what lies below `preds` and never changes, as far as that takes little, so that plans can go by how large
    /// it is; the rest is derived by key. About `rows` rows may be looked at in all, a quarter of what is left for each
    /// relation, and some thousandth for each in any case. Recursive relations are derived at any price unless they
    /// `may_circle` by key. Memories made before must not be used with this engine again.
    ///
    /// # Errors
    /// [`Exhausted`] where a limit is passed.
    pub fn look_below(
        &mut self,
        preds: &[Pred],
        rows: u64,
        may_circle: bool,
    ) -> Result<(), Exhausted> {
        let patience = Patience {
            rows,
            rows_of_all: rows,
            may_circle_by_key: may_circle,
        };
        self.derive_fixed(preds, patience)?;
        self.replan();
        Ok(())
    }

    /// How many relations are complete before any input arrives, and how many rows they hold.
    pub fn fixed_size(&self) -> (usize, usize) {
        let fixed = self
            .fixed
            .iter()
            .flatten()
            .map(Relation::len)
            .filter(|&rows| rows > 0);
        fixed.fold((0, 0), |(relations, rows), more| {
            (relations + 1, rows + more)
        })
    }

    /// Notes how large the relations in `memory` are, for [`Engine::replan`].
    pub fn observe(&mut self, memory: &Memory) {
        let mut statistics = std::mem::take(&mut self.statistics);
        memory
            .derived(self)
            .for_each(|(pred, relation)| statistics.note(pred, relation));
        self.statistics = statistics;
    }

    /// The components that are derived by key, those with the most keys asked in `memory` first.
    pub fn most_asked(&self, memory: &Memory) -> Vec<usize> {
        let mut asked = vec![0; self.components.len()];
        for (number, adornment) in self.adornments.iter().enumerate() {
            asked[self.component_of(adornment.pred)] += memory.times_asked(number);
        }
        let mut order: Vec<usize> = (0..asked.len())
            .filter(|&component| asked[component] > 0)
            .collect();
        order.sort_by_key(|&component| std::cmp::Reverse(asked[component]));
        order
    }

    /// Chooses whether the rows of a component are derived only for the keys asked. Takes effect with
    /// [`Engine::replan`].
    pub fn derive_by_key(&mut self, component: usize, by_key: bool) {
        self.components[component].by_key = by_key;
    }

    /// Chooses for all recursive components, but those that are asked as a whole, whether they are derived by key.
    pub fn circle_by_key(&mut self, by_key: bool) {
        for planned in &mut self.components {
            planned.by_key = if planned.component.recursive {
                by_key && !planned.is_asked
            } else {
                planned.by_key
            };
        }
    }

    /// Plans every clause anew with what was observed. Memories made before must not be used with this engine again.
    pub fn replan(&mut self) {
        self.adornments.clear();
        for component in 0..self.components.len() {
            self.plan_component(component);
        }
    }

    pub(super) fn level_of(&self, component: usize) -> usize {
        self.components[component].component.level
    }

    pub(super) fn component_of(&self, pred: Pred) -> usize {
        self.component_of[pred.index()]
    }

    pub(super) fn preds_of(&self, component: usize) -> &[Pred] {
        &self.components[component].component.preds
    }

    pub(super) fn component_count(&self) -> usize {
        self.components.len()
    }

    pub(super) fn is_recursive(&self, component: usize) -> bool {
        self.components[component].component.recursive
    }

    /// The plans that derive a component from what lies below it.
    pub(super) fn whole_plans(&self, component: usize) -> impl Iterator<Item = &Plan> {
        self.components[component]
            .clauses
            .iter()
            .map(|clause| &clause.whole)
    }

    /// The plans that continue a fix-point from the rows of its last round.
    pub(super) fn recent_plans(&self, component: usize) -> impl Iterator<Item = &Plan> {
        self.components[component]
            .clauses
            .iter()
            .flat_map(|clause| &clause.recent)
    }

    /// Starts with every relation derived by key, but for those that are asked as a whole, that need a fix-point, that
    /// are inputs, or that never change.
    fn add_components(&mut self, components: Vec<Component>, clauses: &[Clause], asked: &[Pred]) {
        let mut own: Vec<Vec<PlannedClause>> = vec![Vec::new(); components.len()];
        for clause in clauses {
            let (whole, recent) = (Plan::default(), Vec::new());
            let clause = clause.clone();
            own[self.component_of(clause.head.pred)].push(PlannedClause {
                clause,
                whole,
                recent,
            });
        }
        let mut depth: Vec<usize> = Vec::with_capacity(components.len());
        for (component, clauses) in components.into_iter().zip(own) {
            depth.push(
                1 + component
                    .uses
                    .iter()
                    .map(|&used| depth[used])
                    .max()
                    .unwrap_or(0),
            );
            let is_asked = component.preds.iter().any(|pred| asked.contains(pred));
            let is_plain = !component.recursive && !clauses.is_empty();
            let by_key = is_plain && !is_asked && component.level > 0;
            self.components.push(PlannedComponent {
                component,
                clauses,
                by_key,
                is_asked,
            });
        }
        self.is_deep = depth.iter().any(|&depth| depth > MOST_NESTED);
        if self.is_deep {
            self.components
                .iter_mut()
                .for_each(|planned| planned.by_key = false);
        }
    }

    /// The components that `asked` rests on, in order.
    pub(super) fn cone(&self, asked: &[Pred]) -> Vec<usize> {
        let mut needed = vec![false; self.components.len()];
        let mut open: Vec<usize> = asked.iter().map(|&pred| self.component_of(pred)).collect();
        while let Some(component) = open.pop() {
            if !std::mem::replace(&mut needed[component], true) {
                open.extend(&self.components[component].component.uses);
            }
        }
        (0..needed.len())
            .filter(|&component| needed[component])
            .collect()
    }

    /// Derives every component of level 0 that `asked` needs, planning each when the sizes below it are known. What
    /// turns out to be large is left to be derived by key.
    fn derive_fixed(&mut self, asked: &[Pred], patience: Patience) -> Result<(), Exhausted> {
        let mut memory = self.memory();
        let mut rows_left = patience.rows_of_all;
        for component in self.cone(asked) {
            let is_known = |pred: &Pred| self.fixed[pred.index()].is_some();
            if self.level_of(component) > 0 || self.preds_of(component).iter().all(is_known) {
                continue;
            }
            self.plan_component(component);
            if memory.gave_up() || memory.shape() != self.shape() {
                memory = self.memory();
            }
            let may_wait = !self.components[component].is_asked
                && (patience.may_circle_by_key || !self.is_recursive(component));
            let before = memory.work();
            memory.limit_work(if may_wait {
                let part = (rows_left / 4).max(patience.rows_of_all / PART_OF_EACH);
                before + patience.rows.min(part)
            } else {
                u64::MAX
            });
            memory.need_whole(self, component, 0);
            if may_wait {
                rows_left = rows_left.saturating_sub(memory.work() - before);
            }
            if memory.gave_up() {
                self.derive_by_key(component, true);
                continue;
            }
            memory.exhausted().map_or(Ok(()), Err)?;
            for pred in self.preds_of(component).to_vec() {
                let mut relation = memory.take(pred);
                relation.refresh(0);
                self.statistics.settle(pred, &relation);
                self.fixed[pred.index()] = Some(relation);
            }
        }
        Ok(())
    }

    /// Changes whenever memories made before no longer fit the plans.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.indices, self.adornments.len())
    }
}
