//! Random games from a position.

use std::time::{Duration, Instant};

use super::{PlayoutsError, Position};
use crate::game::{PlayoutOptions, Stopped};
use crate::util::{Deadline, StopFlag};

/// How to play random games from a position: every role picks uniformly among its legal moves.
#[derive(Debug, Clone)]
#[must_use = "nothing is played before `run`"]
pub struct PlayoutRun {
    position: Position,
    count: u64,
    seed: u64,
    threads: usize,
    max_plies: u32,
    time: Option<Duration>,
    stop: StopFlag,
}

/// What random games came to.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayoutResult {
    /// Games that ended, got stuck, or were given up.
    pub playouts: u64,
    /// Joint moves made in all of them.
    pub states: u64,
    /// The mean number of joint moves in a game, those given up left out.
    pub mean_length: Option<f64>,
    /// Per role, the mean goal at the ends that give it one.
    pub mean_goals: Vec<Option<f64>>,
    /// Games in which some role was left without a move before the end.
    pub stuck: u64,
    /// Games given up because they were too long.
    pub too_long: u64,
    /// Per role, games that the rules ended and that give it no goal, or several.
    pub without_goal: Vec<u64>,
    /// How long it took.
    pub time: Duration,
    /// Whether the time was up or the stop flag was raised before all were played.
    pub is_cut_short: bool,
}

impl PlayoutRun {
    pub(super) fn new(position: Position, count: u64) -> Self {
        Self {
            position,
            count,
            seed: 1,
            threads: 1,
            max_plies: 100_000,
            time: None,
            stop: StopFlag::default(),
        }
    }

    /// Where chance begins: the same seed gives the same totals on one engine, for any number of threads. Otherwise 1.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// How many threads play. Otherwise one.
    pub fn threads(self, threads: usize) -> Self {
        let threads = threads.max(1);
        Self { threads, ..self }
    }

    /// A longer game is given up. Otherwise 100,000.
    pub fn max_plies(self, max_plies: u32) -> Self {
        Self { max_plies, ..self }
    }

    /// Ends soon after this time. Otherwise it takes as long as it takes.
    pub fn time(self, time: Duration) -> Self {
        let time = Some(time);
        Self { time, ..self }
    }

    /// Ends soon after the flag is raised.
    pub fn stop(self, stop: &StopFlag) -> Self {
        let stop = stop.clone();
        Self { stop, ..self }
    }

    /// Plays them.
    ///
    /// # Errors
    /// [`PlayoutsError`] where the engine ran out of a budget.
    pub fn run(self) -> Result<PlayoutResult, PlayoutsError> {
        let begin = Instant::now();
        let at = self.time.and_then(|time| begin.checked_add(time));
        let (totals, ended) = self.position.playouts_with(PlayoutOptions {
            seed: self.seed,
            count: self.count,
            max_plies: self.max_plies,
            threads: self.threads,
            deadline: &Deadline::new(at, &self.stop),
        });
        if let Err(why @ Stopped::Fault(_)) = ended {
            return Err(PlayoutsError { why });
        }
        Ok(PlayoutResult {
            playouts: totals.playouts,
            states: totals.plies,
            mean_length: totals.mean_length(),
            mean_goals: totals.mean_goals(),
            stuck: totals.stuck,
            too_long: totals.too_long,
            without_goal: totals.without_goal(),
            time: begin.elapsed(),
            is_cut_short: ended.is_err(),
        })
    }
}

impl PlayoutResult {
    /// Joint moves made per second of wall-clock time.
    pub fn states_per_second(&self) -> f64 {
        self.states as f64 / self.time.as_secs_f64().max(1e-9)
    }
}
