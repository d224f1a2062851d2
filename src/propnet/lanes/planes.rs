//! Converts between bytes and bit planes (bit-slicing), for 64 lanes per word: plane `i` holds bit `i` of each lane's number,
//! and the numbers of lanes `8 i..8 i + 8` are the bytes of word `i`, lowest first.
//!
//! Everything is done for `C` words side by side, in loops that compile to SIMD instructions.

/// Eight bit planes, or the one-byte numbers of 64 lanes, `C` times.
pub(super) type BytePlanes<const C: usize> = [[u64; C]; 8];

/// Replaces planes by numbers.
#[inline(always)]
pub(super) fn numbers<const C: usize>(planes: &mut BytePlanes<C>) {
    turn_bytes(planes);
    turn_bits(planes);
}

/// Replaces numbers by planes.
#[inline(always)]
pub(super) fn planes<const C: usize>(numbers: &mut BytePlanes<C>) {
    turn_bits(numbers);
    turn_bytes(numbers);
}

/// Transposes a matrix of 8×8 bytes.
#[inline(always)]
fn turn_bytes<const C: usize>(rows: &mut BytePlanes<C>) {
    turn_eight::<C, 8>(rows);
}

/// Transposes matrices of 8×8 groups of `BITS` bits, one after the other in eight rows.
#[inline(always)]
pub(super) fn turn_eight<const C: usize, const BITS: usize>(rows: &mut [[u64; C]; 8]) {
    swap_rows::<C, 4, BITS>(rows);
    swap_rows::<C, 2, BITS>(rows);
    swap_rows::<C, 1, BITS>(rows);
}

/// Exchanges the upper parts of each row with the lower parts of the row `BY` further down.
#[inline(always)]
fn swap_rows<const C: usize, const BY: usize, const BITS: usize>(rows: &mut [[u64; C]; 8]) {
    let (shift, mask) = (BY * BITS, lower_parts(BY * BITS));
    for row in 0..8 {
        if row & BY == 0 {
            for c in 0..C {
                let differ = (rows[row][c] >> shift ^ rows[row + BY][c]) & mask;
                rows[row + BY][c] ^= differ;
                rows[row][c] ^= differ << shift;
            }
        }
    }
}

/// The lower `bits` of each `2 * bits` bits of a word.
#[inline(always)]
pub(super) const fn lower_parts(bits: usize) -> u64 {
    u64::MAX / ((1 << bits) + 1)
}

/// Transposes matrices of 8×8 bits, one per word (Warren, *Hacker's Delight*, 7-3).
#[inline(always)]
fn turn_bits<const C: usize>(words: &mut BytePlanes<C>) {
    for row in words {
        for word in row {
            let mut x = *word;
            x = swap_bits::<7>(x, 0x00aa_00aa_00aa_00aa);
            x = swap_bits::<14>(x, 0x0000_cccc_0000_cccc);
            *word = swap_bits::<28>(x, 0x0000_0000_f0f0_f0f0);
        }
    }
}

#[inline(always)]
fn swap_bits<const BY: u32>(x: u64, mask: u64) -> u64 {
    let differ = (x ^ x >> BY) & mask;
    x ^ differ ^ differ << BY
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_number_has_its_bits(bits: [[u64; 4]; 8]) {
            let mut turned = bits;
            numbers(&mut turned);
            for c in 0..4 {
                for lane in 0..64 {
                    let number = turned[lane / 8][c].to_le_bytes()[lane % 8];
                    let expected = (0..8).map(|i| u8::from(bits[i][c] >> lane & 1 != 0) << i);
                    prop_assert_eq!(number, expected.sum::<u8>());
                }
            }
            planes(&mut turned);
            prop_assert_eq!(turned, bits);
        }
    }
}
