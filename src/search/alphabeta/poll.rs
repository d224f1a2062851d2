//! How often the clock is read.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::pvs::Worker;

/// When to read the clock next.
pub(super) struct PollInterval {
    /// When the interval began, and how many states were searched before.
    begin: Instant,
    nodes_before: u64,
    /// How many states are searched in it.
    nodes: u64,
}

impl PollInterval {
    pub(super) fn start() -> Self {
        Self {
            begin: Instant::now(),
            nodes_before: 0,
            nodes: 1,
        }
    }
}

impl Worker<'_> {
    /// Whether the search must end. The flag is read at every node, the clock about once a millisecond, since reading it
    /// costs more than a small node.
    pub(in crate::search) fn must_end(&mut self) -> bool {
        if self.nodes >= self.poll.nodes_before + self.poll.nodes {
            self.poll_clock();
        }
        if self.nodes >= self.shared.most_nodes || self.shared.clock.is_stopped() {
            self.shared.is_over.store(true, Relaxed);
        }
        self.is_over |= self.shared.is_over.load(Relaxed);
        self.is_over
    }

    fn poll_clock(&mut self) {
        const OFTEN: Duration = Duration::from_micros(300);
        const SELDOM: Duration = Duration::from_millis(1);
        if self.shared.clock.is_over() {
            self.shared.is_over.store(true, Relaxed);
        }
        let time = self.poll.begin.elapsed();
        self.record_call_width(self.nodes - self.poll.nodes_before, time);
        let nodes = &mut self.poll.nodes;
        if time < OFTEN {
            *nodes = (*nodes * 2).min(1 << 16);
        } else if time > SELDOM {
            *nodes = (*nodes / 4).max(1);
        }
        self.begin_poll_interval();
    }

    /// Begins an interval now: time between two iterations, in which nothing is searched, belongs to none.
    pub(super) fn begin_poll_interval(&mut self) {
        self.poll.begin = Instant::now();
        self.poll.nodes_before = self.nodes;
    }
}
