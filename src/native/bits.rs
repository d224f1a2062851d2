//! Sets of squares, one bit each.

/// For each byte and each `n`, the number of its `n`-th set bit: a table, because playouts look it up at every ply.
const SELECT_IN_BYTE: [[u8; 8]; 256] = select_in_byte();

const fn select_in_byte() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut found) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][found] = bit;
                found += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The bits of a word, counted byte by byte.
///
/// Selection counts the bits of all bytes at once, finds the byte by comparing all running totals at once, and looks up
/// the rest: S. Vigna, "Broadword Implementation of Rank/Select Queries" (WEA 2008).
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranks {
    /// Per byte, the number of bits up to its end.
    totals: u64,
}

impl Ranks {
    #[inline(always)]
    pub(super) fn new(bits: u64) -> Self {
        let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
        let quads = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (quads + (quads >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        Self {
            totals: bytes.wrapping_mul(ONES),
        }
    }

    /// How many bits are set.
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        (self.totals >> 56) as u32
    }

    /// The number of the `n`-th set bit of `bits`, counted from 0 and from the lowest one. There must be more than `n`.
    #[inline(always)]
    pub(super) fn select(&self, bits: u64, n: u32) -> u32 {
        let sought = u64::from(n).wrapping_mul(ONES);
        // A byte is marked where its running total is at most `n`.
        let marked = ((sought | HIGH) - self.totals) & HIGH;
        let before = (marked >> 7).wrapping_mul(ONES) >> 56;
        let shift = (before as u32 * 8) % 64;
        let rest = n.wrapping_sub(((self.totals << 8) >> shift) as u32) % 8;
        shift + u32::from(SELECT_IN_BYTE[(bits >> shift) as usize % 256][rest as usize])
    }
}

/// The squares of a set, from the lowest bit up.
#[inline]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Ranks, squares};

    #[test]
    fn the_nth_bit_is_the_nth_square() {
        let mut set = 0x9e37_79b9_7f4a_7c15u64;
        for round in 0..200 {
            set = set.rotate_left(round).wrapping_mul(0xd134_2543_de82_ef95) | 1 << 63;
            let one = 1 << (round % 64);
            for set in [set, set & (set >> 7) & (set >> 21) | one, !0, one] {
                let ranks = Ranks::new(set);
                assert_eq!(ranks.count(), set.count_ones());
                for (n, square) in squares(set).enumerate() {
                    assert_eq!(ranks.select(set, n as u32), square, "{set:x} {n}");
                }
                assert_eq!(squares(set).count(), set.count_ones() as usize);
            }
        }
    }
}
