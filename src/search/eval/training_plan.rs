//! What is learned, from how much self-play, and what that took.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::learned::LearnedEvaluator;
use super::shapes::TupleSize;
use crate::search::Heuristics;
use crate::search::limits::SearchClock;

/// A training that grows goes on to so many times as many states: the first of these numbers for which all takes at most this share of its time.
const GROWTHS: [f64; 2] = [2.0, 1.5];
const SHARE_OF_TIME: f64 = 0.8;
/// Weights that a clock cut short serve again where there is not much more time than they had.
const ENOUGH_TIME: f64 = 0.8;

/// What is trained, and on how many states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct TrainingPlan {
    /// The heuristics that get weights.
    pub(in crate::search) heuristics: Heuristics,
    /// States of self-play at most; without it, what is usual.
    pub(in crate::search) states: Option<u64>,
    /// Whether to go on to as many states as fit into the time, where no number is given.
    pub(in crate::search) grows: bool,
    /// What the games of self-play are drawn from.
    pub(in crate::search) seed: u64,
    pub(in crate::search) size: TupleSize,
}

impl Default for TrainingPlan {
    fn default() -> Self {
        Self {
            heuristics: Heuristics::ALL,
            states: None,
            grows: false,
            seed: 0,
            size: TupleSize::Usual,
        }
    }
}

/// What a training took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingRecord {
    /// States of self-play that were expanded.
    pub states: u64,
    /// Games of self-play that ended.
    pub games: u64,
    /// How long it took.
    pub seconds: f64,
    /// Whether the time ended it, so that another training may give other weights.
    pub cut_short: bool,
    /// How long it would have taken, at least, to go on to twice as many states; 0 where it was not to go on.
    #[serde(default)]
    pub seconds_to_double: f64,
}

impl fmt::Display for TrainingRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            states,
            games,
            seconds,
            ..
        } = self;
        let in_part = if self.cut_short { ", cut short" } else { "" };
        write!(
            f,
            "{states} states in {games} games, {seconds:.1} s{in_part}"
        )
    }
}

impl TrainingRecord {
    /// What a training took until now that had this clock.
    pub(super) fn of(states: u64, games: u64, clock: &SearchClock) -> Self {
        Self {
            states,
            games,
            seconds: clock.begin.elapsed().as_secs_f64(),
            cut_short: clock.is_over(),
            seconds_to_double: 0.0,
        }
    }

    /// Whether weights of such a training serve where a plan would learn within a clock: there is no time for twice as many states. They serve,
    /// too, where there is time for half as many more, so that what did not get that far is not learned again each time.
    pub(super) fn serves(&self, plan: TrainingPlan, clock: &SearchClock) -> bool {
        match self.cut_short {
            true => {
                let whole = clock.whole();
                whole.is_some_and(|whole| self.seconds >= ENOUGH_TIME * whole.as_secs_f64())
            }
            false => {
                !plan.grows || plan.states.is_some() || !can_take(self.seconds_to_double, clock)
            }
        }
    }
}

/// The result of a training.
#[derive(Debug, Clone)]
pub(in crate::search) struct TrainingResult {
    /// An evaluator, if there was anything to learn.
    pub(in crate::search) evaluator: Option<Arc<LearnedEvaluator>>,
    /// Whether the deadline cut it short, so that another training may give other weights.
    pub(in crate::search) is_cut_short: bool,
    /// What it took.
    pub(super) record: TrainingRecord,
}

impl TrainingResult {
    /// The same for the other one of two roles that share 100 points.
    pub(super) fn for_other(&self) -> Self {
        let evaluator = self.evaluator.as_ref();
        Self {
            evaluator: evaluator.map(|evaluator| Arc::new(evaluator.for_other())),
            ..*self
        }
    }
}

/// How many times as many states a training that grows goes on to, where as many as those so far take `again` seconds more; nothing where it ends.
pub(super) fn growth(again: f64, clock: &SearchClock) -> Option<f64> {
    let until_now = clock.begin.elapsed().as_secs_f64();
    let mut fitting = GROWTHS.into_iter();
    fitting.find(|times| can_take(until_now + (times - 1.0) * again, clock))
}

/// Whether a training that grows may take so many seconds in all.
pub(super) fn can_take(seconds: f64, clock: &SearchClock) -> bool {
    let whole = clock.whole();
    whole.is_some_and(|whole| seconds <= SHARE_OF_TIME * whole.as_secs_f64())
}
