//! Planning within an engine: each plan gets the indices, and each relation asked by key the adornments, that it needs.

use super::engine::{Adornment, Engine};
use super::plan::{Plan, Start, Statistics, Step, Supply, plan};
use super::program::{Clause, Literal, Pred};
use super::statistics::Observed;

impl Engine {
    /// Plans the clauses of a component, and every way of asking that they bring up.
    pub(super) fn plan_component(&mut self, component: usize) {
        let unplanned = self.adornments.len();
        let mut clauses = std::mem::take(&mut self.components[component].clauses);
        for planned in &mut clauses {
            planned.whole = self.plan(&planned.clause, Start::Nothing);
            planned.recent = self.plan_recent(&planned.clause, component);
        }
        self.components[component].clauses = clauses;
        self.plan_adornments(unplanned);
    }

    /// Plans one way through a clause, and every way of asking that it brings up.
    pub(super) fn plan_with_adornments(&mut self, clause: &Clause, start: Start) -> Plan {
        let unplanned = self.adornments.len();
        let plan = self.plan(clause, start);
        self.plan_adornments(unplanned);
        plan
    }

    /// Plans the adornments from number `unplanned` on, and those that they bring up.
    fn plan_adornments(&mut self, mut unplanned: usize) {
        while unplanned < self.adornments.len() {
            self.plan_adornment(unplanned);
            unplanned += 1;
        }
    }

    fn plan_recent(&mut self, clause: &Clause, component: usize) -> Vec<Plan> {
        let is_own = |literal: &Literal| match literal {
            Literal::Positive(atom) => self.component_of(atom.pred) == component,
            Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => false,
        };
        let own: Vec<usize> = (0..clause.body.len())
            .filter(|&at| is_own(&clause.body[at]))
            .collect();
        own.into_iter()
            .map(|literal| self.plan(clause, Start::Recent(literal)))
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
            .map(|clause| self.plan(clause, Start::Asked(&columns)))
            .collect();
        self.adornments[number].plans = plans;
    }

    /// Plans one way through a clause, and makes the indices and adornments that it looks things up with.
    fn plan(&mut self, clause: &Clause, start: Start) -> Plan {
        let guide = Guide {
            statistics: &self.statistics,
            engine: self,
        };
        let mut plan = plan(clause, start, &guide);
        for lookup in plan.steps.iter_mut().filter_map(Step::lookup_mut) {
            lookup.supply = self.supply(lookup.pred, &lookup.columns);
            if !lookup.columns.is_empty() {
                lookup.index = self.index_on(lookup.pred, &lookup.columns);
            }
        }
        plan
    }

    fn index_on(&mut self, pred: Pred, columns: &[usize]) -> usize {
        match &mut self.fixed[pred.index()] {
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

    fn supply(&mut self, pred: Pred, columns: &[usize]) -> Supply {
        let component = self.component_of(pred);
        if self.fixed[pred.index()].is_some() {
            return Supply::Fixed;
        }
        if columns.is_empty() || !self.components[component].by_key {
            return Supply::Whole(component);
        }
        let known = self
            .adornments
            .iter()
            .position(|known| known.pred == pred && known.columns == columns);
        Supply::Asked(known.unwrap_or_else(|| {
            self.adornments.push(Adornment {
                pred,
                columns: columns.to_vec(),
                plans: Vec::new(),
            });
            self.adornments.len() - 1
        }))
    }
}

/// What the planner may ask.
struct Guide<'e> {
    statistics: &'e Observed,
    engine: &'e Engine,
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
