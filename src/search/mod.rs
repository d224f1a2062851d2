//! Search: minimax with alpha-beta pruning, and Monte-Carlo tree search.
//!
//! In minimax, the searching role maximises its own goal, and every other role is assumed to minimise it, except for
//! `random`, which moves by chance. With simultaneous moves, the others are assumed to know the searcher's move, so that
//! the value is a lower bound (the *paranoid* bound). A game for one role is searched as a puzzle. Nothing assumes that
//! turns alternate, so a role may move several times in a row.
//!
//! At the depth limit, and at the leaves of Monte-Carlo tree search in games that allow it, `eval` gives the expected goal: features
//! found in the rules, weighted by self-play.
//!
//! ```text
//! searcher ─▶ alphabeta ─▶ eval
//!     ├─▶ mcts ─▶ eval (or playouts)
//!     ├─▶ shortest ─▶ hamming (games for one)
//!     └─▶ trial, choice (which suits a game: by short matches, by random games)
//! ```

mod alphabeta;
mod choice;
mod end_goal;
mod eval;
mod hamming;
mod limits;
mod mcts;
mod outcome;
mod repetition;
mod searcher;
mod shortest;
#[cfg(test)]
mod tests;
mod trial;
mod value;

pub use alphabeta::{
    Features, MinimaxSearcher, MinimaxSettings, MoveSelection, UnknownMoveSelection, best_move,
    bytes_of_entries,
};
pub use eval::{
    CalibrationDecile, CoursePoint, CourseResult, EvaluationPart, FeatureTuning, Heuristics,
    KeptWeights, LearnedWeights, MOST_HIDDEN_UNITS, SavedWeights, THREADS_OF_RUN, Teacher,
    TrainingCourse, TrainingRecord, TunedFeatures, TuningMethod, TupleSize, UnknownHeuristic,
    UnsuitableWeights, WeightsFileFault, WeightsSubject, game_of_trial, points_at,
};
pub use hamming::{HammingDistance, NoHammingDistance};
pub use limits::{MAX_DEPTH, OtherLine, SearchEffort, SearchLimits, SearchProgress};
pub use mcts::{MctsSearcher, MctsSettings};
pub use outcome::{MoveValue, SearchOutcome};
pub use searcher::{AutoSettings, Searcher, prepare, think};
pub use shortest::ShortestWaySearcher;
pub use value::Value;
