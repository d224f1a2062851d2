//! Queries: all solutions of a clause for given values of its first head columns.

use super::engine::DatalogEngine;
use super::plan::{JoinPlan, Start};
use super::program::Clause;
use super::run::PlanRun;
use super::terms::TermId;
use super::working_memory::WorkingMemory;

/// A clause planned as a query.
#[derive(Debug)]
pub struct Query {
    plan: JoinPlan,
    given: usize,
}

impl DatalogEngine {
    /// Plans a query: the values of the first `given` columns of the head are its parameters, those of the other columns
    /// its result. Working memories created before must not be used with this engine again.
    pub fn query(&mut self, clause: &Clause, given: usize) -> Query {
        let columns: Vec<usize> = (0..given).collect();
        let mut plan = self.plan_with_adornments(clause, Start::Key(&columns));
        // All solutions are wanted, not the first for each row.
        plan.cut = usize::MAX;
        Query { plan, given }
    }
}

impl WorkingMemory {
    /// Calls `see` with the result columns of every solution of a query for the parameters `key`. A solution may be
    /// reported more than once.
    pub fn solve(
        &mut self,
        engine: &DatalogEngine,
        query: &Query,
        key: &[TermId],
        see: &mut dyn FnMut(&[TermId]),
    ) {
        self.make_room(key.len() + query.plan.slots);
        self.slots[..key.len()].copy_from_slice(key);
        let given = query.given;
        let mut run = PlanRun {
            engine,
            memory: self,
            plan: &query.plan,
            base: key.len(),
            sink: Some(&mut |row: &[TermId]| see(&row[given..])),
        };
        if run.enter(0..key.len()) {
            run.step(0);
        }
    }
}
