//! Choice among up to some thousands of moves: all are counted, and all that are legal in some lane counted down.

use crate::propnet::circuit::{NEVER, SINK};
use crate::propnet::lanes::choose::chunk;
use crate::propnet::lanes::choose::count::{Chunk, GROUP, LOW, LaneCounts, count_group};
use crate::propnet::lanes::memory::SlotIndex;

/// The slots of a move: whether it is legal, and whether it is made.
type MoveSlots<P> = [P; 2];

/// Moves side by side.
type MoveGroup<P> = [MoveSlots<P>; GROUP];

/// The moves of a role, each of which is marked as made or not in each choice.
#[derive(Debug)]
pub(super) struct GroupedMoves<P> {
    /// All moves, padded to whole groups.
    all: Vec<MoveGroup<P>>,
    /// The first `live_count` ones are the groups with moves that are legal in some lane.
    live: Vec<MoveGroup<P>>,
    live_count: usize,
    /// How many moves there are, without padding.
    pub(super) len: usize,
}

impl<P: SlotIndex> GroupedMoves<P> {
    pub(super) fn new(moves: impl Iterator<Item = MoveSlots<P>>) -> Self {
        let never = [NEVER, SINK].map(P::pack);
        let moves: Vec<MoveSlots<P>> = moves.filter(|[legal, _]| *legal != never[0]).collect();
        let group = |chunk: &[MoveSlots<P>]| {
            std::array::from_fn(|i| chunk.get(i).copied().unwrap_or(never))
        };
        let all: Vec<MoveGroup<P>> = moves.chunks(GROUP).map(group).collect();
        Self {
            live: vec![[never; GROUP]; all.len()],
            live_count: 0,
            len: moves.len(),
            all,
        }
    }

    /// Counts the legal moves, with `most_bits` bits. Marks all of them as made, which is final where there is only one.
    #[inline(always)]
    pub(super) fn count<const W: usize, const C: usize>(
        &mut self,
        slots: &mut P::Array<W>,
        at: usize,
        counts: &mut LaneCounts<C>,
        most_bits: usize,
    ) {
        let mut low = [[0; C]; LOW];
        let (_, high) = counts.bits.split_at_mut(LOW);
        let high = &mut high[..most_bits.saturating_sub(LOW)];
        high.fill([0; C]);
        let mut live_count = 0;
        for group in &self.all {
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
        counts.bits[..LOW].copy_from_slice(&low);
        counts.len = most_bits;
        counts.trim();
    }

    /// Marks only the move that as many legal moves precede as the number drawn.
    #[inline(always)]
    pub(super) fn mark<const W: usize, const C: usize>(
        &self,
        slots: &mut P::Array<W>,
        at: usize,
        drawn: &LaneCounts<C>,
    ) {
        let live = &self.live[..self.live_count];
        match drawn.len {
            0 | 1 => {}
            2 => in_registers::<P, W, C, 2>(drawn, live, slots, at),
            3 => in_registers::<P, W, C, 3>(drawn, live, slots, at),
            4 => in_registers::<P, W, C, 4>(drawn, live, slots, at),
            5 => in_registers::<P, W, C, 5>(drawn, live, slots, at),
            6 => in_registers::<P, W, C, 6>(drawn, live, slots, at),
            7 => in_registers::<P, W, C, 7>(drawn, live, slots, at),
            8 => in_registers::<P, W, C, 8>(drawn, live, slots, at),
            len => {
                let mut left = drawn.bits;
                count_down::<P, W, C>(&mut left[..len], live, slots, at);
            }
        }
    }
}

/// Counts down with all numbers in registers.
#[inline(always)]
fn in_registers<P: SlotIndex, const W: usize, const C: usize, const B: usize>(
    drawn: &LaneCounts<C>,
    live: &[MoveGroup<P>],
    slots: &mut P::Array<W>,
    at: usize,
) {
    let mut left = [[0; C]; B];
    left.copy_from_slice(&drawn.bits[..B]);
    count_down::<P, W, C>(&mut left, live, slots, at);
}

/// Subtracts each legal move from the numbers left; where that borrows beyond the last bit, the number was zero. From
/// then on all its bits are set, which is more than the moves still to come.
#[inline(always)]
fn count_down<P: SlotIndex, const W: usize, const C: usize>(
    left: &mut [Chunk<C>],
    live: &[MoveGroup<P>],
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
