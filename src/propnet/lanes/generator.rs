//! Random numbers: one generator per lane, whose numbers depend on the playout alone.

/// The generator of Steele, Lea and Flood 2014 (*Fast splittable pseudorandom number generators*): a counter in odd
/// strides, and a mixer. Every 64-bit number comes up equally often.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Generator(u64);

const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;

impl Generator {
    /// The generator of playout `number`.
    pub(super) fn new(seed: u64, number: u64) -> Self {
        Self(mix(seed ^ mix(number.wrapping_add(STRIDE))))
    }

    /// A number below `below`, each equally likely; 0 without a draw if `below` is 0 or 1.
    #[inline(always)]
    pub(super) fn below(&mut self, below: u32) -> u32 {
        let (number, doubtful) = self.guess(below);
        if doubtful { self.settle(below) } else { number }
    }

    /// Draws a number below `below`, without a branch. When the second value is true, which hardly ever happens, it must
    /// be replaced by [`Generator::settle`], as some numbers may be more likely than others otherwise.
    #[inline(always)]
    pub(super) fn guess(&mut self, below: u32) -> (u32, bool) {
        let drawn = self.0.wrapping_add(STRIDE);
        let (number, rest) = scale(mix(drawn), below);
        self.0 = if below > 1 { drawn } else { self.0 };
        (number, rest < u64::from(below))
    }

    /// The number that the last draw amounts to, after more draws if need be.
    ///
    /// 2⁶⁴ numbers cannot be shared out evenly among `below`, so those in excess are drawn again (Lemire 2019, *Fast
    /// random integer generation in an interval*).
    #[cold]
    pub(super) fn settle(&mut self, below: u32) -> u32 {
        if below <= 1 {
            return 0;
        }
        let excess = u64::from(below).wrapping_neg() % u64::from(below);
        loop {
            let (number, rest) = scale(mix(self.0), below);
            if rest >= excess {
                return number;
            }
            self.0 = self.0.wrapping_add(STRIDE);
        }
    }
}

/// Which of `below` equal parts of all 64-bit numbers `drawn` is in, and how far into it.
#[inline(always)]
fn scale(drawn: u64, below: u32) -> (u32, u64) {
    let product = u128::from(drawn) * u128::from(below);
    ((product >> 64) as u32, product as u64)
}

#[inline(always)]
fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The state whose next draw is `drawn`.
    fn before(drawn: u64) -> Generator {
        // Inverts `mix`: a shift by half the width or more undoes itself after one more shift, and odd factors have
        // inverses.
        let unshift = |z: u64, by: u32| z ^ z >> by ^ z >> (2 * by);
        let inverse = |odd: u64| {
            (0..6).fold(odd, |x, _| {
                x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x)))
            })
        };
        let mut z = unshift(drawn, 31);
        z = unshift(z.wrapping_mul(inverse(0x94d0_49bb_1331_11eb)), 27);
        z = unshift(z.wrapping_mul(inverse(0xbf58_476d_1ce4_e5b9)), 30);
        assert_eq!(mix(z), drawn);
        Generator(z.wrapping_sub(STRIDE))
    }

    #[test]
    fn draws_in_excess_are_drawn_again() {
        // 2⁶⁴ leaves 1 when divided by 3 and by 5, so the draw 0 is in excess; the draw 1 is not.
        for below in [3, 5] {
            let mut generator = before(0);
            let mut after = Generator(generator.0.wrapping_add(STRIDE));
            assert!(generator.guess(below).1);
            assert_eq!(before(0).below(below), after.below(below));
            assert_eq!(before(1).below(below), 0);
        }
        // Powers of two leave nothing.
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
}
