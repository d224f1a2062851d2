//! What the threads of a search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::settings::Features;
use super::transposition::{Entry, TranspositionTable};
use crate::search::Value;
use crate::search::limits::SearchClock;
use crate::search::repetition::RepeatedStates;

/// Tells keys of classes from those of states.
const CLASSES: u64 = 0x6d69_7272_6f72_6564;

/// What the threads of a search share.
pub(in crate::search) struct SharedSearch<'a> {
    table: &'a TranspositionTable,
    /// Combined with the keys of the table, to separate searches with different repetitions.
    salt: u64,
    pub(in crate::search) features: Features,
    pub(in crate::search) clock: &'a SearchClock,
    /// Whether deeper table entries than asked for are accepted.
    pub(in crate::search) accepts_deeper: bool,
    pub(in crate::search) repeated: &'a RepeatedStates,
    /// The value of a state that repeats one of these.
    pub(in crate::search) repetition_value: Value,
    pub(in crate::search) threads: usize,
    /// So many states at most are searched by each thread.
    pub(in crate::search) most_nodes: u64,
    /// Whether states at the depth limit count as unknown.
    pub(super) only_proofs: bool,
    /// Whether states that symmetries make of each other share a table entry.
    pub(super) keeps_classes: bool,
    /// Whether states beyond the window are pruned.
    pub(super) is_selective: bool,
    /// Whether all threads must end.
    pub(in crate::search) is_over: AtomicBool,
    claimed: ClaimedStates,
}

impl<'a> SharedSearch<'a> {
    pub(in crate::search) fn new(
        table: &'a TranspositionTable,
        features: Features,
        clock: &'a SearchClock,
        repeated: &'a RepeatedStates,
    ) -> Self {
        Self {
            table,
            salt: 0,
            features,
            clock,
            accepts_deeper: false,
            repeated,
            repetition_value: Value::UNKNOWN,
            threads: 1,
            most_nodes: u64::MAX,
            only_proofs: false,
            keeps_classes: false,
            is_selective: false,
            is_over: AtomicBool::new(false),
            claimed: ClaimedStates::new(),
        }
    }

    /// From now on, only table entries count that were made with the same repetitions. A search against the clock does
    /// without: its entries from earlier moves are worth more than a repetition it may miss.
    pub(in crate::search) fn salt_with_repetitions(&mut self) {
        let keys = self.repeated.keys();
        self.salt = keys.fold(0, |salt, key| salt ^ key.rotate_left(32));
    }

    /// From now on, states that symmetries make of each other share table entries; entries of single states do not count.
    pub(super) fn keep_classes(&mut self) {
        self.keeps_classes = true;
        self.salt ^= CLASSES;
    }

    /// The table entry of a state.
    pub(in crate::search) fn probe(&self, key: u64) -> Option<Entry> {
        self.table.get(key ^ self.salt)
    }

    /// Gets entries of these states into the cache of the processor.
    pub(in crate::search) fn touch(&self, keys: impl Iterator<Item = u64>) {
        self.table.touch(keys.map(|key| key ^ self.salt));
    }

    /// Stores an entry in the table.
    pub(in crate::search) fn store(&self, key: u64, entry: Entry) {
        self.table.put(key ^ self.salt, entry);
    }

    /// Announces that this thread searches a state.
    pub(in crate::search) fn claim(&self, key: u64) {
        self.claimed.place(key).store(key, Relaxed);
    }

    /// Announces that it no longer does.
    pub(in crate::search) fn release(&self, key: u64) {
        let _ = self
            .claimed
            .place(key)
            .compare_exchange(key, 0, Relaxed, Relaxed);
    }

    /// Whether another thread is searching a state. A thread then searches other states first, as in Kerrigan's
    /// simplification of ABDADA (Weill, "The ABDADA Distributed Minimax-Search Algorithm", 1996).
    pub(in crate::search) fn is_claimed(&self, key: u64) -> bool {
        self.claimed.place(key).load(Relaxed) == key
    }
}

/// The states that threads are searching, by key. Of two keys with the same slot one is forgotten; then some work is
/// done twice.
struct ClaimedStates(Box<[AtomicU64]>);

impl ClaimedStates {
    const PLACES: usize = 1 << 10;

    fn new() -> Self {
        let places = std::iter::repeat_with(AtomicU64::default);
        Self(places.take(Self::PLACES).collect())
    }

    fn place(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize % Self::PLACES]
    }
}
