//! How a match between two searches ended.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// With fewer games, a match of short moves says nothing.
const FEW: u32 = 4;
/// The most games of a match.
const MOST_GAMES: u32 = 20;
/// Whoever is so many points ahead is better, and the match ends.
const LEAD: f64 = 5.0;
/// The same of minimax against leaves evaluated by weights: these gain more from longer moves than those of a trial.
const LEAD_OF_MINIMAX: f64 = 3.0;
/// Whoever has this share of the points is better, where random games can decide otherwise.
const CLEAR: f64 = 0.6;
/// The most games and the lead of a match of longer moves, of which a game says more and takes longer.
const MOST_LONGER_GAMES: u32 = 6;
const LONGER_LEAD: f64 = 2.0;

/// The searches that play against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Contestant {
    Minimax,
    /// Monte-Carlo tree search, its leaves evaluated by learned weights.
    Mcts,
    /// The same, its leaves evaluated by playouts.
    MctsByPlayouts,
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Minimax => "minimax",
            Self::Mcts => "mcts",
            Self::MctsByPlayouts => "mcts by playouts",
        })
    }
}

/// How a match between two of them ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct TrialMatch {
    pub(super) contestants: [Contestant; 2],
    /// Whether it followed another one between the same two, of shorter moves.
    pub(super) is_longer: bool,
    /// The time of a move.
    pub(super) time: Duration,
    pub(super) games: u32,
    /// Those of the first, a point a game.
    pub(super) points: f64,
    /// How many moves were searched in these games.
    pub(super) moves: u32,
}

impl TrialMatch {
    /// One without a game so far.
    pub(super) fn new(contestants: [Contestant; 2], is_longer: bool, time: Duration) -> Self {
        Self {
            contestants,
            is_longer,
            time,
            games: 0,
            points: 0.0,
            moves: 0,
        }
    }

    /// Adds a game of so many moves, in which the first got `points`.
    pub(super) fn add(&mut self, (points, moves): (f64, u32)) {
        self.games += 1;
        self.points += points;
        self.moves += moves;
    }

    /// Whether it tells who is better: by games enough, or if moves were longer, by a lead.
    pub(super) fn tells(&self) -> bool {
        match self.is_longer {
            true => self.lead().abs() >= LONGER_LEAD,
            false => self.games >= FEW,
        }
    }

    /// The first one's share of the points.
    pub(super) fn share(&self) -> f64 {
        self.points / f64::from(self.games.max(1))
    }

    /// How many points the first one is ahead.
    fn lead(&self) -> f64 {
        2.0 * self.points - f64::from(self.games)
    }

    /// Whether it has all its games, or the rest would hardly tell anything else.
    pub(super) fn is_over(&self) -> bool {
        let (games, lead) = match self.is_longer {
            true => (MOST_LONGER_GAMES, LONGER_LEAD),
            false => (MOST_GAMES, LEAD),
        };
        self.games >= games || self.lead().abs() >= lead
    }

    /// Whether games of longer moves were played, and others are to follow.
    pub(super) fn has_begun(&self) -> bool {
        self.is_longer && self.games > 0 && !self.is_over()
    }

    /// Whether `other` is this match, with as many games or more.
    pub(super) fn is_begin_of(&self, other: &Self) -> bool {
        (self.contestants, self.is_longer, self.time)
            == (other.contestants, other.is_longer, other.time)
    }

    /// The mean number of moves in a game, if one has ended.
    pub(super) fn mean_moves(&self) -> Option<f64> {
        (self.games > 0).then(|| f64::from(self.moves) / f64::from(self.games))
    }

    /// Whether the first, minimax, is better; `None` where that is not clear. A match of short moves against leaves evaluated by weights, of which random
    /// games say nothing, always tells: without a clear lead, minimax is not better.
    pub(super) fn suits_minimax(&self) -> Option<bool> {
        let [_, mcts] = self.contestants;
        match mcts {
            _ if self.is_longer => self.tells().then(|| self.lead() > 0.0),
            Contestant::MctsByPlayouts => {
                let share = self.share();
                let is_clear = self.tells() && share.max(1.0 - share) >= CLEAR;
                is_clear.then_some(share > 0.5)
            }
            Contestant::Minimax | Contestant::Mcts => {
                Some(self.tells() && self.lead() >= LEAD_OF_MINIMAX)
            }
        }
    }
}

impl fmt::Display for TrialMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, points, .. } = self;
        let [first, second] = self.contestants;
        let milliseconds = self.time.as_millis();
        write!(
            f,
            "{first} has {points} of {games} points against {second} at {milliseconds} ms a move"
        )
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A match with so many points of so many games.
    pub(in crate::search::trial) fn found(
        contestants: [Contestant; 2],
        is_longer: bool,
        (points, games): (f64, u32),
    ) -> TrialMatch {
        TrialMatch {
            games,
            points,
            moves: 10 * games,
            ..TrialMatch::new(contestants, is_longer, Duration::from_millis(4))
        }
    }

    #[test]
    fn a_match_of_short_moves_needs_a_clear_lead() {
        let playouts = [Contestant::Minimax, Contestant::MctsByPlayouts];
        let told = |points, games| found(playouts, false, (points, games)).suits_minimax();
        assert_eq!(told(0.0, 0), None);
        assert_eq!(told(4.0, 4), Some(true));
        assert_eq!(told(3.0, 4), Some(true));
        assert_eq!(told(0.0, 4), Some(false));
        assert_eq!(told(3.0, 3), None, "too few games");
        assert_eq!(told(11.0, 20), None, "too close");
        for (points, games, over) in [(5.0, 5, true), (1.0, 7, true), (6.0, 8, false)] {
            assert_eq!(found(playouts, false, (points, games)).is_over(), over);
        }
    }

    #[test]
    fn minimax_must_be_clearly_better_than_weights() {
        let weights = [Contestant::Minimax, Contestant::Mcts];
        let told = |points, games| found(weights, false, (points, games)).suits_minimax();
        assert_eq!(told(0.0, 0), Some(false), "nothing was played");
        assert_eq!(told(3.0, 3), Some(false), "too few games");
        assert_eq!(told(4.0, 5), Some(true));
        assert_eq!(told(6.0, 9), Some(true));
        assert_eq!(told(11.0, 20), Some(false));
    }

    #[test]
    fn two_points_ahead_decide_a_match_of_longer_moves() {
        let weights = [Contestant::Minimax, Contestant::Mcts];
        let told = |points, games| found(weights, true, (points, games)).suits_minimax();
        assert_eq!(told(0.0, 0), None);
        assert_eq!(told(1.0, 1), None);
        assert_eq!(told(2.0, 2), Some(true));
        assert_eq!(told(1.0, 4), Some(false));
        assert_eq!(told(3.5, 6), None);
        for (points, games, over) in [(2.0, 2, true), (2.0, 4, false), (3.0, 6, true)] {
            assert_eq!(found(weights, true, (points, games)).is_over(), over);
        }
    }
}
