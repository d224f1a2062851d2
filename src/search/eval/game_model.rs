//! What is weighted in a game.

use std::sync::Arc;

use super::cells::{CellGrid, cell_grids};
use super::features::features;
use super::heuristics::{FACTS, THREATS};
use super::model::EvaluationModel;
use super::shapes::tuples_of;
use super::threats::Threats;
use super::training_plan::TrainingPlan;
use super::tuples::Tuples;
use super::turn::TurnFacts;
use crate::game::{Engine, GameFacts};
use crate::search::Heuristics;

/// What is weighted in a game, without weights.
pub(super) fn game_model<G: Engine>(game: &G, plan: TrainingPlan) -> EvaluationModel {
    let TrainingPlan {
        heuristics, size, ..
    } = plan;
    let features = features(game.game_facts(), heuristics);
    let weighs_facts = heuristics.has(FACTS);
    let Some(game_facts) = game.game_facts() else {
        let (tuples, turns) = (Tuples::new(Vec::new(), 0, 0), TurnFacts::default());
        return EvaluationModel::new(features, tuples, turns, 0, weighs_facts);
    };
    let grids = cell_grids(game_facts);
    let threats = threats(game_facts, &grids, heuristics);
    let facts = threats
        .as_ref()
        .map_or(game_facts.facts.len(), Threats::facts);
    let tuples = tuples_of(game_facts, (&grids, threats.as_ref()), heuristics, size);
    let tuples = Tuples::new(tuples, facts, size.most_weights());
    let turns = TurnFacts::new(game_facts, game.roles());
    let model = EvaluationModel::new(features, tuples, turns, facts, weighs_facts);
    model.with_threats(threats.map(Arc::new))
}

fn threats(game_facts: &GameFacts, grids: &[CellGrid], heuristics: Heuristics) -> Option<Threats> {
    heuristics
        .has(THREATS)
        .then(|| Threats::new(game_facts, grids))?
}
