//! How often the clock is read.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::pvs::Worker;

/// When to read the clock next.
pub(super) struct PollInterval {
    at: Instant,
    nodes: u64,
    interval: u64,
}

impl PollInterval {
    pub(super) fn start() -> Self {
        Self {
            at: Instant::now(),
            nodes: 1,
            interval: 1,
        }
    }
}

impl Worker<'_> {
    /// Whether the search must end. The flag is read at every node, the clock about once a millisecond, since reading it
    /// costs more than a small node.
    pub(in crate::search) fn must_end(&mut self) -> bool {
        if self.nodes >= self.poll.nodes {
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
        let now = Instant::now();
        let since = now.duration_since(self.poll.at);
        let states = self.nodes + self.poll.interval - self.poll.nodes;
        self.record_call_width(states, since);
        let clock = &mut self.poll;
        if since < OFTEN {
            clock.interval = (clock.interval * 2).min(1 << 16);
        } else if since > SELDOM {
            clock.interval = (clock.interval / 4).max(1);
        }
        clock.at = now;
        clock.nodes = self.nodes + clock.interval;
    }
}
