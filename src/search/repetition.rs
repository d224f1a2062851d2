//! Repetitions: states that occurred in the match before.

use std::hash::Hash;

use rustc_hash::FxHashSet;

use super::alphabeta::plies::key_of;

/// What a repetition is worth, in points, to a searcher with learned weights against one opponent: somewhat less than a draw (*contempt
/// factor*). Otherwise, two roles that both think themselves a little behind would go round for ever.
pub(super) const REPETITION_POINTS: f64 = 45.0;

/// The states that occurred at least twice in a match, by their keys. A first repetition does not count: the player may do something better
/// this time.
#[derive(Debug, Clone, Default)]
pub(super) struct RepeatedStates {
    keys: FxHashSet<u64>,
}

impl RepeatedStates {
    /// Those among the states of a match.
    pub(super) fn of<'s, S: Hash + 's>(past: impl Iterator<Item = &'s S>) -> Self {
        let mut once = FxHashSet::default();
        let again = past.map(key_of).filter(|key| !once.insert(*key));
        Self {
            keys: again.collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(super) fn contains<S: Hash>(&self, state: &S) -> bool {
        self.contains_key(key_of(state))
    }

    pub(super) fn contains_key(&self, key: u64) -> bool {
        self.keys.contains(&key)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &u64> {
        self.keys.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_count_from_their_second_time_on() {
        let repeated = RepeatedStates::of([3, 5, 3, 7, 5, 3].iter());
        let found: Vec<i32> = (0..10).filter(|state| repeated.contains(state)).collect();
        assert_eq!(found, [3, 5]);
        assert!(!repeated.is_empty());
        assert!(RepeatedStates::of([1, 2].iter()).is_empty());
    }
}
