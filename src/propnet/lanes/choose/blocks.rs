//! Choice among tens of thousands of moves and more, whose slots do not fit into a cache: each is read once, and only blocks of moves in
//! which some lane makes its choice are looked at again.

use crate::propnet::lanes::choose::count::{Chunk, GROUP, LOW, LaneCounts, count_group};
use crate::propnet::lanes::choose::{MoveGroup, MoveSlots, chunk, in_groups};
use crate::propnet::lanes::memory::{SlotArray, SlotIndex};

/// The groups of a block.
const GROUPS: usize = 8;

/// The bits of how many moves of a block are legal.
const BITS: usize = (GROUPS * GROUP).ilog2() as usize + 1;

/// How many moves of a block are legal, bit by bit.
type BlockCount<const C: usize> = [Chunk<C>; BITS];

/// The moves of a role, of which those that are made are marked, until these marks are taken back.
#[derive(Debug)]
pub(super) struct BlockedMoves<P, const C: usize> {
    /// All moves, padded to whole groups.
    groups: Vec<MoveGroup<P>>,
    /// The blocks with moves that are legal in some lane, and how many of these moves.
    live: Vec<(usize, BlockCount<C>)>,
    /// The slots of the moves that were made in some lane.
    marked: Vec<P>,
}

impl<P: SlotIndex, const C: usize> BlockedMoves<P, C> {
    pub(super) fn new(moves: &[MoveSlots<P>]) -> Self {
        Self {
            groups: in_groups(moves),
            live: Vec::new(),
            marked: Vec::new(),
        }
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
        for (number, block) in &self.live {
            let mut rank = [[0; C]; BITS];
            rank.copy_from_slice(&left[..BITS]);
            let lanes = subtract(left, block);
            if lanes != [0; C] {
                let first = GROUPS * number;
                let groups = &self.groups[first..self.groups.len().min(first + GROUPS)];
                mark_in_block::<P, W, C>(groups, slots, at, (rank, lanes), &mut self.marked);
            }
        }
    }

    /// Takes all marks back, of all lanes.
    pub(super) fn unmark<const W: usize>(&mut self, slots: &mut P::Array<W>) {
        for slot in self.marked.drain(..) {
            *slots.at_mut(slot) = [0; W];
        }
    }
}

/// How many moves of a block are legal, and whether any is.
#[inline(always)]
fn count_block<P: SlotIndex, const W: usize, const C: usize>(
    groups: &[MoveGroup<P>],
    slots: &mut P::Array<W>,
    at: usize,
) -> (BlockCount<C>, bool) {
    let (mut low, mut high) = ([[0; C]; LOW], [[0; C]; BITS - LOW]);
    for group in groups {
        let mut legal = [[0; C]; GROUP];
        for i in 0..GROUP {
            legal[i] = *chunk::<P, W, C>(slots, group[i][0], at);
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

/// Marks, in some lanes, the move that as many legal moves of the block precede as the lane's rank.
#[inline(always)]
fn mark_in_block<P: SlotIndex, const W: usize, const C: usize>(
    groups: &[MoveGroup<P>],
    slots: &mut P::Array<W>,
    at: usize,
    (mut rank, mut lanes): (BlockCount<C>, Chunk<C>),
    marked: &mut Vec<P>,
) {
    for [legal, does] in groups.as_flattened() {
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
            *chunk::<P, W, C>(slots, *does, at) = made;
            marked.push(*does);
            for c in 0..C {
                lanes[c] &= !made[c];
            }
            if lanes == [0; C] {
                return;
            }
        }
    }
}
