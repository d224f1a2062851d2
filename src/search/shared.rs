//! What the threads of a search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rustc_hash::FxHashSet;

use super::limits::SearchClock;
use super::table::{Entry, Table};
use super::{Features, Value};

/// What the threads of a search share.
pub(super) struct Shared<'a> {
    table: &'a Table,
    /// Stands in the table's keys for what was different when other entries were made.
    salt: u64,
    pub(super) features: Features,
    pub(super) clock: &'a SearchClock,
    /// Whether entries of the table count that were made at a greater depth than asked for.
    pub(super) takes_deeper: bool,
    /// The keys of the states that have stood on the table twice or more: who comes back there goes round in circles, and
    /// who comes back once may have found something better to do.
    pub(super) past: &'a FxHashSet<u64>,
    /// What going round in circles is worth.
    pub(super) again: Value,
    pub(super) threads: usize,
    /// By how much what is to be expected must jump in a step to be looked into beyond the depth limit, in thousandths of a
    /// goal; `None` where nobody looks there.
    pub(super) noise: Option<u32>,
    /// Whether all threads must end what they do.
    pub(super) is_over: AtomicBool,
    busy: Busy,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        table: &'a Table,
        features: Features,
        clock: &'a SearchClock,
        past: &'a FxHashSet<u64>,
    ) -> Self {
        Self {
            table,
            salt: 0,
            features,
            clock,
            takes_deeper: false,
            past,
            again: Value::UNKNOWN,
            threads: 1,
            noise: None,
            is_over: AtomicBool::new(false),
            busy: Busy::new(),
        }
    }

    /// From now on, entries count only that were made when the same states had stood on the table twice. A search against the
    /// clock does without: what it knows from earlier moves is worth more to it than a repetition it may miss.
    pub(super) fn tell_pasts_apart(&mut self) {
        let past = self.past.iter();
        self.salt = past.fold(0, |salt, key| salt ^ key.rotate_left(32));
    }

    /// What the table knows of a state.
    pub(super) fn known(&self, key: u64) -> Option<Entry> {
        self.table.get(key ^ self.salt)
    }

    /// Lets the table know.
    pub(super) fn keep(&self, key: u64, entry: Entry) {
        self.table.put(key ^ self.salt, entry);
    }

    /// Tells the other threads that this one is busy with a state.
    pub(super) fn take(&self, key: u64) {
        self.busy.place(key).store(key, Relaxed);
    }

    /// Tells them that it is no longer.
    pub(super) fn release(&self, key: u64) {
        let _ = self
            .busy
            .place(key)
            .compare_exchange(key, 0, Relaxed, Relaxed);
    }

    /// Whether another thread is busy with a state. A thread that asks does other things first, as in Kerrigan's
    /// simplification of ABDADA (Weill, "The ABDADA Distributed Minimax-Search Algorithm", 1996).
    pub(super) fn is_taken(&self, key: u64) -> bool {
        self.busy.place(key).load(Relaxed) == key
    }
}

/// Which states threads are busy with. Where two share a place, one is forgotten: then work is done twice.
struct Busy(Box<[AtomicU64]>);

impl Busy {
    const PLACES: usize = 1 << 10;

    fn new() -> Self {
        let places = std::iter::repeat_with(AtomicU64::default);
        Self(places.take(Self::PLACES).collect())
    }

    fn place(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize % Self::PLACES]
    }
}
