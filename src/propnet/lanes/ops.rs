//! Operations on all lanes beside running code: choosing moves, advancing, summing goals. Each is compiled
//! once per instruction set and dispatched at run time.
//!
//! Loops are over indices, not iterators: vectorisation needs every call to be inlined.

use pulp::NullaryFnOnce;

use crate::propnet::lanes::choose::Chooser;
use crate::propnet::lanes::generator::Generators;
use crate::propnet::lanes::memory::{SlotArray, SlotIndex, Vector};
use crate::propnet::lanes::program::StateUpdate;
use crate::propnet::lanes::totals::LaneTotals;

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

/// Those of the first `len` lanes that are in word `w`.
#[inline(always)]
pub(super) fn first_lanes(w: usize, len: usize) -> u64 {
    match len.saturating_sub(64 * w) {
        left @ 0..64 => (1 << left) - 1,
        _ => !0,
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
