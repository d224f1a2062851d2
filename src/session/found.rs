//! What a search found, in text.

use std::time::Duration;

use crate::game::Fault;
use crate::search::Value;

/// What a search found for one role in one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The move to play.
    pub best: String,
    /// What the role can be sure of by it, as far as the search looked: [`Value::points`] are goal points, 0 to 100.
    pub value: Value,
    /// Whether looking deeper cannot change the goal of the value.
    pub exact: bool,
    /// The depth completed, in plies; of a Monte-Carlo tree search, the longest path.
    pub depth: u32,
    /// The principal variation: the joint moves expected, beginning with the move to play.
    pub pv: Vec<Vec<String>>,
    /// The principal variation as people write it: of each joint move the moves of the roles that have a choice; as far as
    /// it could be found out in a fraction of a second, and empty unless it was asked for.
    pub line: Vec<String>,
    /// States looked at, or playouts of a Monte-Carlo tree search.
    pub nodes: u64,
    /// What is known of each move, best first; nothing but their names where no depth was completed.
    pub moves: Vec<MoveFound>,
    /// The budget of the engine that ran out on the way, if one did: then the value means little.
    pub fault: Option<Fault>,
    /// How long the search took.
    pub time: Duration,
}

/// What a search found out about one move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveFound {
    /// The move.
    pub mv: String,
    /// Its value, or an upper bound.
    pub value: Value,
    /// Whether `value` is the value itself, and not only an upper bound.
    pub is_exact: bool,
    /// Whether looking deeper cannot change the goal of the value.
    pub is_decided: bool,
    /// The joint moves expected; of moves with a mere bound, only the beginning.
    pub pv: Vec<Vec<String>>,
    /// The same as people write it, where that was asked for.
    pub line: Vec<String>,
}
