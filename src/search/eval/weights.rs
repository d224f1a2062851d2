//! The learned weights of a game, shared by its players.

use super::training::{TrainingPlan, TrainingResult, shares_points, train};
use crate::game::{Engine, Role};
use crate::search::limits::SearchClock;

/// The learned weights of one game.
#[derive(Debug, Clone, Default)]
pub struct LearnedWeights {
    learned: Vec<(Role, TrainingPlan, TrainingResult)>,
    /// Whether what one of two roles wins, the other loses: then weights are learned for the first one.
    shares_points: Option<bool>,
}

impl LearnedWeights {
    /// Adds what another copy has learned meanwhile.
    pub fn add(&mut self, other: Self) {
        self.shares_points = self.shares_points.or(other.shares_points);
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
        let shares_points = *self
            .shares_points
            .get_or_insert_with(|| shares_points(game, clock));
        let learner = if shares_points { Role(0) } else { role };
        let same = |(known, by, _): &&(Role, TrainingPlan, _)| *known == learner && *by == plan;
        let known = self
            .learned
            .iter()
            .find(same)
            .map(|(.., result)| result.clone());
        let result = known.unwrap_or_else(|| {
            let result = train(game, learner, shares_points, plan, clock);
            self.learned.push((learner, plan, result.clone()));
            result
        });
        match learner == role {
            true => result,
            false => result.for_other(),
        }
    }
}
