//! What a search found.

use super::Value;
use crate::game::Fault;

/// What a search found for one role in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome<M> {
    /// The move to play.
    pub best: M,
    /// What the role can be sure of by it, as far as the search looked.
    pub value: Value,
    /// Whether looking deeper cannot change the value's goal.
    pub exact: bool,
    /// The depth completed, in steps; 0 where time ran out before one was.
    pub depth: u32,
    /// The joint moves expected, beginning with the move to play.
    pub line: Vec<Vec<M>>,
    /// States looked at, in all iterations.
    pub nodes: u64,
    /// What is known of each move, best first.
    pub moves: Vec<Judged<M>>,
    /// The engine's budget that ran out on the way, if one did: then the value means little.
    pub fault: Option<Fault>,
}

/// What a search found out about one move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged<M> {
    /// The move.
    pub mv: M,
    /// Its value, or a bound.
    pub value: Value,
    /// Whether `value` is the value itself, and not only a bound that the value does not exceed.
    pub is_exact: bool,
    /// Whether looking deeper cannot change the value's goal.
    pub is_sure: bool,
    /// The joint moves expected; of moves with a mere bound, only the beginning.
    pub line: Vec<Vec<M>>,
}
