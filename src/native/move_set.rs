//! Sets of moves: one bit each in a few words.

use std::fmt::Debug;

use crate::native::bits::Ranks;

/// A set of the legal moves of one position, by index. Which move an index is, each engine defines
/// ([`NativeRules::move_at`](super::NativeRules::move_at)).
pub trait MoveSet: Copy + Debug + Send + Sync {
    /// The number of moves in the set.
    fn count(&self) -> u32;

    /// Takes out the move with the lowest index.
    fn pop(&mut self) -> Option<u32>;

    /// A move of the set, each with the same probability if `random` is uniform; `None` where the set is empty.
    fn draw(&self, random: u64) -> Option<u32>;
}

/// A bit set of the legal moves of a position; each engine defines which move a bit is. Index `64 * word + bit` is in the
/// set where that bit is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveBits<const WORDS: usize>(pub [u64; WORDS]);

impl<const WORDS: usize> MoveSet for MoveBits<WORDS> {
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
        // Branches here would be mispredicted often: which word holds the move is random.
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

    /// Of `count` moves, the `n`-th is drawn by the `n`-th part of all numbers.
    fn assert_drawn<const WORDS: usize>(moves: MoveBits<WORDS>) {
        let mut left = moves;
        let expected: Vec<u32> = std::iter::from_fn(|| left.pop()).collect();
        let count = expected.len() as u64;
        assert_eq!(u64::from(moves.count()), count);
        let part = |n| (u64::MAX / count) * n;
        let middles = (0..count).map(|n| part(n) + part(1) / 2);
        let drawn: Vec<u32> = middles.filter_map(|random| moves.draw(random)).collect();
        assert_eq!(drawn, expected);
    }

    #[test]
    fn every_move_is_drawn_with_the_same_probability() {
        assert_drawn(MoveBits([1]));
        assert_drawn(MoveBits([!0]));
        assert_drawn(MoveBits([0x8000_0400_1001_0003]));
        assert_drawn(MoveBits([0, 1 << 63, 0]));
        assert_drawn(MoveBits([0b1010, 0, !0, 1 << 40, 0b11]));
        assert_eq!(MoveBits([0, 0]).draw(7), None);
    }
}
