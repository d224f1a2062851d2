//! Which of several equally good moves is played.

use std::str::FromStr;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::root::RootMove;

/// Which of several equally good moves is played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TieBreak {
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
}

impl TieBreak {
    const NAMES: [(&'static str, Self); 4] = [
        ("seeded", Self::Seeded),
        ("value", Self::Value),
        ("first", Self::First),
        ("uniform", Self::Uniform),
    ];

    /// The name of this choice.
    pub fn name(self) -> &'static str {
        let of_self = Self::NAMES.iter().find(|(_, choice)| *choice == self);
        of_self.map_or("", |(name, _)| name)
    }

    /// Whether moves stand in an order drawn from the seed before the first depth.
    pub(super) fn shuffles(self) -> bool {
        self == Self::Seeded
    }

    /// Whether it must be known of every move if its value is that of the best one.
    pub(super) fn compares_all(self) -> bool {
        matches!(self, Self::First | Self::Uniform)
    }

    /// Puts the move that is played in front of `equals`, which are all of the same value. `order` is that before the first depth.
    pub(super) fn settle(self, equals: &mut [RootMove], order: &[u32], seed: Option<u64>) {
        if !self.compares_all() || equals.len() < 2 {
            return;
        }
        let place = |of: &RootMove| order.iter().position(|choice| *choice == of.choice);
        equals.sort_by_key(place);
        let places: Vec<usize> = (0..equals.len()).collect();
        let drawn = seed.filter(|_| self == Self::Uniform).and_then(|seed| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            places.choose(&mut random).copied()
        });
        equals[..=drawn.unwrap_or(0)].rotate_right(1);
    }
}

/// There is no such choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("first, uniform, value or seeded")]
pub struct UnknownTieBreak;

impl FromStr for TieBreak {
    type Err = UnknownTieBreak;

    fn from_str(text: &str) -> Result<Self, UnknownTieBreak> {
        let named = Self::NAMES.iter().find(|(name, _)| *name == text);
        named.map(|(_, choice)| *choice).ok_or(UnknownTieBreak)
    }
}
