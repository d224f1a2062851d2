//! Trial matches that a cache keeps.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::training_plan::{TrainingPlan, TrainingRecord};
use crate::files::{add_checksum, without_checksum};
use crate::search::trial::Trial;

/// What trial matches depend on, beside the game.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search) struct TrialSubject {
    /// How weights are learned.
    pub(in crate::search) plan: TrainingPlan,
    /// What weights were learned from that are used in place of learning any.
    pub(in crate::search) given: Option<TrainingRecord>,
    /// The time of a move, where it is known and so long that there are matches of longer moves.
    pub(in crate::search) move_time: Option<Duration>,
    /// The other settings of the searches, as text.
    pub(in crate::search) settings: String,
}

/// Trial matches that a cache keeps.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptTrial {
    pub(super) game: String,
    /// What the weights were learned from by which they were played.
    pub(super) states: u64,
    pub(super) games: u64,
    pub(super) trial: Trial,
}

impl KeptTrial {
    /// The entry: JSON, and a checksum.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).unwrap_or_default();
        add_checksum(&mut bytes);
        bytes
    }

    /// An entry that is undamaged.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(without_checksum(bytes)?).ok()
    }
}

/// The name of the game that trial matches which a cache keeps are about.
pub fn game_of_trial(entry: &[u8]) -> Option<String> {
    Some(KeptTrial::from_bytes(entry)?.game)
}
