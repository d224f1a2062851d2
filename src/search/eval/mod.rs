//! What a state that is not terminal is worth: features found in the rules, weighted by self-play.

mod cells;
mod course;
mod duel;
mod evaluator;
mod explanation;
mod feature_tuning;
mod features;
mod game_model;
mod heuristics;
mod hidden;
mod kept_trial;
mod learned;
mod logistic;
mod model;
mod needed_facts;
mod patterns;
mod player_evaluation;
mod reachable;
mod relation;
mod saved;
mod self_play;
mod shapes;
mod shares_points;
mod taught;
mod threats;
mod training;
mod training_plan;
mod tuples;
mod turn;
mod turn_exchange;
mod weights;

pub use course::{CoursePoint, CourseResult, THREADS_OF_RUN, TrainingCourse};
pub use duel::CalibrationDecile;
pub(super) use evaluator::{Evaluator, expectation_of};
pub use explanation::EvaluationPart;
pub use feature_tuning::{FeatureTuning, TunedFeatures, TuningMethod};
pub use heuristics::{Heuristics, UnknownHeuristic};
pub(super) use kept_trial::TrialSubject;
pub use kept_trial::game_of_trial;
pub(super) use learned::{EvaluatedParent, LearnedEvaluator};
pub use logistic::points_at;
pub(super) use logistic::{expectation_at, logit};
pub(super) use player_evaluation::PlayerEvaluation;
pub use saved::{
    MOST_HIDDEN_UNITS, SavedWeights, UnsuitableWeights, WeightsFileFault, WeightsSubject,
};
pub use shapes::TupleSize;
pub use taught::Teacher;
pub(super) use threats::{MissingFacts, Threats};
pub(super) use training_plan::TrainingPlan;
pub use training_plan::TrainingRecord;
pub use weights::{KeptWeights, LearnedWeights};
