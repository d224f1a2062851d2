//! How often the clock is read.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::pvs::Worker;

/// When to read the clock next: after some states were searched, or some calls made children. In large games one call takes longer
/// than the search of many states whose children were made by earlier calls.
pub(super) struct PollInterval {
    /// When the interval began, and how many states were searched before.
    begin: Instant,
    nodes_before: u64,
    /// How many states are searched in it at most.
    nodes: u64,
    /// How many calls made children in it.
    calls: u64,
    /// How many calls do so at most.
    most_calls: u64,
}

impl PollInterval {
    pub(super) fn start() -> Self {
        Self {
            begin: Instant::now(),
            nodes_before: 0,
            nodes: 1,
            calls: 0,
            most_calls: 1,
        }
    }

    /// Counts a call that makes children.
    pub(super) fn count_call(&mut self) {
        self.calls += 1;
    }

    /// Whether the interval ends after so many states in all.
    fn ends(&self, nodes: u64) -> bool {
        nodes >= self.nodes_before + self.nodes || self.calls >= self.most_calls
    }

    /// Lets intervals like this one, which took so long, take about a millisecond.
    fn adapt(&mut self, nodes: u64, time: Duration) {
        const OFTEN: Duration = Duration::from_micros(300);
        const SELDOM: Duration = Duration::from_millis(1);
        const MOST: u64 = 1 << 16;
        if time > SELDOM {
            self.nodes = (self.nodes / 4).max(1);
            self.most_calls = (self.most_calls / 4).max(1);
        } else if time < OFTEN {
            if nodes >= self.nodes_before + self.nodes {
                self.nodes = (self.nodes * 2).min(MOST);
            }
            if self.calls >= self.most_calls {
                self.most_calls = (self.most_calls * 2).min(MOST);
            }
        }
    }
}

impl Worker<'_> {
    /// Whether the search must end. The flag is read at every node, the clock about once a millisecond, since reading it
    /// costs more than a small node.
    pub(in crate::search) fn must_end(&mut self) -> bool {
        if self.poll.ends(self.nodes) {
            self.poll_clock();
        }
        if self.nodes >= self.shared.most_nodes || self.shared.clock.is_stopped() {
            self.shared.is_over.store(true, Relaxed);
        }
        self.is_over |= self.shared.is_over.load(Relaxed);
        self.is_over
    }

    fn poll_clock(&mut self) {
        if self.shared.clock.is_over() {
            self.shared.is_over.store(true, Relaxed);
        }
        let time = self.poll.begin.elapsed();
        self.record_call_width(self.nodes - self.poll.nodes_before, time);
        self.poll.adapt(self.nodes, time);
        self.begin_poll_interval();
    }

    /// Begins an interval now: time between two iterations, in which nothing is searched, belongs to none.
    pub(super) fn begin_poll_interval(&mut self) {
        self.poll.begin = Instant::now();
        self.poll.nodes_before = self.nodes;
        self.poll.calls = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_calls_are_noticed_after_many_short_states() {
        let mut poll = PollInterval::start();
        let mut nodes = 0;
        // A million states that are searched at once.
        while nodes < 1 << 20 {
            nodes += poll.nodes;
            assert!(poll.ends(nodes));
            poll.adapt(nodes, Duration::from_micros(10));
            poll.nodes_before = nodes;
        }
        // Each state needs a call of 200 microseconds.
        let mut calls = 0;
        while !poll.ends(nodes) {
            nodes += 1;
            calls += 1;
            poll.count_call();
        }
        assert_eq!(calls, 1);
    }

    #[test]
    fn intervals_take_about_a_millisecond() {
        for call in [1, 30, 400, 5_000].map(Duration::from_micros) {
            let mut poll = PollInterval::start();
            let (mut nodes, mut took) = (0, Duration::ZERO);
            for _ in 0..40 {
                while !poll.ends(nodes) {
                    nodes += 1;
                    poll.count_call();
                }
                took = call * u32::try_from(poll.calls).unwrap();
                poll.adapt(nodes, took);
                (poll.nodes_before, poll.calls) = (nodes, 0);
            }
            let most = Duration::from_millis(1).max(call);
            assert!(
                took <= most && took * 8 >= most.min(Duration::from_millis(1)),
                "{call:?}: {took:?}"
            );
        }
    }
}
