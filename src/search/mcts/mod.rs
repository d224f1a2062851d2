//! Choosing moves by Monte-Carlo tree search.
//!
//! Random games are played from states that are chosen one after the other, so that good moves are looked at most
//! (upper confidence bounds). Any number of roles; where several choose at once, each does so by statistics of its own
//! (*decoupled* bounds), and `random` draws its moves. States are remembered once, however they were come by, and from one
//! move to the next. What is certain is passed on as bounds from below and above, for goals of any value.
//!
//! Several states are evaluated in one call, so that engines which play many games at a time are used to the full.
//!
//! ```text
//! player (threads, time) ─▶ store (states) ─▶ tree ◀─ descend · ascend · verdict
//!    └─▶ evaluate (any engine)
//! ```

mod ascend;
mod descend;
mod evaluate;
mod node;
mod player;
mod spell;
mod store;
#[cfg(test)]
mod tests;
mod tree;
mod verdict;

pub use player::{Memory, Settings, best_move};
