//! A number per lane, in bit planes.

use crate::propnet::lanes::generator::Generator;
use crate::propnet::lanes::planes::{numbers, planes};

/// So many lanes are chosen for at a time: what the adders need then fits into registers.
pub(super) type Chunk<const C: usize> = [u64; C];

/// A number of a lane has at most so many bits.
const BITS: usize = 24;

/// The moves are counted so many at a time.
pub(super) const GROUP: usize = 1 << LOW;

/// Bits of a number to which a group is added in registers.
pub(super) const LOW: usize = 3;

/// A number per lane: bit `i` of all numbers is `bits[i]`, and bits from `len` on are clear.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count<const C: usize> {
    pub(super) bits: [Chunk<C>; BITS],
    pub(super) len: usize,
}

impl<const C: usize> Count<C> {
    pub(super) const ZERO: Self = Self {
        bits: [[0; C]; BITS],
        len: 0,
    };

    pub(super) fn trim(&mut self) {
        while self.len > 0 && self.bits[self.len - 1] == [0; C] {
            self.len -= 1;
        }
    }

    /// Where the number is not 0, and where it is more than 1.
    #[inline(always)]
    pub(super) fn some_and_several(&self) -> (Chunk<C>, Chunk<C>) {
        let mut several = [0; C];
        for bit in &self.bits[1..self.len.max(1)] {
            for c in 0..C {
                several[c] |= bit[c];
            }
        }
        let some = std::array::from_fn(|c| several[c] | self.bits[0][c]);
        (some, several)
    }

    /// Puts in the numbers of `other` in some lanes, where there were zeros.
    #[inline(always)]
    pub(super) fn put(&mut self, other: &Self, lanes: Chunk<C>) {
        self.len = self.len.max(other.len);
        for (bit, other) in self.bits.iter_mut().zip(&other.bits[..other.len]) {
            for c in 0..C {
                bit[c] |= other[c] & lanes[c];
            }
        }
    }

    /// Replaces numbers by those drawn below them, where there was a choice, and else by zero.
    #[inline(always)]
    pub(super) fn replace(&mut self, drawn: &Self) {
        let several = self.some_and_several().1;
        for (bit, drawn) in self.bits[..self.len].iter_mut().zip(&drawn.bits) {
            *bit = std::array::from_fn(|c| drawn[c] & several[c]);
        }
    }

    /// Replaces each number by one drawn below it.
    #[inline(always)]
    pub(super) fn draw(&mut self, generators: &mut [Generator]) {
        let generators = generators.as_chunks_mut::<64>().0;
        for (c, generators) in generators.iter_mut().enumerate().take(C) {
            if self.len <= 8 {
                let mut bits = std::array::from_fn(|bit| self.bits[bit][c]);
                draw_small(&mut bits, generators);
                for (bit, drawn) in self.bits.iter_mut().zip(bits) {
                    bit[c] = drawn;
                }
            } else {
                self.draw_large(c, generators);
            }
        }
    }

    #[cold]
    fn draw_large(&mut self, c: usize, generators: &mut [Generator; 64]) {
        for (lane, generator) in generators.iter_mut().enumerate() {
            let bit = |bit: &Chunk<C>| (bit[c] >> lane & 1) as u32;
            let below = (0..BITS).map(|b| bit(&self.bits[b]) << b).sum();
            let drawn = generator.below(below);
            for (b, bit) in self.bits.iter_mut().enumerate() {
                bit[c] = bit[c] & !(1 << lane) | u64::from(drawn >> b & 1) << lane;
            }
        }
    }
}

/// Replaces 64 numbers of 8 bits by ones drawn below them.
#[inline(always)]
fn draw_small(bits: &mut [u64; 8], generators: &mut [Generator; 64]) {
    let below = numbers(bits);
    let mut drawn = [0; 64];
    let mut doubtful = false;
    for lane in 0..64 {
        let (number, doubt) = generators[lane].guess(below[lane].into());
        drawn[lane] = number as u8;
        doubtful |= doubt;
    }
    if doubtful {
        settle(&below, &mut drawn, generators);
    }
    *bits = planes(&drawn);
}

#[cold]
fn settle(below: &[u8; 64], drawn: &mut [u8; 64], generators: &mut [Generator; 64]) {
    for ((below, drawn), generator) in below.iter().zip(drawn).zip(generators) {
        *drawn = generator.settle((*below).into()) as u8;
    }
}

/// Adds the bits of a group; returns the carry beyond.
#[inline(always)]
pub(super) fn count_group<const C: usize>(
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
    std::array::from_fn(|c| {
        let differ = a[c] ^ b[c];
        let carry = a[c] & b[c] | differ & sum[c];
        sum[c] ^= differ;
        carry
    })
}
