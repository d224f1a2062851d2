//! Planning within an engine: plans get their indices, and relations derived by key their adornments.

use super::engine::{Adornment, DatalogEngine};
use super::plan::{JoinPlan, PlanStep, RowSource, Start, Statistics, plan};
use super::program::{Clause, Literal, Pred};
use super::statistics::RelationStatistics;

impl DatalogEngine {
    /// Plans the clauses of a component and the adornments that they need.
    pub(super) fn plan_component(&mut self, component: usize) {
        let unplanned = self.adornments.len();
        let mut clauses = std::mem::take(&mut self.components[component].clauses);
        for planned in &mut clauses {
            planned.full = self.plan(&planned.clause, Start::Nothing);
            planned.delta = self.plan_delta(&planned.clause, component);
        }
        self.components[component].clauses = clauses;
        self.plan_adornments(unplanned);
    }

    /// Plans a clause and the adornments that it needs.
    pub(super) fn plan_with_adornments(&mut self, clause: &Clause, start: Start) -> JoinPlan {
        let unplanned = self.adornments.len();
        let plan = self.plan(clause, start);
        self.plan_adornments(unplanned);
        plan
    }

    /// Plans the adornments from number `unplanned` on, including those that arise on the way.
    fn plan_adornments(&mut self, mut unplanned: usize) {
        while unplanned < self.adornments.len() {
            self.plan_adornment(unplanned);
            unplanned += 1;
        }
    }

    fn plan_delta(&mut self, clause: &Clause, component: usize) -> Vec<JoinPlan> {
        let is_own = |literal: &Literal| match literal {
            Literal::Positive(atom) => self.component_of(atom.pred) == component,
            Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => false,
        };
        let own: Vec<usize> = (0..clause.body.len())
            .filter(|&at| is_own(&clause.body[at]))
            .collect();
        own.into_iter()
            .map(|literal| self.plan(clause, Start::Delta(literal)))
            .collect()
    }

    fn plan_adornment(&mut self, number: usize) {
        let Adornment { pred, columns, .. } = self.adornments[number].clone();
        let planned = &self.components[self.component_of(pred)].clauses;
        let clauses: Vec<Clause> = planned
            .iter()
            .filter(|planned| planned.clause.head.pred == pred)
            .map(|planned| planned.clause.clone())
            .collect();
        let plans = clauses
            .iter()
            .map(|clause| self.plan(clause, Start::Key(&columns)))
            .collect();
        self.adornments[number].plans = plans;
    }

    /// Plans a clause, and creates the indices and adornments of its look-ups.
    fn plan(&mut self, clause: &Clause, start: Start) -> JoinPlan {
        let guide = Guide {
            statistics: &self.statistics,
            engine: self,
        };
        let mut plan = plan(clause, start, &guide);
        for lookup in plan.steps.iter_mut().filter_map(PlanStep::lookup_mut) {
            lookup.row_source = self.row_source(lookup.pred, &lookup.columns);
            if !lookup.columns.is_empty() {
                lookup.index = self.index_on(lookup.pred, &lookup.columns);
            }
        }
        plan
    }

    fn index_on(&mut self, pred: Pred, columns: &[usize]) -> usize {
        match &mut self.static_relations[pred.index()] {
            None => {
                let relation = &mut self.template[pred.index()];
                let before = relation.index_count();
                let index = relation.index_on(columns);
                self.indices += relation.index_count() - before;
                index
            }
            Some(fixed) => {
                let index = fixed.index_on(columns);
                fixed.refresh(index);
                index
            }
        }
    }

    fn row_source(&mut self, pred: Pred, columns: &[usize]) -> RowSource {
        let component = self.component_of(pred);
        if self.static_relations[pred.index()].is_some() {
            return RowSource::Static;
        }
        if columns.is_empty() || !self.components[component].by_key {
            return RowSource::Component(component);
        }
        let known = self
            .adornments
            .iter()
            .position(|known| known.pred == pred && known.columns == columns);
        RowSource::Key(known.unwrap_or_else(|| {
            self.adornments.push(Adornment {
                pred,
                columns: columns.to_vec(),
                plans: Vec::new(),
            });
            self.adornments.len() - 1
        }))
    }
}

/// The engine's statistics, as the planner reads them.
struct Guide<'e> {
    statistics: &'e RelationStatistics,
    engine: &'e DatalogEngine,
}

impl Statistics for Guide<'_> {
    fn of(&self, pred: Pred) -> (f64, &[f64]) {
        (
            self.statistics.size[pred.index()],
            &self.statistics.distinct[pred.index()],
        )
    }

    fn prefers_keys(&self, pred: Pred) -> bool {
        self.engine.components[self.engine.component_of(pred)].by_key
    }
}
