//! Choice among tens of thousands of moves, whose slots do not fit into a cache, and among moves that mark sets: each is read once, and only
//! blocks of moves in which some lane makes its choice are looked at again.

use std::ops::Range;

use crate::propnet::circuit::NEVER;
use crate::propnet::lanes::choose::chunk;
use crate::propnet::lanes::choose::count::{Chunk, GROUP, LOW, LaneCounts, count_group};
use crate::propnet::lanes::marks::Marks;
use crate::propnet::lanes::memory::{SlotArray, SlotIndex};
use crate::util::Lazy;

/// The groups of a block.
const GROUPS: usize = 8;

/// The bits of how many moves of a block are legal.
const BITS: usize = (GROUPS * GROUP).ilog2() as usize + 1;

/// How many moves of a block are legal, bit by bit.
type BlockCount<const C: usize> = [Chunk<C>; BITS];

/// The moves of a role, of which those that are made are marked, until these marks are taken back.
#[derive(Debug)]
pub(super) struct BlockedMoves<P, const C: usize> {
    /// The slots that tell whether moves are legal, padded to whole groups.
    groups: Vec<[P; GROUP]>,
    /// The moves themselves.
    inputs: Vec<u32>,
    marks: Lazy<Marks<P>>,
    /// The blocks with moves that are legal in some lane, and how many of these moves.
    live: Vec<(usize, BlockCount<C>)>,
    /// The slots that were set in some lane.
    marked: Vec<P>,
}

impl<P: SlotIndex, const C: usize> BlockedMoves<P, C> {
    pub(super) fn new(legal: &[P], moves: Range<usize>, marks: Lazy<Marks<P>>) -> Self {
        let never = P::pack(NEVER);
        let can_be = |(_, legal): &(u32, P)| *legal != never;
        let moves = (0..).zip(legal).skip(moves.start).take(moves.len());
        let moves = moves.map(|(input, legal)| (input, *legal)).filter(can_be);
        let (inputs, legal): (Vec<u32>, Vec<P>) = moves.unzip();
        let group = |chunk: &[P]| std::array::from_fn(|i| chunk.get(i).copied().unwrap_or(never));
        Self {
            groups: legal.chunks(GROUP).map(group).collect(),
            inputs,
            marks,
            live: Vec::new(),
            marked: Vec::new(),
        }
    }

    /// How many moves there are.
    pub(super) fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Counts the legal moves, with `most_bits` bits.
    #[inline(always)]
    pub(super) fn count<const W: usize>(
        &mut self,
        slots: &mut P::Array<W>,
        at: usize,
        counts: &mut LaneCounts<C>,
        most_bits: usize,
    ) {
        counts.clear();
        self.live.clear();
        for (number, groups) in self.groups.chunks(GROUPS).enumerate() {
            let (block, is_live) = count_block::<P, W, C>(groups, slots, at);
            if is_live {
                add(&mut counts.bits[..most_bits], &block);
                self.live.push((number, block));
            }
        }
        counts.len = most_bits;
        counts.trim();
    }

    /// Marks the move that as many legal moves precede as the number drawn. No move may be marked in these lanes yet.
    ///
    /// The legal moves of each block are subtracted from the numbers left. Where that borrows beyond the last bit, the choice is in this
    /// block; from then on, the number is greater than that of the moves still to come.
    #[inline(always)]
    pub(super) fn mark<const W: usize>(
        &mut self,
        slots: &mut P::Array<W>,
        at: usize,
        drawn: &LaneCounts<C>,
    ) {
        // Not fewer bits than a rank within a block has.
        let mut left = drawn.bits;
        let left = &mut left[..drawn.len.max(BITS)];
        let marks: &Marks<P> = &self.marks;
        for (number, block) in &self.live {
            let mut rank = [[0; C]; BITS];
            rank.copy_from_slice(&left[..BITS]);
            let lanes = subtract(left, block);
            if lanes != [0; C] {
                let first = GROUPS * number;
                let groups = &self.groups[first..self.groups.len().min(first + GROUPS)];
                each_choice::<P, W, C>(groups, slots, at, (rank, lanes), |slots, place, made| {
                    for slot in marks.of(self.inputs[GROUP * first + place]) {
                        let mark = chunk::<P, W, C>(slots, *slot, at);
                        for c in 0..C {
                            mark[c] |= made[c];
                        }
                        self.marked.push(*slot);
                    }
                });
            }
        }
    }

    /// Takes all marks back, of all lanes.
    pub(super) fn unmark<const W: usize>(&mut self, slots: &mut P::Array<W>) {
        let slots_to_clear = match self.marked.len() < self.marks.all.len() {
            true => &self.marked,
            false => &self.marks.all,
        };
        for slot in slots_to_clear {
            *slots.at_mut(*slot) = [0; W];
        }
        self.marked.clear();
    }
}

/// How many moves of a block are legal, and whether any is.
#[inline(always)]
fn count_block<P: SlotIndex, const W: usize, const C: usize>(
    groups: &[[P; GROUP]],
    slots: &mut P::Array<W>,
    at: usize,
) -> (BlockCount<C>, bool) {
    let (mut low, mut high) = ([[0; C]; LOW], [[0; C]; BITS - LOW]);
    for group in groups {
        let mut legal = [[0; C]; GROUP];
        for i in 0..GROUP {
            legal[i] = *chunk::<P, W, C>(slots, group[i], at);
        }
        let mut carry = count_group(&mut low, &legal);
        for sum in &mut high {
            for c in 0..C {
                (sum[c], carry[c]) = (sum[c] ^ carry[c], sum[c] & carry[c]);
            }
        }
    }
    let (mut block, mut any) = ([[0; C]; BITS], [0; C]);
    block[..LOW].copy_from_slice(&low);
    block[LOW..].copy_from_slice(&high);
    for bit in &block {
        for c in 0..C {
            any[c] |= bit[c];
        }
    }
    (block, any != [0; C])
}

/// Adds a number to a greater one, in each lane.
#[inline(always)]
fn add<const C: usize>(all: &mut [Chunk<C>], number: &BlockCount<C>) {
    let mut carry = [0; C];
    for (i, sum) in all.iter_mut().enumerate() {
        let bit = number.get(i).copied().unwrap_or([0; C]);
        for c in 0..C {
            let differ = sum[c] ^ bit[c];
            (sum[c], carry[c]) = (differ ^ carry[c], sum[c] & bit[c] | differ & carry[c]);
        }
    }
}

/// Subtracts a number from another one, in each lane. Returns where it was greater.
#[inline(always)]
fn subtract<const C: usize>(left: &mut [Chunk<C>], number: &BlockCount<C>) -> Chunk<C> {
    let mut borrow = [0; C];
    for (i, left) in left.iter_mut().enumerate() {
        let bit = number.get(i).copied().unwrap_or([0; C]);
        for c in 0..C {
            let differ = left[c] ^ bit[c];
            (left[c], borrow[c]) = (differ ^ borrow[c], !left[c] & bit[c] | !differ & borrow[c]);
        }
    }
    borrow
}

/// Tells, in some lanes, the move that as many legal moves of the block precede as the lane's rank: its place in the block, and the lanes.
#[inline(always)]
fn each_choice<P: SlotIndex, const W: usize, const C: usize>(
    groups: &[[P; GROUP]],
    slots: &mut P::Array<W>,
    at: usize,
    (mut rank, mut lanes): (BlockCount<C>, Chunk<C>),
    mut tell: impl FnMut(&mut P::Array<W>, usize, Chunk<C>),
) {
    for (place, legal) in groups.as_flattened().iter().enumerate() {
        let mut made = *chunk::<P, W, C>(slots, *legal, at);
        for c in 0..C {
            made[c] &= lanes[c];
        }
        for bit in &mut rank {
            for c in 0..C {
                let borrowed = made[c] & !bit[c];
                bit[c] ^= made[c];
                made[c] = borrowed;
            }
        }
        if made != [0; C] {
            tell(slots, place, made);
            for c in 0..C {
                lanes[c] &= !made[c];
            }
            if lanes == [0; C] {
                return;
            }
        }
    }
}
