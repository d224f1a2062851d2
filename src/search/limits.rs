//! How far and how long a search may go, and what it reports.

use std::time::{Duration, Instant};

use super::Value;
use crate::util::{Deadline, StopFlag};

/// How far and how long a search may go. The first limit that is reached ends it.
#[derive(Clone, Copy)]
pub struct SearchLimits<'a> {
    /// Greatest depth in steps (joint moves), at most [`MAX_DEPTH`].
    pub depth: u32,
    /// States that are searched at most, all threads together; on one thread, the result depends on nothing else. Monte-Carlo tree search by
    /// playouts counts these instead.
    pub nodes: Option<u64>,
    /// Greatest wall-clock time.
    pub time: Option<Duration>,
    /// How much earlier to end, so that the move is not late; at most a quarter of the time.
    pub margin: Duration,
    /// Threads; 0 counts as 1.
    pub threads: usize,
    /// Chooses among good moves by this seed; without one, the first is chosen.
    pub seed: Option<u64>,
    /// For how many of the best moves exact values and lines are computed; at least one.
    pub lines: usize,
    /// Raised to end the search.
    pub stop: Option<&'a StopFlag>,
    /// Called after each depth, or from time to time in Monte-Carlo tree search.
    pub report: Option<&'a dyn Fn(&SearchProgress)>,
}

/// The greatest depth; it bounds the call stack.
pub const MAX_DEPTH: u32 = 200;

/// The progress of a search.
#[derive(Debug, Clone)]
pub struct SearchProgress {
    /// The depth completed, in steps; the longest path in Monte-Carlo tree search.
    pub depth: u32,
    /// The value of the best move.
    pub value: Value,
    /// Whether looking deeper cannot change the goal of the value.
    pub exact: bool,
    /// The principal variation, as text; roles without a choice are left out.
    pub line: Vec<String>,
    /// The next best moves in this order, as many as [`SearchLimits::lines`] asks for.
    pub others: Vec<OtherLine>,
    /// States searched, or playouts.
    pub nodes: u64,
    /// What these states were; nothing in Monte-Carlo tree search.
    pub effort: SearchEffort,
    /// What is counted: `nodes` or `playouts`.
    pub counts: &'static str,
    /// Time since the search began.
    pub time: Duration,
}

/// What the states were that were searched, extensions left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchEffort {
    /// States at the depth limit, and ends of the game.
    pub leaves: u64,
    /// States of which not all moves were searched, as one was good enough.
    pub cutoffs: u64,
    /// Those among them in which that was the first move.
    pub first_cutoffs: u64,
}

impl SearchEffort {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            leaves: self.leaves + other.leaves,
            cutoffs: self.cutoffs + other.cutoffs,
            first_cutoffs: self.first_cutoffs + other.first_cutoffs,
        }
    }

    /// What was added since `earlier`.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            leaves: self.leaves.saturating_sub(earlier.leaves),
            cutoffs: self.cutoffs.saturating_sub(earlier.cutoffs),
            first_cutoffs: self.first_cutoffs.saturating_sub(earlier.first_cutoffs),
        }
    }
}

/// What is known of a move beside the best one.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherLine {
    /// Its value.
    pub value: Value,
    /// Whether looking deeper cannot change the goal of the value.
    pub exact: bool,
    /// The line that it begins, as text.
    pub line: Vec<String>,
}

impl SearchLimits<'_> {
    /// The default of [`SearchLimits::margin`]: of 1,155 moves at 0.2 s beside two busy processes on two cores, the
    /// latest was there after 0.197 s; beside two more that compiled, six of 1,085 came after 0.201 to 0.217 s.
    pub const MARGIN: Duration = Duration::from_millis(15);

    /// Whether the clock alone ends the search, so that deeper table entries may be used.
    pub(super) fn is_by_clock(&self) -> bool {
        self.time.is_some() && self.depth >= MAX_DEPTH
    }

    /// Searches to `depth` on one thread without a time limit, and chooses the first of several equally good moves.
    pub fn to_depth(depth: u32) -> Self {
        Self {
            depth,
            nodes: None,
            time: None,
            margin: Duration::ZERO,
            threads: 1,
            seed: None,
            lines: 1,
            stop: None,
            report: None,
        }
    }
}

/// When a search began, and when it must end.
#[derive(Debug, Clone)]
pub(super) struct SearchClock {
    pub(super) begin: Instant,
    /// When the search must end.
    pub(super) deadline: Deadline,
    /// The end of the whole time, margin included: until then, lines may be formatted.
    until: Option<Instant>,
}

impl SearchClock {
    pub(super) fn within(time: Duration, stop: &StopFlag) -> Self {
        let begin = Instant::now();
        let at = begin.checked_add(time);
        Self {
            begin,
            deadline: Deadline::new(at, stop),
            until: at,
        }
    }

    /// A clock that only a stop ends.
    pub(super) fn endless_until(stop: &StopFlag) -> Self {
        Self::within(Duration::MAX, stop)
    }

    /// A clock that never ends.
    #[cfg(test)]
    pub(super) fn endless() -> Self {
        Self::start(&SearchLimits::to_depth(MAX_DEPTH))
    }

    pub(super) fn start(limits: &SearchLimits<'_>) -> Self {
        let begin = Instant::now();
        // A margin must leave some time to think.
        let time = limits.time.map(|time| time - limits.margin.min(time / 4));
        Self {
            begin,
            deadline: Deadline {
                at: time.and_then(|time| begin.checked_add(time)),
                stop: limits.stop.cloned(),
            },
            until: limits.time.and_then(|time| begin.checked_add(time)),
        }
    }

    /// How long it runs in all, if that is limited.
    pub(super) fn whole(&self) -> Option<Duration> {
        let at = self.deadline.at?;
        Some(at.saturating_duration_since(self.begin))
    }

    /// How much time is left, if it is limited.
    pub(super) fn left(&self) -> Option<Duration> {
        let now = Instant::now();
        self.deadline.at.map(|at| at.saturating_duration_since(now))
    }

    /// A clock that ends after this share of the time that is left.
    pub(super) fn shortened(&self, share: f64) -> Self {
        let now = Instant::now();
        let end = |at: Instant| now + at.saturating_duration_since(now).mul_f64(share);
        Self {
            begin: now,
            deadline: Deadline {
                at: self.deadline.at.map(end),
                stop: self.deadline.stop.clone(),
            },
            until: self.until.map(end),
        }
    }

    /// A clock that ends after this time, or with this one if that is earlier.
    pub(super) fn at_most(&self, time: Duration) -> Self {
        match self.left() {
            Some(left) if left <= time => self.clone(),
            _ => {
                let stop = self.deadline.stop.clone().unwrap_or_default();
                Self::within(time, &stop)
            }
        }
    }

    /// The deadline for formatting lines, which begins now; after a stop it is only a few milliseconds away.
    pub(super) fn line_deadline(&self) -> Deadline {
        const GRACE: Duration = Duration::from_millis(3);
        match self.deadline.is_stopped() {
            true => Deadline {
                at: Some(Instant::now() + GRACE),
                stop: None,
            },
            false => Deadline {
                at: self.until,
                stop: self.deadline.stop.clone(),
            },
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.deadline.is_due()
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.deadline.is_stopped()
    }
}
