//! The limits of an evaluation, what it has used of them, and the errors when they are exceeded.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::program::Pred;
use super::terms::Functor;
use crate::util::{Deadline, StopFlag};

/// The limits of one evaluation.
#[derive(Debug, Clone)]
pub struct EvaluationLimits {
    /// Rows derived since the inputs last changed; a row of many columns counts as several.
    pub rows: usize,
    /// Different terms over the whole life of the engine; a term of many arguments counts as several.
    pub terms: usize,
    /// The depth of terms, a constant counting 1; from 255 on there is no limit.
    pub depth: u8,
    /// Time since the inputs last changed; of static relations, since the first was begun.
    pub time: Duration,
    /// Of static relations that are not recursive and recursive ones, how many rows may be examined to derive one as a whole; others
    /// are derived by key, which takes far longer for each key.
    pub static_rows: [u64; 2],
    /// Raised to stop the evaluation at once.
    pub stop: StopFlag,
}

impl EvaluationLimits {
    /// All limits but the flag, as text by which they can be told apart.
    pub(crate) fn key(&self) -> String {
        let Self {
            rows,
            terms,
            depth,
            time,
            static_rows,
            stop: _,
        } = self;
        format!("{rows} {terms} {depth} {time:?} {static_rows:?}")
    }

    /// The same with the limits of `most` where these are narrower; the flag stays.
    #[must_use]
    pub fn at_most(self, most: &Self) -> Self {
        Self {
            rows: self.rows.min(most.rows),
            terms: self.terms.min(most.terms),
            depth: self.depth.min(most.depth),
            time: self.time.min(most.time),
            static_rows: [0, 1].map(|kind| self.static_rows[kind].min(most.static_rows[kind])),
            stop: self.stop,
        }
    }

    /// Whether what exceeds the limits of `most` exceeds these, too.
    pub fn are_within(&self, most: &Self) -> bool {
        self.rows <= most.rows
            && self.terms <= most.terms
            && self.depth <= most.depth
            && self.time <= most.time
            && (0..2).all(|kind| self.static_rows[kind] <= most.static_rows[kind])
    }

    /// Whether the evaluation was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }
}

impl Default for EvaluationLimits {
    /// Far more than any known game needs, and less than a small machine has.
    fn default() -> Self {
        Self {
            rows: 10_000_000,
            terms: 10_000_000,
            depth: u8::MAX,
            time: Duration::from_secs(30),
            static_rows: [400_000; 2],
            stop: StopFlag::default(),
        }
    }
}

/// Which limit was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Exhausted {
    /// See [`EvaluationLimits::rows`].
    #[error(
        "more than {0} facts were derived from one state; do terms grow without end, or do unrelated variables multiply?"
    )]
    Rows(usize),
    /// See [`EvaluationLimits::terms`].
    #[error("more than {0} different terms were built; do terms grow without end?")]
    Terms(usize),
    /// See [`EvaluationLimits::depth`].
    #[error("terms were built that are nested more than {0} deep; do they grow without end?")]
    Depth(u8),
    /// See [`EvaluationLimits::time`].
    #[error("one state took longer than {} s to evaluate; do unrelated variables multiply in a rule?", .0.as_secs_f64())]
    Time(Duration),
    /// See [`EvaluationLimits::stop`].
    #[error("interrupted")]
    Interrupted,
    /// See [`WorkingMemory::set_deadline`](super::WorkingMemory::set_deadline).
    #[error("the deadline has passed")]
    Late,
}

impl Exhausted {
    /// Whether it might not have happened at another time, or on another machine.
    pub(crate) fn depends_on_time(self) -> bool {
        matches!(self, Self::Time(_) | Self::Interrupted | Self::Late)
    }
}

/// The budget that one working memory has left. Work is counted in rows examined; other steps count as a number of rows.
#[derive(Debug, Clone)]
pub(super) struct EvaluationBudget {
    rows_left: usize,
    work: u64,
    work_limit: u64,
    /// The work at which to read the clock again.
    next_check: u64,
    started: Option<Instant>,
    deadline: Deadline,
    exhausted: Option<Exhausted>,
    /// What was being derived then: a relation, and the functor of the terms in it.
    blamed: Option<(Pred, Option<Functor>)>,
    gave_up: bool,
}

impl EvaluationBudget {
    /// A new subgoal.
    const KEY: u64 = 4;
    /// A new term.
    const TERM: u64 = 8;
    /// Rows of this many columns count twice, and so on, since rows are counted for the memory they take.
    const WIDE: usize = 8;
    /// The work between two readings of the clock.
    const CHECK_INTERVAL: u64 = 1 << 16;

    pub(super) fn new(limits: &EvaluationLimits) -> Self {
        Self {
            rows_left: limits.rows,
            work: 0,
            work_limit: u64::MAX,
            next_check: Self::CHECK_INTERVAL,
            started: None,
            deadline: Deadline::default(),
            exhausted: None,
            blamed: None,
            gave_up: false,
        }
    }

    /// Restarts the counts of rows and time, after the inputs changed.
    pub(super) fn renew(&mut self, limits: &EvaluationLimits) {
        self.rows_left = limits.rows;
        self.started = None;
    }

    /// Counts the time from then on.
    pub(super) fn began_at(&mut self, began: Instant) {
        self.started = Some(began);
    }

    /// Stops once more than `work` was done in all.
    pub(super) fn limit_work(&mut self, work: u64) {
        self.work_limit = work;
    }

    pub(super) fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    pub(super) fn count_row(&mut self, limits: &EvaluationLimits) {
        self.work += 1;
        if self.work >= self.next_check {
            self.check_limits(limits);
        }
        self.gave_up |= self.work > self.work_limit;
    }

    pub(super) fn count_key(&mut self) {
        self.work += Self::KEY;
    }

    pub(super) fn count_terms(&mut self, new: usize) {
        self.work += Self::TERM * new as u64;
    }

    pub(super) fn count_fact(&mut self, columns: usize, limits: &EvaluationLimits) {
        self.rows_left = self.rows_left.saturating_sub(1 + columns / Self::WIDE);
        if self.rows_left == 0 {
            self.exhaust(Exhausted::Rows(limits.rows));
        }
    }

    pub(super) fn exhaust(&mut self, why: Exhausted) {
        // The first reason is the one to report.
        self.exhausted.get_or_insert(why);
    }

    /// Says what was being derived when the limit was passed; the innermost derivation is the first to say so.
    pub(super) fn blame(&mut self, pred: Pred, functor: Option<Functor>) {
        if self.exhausted.is_some() {
            self.blamed.get_or_insert((pred, functor));
        }
    }

    pub(super) fn blamed(&self) -> Option<(Pred, Option<Functor>)> {
        self.blamed
    }

    pub(super) fn work(&self) -> u64 {
        self.work
    }

    pub(super) fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted
    }

    pub(super) fn gave_up(&self) -> bool {
        self.gave_up
    }

    pub(super) fn must_stop(&self) -> bool {
        self.exhausted.is_some() || self.gave_up
    }

    fn check_limits(&mut self, limits: &EvaluationLimits) {
        self.next_check = self.work + Self::CHECK_INTERVAL;
        if limits.is_stopped() {
            self.exhaust(Exhausted::Interrupted);
        }
        let now = Instant::now();
        if now.duration_since(*self.started.get_or_insert(now)) > limits.time {
            self.exhaust(Exhausted::Time(limits.time));
        }
        if self.deadline.is_due() {
            self.exhaust(Exhausted::Late);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_from_where_the_work_began() {
        let limits = |time| EvaluationLimits {
            time,
            ..EvaluationLimits::default()
        };
        let began = Instant::now();
        std::thread::sleep(Duration::from_millis(20));
        let (little, much) = (Duration::from_millis(10), Duration::from_secs(3600));
        for (time, exhausted) in [(much, None), (little, Some(Exhausted::Time(little)))] {
            let limits = limits(time);
            let mut budget = EvaluationBudget::new(&limits);
            budget.began_at(began);
            budget.check_limits(&limits);
            assert_eq!(budget.exhausted(), exhausted);
        }
    }
}
