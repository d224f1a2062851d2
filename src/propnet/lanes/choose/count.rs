//! A number per lane in bit planes (bit-sliced), with addition by carry-save adders.

use crate::propnet::lanes::generator::Generators;
use crate::propnet::lanes::planes::{numbers, planes};

/// The lanes that are handled at a time: few enough that the adders' operands fit into registers.
pub(in crate::propnet::lanes) type Chunk<const C: usize> = [u64; C];

/// A lane's number has at most this many bits.
const BITS: usize = 24;

/// The moves are counted in groups of this size.
pub(in crate::propnet::lanes) const GROUP: usize = 1 << LOW;

/// The low bits of a number, to which a group is added in registers.
pub(in crate::propnet::lanes) const LOW: usize = 3;

/// A number per lane: bit `i` of all numbers is `bits[i]`, and bits from `len` on are clear.
#[derive(Debug, Clone, Copy)]
pub(in crate::propnet::lanes) struct LaneCounts<const C: usize> {
    pub(in crate::propnet::lanes) bits: [Chunk<C>; BITS],
    pub(in crate::propnet::lanes) len: usize,
}

impl<const C: usize> LaneCounts<C> {
    pub(in crate::propnet::lanes) const ZERO: Self = Self {
        bits: [[0; C]; BITS],
        len: 0,
    };

    pub(in crate::propnet::lanes) fn clear(&mut self) {
        self.bits[..self.len].fill([0; C]);
        self.len = 0;
    }

    pub(in crate::propnet::lanes) fn trim(&mut self) {
        while self.len > 0 && self.bits[self.len - 1] == [0; C] {
            self.len -= 1;
        }
    }

    /// The lanes where the number is not 0, and those where it is more than 1.
    #[inline(always)]
    pub(in crate::propnet::lanes) fn some_and_several(&self) -> (Chunk<C>, Chunk<C>) {
        let mut several = [0; C];
        for bit in &self.bits[1..self.len.max(1)] {
            for c in 0..C {
                several[c] |= bit[c];
            }
        }
        let mut some = several;
        for c in 0..C {
            some[c] |= self.bits[0][c];
        }
        (some, several)
    }

    /// Copies the numbers of `other` in some lanes, where there were zeros.
    #[inline(always)]
    pub(in crate::propnet::lanes) fn put(&mut self, other: &Self, lanes: Chunk<C>) {
        self.len = self.len.max(other.len);
        for bit in 0..other.len {
            for c in 0..C {
                self.bits[bit][c] |= other.bits[bit][c] & lanes[c];
            }
        }
    }

    /// Replaces numbers above 1 by those drawn, and others by zero.
    #[inline(always)]
    pub(in crate::propnet::lanes) fn replace(&mut self, drawn: &Self) {
        let several = self.some_and_several().1;
        for bit in 0..self.len {
            for c in 0..C {
                self.bits[bit][c] = drawn.bits[bit][c] & several[c];
            }
        }
    }

    /// Replaces each number by one drawn below it.
    #[inline(always)]
    pub(in crate::propnet::lanes) fn draw(&mut self, generators: &mut [Generators]) {
        if self.len > 8 {
            for (c, generators) in generators.iter_mut().enumerate().take(C) {
                self.draw_large(c, generators);
            }
            return;
        }
        let mut eight = [[0; C]; 8];
        eight.copy_from_slice(&self.bits[..8]);
        numbers(&mut eight);
        for (c, generators) in generators.iter_mut().enumerate().take(C) {
            let mut below = [0; 64];
            for word in 0..8 {
                below.as_chunks_mut().0[word] = eight[word][c].to_le_bytes();
            }
            let drawn = generators.below(&below);
            for word in 0..8 {
                eight[word][c] = u64::from_le_bytes(drawn.as_chunks().0[word]);
            }
        }
        planes(&mut eight);
        self.bits[..8].copy_from_slice(&eight);
    }

    #[cold]
    fn draw_large(&mut self, c: usize, generators: &mut Generators) {
        for lane in 0..64 {
            let bit = |bit: &Chunk<C>| (bit[c] >> lane & 1) as u32;
            let below = (0..BITS).map(|b| bit(&self.bits[b]) << b).sum();
            let mut generator = generators.get(lane);
            let drawn = generator.below(below);
            generators.set(lane, generator);
            for (b, bit) in self.bits.iter_mut().enumerate() {
                bit[c] = bit[c] & !(1 << lane) | u64::from(drawn >> b & 1) << lane;
            }
        }
    }
}

/// Adds the bits of a group; returns the carry beyond.
#[inline(always)]
pub(in crate::propnet::lanes) fn count_group<const C: usize>(
    low: &mut [Chunk<C>; LOW],
    bits: &[Chunk<C>; GROUP],
) -> Chunk<C> {
    let [ones, twos, fours] = low;
    let a = full_adder(ones, &bits[0], &bits[1]);
    let b = full_adder(ones, &bits[2], &bits[3]);
    let c = full_adder(ones, &bits[4], &bits[5]);
    let d = full_adder(ones, &bits[6], &bits[7]);
    let e = full_adder(twos, &a, &b);
    let f = full_adder(twos, &c, &d);
    full_adder(fours, &e, &f)
}

/// Replaces `sum` by the sum of three bits, and returns the carry.
#[inline(always)]
fn full_adder<const C: usize>(sum: &mut Chunk<C>, a: &Chunk<C>, b: &Chunk<C>) -> Chunk<C> {
    let mut carry = [0; C];
    for c in 0..C {
        let differ = a[c] ^ b[c];
        carry[c] = a[c] & b[c] | differ & sum[c];
        sum[c] ^= differ;
    }
    carry
}
