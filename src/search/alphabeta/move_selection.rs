//! Which of several good moves is played.

use std::str::FromStr;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::root::RootMove;
use crate::search::Value;

/// Which of several equally good moves is played, or of several that are worth much the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MoveSelection {
    /// The one that was best at the depth before, if it is one of them, otherwise the one that is searched first. Before depth 1, moves
    /// stand in an order drawn from the seed.
    #[default]
    Seeded,
    /// The same, but before depth 1, moves stand in alphabetical order.
    Value,
    /// Of all moves with the value of the best one, the first in alphabetical order.
    First,
    /// Of all moves with the value of the best one, any, with equal probability, drawn from the seed.
    Uniform,
    /// Of all moves that are worth at most five temperatures less than the best one, any, drawn from the seed with a probability that grows with the
    /// value (*softmax*): a move that is worth a temperature less is drawn e times as rarely. A move that loses for sure is played only where
    /// all do, and the best one where it wins for sure.
    Softmax {
        /// In thousandths of a goal point, above 0.
        temperature: u32,
    },
}

/// Moves that are worth so many temperatures less than the best one are not drawn: they would be drawn less than once where it is drawn 148 times.
const SOFTMAX_REACH: u32 = 5;

impl MoveSelection {
    const NAMES: [(&'static str, Self); 4] = [
        ("seeded", Self::Seeded),
        ("value", Self::Value),
        ("first", Self::First),
        ("uniform", Self::Uniform),
    ];

    /// The name of this choice; none for [`MoveSelection::Softmax`], which needs a temperature.
    pub fn name(self) -> Option<&'static str> {
        let of_self = Self::NAMES.iter().find(|(_, choice)| *choice == self);
        of_self.map(|(name, _)| *name)
    }

    /// Whether moves stand in an order drawn from the seed before the first depth.
    pub(super) fn shuffles(self) -> bool {
        self == Self::Seeded
    }

    /// Whether it must be known of every move if it may be played.
    pub(super) fn compares_all(self) -> bool {
        match self {
            Self::Seeded | Self::Value => false,
            Self::First | Self::Uniform | Self::Softmax { .. } => true,
        }
    }

    /// Whether moves are drawn that are worth less than the best one, so that values of one depth are needed of all.
    pub(super) fn draws_by_value(self) -> bool {
        matches!(self, Self::Softmax { .. })
    }

    /// The least value with which a move may be played where the best one is worth `best`.
    pub(super) fn least(self, best: Value) -> Value {
        match self {
            Self::Softmax { temperature } if !best.is_decided() => {
                let reach = temperature.saturating_mul(SOFTMAX_REACH);
                let reach = i32::try_from(reach).unwrap_or(i32::MAX);
                Value::estimate(best.thousandths().saturating_sub(reach)).min(best)
            }
            _ => best,
        }
    }

    /// Puts the move that is played in front of `playable`, the best one and all that are worth [`MoveSelection::least`] or more, best first; the others keep
    /// their order. `order` is that before the first depth.
    pub(super) fn settle(self, playable: &mut [RootMove], order: &[u32], seed: Option<u64>) {
        if !self.compares_all() || playable.len() < 2 {
            return;
        }
        let best = playable[0].found.value;
        let mut places: Vec<usize> = (0..playable.len()).collect();
        places.sort_by_key(|&of| {
            let choice = playable[of].choice;
            order.iter().position(|known| *known == choice)
        });
        let weight = |&of: &usize| self.weight(playable[of].found.value, best);
        let drawn = seed.filter(|_| self != Self::First).and_then(|seed| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            places.choose_weighted(&mut random, weight).ok().copied()
        });
        let is_best = |of: &usize| playable[*of].found.value == best;
        let played = drawn.or_else(|| places.iter().copied().find(is_best));
        playable[..=played.unwrap_or(0)].rotate_right(1);
    }

    /// How probable it is that a move is drawn, as a multiple of the probability of the best one.
    fn weight(self, value: Value, best: Value) -> f64 {
        match self {
            Self::Softmax { temperature } => {
                let less = best.thousandths() - value.thousandths();
                libm::exp(-f64::from(less) / f64::from(temperature))
            }
            _ => 1.0,
        }
    }
}

/// There is no such choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("first, uniform, value or seeded")]
pub struct UnknownMoveSelection;

impl FromStr for MoveSelection {
    type Err = UnknownMoveSelection;

    fn from_str(text: &str) -> Result<Self, UnknownMoveSelection> {
        let named = Self::NAMES.iter().find(|(name, _)| *name == text);
        named.map(|(_, choice)| *choice).ok_or(UnknownMoveSelection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alphabeta::tracker::NodeValue;

    const SOFTMAX: MoveSelection = MoveSelection::Softmax { temperature: 2_000 };

    fn root_moves(points: &[f64]) -> Vec<RootMove> {
        let moves = (0..).zip(points).map(|(choice, points)| RootMove {
            choice,
            found: NodeValue {
                value: Value::of_points(*points),
                ..NodeValue::UNKNOWN
            },
            is_exact: true,
            line: Vec::new(),
        });
        moves.collect()
    }

    #[test]
    fn softmax_draws_by_value() {
        let moves = root_moves(&[60.0, 58.0, 56.0, 60.0]);
        let mut times = [0_u32; 4];
        for seed in 0..4_000 {
            let mut moves = moves.clone();
            SOFTMAX.settle(&mut moves, &[2, 0, 1, 3], Some(seed));
            times[moves[0].choice as usize] += 1;
        }
        // 1, 1/e, 1/e² and 1 of 2.503; the standard deviation is at most 31 of 4,000.
        for (times, expected) in times.into_iter().zip([1_598, 588, 216, 1_598]) {
            assert!(times.abs_diff(expected) < 150, "{times} of {expected}");
        }
    }

    #[test]
    fn the_others_stay_best_first() {
        for seed in 0..20 {
            let mut moves = root_moves(&[60.0, 58.0, 56.0]);
            SOFTMAX.settle(&mut moves, &[2, 1, 0], Some(seed));
            let others: Vec<u32> = moves[1..].iter().map(|of| of.choice).collect();
            assert!(others.is_sorted(), "{others:?}");
        }
    }

    #[test]
    fn without_a_seed_softmax_plays_the_best_move() {
        let mut moves = root_moves(&[60.0, 58.0]);
        SOFTMAX.settle(&mut moves, &[1, 0], None);
        assert_eq!(moves[0].choice, 0);
    }

    #[test]
    fn softmax_looks_no_further_than_its_reach_and_never_gives_a_proved_win_away() {
        assert_eq!(
            SOFTMAX.least(Value::of_points(60.0)),
            Value::of_points(50.0)
        );
        let win = Value::end(100, 5);
        assert_eq!(SOFTMAX.least(win), win);
        let hot = MoveSelection::Softmax {
            temperature: u32::MAX,
        };
        assert!(hot.least(Value::UNKNOWN) > Value::end(0, 5));
        assert_eq!(
            MoveSelection::First.least(Value::UNKNOWN),
            Value::UNKNOWN,
            "equals alone"
        );
    }
}
