//! Counted results of two players.

use std::fmt;

/// How often each result occurred, from the first player's view: of single games (losses, draws, wins), or of pairs of games
/// that begin in the same position with the roles exchanged, by the points of the pair (0, ½, 1, 1½, 2).
///
/// Pairs say more: what a position favours cancels out, so that the variance is smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultCounts {
    /// Losses, draws and wins.
    Games([u64; 3]),
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
}

/// No game was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no result")]
pub struct NoResults;

impl ResultCounts {
    /// ResultCounts to which numbers in this order belong: wins, draws, losses; or pairs with 0, ½, 1, 1½ and 2 points. `None` for
    /// any other count of numbers.
    pub fn from_counts(counts: &[u64]) -> Option<Self> {
        match *counts {
            [wins, draws, losses] => Some(Self::Games([losses, draws, wins])),
            [a, b, c, d, e] => Some(Self::Pairs([a, b, c, d, e])),
            _ => None,
        }
    }

    /// Counts games by the half points of the first player, 0 to 2.
    pub fn of_games(half_points: impl Iterator<Item = usize>) -> Self {
        let mut counts = [0; 3];
        half_points.for_each(|half_points| counts[half_points] += 1);
        Self::Games(counts)
    }

    /// Counts pairs of games by the half points of the first player, 0 to 4.
    pub fn of_pairs(half_points: impl Iterator<Item = usize>) -> Self {
        let mut counts = [0; 5];
        half_points.for_each(|half_points| counts[half_points] += 1);
        Self::Pairs(counts)
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.total() * self.games_each()
    }

    /// What was counted: single games or pairs.
    pub fn total(&self) -> u64 {
        self.counts().iter().sum()
    }

    fn games_each(&self) -> u64 {
        match self {
            Self::Games(_) => 1,
            Self::Pairs(_) => 2,
        }
    }

    /// How often each result occurred, by rising points.
    pub fn counts(&self) -> &[u64] {
        match self {
            Self::Games(counts) => counts,
            Self::Pairs(counts) => counts,
        }
    }

    /// How often each share of the points occurred, 0 to 1, as a distribution. `regularisation` takes the place of zeros.
    pub(super) fn distribution(&self, regularisation: f64) -> Vec<ScoreProbability> {
        let counts = self.counts().iter();
        let counts: Vec<f64> = counts
            .map(|&count| (count as f64).max(regularisation))
            .collect();
        let total: f64 = counts.iter().sum();
        let highest = (counts.len() - 1) as f64;
        let outcome = |(place, count): (usize, f64)| ScoreProbability {
            score: place as f64 / highest,
            probability: count / total,
        };
        counts.into_iter().enumerate().map(outcome).collect()
    }

    /// The standard deviation of a game's score is that of what was counted times this, if games are independent.
    pub(super) fn deviation_factor(&self) -> f64 {
        (self.games_each() as f64).sqrt()
    }
}

impl fmt::Display for ResultCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games([losses, draws, wins]) => {
                write!(f, "{wins} won, {draws} drawn, {losses} lost")
            }
            Self::Pairs([a, b, c, d, e]) => {
                write!(
                    f,
                    "pairs with 0, ½, 1, 1½ and 2 points: {a}, {b}, {c}, {d}, {e}"
                )
            }
        }
    }
}

/// A score that can occur, 0 to 1, and how probable it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScoreProbability {
    pub(super) score: f64,
    pub(super) probability: f64,
}

/// The mean and the variance of a distribution.
pub(super) fn moments(outcomes: &[ScoreProbability]) -> (f64, f64) {
    let mean: f64 = outcomes.iter().map(|one| one.score * one.probability).sum();
    let squares = outcomes
        .iter()
        .map(|one| (one.score - mean).powi(2) * one.probability);
    (mean, squares.sum())
}
