//! Transposition between slots (one bit per lane) and packed states (one row per lane), 64×64 bits at a time.

use crate::propnet::lanes::planes::{lower_parts, turn_eight};

/// A square of 64×64 bits, `W` of them side by side: bit `i` of row `k`.
pub(super) type BitBlock<const W: usize> = [[u64; W]; 64];

/// Transposes bit matrices in place, in loops that compile to SIMD instructions (Warren, *Hacker's Delight*, 7-3).
#[inline(always)]
pub(super) fn transpose<const W: usize>(block: &mut BitBlock<W>) {
    if W == 1 {
        // Where a row is one word, neighbouring rows make a vector.
        swap::<W, 32>(block);
        swap::<W, 16>(block);
        swap::<W, 8>(block);
        swap::<W, 4>(block);
        swap::<W, 2>(block);
        swap::<W, 1>(block);
        return;
    }
    for first in 0..8 {
        turn_rows::<W, 8>(block, first);
    }
    for first in (0..64).step_by(8) {
        turn_rows::<W, 1>(block, first);
    }
}

/// Three steps at a time for eight rows from `first` on, each `APART` rows after the one before: these fit into registers.
#[inline(always)]
fn turn_rows<const W: usize, const APART: usize>(block: &mut BitBlock<W>, first: usize) {
    let mut rows = [[0; W]; 8];
    for i in 0..8 {
        rows[i] = block[first + APART * i];
    }
    turn_eight::<W, APART>(&mut rows);
    for i in 0..8 {
        block[first + APART * i] = rows[i];
    }
}

/// Exchanges the upper parts of each row with the lower parts of the row `BY` further down.
#[inline(always)]
fn swap<const W: usize, const BY: usize>(block: &mut BitBlock<W>) {
    let mask = lower_parts(BY);
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

    fn bit<const W: usize>(block: &BitBlock<W>, row: usize, w: usize, bit: usize) -> u64 {
        block[row][w] >> bit & 1
    }

    fn rows_become_bits<const W: usize>(before: &BitBlock<W>) {
        let mut after = *before;
        transpose(&mut after);
        for row in 0..64 {
            for w in 0..W {
                for i in 0..64 {
                    assert_eq!(bit(&after, row, w, i), bit(before, i, w, row));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn blocks_are_transposed(rows in proptest::collection::vec(any::<[u64; 4]>(), 64)) {
            let wide: BitBlock<4> = rows.try_into().unwrap();
            rows_become_bits(&wide);
            rows_become_bits(&wide.map(|[word, ..]| [word]));
        }
    }
}
