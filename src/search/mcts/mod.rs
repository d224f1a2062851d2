//! Choosing moves by Monte-Carlo tree search.
//!
//! Each iteration selects a leaf by upper confidence bounds (UCT), expands it, evaluates it, and backpropagates what it is
//! worth. In games of two roles that take turns and share 100 points, learned weights evaluate a leaf together with all its children. A move is
//! then worth half the mean of the evaluations below it and half what the best of them lead to (implicit minimax: Lanctot et al. 2014, *Monte
//! Carlo tree search with heuristic evaluations using implicit minimax backups*), and the evaluations of moves are priors of their selection
//! (PUCT: Rosin 2011, *Multi-armed bandits with episode context*). In all other games, random playouts evaluate leaves. What holds at
//! their ends tells of moves that were not tried yet (all moves as first), as far as it proves to predict evaluations.
//!
//! There may be any number of roles. Where several roles move simultaneously, each has bandit
//! statistics of its own (*decoupled* UCT); moves of `random` are drawn uniformly. Transpositions share a node, so the tree
//! is a graph, and it is kept from one move to the next. Proved values are backpropagated as lower and upper bounds of the
//! goals, which may have any value (as in MCTS-Solver and score-bounded MCTS).
//!
//! Leaves are evaluated in batches, for engines that play many games at a time. Until a batch is evaluated, virtual loss
//! keeps its selections apart.
//!
//! Threads share the tree, and change it without a lock, since it is made of atomic words (as in Enzenberger and Müller 2010, *A lock-free
//! multithreaded Monte-Carlo tree search algorithm*). Visits, sums of values and bounds lose no update. A lock is held only while a state is
//! looked up or added, and while statistics over all evaluations are updated, once for a batch; where several roles choose at once, also to find
//! the child by a joint move.
//!
//! ```text
//! search (threads, clock) ─▶ state_tree (states) ─▶ tree ◀─ select · amaf · backpropagate · root_result
//!    │                                               └─▶ node (words · statistics)
//!    └─▶ leaf_batch ─▶ playout_evaluator · child_evaluator (expansion and evaluation, on any engine)
//!                            └─▶ move_facts (the fact that each move makes)
//! ```

mod amaf;
mod backpropagate;
mod child_evaluator;
mod leaf_batch;
mod move_facts;
mod node;
mod player;
mod playout_evaluator;
mod progress;
mod root_result;
mod search;
mod select;
mod state_tree;
mod statistics;
#[cfg(test)]
mod tests;
mod tree;
mod words;

pub use player::{MctsSearcher, MctsSettings};
pub(super) use search::best_move;
