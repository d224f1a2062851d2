//! Boards that are gone after a step.

use rustc_hash::FxHashMap;

use super::games::PlayedStep;
use super::groups::{Broken, Content, Key};

/// Whether all groups of a relation are lost together, the steps that end a game included.
#[derive(Debug, Default)]
pub(super) struct Vanished {
    /// Steps in which most groups are lost, and those in which most are not.
    pub(super) steps: u64,
    pub(super) other_steps: u64,
    pub(super) first: Option<Broken>,
    /// How many groups are lost in the first of these steps.
    pub(super) lost: usize,
}

impl Vanished {
    pub(super) fn see(
        &mut self,
        step: &PlayedStep,
        held: &FxHashMap<Key, Vec<Content>>,
        holds: &FxHashMap<Key, Vec<Content>>,
    ) {
        let mut lost: Vec<&Key> = held
            .keys()
            .filter(|key| !holds.contains_key(*key))
            .collect();
        if held.is_empty() {
            return;
        }
        if lost.len() * 2 <= held.len() {
            self.other_steps += 1;
            return;
        }
        self.steps += 1;
        if self.first.is_none() {
            lost.sort_unstable();
            self.lost = lost.len();
            self.first = Some(Broken::new(step, lost[0], &held[lost[0]][0], &[]));
        }
    }
}
