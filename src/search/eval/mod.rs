//! What a state that is not terminal is worth: features found in the rules, weighted by self-play.

mod cells;
mod evaluator;
mod features;
mod heuristics;
mod learned;
mod logistic;
mod model;
mod needed_facts;
mod reachable;
mod relation;
mod self_play;
mod shapes;
mod symmetry;
mod training;
mod tuples;
mod turn;
mod weights;

pub(super) use evaluator::{Evaluator, expectation_of};
pub use heuristics::{Heuristics, UnknownHeuristic};
pub(super) use learned::{EvaluatedParent, LearnedEvaluator};
pub(super) use logistic::{expectation_at, logit};
pub(super) use training::TrainingPlan;
pub use weights::LearnedWeights;
