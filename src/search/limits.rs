//! How far and how long a search may look.

use std::time::{Duration, Instant};

use super::Value;
use crate::util::{Deadline, StopFlag};

/// How far and how long a search may look. Whatever limit is reached first ends it.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Greatest depth in steps (joint moves), at most [`MAX_DEPTH`].
    pub depth: u32,
    /// Greatest wall-clock time.
    pub time: Option<Duration>,
    /// How much earlier than that to end, so that nothing that comes after is late; at most a quarter of it.
    pub margin: Duration,
    /// Threads; 0 is taken for 1.
    pub threads: usize,
    /// Which of several equally good moves to play: drawn from this seed, or the first one.
    pub seed: Option<u64>,
    /// How many of the best moves to give an exact value and a line; at least one.
    pub lines: usize,
    /// Ends the search soon after it becomes true.
    pub stop: Option<&'a StopFlag>,
    /// Is told what is known after each depth, or now and then by a search that has none.
    pub report: Option<&'a dyn Fn(&Progress)>,
}

/// The deepest search: bounds the stack a search may need.
pub const MAX_DEPTH: u32 = 200;

/// What a search knows so far, in words.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The depth completed, in steps; the longest way gone down by a Monte-Carlo tree search.
    pub depth: u32,
    /// The value of the best move.
    pub value: Value,
    /// The joint moves expected; a role that has no choice says nothing.
    pub line: Vec<String>,
    /// States looked at, or random games.
    pub nodes: u64,
    /// Which of the two: `nodes` or `playouts`.
    pub counts: &'static str,
    /// Time since the search began.
    pub time: Duration,
}

impl Limits<'_> {
    /// The usual [`Limits::margin`]: of 1,155 moves at 0.2 s beside two busy processes on two cores, the latest was there after
    /// 0.197 s; beside two more that compiled, six of 1,085 came after 0.201 to 0.217 s.
    pub const MARGIN: Duration = Duration::from_millis(15);

    /// Whether nothing but the clock ends the search, so that nobody asks at which depth a value was found.
    pub(super) fn is_by_clock(&self) -> bool {
        self.time.is_some() && self.depth >= MAX_DEPTH
    }

    /// Searches to `depth` on one thread, however long it takes, and plays the first of several equally good moves.
    pub fn to_depth(depth: u32) -> Self {
        Self {
            depth,
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
    /// When thinking must end.
    pub(super) deadline: Deadline,
    /// When the time including the margin is up: until then, the lines found may be formatted.
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

    pub(super) fn start(limits: &Limits<'_>) -> Self {
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
}
