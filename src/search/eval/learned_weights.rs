//! The weights learned for a game, shared by all of its searchers.

use super::training::{TrainedEvaluator, train};
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::limits::SearchClock;

/// The evaluators trained for one game.
#[derive(Debug, Default)]
pub struct LearnedWeights {
    learned: Vec<(Role, Heuristics, TrainedEvaluator)>,
}

impl LearnedWeights {
    /// The evaluator for a role with these heuristics, trained before the deadline if there is none yet.
    pub(in crate::search) fn learn<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        heuristics: Heuristics,
        clock: &SearchClock,
    ) -> TrainedEvaluator {
        // Quiescence has no weight.
        let heuristics = heuristics.with_features();
        let same = |(known, on, _): &&(Role, Heuristics, _)| *known == role && *on == heuristics;
        if let Some((.., trained)) = self.learned.iter().find(same) {
            return trained.clone();
        }
        let trained = train(game, role, heuristics, clock);
        self.learned.push((role, heuristics, trained.clone()));
        trained
    }
}
