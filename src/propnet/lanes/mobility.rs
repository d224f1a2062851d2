//! Counts the joint moves of many lanes together (bulk counting for perft), with bit-sliced adders.

use pulp::NullaryFnOnce;

use crate::propnet::circuit::NEVER;
use crate::propnet::lanes::choose::chunk;
use crate::propnet::lanes::choose::count::{Chunk, GROUP, LOW, LaneCounts, count_group};
use crate::propnet::lanes::memory::{SlotIndex, Vector};

/// The slots of a role's legal moves, padded to whole groups with [`NEVER`].
pub(super) type MoveGroups<P> = Vec<[P; GROUP]>;

/// Groups of those slots that may be set.
pub(super) fn move_groups<P: SlotIndex>(legal: &[P]) -> MoveGroups<P> {
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
pub(super) struct CountJointMoves<'c, P: SlotIndex, const W: usize, const C: usize> {
    /// Per role.
    pub(super) moves: &'c [MoveGroups<P>],
    pub(super) slots: &'c mut P::Array<W>,
    /// The lanes that count.
    pub(super) lanes: Vector<W>,
    /// Scratch space: the numbers of moves of the roles that have a choice.
    pub(super) choices: &'c mut Vec<LaneCounts<C>>,
}

impl<P: SlotIndex, const W: usize, const C: usize> NullaryFnOnce for CountJointMoves<'_, P, W, C> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let mut all = 0;
        let lanes = self.lanes.as_chunks::<C>().0;
        for at in 0..W / C {
            self.choices.clear();
            for moves in self.moves {
                let number = counted::<P, W, C>(moves, self.slots, at);
                if not_one(&number, &lanes[at]) != [0; C] {
                    self.choices.push(number);
                }
            }
            all += products(self.choices, &lanes[at]);
        }
        all
    }
}

/// Per lane, how many of the moves are legal.
#[inline(always)]
pub(super) fn counted<P: SlotIndex, const W: usize, const C: usize>(
    moves: &MoveGroups<P>,
    slots: &mut P::Array<W>,
    at: usize,
) -> LaneCounts<C> {
    let mut number = LaneCounts::ZERO;
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

/// The lanes in which a number is not 1.
#[inline(always)]
fn not_one<const C: usize>(number: &LaneCounts<C>, lanes: &Chunk<C>) -> Chunk<C> {
    let (some, several) = number.some_and_several();
    std::array::from_fn(|c| (several[c] | !some[c]) & lanes[c])
}

/// The sum over the lanes of the product of the numbers.
#[inline(always)]
fn products<const C: usize>(numbers: &[LaneCounts<C>], lanes: &Chunk<C>) -> u64 {
    if let [number] = numbers {
        return sum(number, lanes);
    }
    let (mut chosen_in, mut several) = ([0; C], [0; C]);
    for number in numbers {
        let choice = not_one(number, lanes);
        for c in 0..C {
            several[c] |= chosen_in[c] & choice[c];
            chosen_in[c] |= choice[c];
        }
    }
    let mut all = 0;
    for c in 0..C {
        all += u64::from((lanes[c] & !chosen_in[c]).count_ones());
    }
    // Where one role alone has a choice, its number is the product.
    for number in numbers {
        let choice = not_one(number, lanes);
        all += sum(number, &std::array::from_fn(|c| choice[c] & !several[c]));
    }
    for lane in (0..64 * C).filter(|lane| several[lane / 64] >> (lane % 64) & 1 != 0) {
        let each = numbers.iter().map(|number| of_lane(number, lane));
        all += each.product::<u64>();
    }
    all
}

/// The sum of a number over the lanes.
#[inline(always)]
fn sum<const C: usize>(number: &LaneCounts<C>, lanes: &Chunk<C>) -> u64 {
    let mut all = 0;
    for (bit, plane) in number.bits[..number.len].iter().enumerate() {
        for c in 0..C {
            all += u64::from((plane[c] & lanes[c]).count_ones()) << bit;
        }
    }
    all
}

/// The number of one lane.
fn of_lane<const C: usize>(number: &LaneCounts<C>, lane: usize) -> u64 {
    let planes = number.bits[..number.len].iter().enumerate();
    let bits = planes.map(|(bit, plane)| (plane[lane / 64] >> (lane % 64) & 1) << bit);
    bits.sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::products;
    use crate::propnet::lanes::choose::count::LaneCounts;

    const LANES: usize = 128;

    fn count(numbers: &[u64]) -> LaneCounts<2> {
        let mut count = LaneCounts::ZERO;
        count.len = 4;
        for (lane, number) in numbers.iter().enumerate() {
            for bit in 0..count.len {
                count.bits[bit][lane / 64] |= (number >> bit & 1) << (lane % 64);
            }
        }
        count
    }

    /// Mostly 1, as in games of alternating turns.
    fn numbers() -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec(prop_oneof![3 => Just(1), 1 => 0u64..16], LANES)
    }

    proptest! {
        #[test]
        fn products_are_those_of_the_lanes(
            roles in prop::collection::vec(numbers(), 0..4),
            lanes in prop::array::uniform2(any::<u64>()),
        ) {
            let product = |lane: usize| roles.iter().map(|of| of[lane]).product::<u64>();
            let counts = (0..LANES).filter(|lane| lanes[lane / 64] >> (lane % 64) & 1 != 0);
            let numbers: Vec<LaneCounts<2>> = roles.iter().map(|of| count(of)).collect();
            prop_assert_eq!(products(&numbers, &lanes), counts.map(product).sum::<u64>());
        }
    }
}
