//! Matches between the same player on two engines, roles swapped.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use super::OnProgress;
use super::engines::ComparedEngine;
use super::searches::{interrupted, new_searcher};
use crate::game::Stopped;
use crate::play::Session;
use crate::search::{MAX_DEPTH, SearchLimits, Searcher};
use crate::statistics::MeanOfGroups;
use crate::util::StopFlag;

/// A longer game is given up, and counts as drawn.
const MAX_PLIES: usize = 400;
/// A game in which a state occurs so often is drawn.
const MAX_OCCURRENCES: usize = 3;
/// How many plies are drawn at random before the players choose, except in the first two games.
const OPENING: usize = 4;

/// How far or how long both players may think about each move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum SearchBudget {
    /// As far.
    Depth(u32),
    /// As long.
    Time(Duration),
}

impl SearchBudget {
    fn limits(self, stop: &StopFlag) -> SearchLimits<'_> {
        let limits = match self {
            Self::Depth(depth) => SearchLimits::to_depth(depth),
            Self::Time(time) => SearchLimits {
                time: Some(time),
                ..SearchLimits::to_depth(MAX_DEPTH)
            },
        };
        SearchLimits {
            stop: Some(stop),
            ..limits
        }
    }

    /// The condition in words.
    pub(super) fn description(self) -> String {
        match self {
            Self::Depth(depth) => format!("{depth} plies deep"),
            Self::Time(time) => format!("{} s a move", time.as_secs_f64()),
        }
    }
}

/// What became of a match, as the first engine sees it.
#[derive(Debug, Clone, Serialize)]
pub struct EngineScore {
    /// The engines.
    pub engines: [&'static str; 2],
    /// How deep or how long they searched, in words.
    pub condition: String,
    /// How many games the first engine won.
    pub won: u32,
    /// How many games were drawn.
    pub drawn: u32,
    /// How many games the first engine lost.
    pub lost: u32,
    /// The share of the points that the first engine has won, half a point for a draw.
    pub score: f64,
    /// Half the width of its 95 % interval over openings; `None` where these are too few, or all alike.
    pub error: Option<f64>,
}

impl EngineScore {
    /// Of the points of all games, in pairs with the same opening.
    fn new(engines: [&'static str; 2], budget: SearchBudget, points: &[f64]) -> Self {
        let count = |worth: f64| points.iter().filter(|&&points| points == worth).count() as u32;
        let pairs = points.chunks(2).map(|pair| (pair.iter().sum(), pair.len()));
        let mean = MeanOfGroups::of_sums(&pairs.collect::<Vec<_>>());
        Self {
            engines,
            condition: budget.description(),
            won: count(1.0),
            drawn: count(0.5),
            lost: count(0.0),
            score: mean.map_or(0.0, |mean| mean.mean),
            error: mean.and_then(|mean| mean.error),
        }
    }
}

/// A match of two engines.
pub(super) struct EngineMatch<'m> {
    pub(super) engines: [&'m ComparedEngine; 2],
    pub(super) budget: SearchBudget,
    /// Each opening is played twice, so an odd number is one more.
    pub(super) games: u32,
    pub(super) seed: u64,
    pub(super) stop: &'m StopFlag,
}

impl EngineMatch<'_> {
    /// Plays all games.
    ///
    /// # Errors
    /// The user has had enough.
    pub(super) fn play(&self, progress: &mut OnProgress<'_>) -> Result<EngineScore, Stopped> {
        let mut points = Vec::new();
        let pairs = self.games.div_ceil(2);
        let games = 2 * pairs;
        for pair in 0..u64::from(pairs) {
            for first in [0, 1] {
                let (condition, number) = (self.budget.description(), points.len() + 1);
                let share = points.len() as f64 / f64::from(games);
                let doing = format!("match, {condition}: game {number} of {games}");
                progress(share, &doing);
                points.push(self.game(pair, first)?);
            }
        }
        let names = self.engines.map(ComparedEngine::name);
        Ok(EngineScore::new(names, self.budget, &points))
    }

    /// What the first engine makes of a game in which the player of the first role is on engine `first`.
    fn game(&self, pair: u64, first: usize) -> Result<f64, Stopped> {
        let mut sessions = self.engines.map(ComparedEngine::session);
        let mut searchers = [0, 1].map(|engine| new_searcher(&mut sessions[engine], 0, self.stop));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed.wrapping_add(pair));
        let opening = if pair == 0 { 0 } else { OPENING };
        for ply in 0..MAX_PLIES {
            interrupted(self.stop)?;
            if sessions[0].is_terminal() || sessions[0].occurrences() >= MAX_OCCURRENCES {
                break;
            }
            let mut joint = Vec::new();
            for role in 0..sessions[0].roles().len() {
                let engine = (role + first) % 2;
                let (session, searcher) = (&mut sessions[engine], &mut searchers[engine]);
                let mv = match ply < opening {
                    true => drawn(session, role, &mut rng),
                    false => self.choice(session, role, searcher),
                };
                let Some(mv) = mv else {
                    return Ok(0.5);
                };
                joint.push(mv);
            }
            for session in &mut sessions {
                // The engines agree: what one has chosen, the other one knows.
                if session.play_joint(&joint).is_err() {
                    return Ok(0.5);
                }
            }
        }
        Ok(points(&sessions[0], first))
    }

    fn choice(
        &self,
        session: &mut Session,
        role: usize,
        searcher: &mut Searcher,
    ) -> Option<String> {
        match session.legal_of(role) {
            [only] => Some(only.clone()),
            _ => {
                if let SearchBudget::Depth(_) = self.budget {
                    // What is remembered may look deeper than what is to be compared.
                    *searcher = new_searcher(session, role, self.stop);
                }
                let limits = self.budget.limits(self.stop);
                let found = session.search(role, &limits, searcher);
                found.map(|found| found.best)
            }
        }
    }
}

fn drawn(session: &Session, role: usize, rng: &mut Xoshiro256PlusPlus) -> Option<String> {
    match session.legal_of(role) {
        [] => None,
        legal => Some(legal[rng.random_range(0..legal.len())].clone()),
    }
}

/// The points of the player of role `role`; half a point where neither is ahead.
fn points(session: &Session, role: usize) -> f64 {
    let goals = session.goals();
    match (session.is_terminal(), goals[role], goals[1 - role]) {
        (true, Some(own), Some(other)) if own > other => 1.0,
        (true, Some(own), Some(other)) if own < other => 0.0,
        _ => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_over_openings_and_need_ten_that_differ() {
        let score =
            |points: &[f64]| EngineScore::new(["one", "other"], SearchBudget::Depth(1), points);
        let few = score(&[1.0, 0.0, 1.0, 1.0]);
        assert_eq!((few.score, few.error), (0.75, None));
        // Each opening is won by the same side: games differ, openings do not.
        let split = score(&[1.0, 0.0].repeat(10));
        assert_eq!((split.won, split.lost, split.error), (10, 10, None));
        let [won, lost] = [[1.0; 10], [0.0; 10]];
        let apart = score(&[won, lost].concat());
        assert_eq!(apart.score, 0.5);
        assert!(apart.error.is_some_and(|error| (0.3..0.4).contains(&error)));
    }
}
