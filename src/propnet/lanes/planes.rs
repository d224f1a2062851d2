//! Between numbers and bit planes: plane `i` holds bit `i` of 64 numbers.

/// The 64 numbers of which these are the planes.
#[inline(always)]
pub(super) fn numbers(planes: &[u64; 8]) -> [u8; 64] {
    let mut numbers = [0; 64];
    let spread = turn_bytes(planes).map(turn_bits);
    for (eight, word) in numbers.as_chunks_mut().0.iter_mut().zip(spread) {
        *eight = word.to_le_bytes();
    }
    numbers
}

/// The planes of 64 numbers.
#[inline(always)]
pub(super) fn planes(numbers: &[u8; 64]) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, eight) in words.iter_mut().zip(numbers.as_chunks().0) {
        *word = turn_bits(u64::from_le_bytes(*eight));
    }
    turn_bytes(&words)
}

/// Transposes a matrix of 8×8 bytes.
#[inline(always)]
fn turn_bytes(rows: &[u64; 8]) -> [u64; 8] {
    let rows = rows.map(u64::to_le_bytes);
    std::array::from_fn(|i| u64::from_le_bytes(std::array::from_fn(|j| rows[j][i])))
}

/// Transposes a matrix of 8×8 bits (Warren, *Hacker's Delight*, 7-3).
#[inline(always)]
fn turn_bits(mut x: u64) -> u64 {
    let mut swap = |by: u32, mask: u64| {
        let differ = (x ^ x >> by) & mask;
        x ^= differ ^ differ << by;
    };
    swap(7, 0x00aa_00aa_00aa_00aa);
    swap(14, 0x0000_cccc_0000_cccc);
    swap(28, 0x0000_0000_f0f0_f0f0);
    x
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_number_has_its_bits(bits: [u64; 8]) {
            let numbers = numbers(&bits);
            for (lane, number) in numbers.iter().enumerate() {
                let expected = (0..8).map(|i| u8::from(bits[i] >> lane & 1 != 0) << i);
                prop_assert_eq!(*number, expected.sum::<u8>());
            }
            prop_assert_eq!(planes(&numbers), bits);
        }
    }
}
