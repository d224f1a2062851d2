//! Chooses a random legal move of every role in every lane, without a loop over lanes.
//!
//! Bit-sliced adders count the legal moves of all lanes at once, each lane draws a number below its count, and a second pass
//! over the moves subtracts them from that number: the legal move at which a lane's number falls below zero is its choice.

pub(super) mod count;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::propnet::circuit::{NEVER, SINK};
use crate::propnet::lanes::choose::count::{Chunk, GROUP, LOW, LaneCounts, count_group};
use crate::propnet::lanes::generator::Generators;
use crate::propnet::lanes::memory::{SlotArray, SlotIndex};

/// The slots of a move: whether it is legal, and whether it is made.
type MoveSlots<P> = [P; 2];

/// Chooses moves; holds the working memory for that.
#[derive(Debug)]
pub(super) struct Chooser<P, const C: usize> {
    roles: Vec<RoleChooser<P, C>>,
    drawn: LaneCounts<C>,
}

#[derive(Debug)]
struct RoleChooser<P, const C: usize> {
    /// All moves, padded to whole groups with moves that are never legal.
    moves: Vec<[MoveSlots<P>; GROUP]>,
    /// The first `live_count` ones are the groups with moves that are legal in some lane.
    live: Vec<[MoveSlots<P>; GROUP]>,
    live_count: usize,
    /// The most bits that the number of legal moves can have.
    most_bits: usize,
    count: LaneCounts<C>,
}

impl<P: SlotIndex, const C: usize> Chooser<P, C> {
    /// For moves that are legal and made in these slots, of roles with these ranges of moves.
    pub(super) fn new(legal: &[P], does: &[P], roles: &[Range<usize>]) -> Self {
        let nothing = [P::pack(NEVER), P::pack(SINK)];
        let role = |moves: &Range<usize>| {
            let moves = moves.clone().map(|i| [legal[i], does[i]]);
            let moves: Vec<MoveSlots<P>> =
                moves.filter(|[legal, _]| *legal != nothing[0]).collect();
            let group = |chunk: &[MoveSlots<P>]| {
                std::array::from_fn(|i| chunk.get(i).copied().unwrap_or(nothing))
            };
            RoleChooser {
                moves: moves.chunks(GROUP).map(group).collect(),
                live: vec![[nothing; GROUP]; moves.len().div_ceil(GROUP)],
                live_count: 0,
                most_bits: (usize::BITS - moves.len().leading_zeros()) as usize,
                count: LaneCounts::ZERO,
            }
        };
        Self {
            roles: roles.iter().map(role).collect(),
            drawn: LaneCounts::ZERO,
        }
    }

    /// Marks a move of each role in each lane of the `at`-th chunk, drawn by the lanes' generators, roles in order.
    /// Returns the lanes in which every role has a move.
    #[inline(always)]
    pub(super) fn choose<const W: usize>(
        &mut self,
        slots: &mut P::Array<W>,
        at: usize,
        generators: &mut [Generators],
    ) -> Chunk<C> {
        let mut able = [!0; C];
        let (mut choice, mut is_shared) = ([0; C], true);
        for role in &mut self.roles {
            role.count::<W>(slots, at);
            let (some, several) = role.count.some_and_several();
            for c in 0..C {
                able[c] &= some[c];
                is_shared &= choice[c] & several[c] == 0;
                choice[c] |= several[c];
            }
        }
        if is_shared {
            self.draw_once(choice, generators);
        } else {
            for role in &mut self.roles {
                role.count.draw(generators);
            }
        }
        for role in &self.roles {
            role.mark::<W>(slots, at);
        }
        able
    }

    /// Draws where no lane has two roles with a `choice`: one draw per lane is enough.
    #[inline(always)]
    fn draw_once(&mut self, choice: Chunk<C>, generators: &mut [Generators]) {
        if choice == [0; C] {
            return;
        }
        self.drawn.clear();
        for role in &self.roles {
            self.drawn.put(&role.count, role.count.some_and_several().1);
        }
        self.drawn.draw(generators);
        for role in &mut self.roles {
            role.count.replace(&self.drawn);
        }
    }
}

impl<P: SlotIndex, const C: usize> RoleChooser<P, C> {
    /// Counts the legal moves. Marks all of them as made, which is final where there is only one.
    #[inline(always)]
    fn count<const W: usize>(&mut self, slots: &mut P::Array<W>, at: usize) {
        let mut low = [[0; C]; LOW];
        let (_, high) = self.count.bits.split_at_mut(LOW);
        let high = &mut high[..self.most_bits.saturating_sub(LOW)];
        high.fill([0; C]);
        let mut live_count = 0;
        for group in &self.moves {
            let (mut legal, mut any) = ([[0; C]; GROUP], [0; C]);
            for i in 0..GROUP {
                legal[i] = *chunk::<P, W, C>(slots, group[i][0], at);
                *chunk::<P, W, C>(slots, group[i][1], at) = legal[i];
                for c in 0..C {
                    any[c] |= legal[i][c];
                }
            }
            self.live[live_count] = *group;
            live_count += usize::from(any != [0; C]);
            let mut carry = count_group(&mut low, &legal);
            for sum in &mut *high {
                for c in 0..C {
                    (sum[c], carry[c]) = (sum[c] ^ carry[c], sum[c] & carry[c]);
                }
            }
        }
        self.live_count = live_count;
        self.count.bits[..LOW].copy_from_slice(&low);
        self.count.len = self.most_bits;
        self.count.trim();
    }

    /// Marks only the move that as many legal moves precede as the number drawn.
    #[inline(always)]
    fn mark<const W: usize>(&self, slots: &mut P::Array<W>, at: usize) {
        match self.count.len {
            0 | 1 => {}
            2 => self.count_down::<W, 2>(slots, at),
            3 => self.count_down::<W, 3>(slots, at),
            4 => self.count_down::<W, 4>(slots, at),
            5 => self.count_down::<W, 5>(slots, at),
            6 => self.count_down::<W, 6>(slots, at),
            7 => self.count_down::<W, 7>(slots, at),
            8 => self.count_down::<W, 8>(slots, at),
            len => {
                let mut left = self.count.bits;
                count_down::<P, W, C>(&mut left[..len], self.live(), slots, at);
            }
        }
    }

    /// Counts down with all numbers in registers.
    #[inline(always)]
    fn count_down<const W: usize, const B: usize>(&self, slots: &mut P::Array<W>, at: usize) {
        let mut left = [[0; C]; B];
        left.copy_from_slice(&self.count.bits[..B]);
        count_down::<P, W, C>(&mut left, self.live(), slots, at);
    }

    #[inline(always)]
    fn live(&self) -> &[[MoveSlots<P>; GROUP]] {
        &self.live[..self.live_count]
    }
}

/// Subtracts each legal move from the numbers left; where that borrows beyond the last bit, the number was zero. From
/// then on all its bits are set, which is more than the moves still to come.
#[inline(always)]
fn count_down<P: SlotIndex, const W: usize, const C: usize>(
    left: &mut [Chunk<C>],
    live: &[[MoveSlots<P>; GROUP]],
    slots: &mut P::Array<W>,
    at: usize,
) {
    for [legal, does] in live.as_flattened() {
        let mut borrow = *chunk::<P, W, C>(slots, *legal, at);
        for bit in &mut *left {
            for c in 0..C {
                let borrowed = borrow[c] & !bit[c];
                bit[c] ^= borrow[c];
                borrow[c] = borrowed;
            }
        }
        *chunk::<P, W, C>(slots, *does, at) = borrow;
    }
}

#[inline(always)]
pub(super) fn chunk<P: SlotIndex, const W: usize, const C: usize>(
    slots: &mut P::Array<W>,
    place: P,
    at: usize,
) -> &mut Chunk<C> {
    &mut slots.at_mut(place).as_chunks_mut().0[at % (W / C)]
}
