//! Choosing moves by looking ahead.
//!
//! The searching role maximises its own goal and takes every other role for an opponent who minimises it, except for
//! `random`, which picks its moves by chance. Where several roles choose at once, the others are assumed to know the
//! searcher's choice: the value is what it can be sure of (the *paranoid* bound). A game for one role is searched as a
//! puzzle, and a role that moves several times in a row needs no special case, since nothing here assumes that turns
//! alternate.
//!
//! At the horizon, `eval` estimates the goal: a weighted sum of features derived from the rules, with weights learned by
//! self-play.
//!
//! ```text
//! minimax ─▶ deepening (threads) ─▶ root ─▶ alpha_beta (principal variation search) ─▶ ladder ◀─ rungs (any engine)
//!                                              └─▶ table · order · shared                           └─▶ judge
//! ```

mod alpha_beta;
mod auto;
mod cast;
mod deepening;
mod eval;
mod judge;
mod ladder;
mod limits;
pub mod mcts;
mod minimax;
mod order;
mod outcome;
mod root;
mod rungs;
mod searcher;
mod settings;
mod shared;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub use eval::{Heuristics, LearnedWeights, UnknownHeuristic};
pub use limits::{Limits, MAX_DEPTH, Progress};
pub use minimax::{Memory, best_move};
pub use outcome::{Judged, Outcome};
pub use searcher::{Searcher, prepare, think};
pub use settings::{Features, Settings};
pub use value::Value;
