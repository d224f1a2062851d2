//! What was learned of a game, for all who play it.

use std::sync::Arc;

use super::Evaluator;
use super::train::train;
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::limits::Deadline;

/// What was learned of one game.
#[derive(Debug, Default)]
pub struct Lessons {
    learned: Vec<(Role, Heuristics, Option<Arc<Evaluator>>)>,
}

impl Lessons {
    /// What a role has to know, as far as these heuristics can tell; learned before the deadline if it is not known yet.
    pub(in crate::search) fn learn<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        heuristics: Heuristics,
        deadline: Deadline<'_>,
    ) -> Option<Arc<Evaluator>> {
        // Where to stop looking is no matter of weights.
        let heuristics = heuristics.that_count();
        let same = |(known, by, _): &&(Role, Heuristics, _)| *known == role && *by == heuristics;
        if let Some((.., evaluator)) = self.learned.iter().find(same) {
            return evaluator.clone();
        }
        let evaluator = train(game, role, heuristics, deadline);
        self.learned.push((role, heuristics, evaluator.clone()));
        evaluator
    }
}
