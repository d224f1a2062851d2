//! The result of a search.

use super::Value;
use crate::game::Fault;

/// The result of a search for one role in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOutcome<M> {
    /// The move to play.
    pub best: M,
    /// The value of this move: what the role can be sure of, as far as the search went.
    pub value: Value,
    /// Whether a deeper search cannot change the goal of the value.
    pub exact: bool,
    /// The depth completed, in steps; 0 if time ran out before.
    pub depth: u32,
    /// The principal variation, beginning with the move to play.
    pub line: Vec<Vec<M>>,
    /// States searched, or playouts.
    pub nodes: u64,
    /// The values of the moves, best first.
    pub moves: Vec<MoveValue<M>>,
    /// The engine's budget that was exceeded during the search, if any; then the value means little.
    pub fault: Option<Fault>,
}

/// The value of one move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveValue<M> {
    /// The move.
    pub mv: M,
    /// Its value, or a bound.
    pub value: Value,
    /// Whether `value` is exact, and not an upper bound.
    pub is_exact: bool,
    /// Whether a deeper search cannot change the goal of the value.
    pub is_sure: bool,
    /// The expected joint moves; only the first one for a move with an upper bound.
    pub line: Vec<Vec<M>>,
}
