//! Transposition between slots (one bit per lane) and packed states (one row per lane), 64×64 bits at a time.

/// A square of 64×64 bits, `W` of them side by side: bit `i` of row `k`.
pub(super) type BitBlock<const W: usize> = [[u64; W]; 64];

/// Transposes bit matrices in place, in loops that compile to SIMD instructions (Warren, *Hacker's Delight*, 7-3).
#[inline(always)]
pub(super) fn transpose<const W: usize>(block: &mut BitBlock<W>) {
    swap::<W, 32>(block, 0x0000_0000_ffff_ffff);
    swap::<W, 16>(block, 0x0000_ffff_0000_ffff);
    swap::<W, 8>(block, 0x00ff_00ff_00ff_00ff);
    swap::<W, 4>(block, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<W, 2>(block, 0x3333_3333_3333_3333);
    swap::<W, 1>(block, 0x5555_5555_5555_5555);
}

/// Exchanges the upper parts of each row with the lower parts of the row `BY` further down.
#[inline(always)]
fn swap<const W: usize, const BY: usize>(block: &mut BitBlock<W>, mask: u64) {
    for first in (0..64).step_by(2 * BY) {
        for row in first..first + BY {
            for w in 0..W {
                let differ = (block[row][w] >> BY ^ block[row + BY][w]) & mask;
                block[row + BY][w] ^= differ;
                block[row][w] ^= differ << BY;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bit(block: &BitBlock<4>, row: usize, w: usize, bit: usize) -> u64 {
        block[row][w] >> bit & 1
    }

    proptest! {
        #[test]
        fn rows_become_bits(rows in proptest::collection::vec(any::<[u64; 4]>(), 64)) {
            let before: BitBlock<4> = rows.try_into().unwrap();
            let mut after = before;
            transpose(&mut after);
            for row in 0..64 {
                for w in 0..4 {
                    for i in 0..64 {
                        prop_assert_eq!(bit(&after, row, w, i), bit(&before, i, w, row));
                    }
                }
            }
        }
    }
}
