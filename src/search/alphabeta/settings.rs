//! Settings of a minimax player.

use std::sync::Arc;

use super::MoveSelection;
use crate::search::eval::TrainingPlan;
use crate::search::{Heuristics, SavedWeights};
use crate::symmetry::SymmetryGroup;

/// Settings of a minimax player.
#[derive(Debug, Clone)]
pub struct MinimaxSettings {
    /// Size of the transposition table, in MiB; 0 for none.
    pub hash: usize,
    /// Which optimisations of the search are on.
    pub features: Features,
    /// The heuristics that evaluate states at the depth limit.
    pub heuristics: Heuristics,
    /// The name of a hand-written evaluation of the engine
    /// ([`StateMachine::evaluations`](crate::game::StateMachine::evaluations)) to use instead of the heuristics. Where
    /// the engine has none of this name, all states evaluate to the same.
    pub evaluation: Option<Arc<str>>,
    /// States of self-play from which the weights of the heuristics are learned, at most; without it, what is usual, or with a clock, as
    /// many as fit into the time before the search. The same number and seed always give the same weights.
    pub training_states: Option<u64>,
    /// What the games of that self-play are drawn from.
    pub training_seed: u64,
    /// Whether states that are evaluated far beyond the window are left out near the depth limit. Then a value at a depth is no longer that of a plain
    /// Min-Max; what is proved is proved all the same.
    pub selective: bool,
    /// Whether evaluations only order moves, and a state at the depth limit counts as one of which nothing is known: then no value but
    /// a proved one differs from 50, and proofs are found sooner.
    pub only_proofs: bool,
    /// Symmetries of the game by which states share table entries.
    pub symmetries: Option<Arc<SymmetryGroup>>,
    /// The weights that are used, in place of learning any.
    pub weights: Option<Arc<SavedWeights>>,
    /// Which of several good moves is played.
    pub selection: MoveSelection,
    /// Whether a clock runs while it searches. Then the memory of the table is mapped before, so that this takes no time of a
    /// search, and learning takes the time that there is; short searches that no clock ends are spared mapping what they never use.
    pub has_clock: bool,
}

/// Optimisations of the search. None of these changes the value of a state at a given depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features {
    /// Leaving out what cannot change the value: alpha-beta.
    pub pruning: bool,
    /// Move ordering by killers, history and static evaluation.
    pub ordering: bool,
    /// Null windows for all moves after the first.
    pub null_windows: bool,
    /// The order turned round, to see what it is worth.
    pub worst_first: bool,
}

impl MinimaxSettings {
    /// The default size of the table, in MiB.
    pub const HASH: usize = 64;
    /// The greatest size of the table, in MiB.
    pub const MOST_HASH: usize = 16_384;

    /// What tells searches with the same weights apart, as text: all that makes one stronger than another, but for its memory.
    pub(in crate::search) fn about_search(&self) -> String {
        let Self {
            features,
            evaluation,
            selective,
            symmetries,
            ..
        } = self;
        let has_symmetries = symmetries.is_some();
        format!("{features:?} {evaluation:?} {selective} {has_symmetries}")
    }

    /// How the weights are learned.
    pub(in crate::search) fn training(&self) -> TrainingPlan {
        TrainingPlan {
            heuristics: self.heuristics,
            states: self.training_states,
            seed: self.training_seed,
            grows: self.has_clock,
            ..TrainingPlan::default()
        }
    }
}

impl Default for MinimaxSettings {
    fn default() -> Self {
        Self {
            hash: Self::HASH,
            features: Features::ALL,
            heuristics: Heuristics::ALL,
            evaluation: None,
            training_states: None,
            training_seed: 0,
            selective: false,
            only_proofs: false,
            symmetries: None,
            weights: None,
            selection: MoveSelection::default(),
            has_clock: true,
        }
    }
}

impl Features {
    /// All of them.
    pub const ALL: Self = Self {
        pruning: true,
        ordering: true,
        null_windows: true,
        worst_first: false,
    };
    /// None but alpha-beta.
    pub const PLAIN: Self = Self {
        ordering: false,
        null_windows: false,
        ..Self::ALL
    };
    /// None: the whole tree is searched.
    pub const NONE: Self = Self {
        pruning: false,
        ..Self::PLAIN
    };
}
