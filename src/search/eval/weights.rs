//! The learned weights of a game, shared by its players.

use super::training::{TrainingPlan, TrainingResult, train};
use crate::game::{Engine, Role};
use crate::search::limits::SearchClock;

/// The learned weights of one game.
#[derive(Debug, Clone, Default)]
pub struct LearnedWeights {
    learned: Vec<(Role, TrainingPlan, TrainingResult)>,
}

impl LearnedWeights {
    /// Adds what another copy has learned meanwhile.
    pub fn add(&mut self, other: Self) {
        for (role, plan, result) in other.learned {
            let same = |(known, by, _): &(Role, TrainingPlan, _)| *known == role && *by == plan;
            if !self.learned.iter().any(same) {
                self.learned.push((role, plan, result));
            }
        }
    }

    /// The training result for a role and a plan; trained before the deadline if there is none yet.
    pub(in crate::search) fn learn<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        plan: TrainingPlan,
        clock: &SearchClock,
    ) -> TrainingResult {
        // Quiescence does not change the weights.
        let plan = TrainingPlan {
            heuristics: plan.heuristics.features_only(),
            ..plan
        };
        let same = |(known, by, _): &&(Role, TrainingPlan, _)| *known == role && *by == plan;
        if let Some((.., result)) = self.learned.iter().find(same) {
            return result.clone();
        }
        let result = train(game, role, plan, clock);
        self.learned.push((role, plan, result.clone()));
        result
    }
}
