//! How many joint moves there are, in many lanes together.

use pulp::NullaryFnOnce;

use crate::propnet::circuit::NEVER;
use crate::propnet::lanes::choose::chunk;
use crate::propnet::lanes::choose::count::{Chunk, Count, GROUP, LOW, count_group};
use crate::propnet::lanes::memory::{Place, Vector};

/// The slots in which a role's moves are legal, filled up to whole groups with one that never is set.
pub(super) type Moves<P> = Vec<[P; GROUP]>;

/// Those of the slots that may be set.
pub(super) fn moves<P: Place>(legal: &[P]) -> Moves<P> {
    let never = P::pack(NEVER);
    let legal: Vec<P> = legal
        .iter()
        .copied()
        .filter(|&slot| slot != never)
        .collect();
    let group = |slots: &[P]| std::array::from_fn(|i| slots.get(i).copied().unwrap_or(never));
    legal.chunks(GROUP).map(group).collect()
}

/// Counts joint moves, `C` words of lanes at a time.
pub(super) struct Counting<'c, P: Place, const W: usize, const C: usize> {
    /// Per role.
    pub(super) moves: &'c [Moves<P>],
    pub(super) slots: &'c mut P::Slots<W>,
    /// The lanes that count.
    pub(super) lanes: Vector<W>,
    /// Room for the numbers of moves of those roles that have a choice.
    pub(super) choices: &'c mut Vec<Count<C>>,
}

impl<P: Place, const W: usize, const C: usize> NullaryFnOnce for Counting<'_, P, W, C> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let mut all = 0;
        let lanes = self.lanes.as_chunks::<C>().0;
        for at in 0..W / C {
            self.choices.clear();
            for moves in self.moves {
                let number = counted::<P, W, C>(moves, self.slots, at);
                if !is_one(&number, &lanes[at]) {
                    self.choices.push(number);
                }
            }
            all += products(self.choices, &lanes[at]);
        }
        all
    }
}

/// How many of the moves are legal.
#[inline(always)]
fn counted<P: Place, const W: usize, const C: usize>(
    moves: &Moves<P>,
    slots: &mut P::Slots<W>,
    at: usize,
) -> Count<C> {
    let mut number = Count::ZERO;
    number.len = LOW + (usize::BITS - moves.len().leading_zeros()) as usize;
    let mut low = [[0; C]; LOW];
    for group in moves {
        let mut legal = [[0; C]; GROUP];
        for i in 0..GROUP {
            legal[i] = *chunk::<P, W, C>(slots, group[i], at);
        }
        let mut carry = count_group(&mut low, &legal);
        for sum in &mut number.bits[LOW..number.len] {
            for c in 0..C {
                (sum[c], carry[c]) = (sum[c] ^ carry[c], sum[c] & carry[c]);
            }
        }
    }
    number.bits[..LOW].copy_from_slice(&low);
    number
}

/// Whether a number is 1 in all of the lanes.
#[inline(always)]
fn is_one<const C: usize>(number: &Count<C>, lanes: &Chunk<C>) -> bool {
    let (some, several) = number.some_and_several();
    let mut other = 0;
    for c in 0..C {
        other |= (several[c] | !some[c]) & lanes[c];
    }
    other == 0
}

/// In each lane the product of the numbers, all lanes added up.
#[inline(always)]
fn products<const C: usize>(numbers: &[Count<C>], lanes: &Chunk<C>) -> u64 {
    let mut all = 0;
    match numbers {
        [] => {
            for word in lanes {
                all += u64::from(word.count_ones());
            }
        }
        [number] => {
            for (bit, plane) in number.bits[..number.len].iter().enumerate() {
                for c in 0..C {
                    all += u64::from((plane[c] & lanes[c]).count_ones()) << bit;
                }
            }
        }
        several => {
            for lane in (0..64 * C).filter(|lane| lanes[lane / 64] >> (lane % 64) & 1 != 0) {
                all += several
                    .iter()
                    .map(|number| of_lane(number, lane))
                    .product::<u64>();
            }
        }
    }
    all
}

/// The number in a lane.
fn of_lane<const C: usize>(number: &Count<C>, lane: usize) -> u64 {
    let planes = number.bits[..number.len].iter().enumerate();
    let bits = planes.map(|(bit, plane)| (plane[lane / 64] >> (lane % 64) & 1) << bit);
    bits.sum()
}
