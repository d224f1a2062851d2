//! The transposition table, shared by all threads.
//!
//! Lock-free as in Hyatt and Mann, "A Lockless Transposition Table Implementation for Parallel Search" (ICGA Journal,
//! 2002): a slot is two words, the data and the key combined with the data. Two threads that write at the same time
//! leave a slot that matches no key.

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::search::Value;

/// A table entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct Entry {
    /// The distance to an end counts from the state itself.
    pub(in crate::search) value: Value,
    pub(in crate::search) bound: Bound,
    /// The depth of the search, in steps.
    pub(in crate::search) depth: u32,
    /// Whether no line was cut off at that depth, so that a deeper search would change nothing.
    pub(in crate::search) complete: bool,
    /// What tells the best choice, if the search could say: see `Worker::mark_of`.
    pub(in crate::search) best: Option<u16>,
}

/// How the value relates to the exact one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Bound {
    Exact,
    /// The exact value may be greater.
    Lower,
    /// The exact value may be less.
    Upper,
}

/// Entries in buckets of four slots.
///
/// A large table begins small, and grows when half of it is filled: the fewer pages of memory are in use, the sooner an entry is found. What
/// was kept before is looked for at its former place, too.
#[derive(Debug)]
pub(in crate::search) struct TranspositionTable {
    /// Two words per slot: the key combined with the data by exclusive or, and the data; 0 for an empty slot.
    words: Box<[AtomicU64]>,
    /// Words before the first bucket, so that each bucket lies in one cache line.
    skipped: usize,
    buckets: usize,
    /// How many of the buckets are in use, and how many were before the table grew.
    in_use: AtomicUsize,
    in_use_before: AtomicUsize,
    /// How many of the slots in use are filled, by a sample of the keys.
    filled: AtomicUsize,
    /// The age that the present search writes.
    age: AtomicU8,
}

/// How many bytes so many entries take.
pub fn bytes_of_entries(entries: u64) -> u64 {
    entries * 2 * size_of::<u64>() as u64
}

/// Words of a bucket.
const BUCKET: usize = 8;
/// Words of a memory page, or fewer.
const PAGE: usize = 512;
/// Buckets that are in use at first, in 64 MiB.
const FIRST_BUCKETS: usize = 1 << 20;
/// So many times as many buckets are in use once the table has grown.
const GROWTH: usize = 4;
/// The bits of a key that are zero where it is in the sample by which filled slots are counted.
const SAMPLE_BITS: u32 = 58;
/// One key of so many is in the sample.
const SAMPLED: usize = 1 << (u64::BITS - SAMPLE_BITS);

impl TranspositionTable {
    /// A table of at most `mebibytes` MiB, less if memory is short; 0 for one that stores nothing.
    pub(in crate::search) fn new(mebibytes: usize) -> Self {
        let most = (mebibytes << 20) / (BUCKET * size_of::<u64>());
        Self::of_buckets(if most == 0 { 0 } else { 1 << most.ilog2() })
    }

    /// A table of `buckets` buckets, a power of two or zero; fewer if memory is short.
    pub(in crate::search) fn of_buckets(mut buckets: usize) -> Self {
        let words: Box<[AtomicU64]> = loop {
            match bytemuck::try_zeroed_slice_box(buckets * BUCKET + BUCKET) {
                Ok(words) => break words,
                Err(()) => buckets /= 2,
            }
        };
        let off = words.as_ptr() as usize / size_of::<u64>() % BUCKET;
        Self {
            words,
            skipped: (BUCKET - off) % BUCKET,
            buckets,
            in_use: AtomicUsize::new(buckets.min(FIRST_BUCKETS)),
            in_use_before: AtomicUsize::new(0),
            filled: AtomicUsize::new(0),
            age: AtomicU8::new(0),
        }
    }

    /// Maps the memory of an empty table: a page that is read before it is written is mapped twice, and the second time stops all
    /// threads. Of a large table only what is in use is mapped, since the rest may never be.
    pub(in crate::search) fn map_memory(&self) {
        self.words_in_use()
            .iter()
            .step_by(PAGE)
            .for_each(|word| word.store(0, Relaxed));
    }

    /// Begins a new search: entries of earlier ones are replaced first.
    pub(in crate::search) fn grow_older(&self) {
        self.age
            .store(self.age.load(Relaxed).wrapping_add(1) & AGES, Relaxed);
    }

    /// The entry of this key.
    pub(in crate::search) fn get(&self, key: u64) -> Option<Entry> {
        let (now, before) = (self.in_use.load(Relaxed), self.in_use_before.load(Relaxed));
        let found = self
            .bucket(key, now)
            .and_then(|bucket| entry_in(bucket, key));
        found.or_else(|| entry_in(self.bucket(key, before)?, key))
    }

    /// Reads where the entries of these keys are kept, so that they are in the cache when they are asked for: all at once, which takes hardly
    /// longer than one.
    pub(in crate::search) fn touch(&self, keys: impl Iterator<Item = u64>) {
        let in_use = self.in_use.load(Relaxed);
        let buckets = keys.filter_map(|key| self.bucket(key, in_use));
        let words = buckets.map(|bucket| bucket[0].load(Relaxed));
        std::hint::black_box(words.fold(0, |all, word| all ^ word));
    }

    /// Stores `entry` in place of the least valuable one of its bucket.
    pub(in crate::search) fn put(&self, key: u64, entry: Entry) {
        let Some(bucket) = self.bucket(key, self.in_use.load(Relaxed)) else {
            return;
        };
        let age = self.age.load(Relaxed);
        let worth = |slot: &&[AtomicU64]| {
            let data = slot[1].load(Relaxed);
            match slot[0].load(Relaxed) ^ data == key {
                true => i64::MIN,
                false => worth(data, age),
            }
        };
        if let Some(slot) = bucket.chunks_exact(2).min_by_key(worth) {
            let data = pack(entry, age);
            let is_new = slot[1].load(Relaxed) == 0;
            slot[0].store(key ^ data, Relaxed);
            slot[1].store(data, Relaxed);
            if is_new && key >> SAMPLE_BITS == 0 {
                self.grow_if_filled();
            }
        }
    }

    /// Counts a filled slot, and takes more buckets into use if half of them are filled.
    fn grow_if_filled(&self) {
        let filled = (1 + self.filled.fetch_add(1, Relaxed)) * SAMPLED;
        let now = self.in_use.load(Relaxed);
        let is_filled = filled > now * BUCKET / 4;
        if is_filled && now < self.buckets {
            let grown = (now * GROWTH).min(self.buckets);
            let is_first = self.in_use.compare_exchange(now, grown, Relaxed, Relaxed);
            if is_first.is_ok() {
                self.in_use_before.store(now, Relaxed);
            }
        }
    }

    /// How many entries there are; those of before the table grew count twice where they were found again.
    pub(in crate::search) fn used(&self) -> u64 {
        let slots = self.words_in_use().chunks_exact(2);
        slots.filter(|slot| slot[1].load(Relaxed) != 0).count() as u64
    }

    fn words_in_use(&self) -> &[AtomicU64] {
        &self.words[self.skipped..][..self.in_use.load(Relaxed) * BUCKET]
    }

    /// The bucket of a key where so many are in use.
    fn bucket(&self, key: u64, in_use: usize) -> Option<&[AtomicU64]> {
        let mask = in_use.checked_sub(1)?;
        let first = self.skipped + (key as usize & mask) * BUCKET;
        self.words.get(first..first + BUCKET)
    }
}

/// The entry of a key in its bucket.
fn entry_in(bucket: &[AtomicU64], key: u64) -> Option<Entry> {
    bucket.chunks_exact(2).find_map(|slot| {
        let data = slot[1].load(Relaxed);
        let fits = data != 0 && slot[0].load(Relaxed) ^ data == key;
        fits.then(|| unpack(data))
    })
}

/// How valuable an entry is: deep ones of the present search most.
fn worth(data: u64, age: u8) -> i64 {
    if data == 0 {
        return -1;
    }
    let behind = age.wrapping_sub((data >> AGE) as u8) & AGES;
    unpack(data).depth as i64 + if behind == 0 { 512 } else { 0 }
}

// From the lowest bit: value 30 bits, depth 8, bound 2, complete 1, whether there is a best choice 1, the choice 16,
// age 6.
const DEPTH: u32 = 30;
const BOUND: u32 = 38;
const COMPLETE: u32 = 40;
const HAS_BEST: u32 = 41;
const BEST: u32 = 42;
const AGE: u32 = 58;
const AGES: u8 = 63;
/// Added to values, which may be slightly negative.
const SHIFT: i32 = 1 << 23;

fn pack(entry: Entry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    let best = entry
        .best
        .map_or(0, |best| 1 << HAS_BEST | u64::from(best) << BEST);
    (entry.value.raw() + SHIFT) as u64
        | u64::from(entry.depth.min(255)) << DEPTH
        | bound << BOUND
        | u64::from(entry.complete) << COMPLETE
        | best
        | u64::from(age) << AGE
}

fn unpack(data: u64) -> Entry {
    let has_best = data >> HAS_BEST & 1 == 1;
    Entry {
        value: Value::from_raw((data & 0x3fff_ffff) as i32 - SHIFT),
        depth: (data >> DEPTH & 0xff) as u32,
        bound: match data >> BOUND & 3 {
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => Bound::Exact,
        },
        complete: data >> COMPLETE & 1 == 1,
        best: has_best.then_some((data >> BEST) as u16),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u32) -> Entry {
        Entry {
            value: Value::end(0, 3),
            bound: Bound::Upper,
            depth,
            complete: true,
            best: Some(65_535),
        }
    }

    #[test]
    fn entries_are_found_again() {
        let table = TranspositionTable::new(1);
        let extremes = [Value::LOWEST, Value::HIGHEST, Value::UNKNOWN];
        for (key, value) in extremes.into_iter().enumerate() {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let entry = Entry {
                    value,
                    bound,
                    best: None,
                    ..entry(200)
                };
                table.put(key as u64, entry);
                assert_eq!(table.get(key as u64), Some(entry));
            }
        }
        assert_eq!(table.get(77), None);
        assert_eq!(table.used(), 3);
        table.put(0, entry(1));
        assert_eq!(
            table.get(0),
            Some(entry(1)),
            "what is newer replaces what is deeper"
        );
    }

    #[test]
    fn old_and_shallow_entries_are_replaced() {
        let table = TranspositionTable::new(1);
        let keys: Vec<u64> = (0..5).map(|high| high << 40).collect();
        for (depth, key) in keys[..4].iter().enumerate() {
            table.put(*key, entry(depth as u32 + 3));
        }
        table.put(keys[4], entry(1));
        assert_eq!(table.get(keys[0]), None, "the shallowest");
        table.grow_older();
        table.put(keys[0], entry(1));
        table.put(keys[2], entry(1));
        assert!(keys[..3].iter().any(|key| table.get(*key).is_some()));
        assert_eq!(
            table.get(keys[0]),
            Some(entry(1)),
            "those of this search stay"
        );
    }

    /// The entry of a key in [`a_full_table_never_confuses_states`].
    fn entry_of(key: u64) -> Entry {
        Entry {
            value: Value::end((key % 101) as u8, (key >> 8) as u32 % 400),
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][(key >> 20) as usize % 3],
            depth: (key >> 24) as u32 % 200,
            complete: key >> 32 & 1 == 1,
            best: (key >> 33 & 1 == 1).then_some((key >> 34) as u16),
        }
    }

    /// Thousands of states in a table for a few, from several threads at once.
    #[test]
    fn a_full_table_never_confuses_states() {
        use rand::{RngExt, SeedableRng};

        for buckets in [1, 2, 8] {
            let table = TranspositionTable::of_buckets(buckets);
            let work = |seed| {
                let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
                let keys: Vec<u64> = (0..64).map(|_| rng.random()).collect();
                let (mut found, mut forgotten) = (0, 0);
                for _ in 0..20_000 {
                    let [put, get] = [(); 2].map(|()| keys[rng.random_range(0..keys.len())]);
                    table.put(put, entry_of(put));
                    match table.get(get) {
                        Some(entry) => assert_eq!(entry, entry_of(get)),
                        None => forgotten += 1,
                    }
                    found += usize::from(table.get(get).is_some());
                    if rng.random_range(0..100) == 0 {
                        table.grow_older();
                    }
                }
                (found, forgotten)
            };
            let found: Vec<(usize, usize)> = std::thread::scope(|scope| {
                // Two threads use the same states.
                let threads = [1, 1, 2].map(|seed| scope.spawn(move || work(seed)));
                threads.map(|thread| thread.join().unwrap()).into()
            });
            let often = |(found, forgotten): &(usize, usize)| *found > 50 && *forgotten > 5000;
            assert!(found.iter().all(often), "{buckets}: {found:?}");
        }
    }

    #[test]
    fn a_large_table_grows_and_keeps_what_it_has() {
        let table = TranspositionTable::of_buckets(8 * FIRST_BUCKETS);
        assert_eq!(table.in_use.load(Relaxed), FIRST_BUCKETS);
        // Spread over all bits, as keys are.
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let half = 2 * FIRST_BUCKETS as u64;
        for number in 0..half + half / 8 {
            table.put(key(number), entry(3));
        }
        assert_eq!(table.in_use.load(Relaxed), GROWTH * FIRST_BUCKETS);
        let found = (0..half).filter(|number| table.get(key(*number)).is_some());
        assert!(found.count() as u64 > half - half / 8);
        for number in half..8 * half {
            table.put(key(number), entry(3));
        }
        assert_eq!(
            table.in_use.load(Relaxed),
            8 * FIRST_BUCKETS,
            "all there is"
        );
        assert!(table.used() > 5 * half);
    }

    #[test]
    fn a_table_without_memory_stores_nothing() {
        let table = TranspositionTable::new(0);
        table.put(1, entry(1));
        assert_eq!(table.get(1), None);
        assert_eq!(table.used(), 0);
    }
}
