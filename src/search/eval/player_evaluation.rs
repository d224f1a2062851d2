//! The learned evaluation of a player: weights learned for its role, and what they say of a state.

use std::sync::Arc;

use super::training_plan::TrainingPlan;
use super::{EvaluationPart, Evaluator, LearnedEvaluator, LearnedWeights, SavedWeights};
use crate::game::{Engine, Role};
use crate::search::alphabeta::plies::EngineStack;
use crate::search::alphabeta::stack::SearchStack;
use crate::search::limits::SearchClock;

/// What a player evaluates states by, once it has learned.
#[derive(Debug)]
pub(in crate::search) struct PlayerEvaluation {
    plan: TrainingPlan,
    /// The weights that are used, in place of learning any.
    given: Option<Arc<SavedWeights>>,
    evaluator: Option<Arc<LearnedEvaluator>>,
    is_learned: bool,
    is_cut_short: bool,
}

impl PlayerEvaluation {
    /// Nothing learned so far. What is `given` is used, in place of learning by the plan.
    pub(in crate::search) fn new(plan: TrainingPlan, given: Option<Arc<SavedWeights>>) -> Self {
        Self {
            plan,
            given,
            evaluator: None,
            is_learned: false,
            is_cut_short: false,
        }
    }

    /// Learns to evaluate for `role`, unless that was done before.
    pub(in crate::search) fn learn<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        learned: &mut LearnedWeights,
        clock: &SearchClock,
    ) {
        if self.is_learned {
            return;
        }
        self.is_learned = true;
        if let Some(weights) = &self.given {
            self.evaluator = Some(Arc::new(weights.evaluator(game.game_facts(), role)));
        } else {
            let training = learned.learn(game, role, self.plan, clock);
            self.evaluator = training.evaluator;
            self.is_cut_short = training.is_cut_short;
        }
    }

    /// Changes how it will learn, if it has not learned yet.
    pub(in crate::search) fn plan(&mut self, plan: TrainingPlan) {
        self.plan = plan;
    }

    /// Takes these weights in place of learning any.
    pub(in crate::search) fn give(&mut self, weights: Arc<SavedWeights>) {
        self.given = Some(weights);
        self.is_learned = false;
    }

    /// The evaluator, once there is one.
    pub(in crate::search) fn evaluator(&self) -> Option<&Arc<LearnedEvaluator>> {
        self.evaluator.as_ref()
    }

    /// Whether the deadline cut the learning short.
    pub(in crate::search) fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// What each heuristic contributes to the evaluation of a state in which `role` is to move.
    pub(in crate::search) fn contributions<G: Engine>(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
    ) -> Vec<(&'static str, f64)> {
        let Some(evaluator) = &self.evaluator else {
            return Vec::new();
        };
        let mut plies = evaluated(evaluator, game, state, role);
        let choices = plies.info(0, 0).choices;
        evaluator.contributions(plies.words(0, 0), choices)
    }

    /// What the evaluation of a state in which `role` is to move is made of.
    pub(in crate::search) fn explanation<G: Engine>(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
    ) -> Vec<EvaluationPart> {
        let (Some(evaluator), Some(game_facts)) = (&self.evaluator, game.game_facts()) else {
            return Vec::new();
        };
        let mut plies = evaluated(evaluator, game, state, role);
        let choices = plies.info(0, 0).choices;
        evaluator.explanation(plies.words(0, 0), choices, game_facts)
    }

    /// Heuristics, features and weights in a game of these roles, if any were learned.
    pub(in crate::search) fn weights(&self, roles: &[String]) -> Vec<(&'static str, String, f64)> {
        let evaluator = self.evaluator.as_ref();
        evaluator.map_or_else(Vec::new, |evaluator| evaluator.weights(roles))
    }
}

/// A state with what its evaluation needs.
fn evaluated<'g, G: Engine>(
    evaluator: &Arc<LearnedEvaluator>,
    game: &'g G,
    state: &G::State,
    role: Role,
) -> EngineStack<'g, G> {
    let learned = Evaluator::Learned(Arc::clone(evaluator));
    EngineStack::new(game, state, role, Some(learned))
}
