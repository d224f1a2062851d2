//! A program made ready to be evaluated: components in order, plans per clause, and the relations that never change.

use std::sync::Arc;
use std::time::Duration;

use super::memory::Memory;
use super::plan::{Plan, Statistics, Step, plan};
use super::program::{Clause, Literal, Pred, Program};
use super::relation::Relation;
use super::strata::{Component, Unstratified, stratify};
use super::terms::SharedTerms;

/// What one evaluation may cost before it is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Rows derived since the inputs last changed.
    pub rows: usize,
    /// Different terms over the whole life of the engine.
    pub terms: usize,
    /// Time since the inputs last changed.
    pub time: Duration,
}

impl Default for Limits {
    /// Far more than any known game needs, and less than a small machine has.
    fn default() -> Self {
        Self {
            rows: 20_000_000,
            terms: 20_000_000,
            time: Duration::from_secs(60),
        }
    }
}

/// Which limit was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Exhausted {
    /// See [`Limits::rows`].
    #[error(
        "more than {0} facts were derived from one state; do terms grow without end, or do unrelated variables multiply?"
    )]
    Rows(usize),
    /// See [`Limits::terms`].
    #[error("more than {0} different terms were built; do terms grow without end?")]
    Terms(usize),
    /// See [`Limits::time`].
    #[error("one state took longer than {} s to evaluate; do unrelated variables multiply in a rule?", .0.as_secs())]
    Time(Duration),
}

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

/// The relations somebody asks for, with all they rest on: to be derived by [`Memory::derive`].
#[derive(Debug, Clone)]
pub struct Query {
    /// The components to evaluate, in order, without those that never change.
    pub(super) components: Vec<usize>,
}

/// A clause with a plan for each way in which it can produce something new.
#[derive(Debug, Clone)]
struct PlannedClause {
    clause: Clause,
    whole: Plan,
    /// One plan per positive literal within the clause's own component.
    recent: Vec<Plan>,
}

#[derive(Debug, Clone)]
struct PlannedComponent {
    component: Component,
    clauses: Vec<PlannedClause>,
}

/// An immutable evaluator, shared between threads; each thread brings its own [`Memory`].
#[derive(Debug)]
pub struct Engine {
    components: Vec<PlannedComponent>,
    component_of: Vec<usize>,
    input_level: Vec<usize>,
    pub(super) limits: Limits,
    pub(super) terms: Arc<SharedTerms>,
    /// Relations of level 0, complete.
    pub(super) fixed: Vec<Option<Relation>>,
    /// Empty relations with the indices that plans use; memories start as copies of it.
    pub(super) template: Vec<Relation>,
    statistics: Observed,
}

impl Engine {
    /// Prepares `program` for questions about `asked`, and derives all of it that never changes.
    ///
    /// # Errors
    /// [`EngineError`] where negation is not stratified or a limit is passed.
    pub fn new(program: Program, asked: &[Pred], limits: Limits) -> Result<Self, EngineError> {
        let components = stratify(&program)?;
        let mut component_of = vec![0; program.pred_count()];
        for (number, component) in components.iter().enumerate() {
            component
                .preds
                .iter()
                .for_each(|pred| component_of[pred.index()] = number);
        }
        let input_level = program
            .preds()
            .map(|pred| program.input_level(pred))
            .collect();
        let template: Vec<Relation> = program
            .preds()
            .map(|pred| Relation::new(program.arity(pred)))
            .collect();
        let statistics = Observed::unknown(&template);
        let mut clauses: Vec<Vec<Clause>> = vec![Vec::new(); components.len()];
        for clause in program.clauses() {
            clauses[component_of[clause.head.pred.index()]].push(clause.clone());
        }
        let terms = Arc::new(SharedTerms::new(program.terms, limits.terms));
        let fixed = vec![None; template.len()];
        let mut engine = Self {
            components: Vec::new(),
            component_of,
            input_level,
            limits,
            terms,
            fixed,
            template,
            statistics,
        };
        for (component, clauses) in components.into_iter().zip(clauses) {
            engine.add(component, &clauses);
        }
        engine.derive_fixed(asked)?;
        engine.replan();
        Ok(engine)
    }

    /// Working memory for one thread, with all inputs empty.
    pub fn memory(&self) -> Memory {
        Memory::new(self)
    }

    /// The terms of this engine, as all threads see them.
    pub fn terms(&self) -> &Arc<SharedTerms> {
        &self.terms
    }

    /// All that must be derived to know `asked`.
    pub fn query(&self, asked: &[Pred]) -> Query {
        let components = self.cone(asked);
        Query {
            components: components
                .into_iter()
                .filter(|&c| self.components[c].component.level > 0)
                .collect(),
        }
    }

    /// The rows of a relation that never changes; `None` for one that does.
    pub fn fixed_rows(&self, pred: Pred) -> Option<impl Iterator<Item = &[super::TermId]>> {
        self.fixed[pred.index()].as_ref().map(Relation::rows)
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
        for (pred, relation) in memory.derived(self) {
            self.statistics.note(pred, relation);
        }
    }

    /// Plans every clause anew with what was observed. Memories made before must not be used with this engine again.
    pub fn replan(&mut self) {
        for planned in std::mem::take(&mut self.components) {
            let clauses: Vec<Clause> = planned
                .clauses
                .into_iter()
                .map(|planned| planned.clause)
                .collect();
            self.add(planned.component, &clauses);
        }
    }

    pub(super) fn level_of(&self, component: usize) -> usize {
        self.components[component].component.level
    }

    pub(super) fn component_of(&self, pred: Pred) -> usize {
        self.component_of[pred.index()]
    }

    pub(super) fn input_level(&self, pred: Pred) -> usize {
        self.input_level[pred.index()]
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

    fn cone(&self, asked: &[Pred]) -> Vec<usize> {
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

    /// Derives every component of level 0 that `asked` needs, planning each when the sizes below it are known.
    fn derive_fixed(&mut self, asked: &[Pred]) -> Result<(), Exhausted> {
        let needed = self.cone(asked);
        for component in 0..self.components.len() {
            if self.components[component].component.level > 0 {
                continue;
            }
            self.replan_one(component);
            let mut memory = self.memory();
            if needed.binary_search(&component).is_ok() {
                memory.derive_component(self, component);
                memory.exhausted().map_or(Ok(()), Err)?;
            }
            for pred in self.preds_of(component).to_vec() {
                let mut relation = memory.take(pred);
                relation.refresh(0);
                self.statistics.settle(pred, &relation);
                self.fixed[pred.index()] = Some(relation);
            }
        }
        Ok(())
    }

    fn replan_one(&mut self, component: usize) {
        let clauses: Vec<Clause> = self.components[component]
            .clauses
            .iter()
            .map(|planned| planned.clause.clone())
            .collect();
        let planned = clauses
            .iter()
            .map(|clause| self.plan_clause(clause, component))
            .collect();
        self.components[component].clauses = planned;
    }

    /// Appends a component with its clauses planned.
    fn add(&mut self, component: Component, clauses: &[Clause]) {
        let number = self.components.len();
        let planned = clauses
            .iter()
            .map(|clause| self.plan_clause(clause, number))
            .collect();
        self.components.push(PlannedComponent {
            component,
            clauses: planned,
        });
    }

    fn plan_clause(&mut self, clause: &Clause, component: usize) -> PlannedClause {
        let within = |literal: &Literal| match literal {
            Literal::Positive(atom) => self.component_of[atom.pred.index()] == component,
            Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => false,
        };
        let own: Vec<usize> = (0..clause.body.len())
            .filter(|&at| within(&clause.body[at]))
            .collect();
        let whole = self.plan(clause, None);
        let recent = own
            .into_iter()
            .map(|literal| self.plan(clause, Some(literal)))
            .collect();
        PlannedClause {
            clause: clause.clone(),
            whole,
            recent,
        }
    }

    /// Plans one way through a clause and makes the indices it looks things up in.
    fn plan(&mut self, clause: &Clause, recent: Option<usize>) -> Plan {
        let mut plan = plan(clause, recent, &self.statistics);
        for step in &mut plan.steps {
            if let Step::Scan {
                pred,
                columns,
                index,
                ..
            } = step
                && !columns.is_empty()
            {
                *index = self.template[pred.index()].index_on(columns);
                if let Some(fixed) = &mut self.fixed[pred.index()] {
                    *index = fixed.index_on(columns);
                    fixed.refresh(*index);
                }
            }
        }
        plan
    }
}

/// Sizes seen so far: exact for relations that never change, the mean of what was observed for the others.
#[derive(Debug)]
struct Observed {
    size: Vec<f64>,
    distinct: Vec<Vec<f64>>,
    samples: Vec<u32>,
}

impl Observed {
    /// A guess for relations nobody has seen yet.
    const GUESS: f64 = 12.0;

    fn unknown(relations: &[Relation]) -> Self {
        Self {
            size: vec![Self::GUESS; relations.len()],
            distinct: relations
                .iter()
                .map(|relation| vec![Self::GUESS / 3.0; relation.arity()])
                .collect(),
            samples: vec![0; relations.len()],
        }
    }

    fn settle(&mut self, pred: Pred, relation: &Relation) {
        self.size[pred.index()] = relation.len() as f64;
        self.distinct[pred.index()] = relation
            .distinct_counts()
            .into_iter()
            .map(|count| count as f64)
            .collect();
    }

    fn note(&mut self, pred: Pred, relation: &Relation) {
        let at = pred.index();
        self.samples[at] += 1;
        let weight = 1.0 / f64::from(self.samples[at]);
        let blend = |old: &mut f64, new: usize| *old += (new as f64 - *old) * weight;
        blend(&mut self.size[at], relation.len());
        for (old, new) in self.distinct[at].iter_mut().zip(relation.distinct_counts()) {
            blend(old, new);
        }
    }
}

impl Statistics for Observed {
    fn of(&self, pred: Pred) -> (f64, &[f64]) {
        (self.size[pred.index()], &self.distinct[pred.index()])
    }
}
