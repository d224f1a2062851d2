//! What helps to find boards besides the facts of some states.

use serde::{Deserialize, Serialize};

use super::file::BoardFile;
use super::neighbours::NeighbourRelation;
use crate::kif::GroundTerm;

/// What is known besides the facts of some states.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BoardHints {
    /// The relations of the rules that may list neighbours, see [`ListedByRules`](super::ListedByRules).
    pub neighbours: Vec<NeighbourRelation>,
    /// The orders that the rules give to words, see [`successor_orders`](crate::info::successor_orders).
    pub orders: Vec<Vec<String>>,
    /// The facts that the rules list as possible, see [`ListedByRules`](super::ListedByRules).
    pub possible: Vec<GroundTerm>,
    /// Moves that are legal at the start.
    pub moves: Vec<GroundTerm>,
    /// The board file, if there is one. Not kept with the rest: a cache has an entry for each file.
    #[serde(skip)]
    pub file: BoardFile,
}
