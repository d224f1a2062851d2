//! A program ready to be evaluated: components in order, plans per clause, and the static relations.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::error::{DatalogError, Growth};
use super::limits::EvaluationLimits;
use super::plan::JoinPlan;
use super::program::{Clause, Pred, Program};
use super::relation::Relation;
use super::statistics::RelationStatistics;
use super::strata::{DependencyComponent, stratify};
use super::terms::{SharedTerms, TermLimits};
use super::working_memory::WorkingMemory;
use crate::util::StopFlag;

/// How many components may be evaluated inside one another; each takes some of the stack.
const MOST_NESTED: usize = 300;

/// A clause with a plan for the first pass and one for each delta.
#[derive(Debug, Clone)]
pub(super) struct PlannedClause {
    pub(super) clause: Clause,
    pub(super) full: JoinPlan,
    /// One plan per positive literal within the clause's own component.
    pub(super) delta: Vec<JoinPlan>,
}

#[derive(Debug, Clone)]
pub(super) struct PlannedComponent {
    component: DependencyComponent,
    pub(super) clauses: Vec<PlannedClause>,
    /// Whether its rows are derived only for the keys looked up.
    pub(super) by_key: bool,
    /// Whether it is queried as a whole.
    is_queried: bool,
}

/// An adorned relation: it is looked up with given values in some of its columns.
///
/// Chess rules, for example, define which squares a piece attacks if another piece were gone, for every pair of squares,
/// and use a handful of them: only those are derived, each once.
#[derive(Debug, Clone)]
pub(super) struct Adornment {
    pub(super) pred: Pred,
    pub(super) columns: Vec<usize>,
    /// One plan per clause of the relation.
    pub(super) plans: Vec<JoinPlan>,
}

/// Up to which size static relations are derived as wholes.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowLimits {
    /// How many rows may be examined for one relation: one that is not recursive, and one that is.
    rows: [u64; 2],
    /// How many rows may be examined for all relations: none gets more than a quarter of what is left, and each at least
    /// a [thousandth](PART_OF_EACH) of it all.
    rows_of_all: u64,
    /// Whether recursive relations may be derived by key, which takes far longer if there are many keys.
    recursion_by_key: bool,
}

/// Large relations may use up the limit. Small ones after them are derived nevertheless, since the planner would not know
/// how small they are if they were derived by key.
const PART_OF_EACH: u64 = 1000;

/// An immutable evaluator, shared between threads. Each thread has its own [`WorkingMemory`].
#[derive(Debug)]
pub struct DatalogEngine {
    pub(super) components: Vec<PlannedComponent>,
    component_of: Vec<usize>,
    pub(super) adornments: Vec<Adornment>,
    /// Whether chains of components are too long to be derived on demand.
    pub(super) is_deep: bool,
    pub(super) limits: EvaluationLimits,
    pub(super) terms: Arc<SharedTerms>,
    /// Relations of level 0, complete.
    pub(super) static_relations: Vec<Option<Relation>>,
    /// Empty relations with the indices that plans use; working memories start as copies of it.
    pub(super) template: Vec<Relation>,
    /// How many indices were added to the template.
    pub(super) indices: usize,
    pub(super) statistics: RelationStatistics,
    names: Vec<String>,
}

impl DatalogEngine {
    /// The same, stopped by another flag from now on.
    #[must_use]
    pub fn stopped_by(mut self, stop: &StopFlag) -> Self {
        self.limits.stop = stop.clone();
        self
    }

    /// Prepares `program` for queries about `queried`, and derives the static relations that those depend on.
    ///
    /// # Errors
    /// [`DatalogError`] where negation is not stratified or a limit is exceeded.
    pub fn new(
        program: Program,
        queried: &[Pred],
        limits: EvaluationLimits,
    ) -> Result<Self, DatalogError> {
        let mut engine = Self::unplanned(program, queried, limits)?;
        engine.replan();
        engine.derive_static(queried, engine.limits_at_start(), None)?;
        engine.replan();
        Ok(engine)
    }

    /// An engine without plans, in which nothing is derived yet.
    pub(super) fn unplanned(
        program: Program,
        queried: &[Pred],
        limits: EvaluationLimits,
    ) -> Result<Self, DatalogError> {
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
        let names = program.preds().map(|pred| program.name(pred).to_owned());
        let names = names.collect();
        let terms = Arc::new(SharedTerms::new(
            program.terms,
            TermLimits {
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
            static_relations: vec![None; template.len()],
            statistics: RelationStatistics::unknown(&template),
            template,
            terms,
            names,
        };
        engine.add_components(components, &clauses, queried);
        Ok(engine)
    }

    /// Up to which size static relations are derived before anything is asked.
    pub(super) fn limits_at_start(&self) -> RowLimits {
        RowLimits {
            rows: self.limits.static_rows,
            rows_of_all: u64::MAX,
            recursion_by_key: true,
        }
    }

    /// Changes the time limit of working memories created from now on.
    pub fn limit_time(&mut self, time: Duration) {
        self.limits.time = time;
    }

    /// A working memory for one thread, with all inputs empty.
    pub fn memory(&self) -> WorkingMemory {
        WorkingMemory::new(self)
    }

    /// What was being derived when `memory` passed a limit.
    pub fn growth(&self, memory: &WorkingMemory) -> Option<Growth> {
        let (pred, functor) = memory.budget.blamed()?;
        let terms = memory.terms();
        Some(Growth {
            relation: self.names[pred.index()].clone(),
            functor: functor.map(|functor| terms.functor_name(functor).to_owned()),
            rows: memory.count(pred),
            line: None,
        })
    }

    /// The terms of this engine, as all threads see them.
    pub fn terms(&self) -> &Arc<SharedTerms> {
        &self.terms
    }

    /// The rows of a static relation; `None` for any other.
    pub fn static_rows(&self, pred: Pred) -> Option<impl Iterator<Item = &[super::TermId]>> {
        self.static_relations[pred.index()]
            .as_ref()
            .map(Relation::rows)
    }

    /// Whether a static relation has a row; `None` for any other relation.
    pub fn static_holds(&self, pred: Pred, row: &[super::TermId]) -> Option<bool> {
        let relation = self.static_relations[pred.index()].as_ref()?;
        Some(relation.holds(row))
    }

    /// Derives the static relations that `preds` depend on, within limits, so that the planner knows their sizes; the
    /// others are derived by key. About `rows` rows may be examined in all, a quarter of what is left for each relation,
    /// and at least a thousandth. Recursive relations are derived without a limit unless `recursion_by_key` is set.
    /// Working memories created before must not be used with this engine again.
    ///
    /// # Errors
    /// [`DatalogError`] where a limit is passed.
    pub fn derive_static_below(
        &mut self,
        preds: &[Pred],
        rows: u64,
        recursion_by_key: bool,
    ) -> Result<(), DatalogError> {
        let row_limits = RowLimits {
            rows: [rows; 2],
            rows_of_all: rows,
            recursion_by_key,
        };
        self.derive_static(preds, row_limits, None)?;
        self.replan();
        Ok(())
    }

    /// The number of static relations that are not empty, and of their rows.
    pub fn static_size(&self) -> (usize, usize) {
        let fixed = self
            .static_relations
            .iter()
            .flatten()
            .map(Relation::len)
            .filter(|&rows| rows > 0);
        fixed.fold((0, 0), |(relations, rows), more| {
            (relations + 1, rows + more)
        })
    }

    /// Records the sizes of the relations in `memory`, for [`DatalogEngine::replan`].
    pub fn observe(&mut self, memory: &WorkingMemory) {
        let mut statistics = std::mem::take(&mut self.statistics);
        memory
            .derived(self)
            .for_each(|(pred, relation)| statistics.record(pred, relation));
        self.statistics = statistics;
    }

    /// The components that are derived by key, those with the most subgoals in `memory` first.
    pub fn most_queried(&self, memory: &WorkingMemory) -> Vec<usize> {
        let mut queries = vec![0; self.components.len()];
        for (number, adornment) in self.adornments.iter().enumerate() {
            queries[self.component_of(adornment.pred)] += memory.subgoal_counts(number);
        }
        let mut order: Vec<usize> = (0..queries.len())
            .filter(|&component| queries[component] > 0)
            .collect();
        order.sort_by_key(|&component| std::cmp::Reverse(queries[component]));
        order
    }

    /// Chooses whether the rows of a component are derived only for the keys looked up. Takes effect with
    /// [`DatalogEngine::replan`].
    pub fn derive_by_key(&mut self, component: usize, by_key: bool) {
        self.components[component].by_key = by_key;
    }

    /// Chooses for all recursive components, except those that are queried as wholes, whether they are derived by key.
    pub fn derive_recursion_by_key(&mut self, by_key: bool) {
        for planned in &mut self.components {
            planned.by_key = if planned.component.recursive {
                by_key && !planned.is_queried
            } else {
                planned.by_key
            };
        }
    }

    /// Plans every clause again with the statistics recorded. Working memories created before must not be used with this
    /// engine again.
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

    /// The plans of the first pass over a component.
    pub(super) fn full_plans(&self, component: usize) -> impl Iterator<Item = &JoinPlan> {
        self.components[component]
            .clauses
            .iter()
            .map(|clause| &clause.full)
    }

    /// The plans that continue a fixpoint from its deltas.
    pub(super) fn delta_plans(&self, component: usize) -> impl Iterator<Item = &JoinPlan> {
        self.components[component]
            .clauses
            .iter()
            .flat_map(|clause| &clause.delta)
    }

    /// At first, every relation is derived by key, except those that are queried as wholes, recursive, inputs, or
    /// static.
    fn add_components(
        &mut self,
        components: Vec<DependencyComponent>,
        clauses: &[Clause],
        queried: &[Pred],
    ) {
        let mut own: Vec<Vec<PlannedClause>> = vec![Vec::new(); components.len()];
        for clause in clauses {
            let (full, delta) = (JoinPlan::default(), Vec::new());
            let clause = clause.clone();
            own[self.component_of(clause.head.pred)].push(PlannedClause {
                clause,
                full,
                delta,
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
            let is_queried = component.preds.iter().any(|pred| queried.contains(pred));
            let is_plain = !component.recursive && !clauses.is_empty();
            let by_key = is_plain && !is_queried && component.level > 0;
            self.components.push(PlannedComponent {
                component,
                clauses,
                by_key,
                is_queried,
            });
        }
        self.is_deep = depth.iter().any(|&depth| depth > MOST_NESTED);
        if self.is_deep {
            self.components
                .iter_mut()
                .for_each(|planned| planned.by_key = false);
        }
    }

    /// The components that `queried` depend on, in order (their cone of influence).
    pub(super) fn cone(&self, queried: &[Pred]) -> Vec<usize> {
        let mut needed = vec![false; self.components.len()];
        let mut open: Vec<usize> = queried
            .iter()
            .map(|&pred| self.component_of(pred))
            .collect();
        while let Some(component) = open.pop() {
            if !std::mem::replace(&mut needed[component], true) {
                open.extend(&self.components[component].component.uses);
            }
        }
        (0..needed.len())
            .filter(|&component| needed[component])
            .collect()
    }

    /// Derives the static components that `queried` depend on, planning each when the sizes of those it uses are known.
    /// Those that turn out to be large are left to be derived by key; where `are_static` tells of each component which those are, none of
    /// them is tried.
    pub(super) fn derive_static(
        &mut self,
        queried: &[Pred],
        row_limits: RowLimits,
        are_static: Option<&[bool]>,
    ) -> Result<(), DatalogError> {
        let began = Instant::now();
        let mut memory = self.memory();
        memory.budget.began_at(began);
        let mut rows_left = row_limits.rows_of_all;
        for component in self.cone(queried) {
            let is_known = |pred: &Pred| self.static_relations[pred.index()].is_some();
            if self.level_of(component) > 0 || self.preds_of(component).iter().all(is_known) {
                continue;
            }
            if are_static.is_some_and(|are_static| !are_static[component]) {
                continue;
            }
            self.plan_component(component);
            if memory.gave_up() || memory.shape() != self.shape() {
                memory = self.memory();
                memory.budget.began_at(began);
            }
            let may_wait = !self.components[component].is_queried
                && (row_limits.recursion_by_key || !self.is_recursive(component));
            let before = memory.work();
            memory.limit_work(if may_wait {
                let part = (rows_left / 4).max(row_limits.rows_of_all / PART_OF_EACH);
                before + row_limits.rows[usize::from(self.is_recursive(component))].min(part)
            } else {
                u64::MAX
            });
            memory.ensure_component(self, component, 0);
            if may_wait {
                rows_left = rows_left.saturating_sub(memory.work() - before);
            }
            if memory.gave_up() {
                self.derive_by_key(component, true);
                continue;
            }
            if let Some(why) = memory.exhausted() {
                let growth = self.growth(&memory);
                return Err(DatalogError::Exhausted { why, growth });
            }
            for pred in self.preds_of(component).to_vec() {
                let mut relation = memory.take(pred);
                relation.refresh(0);
                self.statistics.set_exact(pred, &relation);
                self.static_relations[pred.index()] = Some(relation);
            }
        }
        Ok(())
    }

    /// Changes whenever working memories created before no longer fit the plans.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.indices, self.adornments.len())
    }
}
