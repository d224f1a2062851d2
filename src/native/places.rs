//! Sets of moves: one bit each in a few words.

use std::fmt::Debug;

use crate::native::bits::Ranks;

/// A set of places, each of which stands for a move of one position. What a place means is up to the rules.
pub trait PlaceSet: Copy + Debug + Send + Sync {
    /// How many places are in the set.
    fn count(&self) -> u32;

    /// Takes out the lowest place.
    fn pop(&mut self) -> Option<u32>;

    /// One of the places, each equally likely as far as `random` is; `None` where there is none.
    fn draw(&self, random: u64) -> Option<u32>;
}

/// Place `64 * word + bit` is in the set where that bit is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaceBits<const WORDS: usize>(pub [u64; WORDS]);

impl<const WORDS: usize> PlaceSet for PlaceBits<WORDS> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<u32> {
        for (index, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(64 * index as u32 + bit);
            }
        }
        None
    }

    #[inline(always)]
    fn draw(&self, random: u64) -> Option<u32> {
        let ranks = self.0.map(Ranks::new);
        let count: u32 = ranks.iter().map(Ranks::count).sum();
        if count == 0 {
            return None;
        }
        let n = (((random >> 32) * u64::from(count)) >> 32) as u32;
        // Which word has it is anyone's guess, so there is no branch for it.
        let (mut index, mut before, mut total) = (0, 0, 0);
        for ranks in &ranks[..WORDS - 1] {
            total += ranks.count();
            let past = n >= total;
            index += usize::from(past);
            before = if past { total } else { before };
        }
        Some(64 * index as u32 + ranks[index].select(self.0[index], n - before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of `count` places, the `n`-th one is drawn by the `n`-th part of all numbers.
    fn assert_drawn<const WORDS: usize>(places: PlaceBits<WORDS>) {
        let mut left = places;
        let expected: Vec<u32> = std::iter::from_fn(|| left.pop()).collect();
        let count = expected.len() as u64;
        assert_eq!(u64::from(places.count()), count);
        let part = |n| (u64::MAX / count) * n;
        let middles = (0..count).map(|n| part(n) + part(1) / 2);
        let drawn: Vec<u32> = middles.filter_map(|random| places.draw(random)).collect();
        assert_eq!(drawn, expected);
    }

    #[test]
    fn every_place_is_drawn_as_often() {
        assert_drawn(PlaceBits([1]));
        assert_drawn(PlaceBits([!0]));
        assert_drawn(PlaceBits([0x8000_0400_1001_0003]));
        assert_drawn(PlaceBits([0, 1 << 63, 0]));
        assert_drawn(PlaceBits([0b1010, 0, !0, 1 << 40, 0b11]));
        assert_eq!(PlaceBits([0, 0]).draw(7), None);
    }
}
