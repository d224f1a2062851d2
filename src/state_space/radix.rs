//! States as numbers in mixed radix, a digit for each mutex group.

use super::codec::StateCodec;
use crate::engine::Bits;

/// Numbers the states that the mutex groups allow, in the order of their codes.
///
/// Mixed radix: Knuth, *The Art of Computer Programming*, volume 2, 4.1.
#[derive(Debug)]
pub(super) struct RadixCode {
    count: u32,
    /// Per byte of a packed state, what it adds to the number.
    weights: Vec<[u32; 256]>,
    /// A number is split in two by this divisor.
    divisor: u32,
    /// The facts that the quotient and the rest stand for, packed.
    of_quotient: Vec<u64>,
    of_rest: Vec<u64>,
    state_words: usize,
}

impl RadixCode {
    /// More states than this are not numbered: a set of them takes so many bits.
    const MOST: u64 = 1 << 28;
    /// Longer tables would be slower than what they save.
    const MOST_TABLE_BYTES: usize = 1 << 20;

    /// The numbers of the states that `codec` packs, unless they are too many, or their facts.
    pub(super) fn new(codec: &StateCodec) -> Option<Self> {
        let (digits, always) = (codec.digits(), codec.always());
        let mut count = 1;
        for digit in &digits {
            count *= digit.len() as u64;
            (count <= Self::MOST).then_some(())?;
        }
        let weights = weights(&digits, always.len());
        let (upper, lower) = digits.split_at(middle(&digits));
        let of_quotient = table(upper, always)?;
        let of_rest = table(lower, &vec![0; always.len()])?;
        let bytes = size_of_val(&weights[..]) + size_of_val(&of_rest[..]);
        (bytes <= Self::MOST_TABLE_BYTES).then_some(Self {
            count: count as u32,
            weights,
            divisor: lower.iter().map(|digit| digit.len() as u32).product(),
            of_quotient,
            of_rest,
            state_words: always.len(),
        })
    }

    /// All numbers are below this.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The number of a packed state.
    pub(super) fn number(&self, state: &[u64]) -> u32 {
        let bytes = state.iter().flat_map(|word| word.to_le_bytes());
        let weights = bytes.zip(&self.weights);
        weights.fold(0, |sum: u32, (byte, weights)| {
            sum.wrapping_add(weights[usize::from(byte)])
        })
    }

    /// The state of a number.
    pub(super) fn state(&self, number: u32) -> Bits {
        let words = self.state_words;
        let place = |part: u32| part as usize * words..(part as usize + 1) * words;
        let mut state = Bits::from_words(&self.of_quotient[place(number / self.divisor)]);
        for (word, rest) in state
            .words_mut()
            .iter_mut()
            .zip(&self.of_rest[place(number % self.divisor)])
        {
            *word |= rest;
        }
        state
    }
}

/// What each byte of a packed state adds to its number.
fn weights(digits: &[&[Option<usize>]], state_words: usize) -> Vec<[u32; 256]> {
    let mut weights = vec![[0_u32; 256]; state_words * size_of::<u64>()];
    let mut weight = 1_u32;
    for digit in digits.iter().rev() {
        for (value, fluent) in (0..).zip(*digit) {
            let Some(fluent) = fluent else { continue };
            let with_fluent = |byte: &usize| byte >> (fluent % 8) & 1 == 1;
            for byte in (0..256).filter(with_fluent) {
                // Bytes that no state has may come to too much.
                let sum = &mut weights[fluent / 8][byte];
                *sum = sum.wrapping_add(value * weight);
            }
        }
        weight = weight.wrapping_mul(digit.len() as u32);
    }
    weights
}

/// Where to split digits so that the longer one of the tables for their parts is short.
fn middle(digits: &[&[Option<usize>]]) -> usize {
    let size =
        |digits: &[&[Option<usize>]]| -> usize { digits.iter().map(|digit| digit.len()).product() };
    let longer = |place: &usize| size(&digits[..*place]).max(size(&digits[*place..]));
    (0..=digits.len()).min_by_key(longer).unwrap_or(0)
}

/// The facts of all numbers of some digits, packed, together with those that hold `always`; nothing where that takes too much.
fn table(digits: &[&[Option<usize>]], always: &[u64]) -> Option<Vec<u64>> {
    let mut states = always.to_vec();
    for digit in digits {
        let bytes = size_of_val(&states[..]) * digit.len();
        (bytes <= RadixCode::MOST_TABLE_BYTES).then_some(())?;
        let before = std::mem::take(&mut states);
        for state in before.chunks_exact(always.len().max(1)) {
            for fluent in *digit {
                let from = states.len();
                states.extend_from_slice(state);
                if let Some(fluent) = fluent {
                    states[from + fluent / 64] |= 1 << (fluent % 64);
                }
            }
        }
    }
    Some(states)
}

#[cfg(test)]
mod tests {
    use super::super::tests::shipped;
    use super::*;

    #[test]
    fn numbers_are_those_of_states_in_the_order_of_codes() {
        for (name, count) in [("tictactoe", 39_366), ("kolibrat", 3_u32.pow(12) * 36 * 2)] {
            let codec = StateCodec::new(&shipped(name));
            let radix = RadixCode::new(&codec).unwrap();
            assert_eq!(radix.count(), count);
            let mut before = Vec::new();
            for number in (0..count).step_by(1 + count as usize / 10_000) {
                let state = radix.state(number);
                assert_eq!(radix.number(state.words()), number);
                let code = codec.code_of(&state).unwrap();
                assert!(before < code);
                before = code;
            }
        }
    }

    #[test]
    fn large_boards_are_not_numbered() {
        for name in ["checkers", "connect-four"] {
            assert!(RadixCode::new(&StateCodec::new(&shipped(name))).is_none());
        }
    }
}
