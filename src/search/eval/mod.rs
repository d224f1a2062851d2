//! What a state that is not terminal is worth: features found in the rules, weighted by logistic regression on self-play.

mod evaluator;
mod features;
mod heuristics;
mod implicants;
mod learned;
mod reachable;
mod regression;
mod relation;
mod self_play;
mod training;
mod weights;

pub(super) use evaluator::{Evaluator, expectation_of};
pub(super) use heuristics::QUIESCENCE;
pub use heuristics::{Heuristics, UnknownHeuristic};
pub(super) use learned::LearnedEvaluator;
pub(super) use training::TrainingPlan;
pub use weights::LearnedWeights;
