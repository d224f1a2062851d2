//! [`SmallNumbers`]: numbers that are kept in few bits.

use std::ops::RangeInclusive;

use bitpacking::{BitPacker, BitPacker1x};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How many numbers are kept in as many bits as the largest of them takes.
const BLOCK: usize = BitPacker1x::BLOCK_LEN;

/// How many bits a number of a block may take. One or more, so that few bytes cannot stand for many numbers.
const BITS: RangeInclusive<u8> = 1..=u32::BITS as u8;

/// Numbers that are kept in few bits if they are small (bit packing): how many there are, and for each block of them the number of bits and
/// the bits. The last block is filled up with zeros.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SmallNumbers(pub(super) Vec<u32>);

impl Serialize for SmallNumbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let packer = BitPacker1x::new();
        let mut bytes = (self.0.len() as u32).to_le_bytes().to_vec();
        for numbers in self.0.chunks(BLOCK) {
            let mut block = [0; BLOCK];
            block[..numbers.len()].copy_from_slice(numbers);
            let bits = packer.num_bits(&block).max(*BITS.start());
            bytes.push(bits);
            let start = bytes.len();
            bytes.resize(start + BitPacker1x::compressed_block_size(bits), 0);
            packer.compress(&block, &mut bytes[start..], bits);
        }
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for SmallNumbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(deserializer)?;
        let numbers = read(bytes).ok_or_else(|| D::Error::custom("malformed numbers"))?;
        Ok(Self(numbers))
    }
}

fn read(bytes: &[u8]) -> Option<Vec<u32>> {
    let packer = BitPacker1x::new();
    let (count, mut rest) = bytes.split_first_chunk()?;
    let count = u32::from_le_bytes(*count) as usize;
    let blocks = count.div_ceil(BLOCK);
    // So that other bytes cannot ask for much memory.
    if blocks * BitPacker1x::compressed_block_size(*BITS.start()) > rest.len() {
        return None;
    }
    let mut numbers = vec![0; blocks * BLOCK];
    for block in numbers.chunks_mut(BLOCK) {
        let (&bits, packed) = rest.split_first()?;
        let len = BITS
            .contains(&bits)
            .then(|| BitPacker1x::compressed_block_size(bits))?;
        let (packed, others) = packed.split_at_checked(len)?;
        packer.decompress(packed, block, bits);
        rest = others;
    }
    numbers.truncate(count);
    rest.is_empty().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::fixture::kept;

    fn bytes(numbers: Vec<u32>) -> Vec<u8> {
        kept(&SmallNumbers(numbers))
    }

    #[test]
    fn numbers_are_as_they_were_written() {
        for count in [0, 1, 31, 32, 33, 64, 100] {
            bytes((0..count).collect());
            bytes((0..count).map(|number| u32::MAX - number).collect());
            for bits in 0..=32 {
                let most = u32::MAX.checked_shr(32 - bits).unwrap_or(0);
                bytes((0..count).map(|number| number & most).collect());
                bytes(vec![most; count as usize]);
            }
        }
    }

    #[test]
    fn small_numbers_take_few_bytes() {
        assert!(bytes(vec![1; 3200]).len() < 510);
        let one_is_large = (0..3200).map(|number| 1_000_000 * u32::from(number == 7));
        assert!(bytes(one_is_large.collect()).len() < 590);
    }

    #[test]
    fn other_bytes_are_an_error() {
        let count = |count: u32| count.to_le_bytes().to_vec();
        for damaged in [
            vec![],
            vec![0; 3],
            count(1),
            count(u32::MAX),
            [count(33), vec![1, 0, 0, 0, 0]].concat(),
            [count(1), vec![0, 0, 0, 0, 0]].concat(),
            [count(1), vec![1, 0, 0, 0, 0, 0]].concat(),
            [count(1), vec![1, 0, 0, 0]].concat(),
            [count(1), vec![33; 140]].concat(),
            [count(1), vec![255; 1100]].concat(),
        ] {
            assert_eq!(read(&damaged), None, "{damaged:?}");
        }
        assert_eq!(
            read(&[count(1), vec![1, 1, 0, 0, 0]].concat()),
            Some(vec![1])
        );
    }
}
