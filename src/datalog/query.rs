//! Questions about one row: every way in which a clause derives it.

use super::engine::Engine;
use super::memory::Memory;
use super::plan::{Plan, Start};
use super::program::Clause;
use super::run::Run;
use super::terms::TermId;

/// A clause made ready to be asked in which ways it derives given rows.
#[derive(Debug)]
pub struct Query {
    plan: Plan,
    given: usize,
}

impl Engine {
    /// Prepares questions about a clause: the values of the first `given` columns of its head will be asked for, those
    /// of the other columns are the answer. Memories made before must not be used with this engine again.
    pub fn query(&mut self, clause: &Clause, given: usize) -> Query {
        let columns: Vec<usize> = (0..given).collect();
        let mut plan = self.plan_with_adornments(clause, Start::Asked(&columns));
        // Every solution is wanted, not the first for each row.
        plan.cut = usize::MAX;
        Query { plan, given }
    }
}

impl Memory {
    /// Calls `see` with the other columns of every solution of a query for the values `key`; a solution may come up more
    /// than once.
    pub fn solve(
        &mut self,
        engine: &Engine,
        query: &Query,
        key: &[TermId],
        see: &mut dyn FnMut(&[TermId]),
    ) {
        self.make_room(key.len() + query.plan.slots);
        self.slots[..key.len()].copy_from_slice(key);
        let given = query.given;
        let mut run = Run {
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
