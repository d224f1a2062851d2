//! What can be set about a Min-Max player.

use super::Heuristics;

/// What a Min-Max player works with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// MiB of memory for its table of transpositions; without any, it remembers nothing.
    pub hash: usize,
    /// The ways to save work that it takes.
    pub features: Features,
    /// What positions are judged by where the search ends.
    pub heuristics: Heuristics,
    /// The name of a formula that comes with the engine ([`StateMachine::evaluations`](crate::game::StateMachine::evaluations)) to judge
    /// them by instead; where the engine has none of this name, all positions look the same.
    pub evaluation: Option<&'static str>,
}

/// Ways to save work. None of them changes the value of a state at a given depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features {
    /// Looking first at moves that were good elsewhere, or look good.
    pub ordering: bool,
    /// Asking only whether a move is better than the best one so far, before asking how good it is.
    pub null_windows: bool,
    /// Expecting that the value does not change much from depth to depth.
    pub aspiration: bool,
}

impl Settings {
    /// MiB of the table where nobody says otherwise.
    pub const HASH: usize = 64;
    /// The most that may be asked for.
    pub const MOST_HASH: usize = 16_384;
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash: Self::HASH,
            features: Features::ALL,
            heuristics: Heuristics::ALL,
            evaluation: None,
        }
    }
}

impl Features {
    /// All of them.
    pub const ALL: Self = Self {
        ordering: true,
        null_windows: true,
        aspiration: true,
    };
    /// None.
    pub const NONE: Self = Self {
        ordering: false,
        null_windows: false,
        aspiration: false,
    };
}
