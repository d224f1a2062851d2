//! What `--heuristic` may say.

use std::fmt;
use std::str::FromStr;

use crate::search::{Heuristics, UnknownHeuristic};

/// The name of the distance to the goal.
const HAMMING: &str = "hamming";

/// Heuristics of the evaluation, or the distance to the goal of a game for one.
#[derive(Debug, Clone, Copy)]
pub(super) enum SearchHeuristic {
    Learned(Heuristics),
    Hamming,
}

impl SearchHeuristic {
    pub(super) fn is_hamming(self) -> bool {
        matches!(self, Self::Hamming)
    }

    /// Those of the evaluation.
    pub(super) fn learned(self) -> Heuristics {
        match self {
            Self::Learned(heuristics) => heuristics,
            Self::Hamming => Heuristics::NONE,
        }
    }
}

impl Default for SearchHeuristic {
    fn default() -> Self {
        Self::Learned(Heuristics::default())
    }
}

impl FromStr for SearchHeuristic {
    type Err = UnknownHeuristic;

    fn from_str(text: &str) -> Result<Self, UnknownHeuristic> {
        match text.trim() {
            HAMMING => Ok(Self::Hamming),
            text => text.parse().map(Self::Learned),
        }
    }
}

impl fmt::Display for SearchHeuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Learned(heuristics) => heuristics.fmt(f),
            Self::Hamming => f.write_str(HAMMING),
        }
    }
}
