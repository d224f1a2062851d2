//! A set of numbers as bits.

use std::sync::atomic::{AtomicU64, Ordering};

/// A set of numbers below a bound. It grows on several threads; when it is whole, its members are numbered in order.
#[derive(Debug)]
pub(super) struct DirectSet {
    bits: Vec<AtomicU64>,
    /// Per word, how many members there are before it; empty as long as the set grows.
    before: Vec<u32>,
}

impl DirectSet {
    pub(super) fn new(bound: u32) -> Self {
        let words = bound.div_ceil(u64::BITS);
        Self {
            bits: (0..words).map(|_| AtomicU64::new(0)).collect(),
            before: Vec::new(),
        }
    }

    /// How much memory a set takes of numbers below a bound, in bytes, the places of its members included.
    pub(super) fn bytes_for(bound: u32) -> u64 {
        let words = u64::from(bound.div_ceil(u64::BITS));
        words * (size_of::<u64>() + size_of::<u32>()) as u64
    }

    /// Adds a number; says whether it is new.
    pub(super) fn insert(&self, number: u32) -> bool {
        let (word, bit) = (&self.bits[number as usize / 64], 1 << (number % 64));
        // Most are there already, and reading is cheaper than writing.
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Whether a number is a member.
    pub(super) fn has(&self, number: u32) -> bool {
        let word = self.bits.get(number as usize / 64);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (number % 64) & 1 == 1)
    }

    /// Numbers the members.
    pub(super) fn count_members(&mut self) {
        let mut members = 0;
        let words = self.bits.iter_mut().map(|word| word.get_mut().count_ones());
        let before = words.map(|more| {
            members += more;
            members - more
        });
        self.before = before.collect();
    }

    /// How many members are less than this one, if it is one. Members must have been counted.
    pub(super) fn place(&self, number: u32) -> Option<u32> {
        let word = self.bits.get(number as usize / 64)?.load(Ordering::Relaxed);
        let bit = 1 << (number % 64);
        (word & bit != 0)
            .then(|| self.before[number as usize / 64] + (word & (bit - 1)).count_ones())
    }

    /// All members, ascending.
    pub(super) fn members(&self) -> impl Iterator<Item = u32> {
        self.bits.iter().zip(0..).flat_map(|(word, place)| {
            let mut left = word.load(Ordering::Relaxed);
            std::iter::from_fn(move || {
                let member = (left != 0).then(|| place * u64::BITS + left.trailing_zeros());
                left &= left.wrapping_sub(1);
                member
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_numbered_in_order() {
        let mut set = DirectSet::new(1_000);
        let members = [0, 5, 63, 64, 65, 500, 999];
        for member in members.iter().rev() {
            assert!(set.insert(*member));
            assert!(!set.insert(*member));
        }
        set.count_members();
        assert_eq!(set.members().collect::<Vec<_>>(), members);
        for (place, member) in (0..).zip(members) {
            assert_eq!(set.place(member), Some(place));
        }
        for other in [1, 66, 998, 5_000] {
            assert_eq!(set.place(other), None);
        }
    }
}
