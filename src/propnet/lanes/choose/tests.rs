//! Differential tests of the choice of moves against a loop over lanes, and its statistics.

use std::ops::Range;

use proptest::prelude::*;

use super::{BlockedMoves, Chooser, ChooserMoves, Generators, GroupedMoves};
use crate::propnet::circuit::Slot;
use crate::propnet::lanes::generator::Generator;
use crate::propnet::lanes::marks::Marks;
use crate::propnet::lanes::memory::{LaneMemory, SlotArray};
use crate::util::Lazy;

const W: usize = 8;
const C: usize = 4;

/// A role's legal moves: per move, the lanes in which it is legal.
type Legal = Vec<[u64; W]>;

/// The lanes in which every role has a move, and per move the lanes in which it was made; with moves in blocks or not.
fn choose(roles: &[Legal], in_blocks: bool, generators: &mut [Generators]) -> ([u64; W], Legal) {
    let legal = roles.concat();
    let count = legal.len() as u16;
    let mut memory = LaneMemory::new::<u16, W>(0);
    let slots = memory.slots::<u16, W>();
    let (at, does): (Vec<_>, Vec<_>) = (0..count).map(|i| (3 + i, 3 + count + i)).unzip();
    let mut ranges = Vec::new();
    for role in roles {
        let first = ranges.last().map_or(0, |last: &Range<usize>| last.end);
        ranges.push(first..first + role.len());
    }
    // In blocks, a move is marked in a slot of its own, and in one of five sets.
    let set = |i: u16| 3 + 2 * count + i % 5;
    let lists = (0..)
        .zip(&does)
        .map(|(i, slot)| [Slot::from(*slot), Slot::from(set(i))]);
    let marks = Lazy::from(Marks::of_lists(&lists.collect()));
    let blocked = |moves| ChooserMoves::Blocked(BlockedMoves::new(&at, moves, marks.clone()));
    let grouped = |moves: Range<usize>| {
        ChooserMoves::Grouped(GroupedMoves::new(moves.map(|i| [at[i], does[i]])))
    };
    let mut chooser = match in_blocks {
        true => Chooser::<u16, C>::of(ranges.into_iter().map(blocked)),
        false => Chooser::of(ranges.into_iter().map(grouped)),
    };
    let mut able = [0; W];
    // Before, a choice among all other moves, of which nothing must be left.
    for (flip, generators) in [(!0, &mut *generators.to_vec()), (0, generators)] {
        for (at, legal) in at.iter().zip(&legal) {
            *slots.at_mut(*at) = legal.map(|word| word ^ flip);
        }
        chooser.unmark::<W>(slots);
        for (at, generators) in generators.chunks_mut(C).enumerate() {
            let chunk = chooser.choose::<W>(slots, at, generators);
            able[at * C..][..C].copy_from_slice(&chunk);
        }
    }
    let made: Legal = does.iter().map(|at| *slots.at(*at)).collect();
    if in_blocks {
        for first in 0..5 {
            let members = made.iter().skip(first.into()).step_by(5);
            let any = members.fold([0; W], |any, lanes| {
                std::array::from_fn(|w| any[w] | lanes[w])
            });
            assert_eq!(*slots.at(set(first)), any);
        }
        chooser.unmark::<W>(slots);
        let slots_of_sets = (0..5).map(set);
        let mut all = does.iter().copied().chain(slots_of_sets);
        assert!(all.all(|at| *slots.at(at) == [0; W]));
    }
    (able, made)
}

fn bit(words: &[u64; W], lane: usize) -> bool {
    words[lane / 64] >> (lane % 64) & 1 != 0
}

fn generators(seed: u64) -> Vec<Generators> {
    let mut all = vec![Generators::IDLE; W];
    for lane in 0..64 * W {
        all[lane / 64].set(lane % 64, Generator::new(seed, lane as u64));
    }
    all
}

/// Compares with a choice lane by lane, role by role.
fn compare(roles: &[Legal], seed: u64) {
    compare_choices(roles, false, seed);
    compare_choices(roles, true, seed);
}

fn compare_choices(roles: &[Legal], in_blocks: bool, seed: u64) {
    let mut made_by = generators(seed);
    let (able, does) = choose(roles, in_blocks, &mut made_by);
    for lane in 0..64 * W {
        let mut generator = Generator::new(seed, lane as u64);
        let (mut first, mut is_able) = (0, true);
        for role in roles {
            let legal: Vec<_> = (0..role.len()).filter(|&i| bit(&role[i], lane)).collect();
            let pick = generator.below(legal.len() as u32) as usize;
            let made: Vec<_> = (0..role.len())
                .filter(|&i| bit(&does[first + i], lane))
                .collect();
            assert_eq!(
                made,
                legal.get(pick).copied().into_iter().collect::<Vec<_>>()
            );
            is_able &= !legal.is_empty();
            first += role.len();
        }
        assert_eq!(bit(&able, lane), is_able);
        let made_by = made_by[lane / 64].get(lane % 64);
        assert_eq!(made_by, generator, "no draw without a choice");
    }
}

/// Of 16 moves, each of `moves` is legal about `density` times.
fn legal(moves: usize, density: u32) -> impl Strategy<Value = Legal> {
    let word =
        proptest::array::uniform4(any::<u64>()).prop_map(move |[a, b, c, d]| match density {
            0 => a & b & c & d,
            1 => a & b,
            2 => a | b,
            _ => !0,
        });
    let vector = proptest::collection::vec(word, W).prop_map(|words| words.try_into().unwrap());
    let silent = (vector, 0..3_u32).prop_map(|(v, live)| if live == 0 { [0; W] } else { v });
    proptest::collection::vec(silent, moves)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn each_role_makes_the_move_it_draws(
        roles in proptest::collection::vec((1_usize..300, 0..4_u32).prop_flat_map(|(n, d)| legal(n, d)), 1..4),
        seed: u64,
    ) {
        compare(&roles, seed);
    }
}

#[test]
fn one_role_at_a_time_has_a_choice() {
    // In even lanes the first role, in odd ones the second.
    let even = [0x5555_5555_5555_5555; W];
    let odd = even.map(|word| !word);
    let role = |mine, other: [u64; W]| [vec![other], vec![mine; 40], vec![[0; W]; 30]].concat();
    compare(&[role(even, odd), role(odd, even)], 3);
}

#[test]
fn more_moves_than_a_byte_counts() {
    for moves in [255, 256, 257, 1023, 5000] {
        compare(&[vec![[!0; W]; moves], vec![[1; W]; 3]], 5);
    }
}

#[test]
fn every_move_is_equally_likely() {
    let mut all = generators(11);
    for moves in (1..=200).step_by(7) {
        let mut counts = vec![0_u32; moves];
        let rounds = 40 * moves / (64 * W) + 1;
        for round in 0..rounds {
            let (_, does) = choose(&[vec![[!0; W]; moves]], round.is_multiple_of(2), &mut all);
            for (count, lanes) in counts.iter_mut().zip(does) {
                *count += lanes.iter().map(|word| word.count_ones()).sum::<u32>();
            }
        }
        let expected = (rounds * 64 * W) as f64 / moves as f64;
        let square = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
        let chi: f64 = counts.iter().map(square).sum();
        let freedom = moves as f64 - 1.0;
        // Four standard deviations.
        assert!(
            (chi - freedom).abs() <= 4.0 * (2.0 * freedom).sqrt(),
            "{moves} moves: {chi}"
        );
    }
}
