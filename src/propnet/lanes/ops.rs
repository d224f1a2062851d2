//! Operations on all lanes beside running code: loading, storing, choosing moves, advancing, summing goals. Each is compiled
//! once per instruction set and dispatched at run time.
//!
//! Loops are over indices, not iterators: vectorisation needs every call to be inlined.

use pulp::NullaryFnOnce;

use crate::propnet::lanes::choose::Chooser;
use crate::propnet::lanes::generator::Generators;
use crate::propnet::lanes::memory::{SlotArray, SlotIndex, Vector};
use crate::propnet::lanes::planes::{numbers, planes};
use crate::propnet::lanes::program::{RowLayout, RowWord, StateUpdate};
use crate::propnet::lanes::totals::LaneTotals;
use crate::propnet::lanes::transpose::{BitBlock, transpose};

/// Up to this number of lanes, the bits of a slot fit in a byte, and transposing bytes takes a fraction of the time.
const BYTE: usize = 8;

/// Chooses a random legal joint move in every lane.
pub(super) struct ChooseMoves<'c, P: SlotIndex, const W: usize, const C: usize> {
    pub(super) chooser: &'c mut Chooser<P, C>,
    pub(super) slots: &'c mut P::Array<W>,
    pub(super) generators: &'c mut [Generators],
}

impl<P: SlotIndex, const W: usize, const C: usize> NullaryFnOnce for ChooseMoves<'_, P, W, C> {
    /// The lanes in which every role has a move.
    type Output = Vector<W>;

    #[inline(always)]
    fn call(self) -> Vector<W> {
        let mut able = [0; W];
        let chunks = able.as_chunks_mut::<C>().0;
        for at in 0..W / C {
            let generators = &mut self.generators[at * C..][..C];
            chunks[at] = self.chooser.choose::<W>(self.slots, at, generators);
        }
        able
    }
}

/// The lanes in which exactly one of the goal values holds.
#[inline(always)]
pub(super) fn exactly_one<P: SlotIndex, const W: usize>(
    values: &[(u8, P)],
    slots: &P::Array<W>,
) -> Vector<W> {
    let (mut once, mut twice) = ([0; W], [0; W]);
    for (_, slot) in values {
        let holds = slots.at(*slot);
        for w in 0..W {
            twice[w] |= once[w] & holds[w];
            once[w] |= holds[w];
        }
    }
    for w in 0..W {
        once[w] &= !twice[w];
    }
    once
}

/// Adds the goals of ended games to the totals.
pub(super) struct SumGoals<'t, P: SlotIndex, const W: usize> {
    pub(super) goals: &'t [Vec<(u8, P)>],
    pub(super) slots: &'t P::Array<W>,
    pub(super) ended: Vector<W>,
    pub(super) totals: &'t mut LaneTotals,
}

impl<P: SlotIndex, const W: usize> NullaryFnOnce for SumGoals<'_, P, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (role, values) in self.goals.iter().enumerate() {
            let mut once = exactly_one::<P, W>(values, self.slots);
            for w in 0..W {
                once[w] &= self.ended[w];
            }
            self.totals.goal_count[role] += count(once);
            for (value, slot) in values {
                let mut holds = *self.slots.at(*slot);
                for w in 0..W {
                    holds[w] &= once[w];
                }
                self.totals.goal_sum[role] += u64::from(*value) * count(holds);
            }
        }
        self.totals.playouts += count(self.ended);
    }
}

/// Makes the next state the current one.
pub(super) struct AdvanceState<'a, P: SlotIndex, const W: usize> {
    pub(super) bases: &'a StateUpdate<P>,
    pub(super) start: &'a [u64],
    pub(super) slots: &'a mut P::Array<W>,
    /// Lanes that get the start state instead.
    pub(super) starting: Vector<W>,
    /// Lanes that keep their state.
    pub(super) waiting: Vector<W>,
}

impl<P: SlotIndex, const W: usize> NullaryFnOnce for AdvanceState<'_, P, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self {
            bases,
            start,
            slots,
            starting,
            waiting,
        } = self;
        for [from, to] in &bases.saved {
            *slots.at_mut(*to) = *slots.at(*from);
        }
        let (is_waiting, goes_on) = (waiting != [0; W], starting.map(|word| !word));
        for i in 0..bases.next.len().min(start.len()) {
            let ((base, next), start) = (bases.next[i], start[i]);
            let value = *slots.at(next.slot);
            let base = slots.at_mut(base);
            let mut new = [0; W];
            for w in 0..W {
                new[w] = (value[w] ^ next.flip) & goes_on[w] | start & starting[w];
            }
            if is_waiting {
                for w in 0..W {
                    new[w] = new[w] & !waiting[w] | base[w] & waiting[w];
                }
            }
            *base = new;
        }
    }
}

/// Loads packed states into the lanes.
pub(super) struct LoadStates<'l, P: SlotIndex, const W: usize> {
    pub(super) bases: &'l [P],
    pub(super) slots: &'l mut P::Array<W>,
    pub(super) block: &'l mut BitBlock<W>,
    pub(super) states: &'l [u64],
    /// Words per state.
    pub(super) words: usize,
    /// Per lane, which of the states.
    pub(super) of: &'l [u32],
}

impl<P: SlotIndex, const W: usize> NullaryFnOnce for LoadStates<'_, P, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let is_one_state = self.of.iter().all(|state| *state == self.of[0]);
        for word in 0..self.words {
            let packed = |lane: usize| self.states[self.of[lane] as usize * self.words + word];
            if is_one_state && !self.of.is_empty() {
                spread(packed(0), self.block);
            } else if self.of.len() <= BYTE {
                spread_few(self.of.len(), packed, self.block);
            } else {
                *self.block = [[0; W]; 64];
                for lane in 0..self.of.len() {
                    self.block[lane % 64][lane / 64] = packed(lane);
                }
                transpose(self.block);
            }
            let bases = &self.bases[64 * word..];
            for i in 0..bases.len().min(64) {
                *self.slots.at_mut(bases[i]) = self.block[i];
            }
        }
    }
}

/// Broadcasts the bits of a word to all lanes.
#[inline(always)]
fn spread<const W: usize>(word: u64, block: &mut BitBlock<W>) {
    for i in 0..64 {
        block[i] = [0_u64.wrapping_sub(word >> i & 1); W];
    }
}

/// Transposes up to eight words into as many lanes.
#[inline(always)]
fn spread_few<const W: usize>(len: usize, word: impl Fn(usize) -> u64, block: &mut BitBlock<W>) {
    let mut eight = [[0]; BYTE];
    for lane in 0..len {
        eight[lane] = [word(lane)];
    }
    numbers(&mut eight);
    for i in 0..64 {
        block[i] = [0; W];
        block[i][0] = eight[i / 8][0] >> (8 * (i % 8)) & 0xff;
    }
}

/// Transposes the bits of up to eight lanes, one byte per slot, to rows.
#[inline(always)]
fn gather_few(bytes: [u8; 64]) -> [u64; BYTE] {
    let mut eight = [[0]; BYTE];
    for i in 0..BYTE {
        eight[i] = [u64::from_le_bytes(bytes.as_chunks().0[i])];
    }
    planes(&mut eight);
    eight.map(|[row]| row)
}

/// Writes slots to rows of bits. All bits of the rows must be clear before.
pub(super) struct StoreRows<'s, P: SlotIndex, const W: usize> {
    /// The slots that the layout chooses from.
    pub(super) from: &'s [P],
    pub(super) layout: &'s RowLayout<P>,
    pub(super) slots: &'s P::Array<W>,
    pub(super) block: &'s mut BitBlock<W>,
    /// One row per lane.
    pub(super) rows: &'s mut [u64],
}

impl<P: SlotIndex, const W: usize> NullaryFnOnce for StoreRows<'_, P, W> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        for word in &self.layout.words {
            if *self.slots.at(word.guard) != [0; W] {
                self.store(word);
            }
        }
    }
}

impl<P: SlotIndex, const W: usize> StoreRows<'_, P, W> {
    /// Writes one word of each row.
    #[inline(always)]
    fn store(&mut self, word: &RowWord<P>) {
        let from = &self.from[word.from.clone()];
        let (stride, place) = (self.layout.len, word.place);
        let lanes = self.rows.len() / stride;
        if lanes <= BYTE {
            let mut bytes = [0; 64];
            for i in 0..from.len().min(64) {
                bytes[i] = self.slots.at(from[i])[0] as u8;
            }
            let rows = gather_few(bytes);
            for lane in 0..lanes {
                self.rows[lane * stride + place] = rows[lane];
            }
            return;
        }
        let mut any = [0; W];
        for i in 0..64 {
            let mut bits = [0; W];
            if i < from.len() {
                bits = *self.slots.at(from[i]);
            }
            self.block[i] = bits;
            for w in 0..W {
                any[w] |= bits[w];
            }
        }
        if any == [0; W] {
            return;
        }
        transpose(self.block);
        for lane in 0..lanes {
            self.rows[lane * stride + place] = self.block[lane % 64][lane / 64];
        }
    }
}

/// The number of lanes in a set.
#[inline(always)]
pub(super) fn count<const W: usize>(lanes: Vector<W>) -> u64 {
    let mut sum = 0;
    for word in lanes {
        sum += word.count_ones();
    }
    sum.into()
}

/// The numbers of the lanes in a set.
pub(super) fn lanes_in<const W: usize>(lanes: Vector<W>) -> impl Iterator<Item = usize> {
    let numbered = (0..).step_by(64).zip(lanes);
    numbered.flat_map(|(first, word)| ones(word).map(move |bit| first + bit))
}

/// The numbers of the bits that are set.
#[inline(always)]
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}
