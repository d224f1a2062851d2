//! Choosing moves by Monte-Carlo tree search.
//!
//! Each iteration selects a leaf by upper confidence bounds (UCT), expands it, evaluates it by random playouts, and
//! backpropagates the goals. There may be any number of roles. Where several roles move simultaneously, each has bandit
//! statistics of its own (*decoupled* UCT); moves of `random` are drawn uniformly. Transpositions share a node, so the tree
//! is a graph, and it is kept from one move to the next. Proved values are backpropagated as lower and upper bounds of the
//! goals, which may have any value (as in MCTS-Solver and score-bounded MCTS).
//!
//! Leaves are evaluated in batches, for engines that play many games at a time. Until a batch is evaluated, virtual loss
//! keeps its selections apart.
//!
//! ```text
//! search (threads, clock) ─▶ state_tree (states) ─▶ tree ◀─ select · backpropagate · root_result
//!    └─▶ leaf_batch (expansion and playouts, on any engine)
//! ```

mod backpropagate;
mod leaf_batch;
mod node;
mod progress;
mod root_result;
mod search;
mod select;
mod state_tree;
#[cfg(test)]
mod tests;
mod tree;

pub(super) use search::best_move;
pub use search::{MctsSearcher, MctsSettings};
