//! A set of states, which gives each a number.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The set is divided into so many parts, so that threads rarely wait for each other and no growth copies all of it.
const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_BITS: u32 = 6;
/// A part has room for so many states, so that every state has a number of 32 bits.
const MOST_IN_SHARD: usize = 1 << (u32::BITS - SHARD_BITS);

/// The number of a state in a [`CodeTable`]. Numbers are not dense.
pub(super) type StateNumber = u32;

/// A set of codes of one length.
#[derive(Debug)]
pub(super) struct CodeTable {
    code_words: usize,
    shards: Vec<Mutex<TablePart>>,
    bytes: AtomicU64,
}

#[derive(Debug, Default)]
struct TablePart {
    codes: Vec<u32>,
    /// The places of codes among them.
    places: HashTable<u32>,
}

/// No room for another state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TableFull;

impl CodeTable {
    pub(super) fn new(code_words: usize) -> Self {
        Self {
            code_words,
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            bytes: AtomicU64::new(0),
        }
    }

    /// How much memory the codes take, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// All numbers are below this.
    pub(super) fn end(&self) -> usize {
        let most = (0..SHARDS).map(|shard| self.len_of(shard)).max();
        most.unwrap_or(0) * SHARDS
    }

    fn len_of(&self, shard: usize) -> usize {
        locked(&self.shards[shard]).codes.len() / self.code_words
    }

    /// Replaces the contents of `numbers` by those of `codes`, one after the other; those that are new join the set, and their numbers
    /// are appended to `new`. Replaces the contents of `order` by no matter what.
    pub(super) fn insert_all(
        &self,
        codes: &[u32],
        numbers: &mut Vec<StateNumber>,
        order: &mut Vec<(u64, u32)>,
        new: &mut Vec<StateNumber>,
    ) -> Result<(), TableFull> {
        let hashed = codes.chunks_exact(self.code_words).map(hash).zip(0..);
        order.clear();
        order.extend(hashed);
        // Which number a code gets depends on nothing but what was inserted before.
        order.sort_unstable_by_key(|(hash, index)| (shard_of(*hash), *index));
        numbers.clear();
        numbers.resize(order.len(), 0);
        for of_shard in order.chunk_by(|one, other| shard_of(one.0) == shard_of(other.0)) {
            let place = shard_of(of_shard[0].0);
            let mut shard = locked(&self.shards[place]);
            let bytes_before = shard.bytes();
            for (hash, index) in of_shard {
                let code = &codes[*index as usize * self.code_words..][..self.code_words];
                let (local, is_new) = shard.insert(code, *hash)?;
                let number = local << SHARD_BITS | place as u32;
                numbers[*index as usize] = number;
                if is_new {
                    new.push(number);
                }
            }
            let grown = shard.bytes() - bytes_before;
            self.bytes.fetch_add(grown, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The number of a code, if it is in the set.
    pub(super) fn find(&self, code: &[u32]) -> Option<StateNumber> {
        let hash = hash(code);
        let place = shard_of(hash);
        let mut shard = locked(&self.shards[place]);
        shard.place_all(code.len());
        let local = shard.find(code, hash)?;
        Some(local << SHARD_BITS | place as u32)
    }

    /// Whether a number was given out.
    pub(super) fn has(&self, number: StateNumber) -> bool {
        ((number >> SHARD_BITS) as usize) < self.len_of(part_of(number))
    }

    /// Calls `with` for the code of each number. Those of a part should follow each other.
    pub(super) fn codes_of(&self, numbers: &[StateNumber], mut with: impl FnMut(&[u32])) {
        for of_shard in numbers.chunk_by(|one, other| part_of(*one) == part_of(*other)) {
            let shard = locked(&self.shards[part_of(of_shard[0])]);
            for number in of_shard {
                let place = (number >> SHARD_BITS) as usize;
                with(&shard.codes[place * self.code_words..][..self.code_words]);
            }
        }
    }

    /// Numbers in the order of this key are those of one part after the other, each in the order in which they were given out.
    pub(super) fn key(number: StateNumber) -> u32 {
        number.rotate_right(SHARD_BITS)
    }

    /// Gives back the memory by which codes are found. It is made again when one is looked for.
    pub(super) fn forget_places(&mut self) {
        for shard in &mut self.shards {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            shard.places = HashTable::new();
            shard.codes.shrink_to_fit();
        }
    }
}

impl CodeTable {
    /// All codes in ascending order, one after the other, and the number of each.
    pub(super) fn into_sorted(self) -> (Vec<u32>, Vec<StateNumber>) {
        let words = self.code_words;
        let shards = self.shards.into_iter();
        let shards = shards.map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner));
        let shards: Vec<Vec<u32>> = shards.map(|shard| shard.codes).collect();
        let code = |number: StateNumber| {
            let (shard, place) = (number as usize % SHARDS, number as usize >> SHARD_BITS);
            &shards[shard][place * words..][..words]
        };
        // Numbers beside the first word of their codes are sorted faster than what they stand for.
        let keys = shards.iter().enumerate().flat_map(|(shard, codes)| {
            let firsts = codes.iter().step_by(words).enumerate();
            firsts.map(move |(place, first)| {
                let number = place << SHARD_BITS | shard;
                u64::from(*first) << u32::BITS | number as u64
            })
        });
        let mut keys: Vec<u64> = keys.collect();
        keys.sort_unstable();
        for alike in keys.chunk_by_mut(|one, other| one >> u32::BITS == other >> u32::BITS) {
            alike.sort_unstable_by_key(|key| code(*key as StateNumber));
        }
        let order: Vec<StateNumber> = keys.into_iter().map(|key| key as StateNumber).collect();
        let codes = order.iter().flat_map(|number| code(*number)).copied();
        (codes.collect(), order)
    }
}

impl TablePart {
    /// The place of a code, which joins the part if it is new, and whether it is.
    fn insert(&mut self, code: &[u32], hash: u64) -> Result<(u32, bool), TableFull> {
        if let Some(place) = self.find(code, hash) {
            return Ok((place, false));
        }
        let place = self.codes.len() / code.len();
        if place == MOST_IN_SHARD {
            return Err(TableFull);
        }
        // A growth by half wastes less than one to twice the size.
        if self.codes.len() + code.len() > self.codes.capacity() {
            self.codes
                .reserve_exact((self.codes.len() / 2).max(64 * code.len()));
        }
        self.codes.extend_from_slice(code);
        let codes = &self.codes;
        let rehash = |place: &u32| self::hash(&codes[*place as usize * code.len()..][..code.len()]);
        self.places.insert_unique(hash, place as u32, rehash);
        Ok((place as u32, true))
    }

    /// Makes the table of places again, if it was given back.
    fn place_all(&mut self, code_words: usize) {
        let codes = self.codes.chunks_exact(code_words);
        if !self.places.is_empty() || codes.len() == 0 {
            return;
        }
        let hash_at = |place: &u32| hash(&self.codes[*place as usize * code_words..][..code_words]);
        self.places.reserve(codes.len(), hash_at);
        for (code, place) in codes.zip(0..) {
            self.places.insert_unique(hash(code), place, hash_at);
        }
    }

    fn find(&self, code: &[u32], hash: u64) -> Option<u32> {
        let same = |place: &u32| self.codes[*place as usize * code.len()..][..code.len()] == *code;
        self.places.find(hash, same).copied()
    }

    fn bytes(&self) -> u64 {
        (self.codes.capacity() * size_of::<u32>() + self.places.allocation_size()) as u64
    }
}

fn hash(code: &[u32]) -> u64 {
    FixedState::default().hash_one(code)
}

/// The part for a hash: by bits that hash tables do not use first.
fn shard_of(hash: u64) -> usize {
    (hash >> 40) as usize % SHARDS
}

/// The part that gave out a number.
fn part_of(number: StateNumber) -> usize {
    number as usize % SHARDS
}

fn locked(shard: &Mutex<TablePart>) -> MutexGuard<'_, TablePart> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_one_number() {
        let table = CodeTable::new(2);
        let codes: Vec<u32> = (0..2_000_u32).flat_map(|n| [n % 1_000, 7]).collect();
        let (mut numbers, mut order) = (Vec::new(), Vec::new());
        let mut new = Vec::new();
        table
            .insert_all(&codes, &mut numbers, &mut order, &mut new)
            .unwrap();
        assert_eq!(numbers[..1_000], numbers[1_000..]);
        let mut first = numbers[..1_000].to_vec();
        first.sort_unstable();
        new.sort_unstable();
        assert_eq!(new, first);
        for (n, number) in (0..1_000).zip(&numbers) {
            table.codes_of(&[*number], |code| assert_eq!(code, [n, 7]));
            assert_eq!(table.find(&[n, 7]), Some(*number));
            assert!((*number as usize) < table.end());
        }
        assert_eq!(table.find(&[1_000, 7]), None);
        assert!(table.bytes() > 1_000 * 8);
        let mut table = table;
        table.forget_places();
        assert_eq!(table.find(&[3, 7]), Some(numbers[3]));
    }

    #[test]
    fn codes_are_sorted_by_all_their_words() {
        let table = CodeTable::new(3);
        let codes = [1, 9, 0, 1, 2, 5, 0, 7, 7, 1, 2, 4];
        let (mut numbers, mut order) = (Vec::new(), Vec::new());
        table
            .insert_all(&codes, &mut numbers, &mut order, &mut Vec::new())
            .unwrap();
        let (sorted, order) = table.into_sorted();
        assert_eq!(sorted, [0, 7, 7, 1, 2, 4, 1, 2, 5, 1, 9, 0]);
        assert_eq!(order, [2, 3, 1, 0].map(|place| numbers[place]));
    }
}
