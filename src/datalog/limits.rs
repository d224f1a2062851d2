//! What an evaluation may cost, what it has cost so far, and what is said when it costs more.

use std::time::{Duration, Instant};

use crate::util::{Deadline, StopFlag};

/// What one evaluation may cost before it is given up.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Rows derived since the inputs last changed; one of many columns counts for several.
    pub rows: usize,
    /// Different terms over the whole life of the engine; one of many arguments counts for several.
    pub terms: usize,
    /// How deep the terms that are built may be nested, a word counting 1; from 255 on, as deep as there is room.
    pub depth: u8,
    /// Time since the inputs last changed.
    pub time: Duration,
    /// Raised from outside to give up at once.
    pub stop: StopFlag,
}

impl Limits {
    /// Whether somebody wants the work given up.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }
}

impl Default for Limits {
    /// Far more than any known game needs, and less than a small machine has.
    fn default() -> Self {
        Self {
            rows: 10_000_000,
            terms: 10_000_000,
            depth: u8::MAX,
            time: Duration::from_secs(30),
            stop: StopFlag::default(),
        }
    }
}

/// Which limit was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Exhausted {
    /// See [`Limits::rows`].
    #[error(
        "more than {0} facts were derived from one state; do terms grow without end, or do unrelated variables multiply?"
    )]
    Rows(usize),
    /// See [`Limits::terms`].
    #[error("more than {0} different terms were built; do terms grow without end?")]
    Terms(usize),
    /// See [`Limits::depth`].
    #[error("terms were built that are nested more than {0} deep; do they grow without end?")]
    Depth(u8),
    /// See [`Limits::time`].
    #[error("one state took longer than {} s to evaluate; do unrelated variables multiply in a rule?", .0.as_secs())]
    Time(Duration),
    /// See [`Limits::stop`].
    #[error("interrupted")]
    Interrupted,
    /// See [`Memory::set_deadline`](super::Memory::set_deadline).
    #[error("it was told to end")]
    Late,
}

/// What one memory has spent. Work is counted in rows looked at, everything else in how many of them it is worth.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    rows_left: usize,
    work: u64,
    work_limit: u64,
    /// The work at which to look at the clock again.
    next_look: u64,
    started: Option<Instant>,
    deadline: Deadline,
    exhausted: Option<Exhausted>,
    gave_up: bool,
}

impl Budget {
    /// Beginning to derive for a new key.
    const KEY: u64 = 4;
    /// Storing a new term.
    const TERM: u64 = 8;
    /// Rows of so many columns count twice, and so on: memory is what they are counted for.
    const WIDE: usize = 8;
    /// What is done between two looks at the clock.
    const LOOK: u64 = 1 << 16;

    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            rows_left: limits.rows,
            work: 0,
            work_limit: u64::MAX,
            next_look: Self::LOOK,
            started: None,
            deadline: Deadline::default(),
            exhausted: None,
            gave_up: false,
        }
    }

    /// The inputs changed: rows and time count from here.
    pub(super) fn renew(&mut self, limits: &Limits) {
        self.rows_left = limits.rows;
        self.started = None;
    }

    /// Gives up once more than `work` was done in all.
    pub(super) fn limit_work(&mut self, work: u64) {
        self.work_limit = work;
    }

    pub(super) fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    pub(super) fn count_row(&mut self, limits: &Limits) {
        self.work += 1;
        if self.work >= self.next_look {
            self.look_at_the_clock(limits);
        }
        self.gave_up |= self.work > self.work_limit;
    }

    pub(super) fn count_key(&mut self) {
        self.work += Self::KEY;
    }

    pub(super) fn count_terms(&mut self, new: usize) {
        self.work += Self::TERM * new as u64;
    }

    pub(super) fn count_fact(&mut self, columns: usize, limits: &Limits) {
        self.rows_left = self.rows_left.saturating_sub(1 + columns / Self::WIDE);
        if self.rows_left == 0 {
            self.exhaust(Exhausted::Rows(limits.rows));
        }
    }

    pub(super) fn exhaust(&mut self, why: Exhausted) {
        // The first reason is the one to tell.
        self.exhausted.get_or_insert(why);
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

    fn look_at_the_clock(&mut self, limits: &Limits) {
        self.next_look = self.work + Self::LOOK;
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
