//! Random numbers: one generator per lane, whose numbers depend on the seed and the playout alone.

use std::array;

/// The generator xoroshiro64** of Blackman and Vigna 2021 (*Scrambled linear pseudorandom number generators*). It works on
/// words of 32 bits, of which vector units compute eight or more at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Generator([u32; 2]);

/// The generators of 64 lanes: word `i` of lane `j` is `0[i][j]`.
#[derive(Debug, Clone)]
pub(super) struct Generators([[u32; 64]; 2]);

impl Generator {
    /// The generator of playout `number`.
    #[inline(always)]
    pub(super) fn new(seed: u64, number: u64) -> Self {
        const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
        // All-zero words would draw zeros for ever.
        let words = mix(seed ^ mix(number.wrapping_add(STRIDE))).max(1);
        Self([words as u32, (words >> 32) as u32])
    }

    /// A number below `below`, each equally likely; 0 without a draw if `below` is 0 or 1.
    ///
    /// Rejection keeps it unbiased where `below` does not divide 2³² (Lemire 2019, *Fast random integer generation in an
    /// interval*).
    pub(super) fn below(&mut self, below: u32) -> u32 {
        if below <= 1 {
            return 0;
        }
        let excess = below.wrapping_neg() % below;
        loop {
            let (number, rest) = scale(output(self.0), below);
            self.0 = next(self.0);
            if rest >= excess {
                return number;
            }
        }
    }
}

impl Generators {
    /// Placeholders, to be replaced lane by lane.
    pub(super) const IDLE: Self = Self([[1; 64]; 2]);

    pub(super) fn get(&self, lane: usize) -> Generator {
        Generator(self.0.map(|words| words[lane]))
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, generator: Generator) {
        for (words, word) in self.0.iter_mut().zip(generator.0) {
            words[lane] = word;
        }
    }

    /// What [`Generator::below`] draws in each lane.
    #[inline(always)]
    pub(super) fn below(&mut self, below: &[u8; 64]) -> [u8; 64] {
        let (mut drawn, mut may_reject) = ([0; 64], 0);
        for lane in 0..64 {
            let below = u32::from(below[lane]);
            let (number, rest) = scale(output(self.words(lane)), below);
            drawn[lane] = number as u8;
            may_reject |= u32::from(rest < below);
        }
        if may_reject != 0 {
            return self.below_with_rejection(below);
        }
        for lane in 0..64 {
            let old = self.words(lane);
            let new = next(old);
            // A blend, as a conditional store is slow.
            let changed = u32::from(below[lane] > 1).wrapping_neg();
            for i in 0..2 {
                self.0[i][lane] = old[i] ^ (old[i] ^ new[i]) & changed;
            }
        }
        drawn
    }

    /// The rare case that some lane must reject its number.
    #[cold]
    fn below_with_rejection(&mut self, below: &[u8; 64]) -> [u8; 64] {
        array::from_fn(|lane| {
            let mut generator = self.get(lane);
            let drawn = generator.below(below[lane].into());
            self.set(lane, generator);
            drawn as u8
        })
    }

    #[inline(always)]
    fn words(&self, lane: usize) -> [u32; 2] {
        let [a, b] = &self.0;
        [a[lane], b[lane]]
    }
}

/// The number that a generator draws.
#[inline(always)]
fn output([a, _]: [u32; 2]) -> u32 {
    a.wrapping_mul(0x9e37_79bb).rotate_left(5).wrapping_mul(5)
}

/// A generator after a draw.
#[inline(always)]
fn next([a, b]: [u32; 2]) -> [u32; 2] {
    let both = a ^ b;
    [a.rotate_left(26) ^ both ^ both << 9, both.rotate_left(13)]
}

/// Which of `below` equal parts of all 32-bit numbers `drawn` is in, and how far into it.
#[inline(always)]
fn scale(drawn: u32, below: u32) -> (u32, u32) {
    let product = u64::from(drawn) * u64::from(below);
    ((product >> 32) as u32, product as u32)
}

/// The mixing function of Steele, Lea and Flood 2014 (*Fast splittable pseudorandom number generators*), a bijection.
#[inline(always)]
fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoroshiro64StarStar;

    use super::*;

    /// A generator that draws `drawn` next.
    fn before(drawn: u32) -> Generator {
        // Odd factors have inverses.
        let inverse = |odd: u32| {
            (0..5).fold(odd, |x, _| {
                x.wrapping_mul(2_u32.wrapping_sub(odd.wrapping_mul(x)))
            })
        };
        let turned = drawn.wrapping_mul(inverse(5)).rotate_right(5);
        let generator = Generator([turned.wrapping_mul(inverse(0x9e37_79bb)), 7]);
        assert_eq!(output(generator.0), drawn);
        generator
    }

    /// 64 times the same.
    fn all(generator: Generator) -> Generators {
        Generators(generator.0.map(|word| [word; 64]))
    }

    #[test]
    fn draws_are_those_of_the_library() {
        let mut words = [1, 2];
        let mut library = Xoroshiro64StarStar::from_seed(std::array::from_fn(|i| {
            if i % 4 == 0 { i as u8 / 4 + 1 } else { 0 }
        }));
        for _ in 0..100 {
            assert_eq!(output(words), library.next_u32());
            words = next(words);
        }
    }

    #[test]
    fn biased_draws_are_rejected() {
        // 2³² leaves 1 when divided by 3 and by 5, so the draw 0 is rejected; the draw 1 is not.
        for below in [3, 5] {
            let mut generator = before(0);
            let mut after = Generator(next(generator.0));
            assert_eq!(generator.below(below), after.below(below));
            assert_eq!(generator, after);
            assert_eq!(before(1).below(below), 0);
            let mut lanes = all(before(0));
            let drawn = lanes.below(&[below as u8; 64]);
            assert_eq!(drawn, [before(0).below(below) as u8; 64]);
            assert_eq!(lanes.get(9), after);
        }
        // Powers of two reject nothing.
        assert_eq!(before(0).below(8), 0);
    }

    #[test]
    fn nothing_is_drawn_where_there_is_no_choice() {
        for below in [0, 1] {
            let mut generator = before(0);
            assert_eq!(generator.below(below), 0);
            assert_eq!(generator, before(0));
        }
    }

    proptest! {
        #[test]
        fn lanes_draw_as_each_would_alone(seed: u64, below: [u8; 64]) {
            let mut lanes = Generators::IDLE;
            (0..64).for_each(|lane| lanes.set(lane, Generator::new(seed, lane as u64)));
            let drawn = lanes.below(&below);
            for lane in 0..64 {
                let mut alone = Generator::new(seed, lane as u64);
                prop_assert_eq!(u32::from(drawn[lane]), alone.below(below[lane].into()));
                prop_assert_eq!(lanes.get(lane), alone);
            }
        }
    }
}
