//! The learned weights of a game, shared by its players.

use super::training::{TrainingResult, train};
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::limits::SearchClock;

/// The learned weights of one game.
#[derive(Debug, Clone, Default)]
pub struct LearnedWeights {
    learned: Vec<(Role, Heuristics, TrainingResult)>,
}

impl LearnedWeights {
    /// Adds what another copy has learned meanwhile.
    pub fn add(&mut self, other: Self) {
        for (role, heuristics, result) in other.learned {
            let same = |(known, by, _): &(Role, Heuristics, _)| *known == role && *by == heuristics;
            if !self.learned.iter().any(same) {
                self.learned.push((role, heuristics, result));
            }
        }
    }

    /// The training result for a role and heuristics; trained before the deadline if there is none yet.
    pub(in crate::search) fn learn<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        heuristics: Heuristics,
        clock: &SearchClock,
    ) -> TrainingResult {
        // Quiescence does not change the weights.
        let heuristics = heuristics.features_only();
        let same = |(known, by, _): &&(Role, Heuristics, _)| *known == role && *by == heuristics;
        if let Some((.., result)) = self.learned.iter().find(same) {
            return result.clone();
        }
        let result = train(game, role, heuristics, clock);
        self.learned.push((role, heuristics, result.clone()));
        result
    }
}
