//! The time limit of a match.

use std::time::{Duration, Instant};

use super::ServedMatch;
use crate::serve::JournalError;
use crate::serve::journal::JournalEvent;

/// Counts the time of a match while it is played.
#[derive(Debug)]
pub(super) struct MatchClock {
    limit: Duration,
    /// What was used until it was started or stopped last.
    used: Duration,
    /// Since when it runs.
    since: Option<Instant>,
}

impl MatchClock {
    /// A clock for a match of so many seconds, which does not run yet.
    pub(super) fn new(seconds: u64) -> Self {
        Self {
            limit: Duration::from_secs(seconds),
            used: Duration::ZERO,
            since: None,
        }
    }

    fn used(&self) -> Duration {
        let running = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        (self.used + running).min(self.limit)
    }

    pub(super) fn set_used(&mut self, used: Duration) {
        self.used = used;
        self.since = self.since.map(|_| Instant::now());
    }

    fn left(&self) -> Duration {
        self.limit - self.used()
    }

    fn run(&mut self, on: bool) {
        if on != self.since.is_some() {
            self.used = self.used();
            self.since = on.then(Instant::now);
        }
    }
}

impl ServedMatch {
    /// Lets the clock run while the match is played: not while it waits, nor once the line that is shown has ended, so that
    /// people may look back at a game without haste.
    pub(super) fn keep_time(&mut self) {
        let has_ended = self.played.moves().last().is_some_and(|last| last.is_over);
        let is_played = !(self.is_paused || self.is_over() || has_ended);
        if let Some(clock) = &mut self.clock {
            clock.run(is_played);
        }
    }

    /// How much time is left, and whether that gets less; nothing where the match has no limit.
    pub(in crate::serve) fn time_left(&self) -> Option<(Duration, bool)> {
        let clock = self.clock.as_ref()?;
        Some((clock.left(), clock.since.is_some()))
    }

    /// How much of the time was used, for the disk.
    pub(super) fn clock_event(&self) -> Option<JournalEvent> {
        let clock = self.clock.as_ref()?;
        Some(JournalEvent::Clock {
            used: clock.used().as_millis() as u64,
        })
    }

    /// Writes down how much of the time was used since the last event: the match is about to be closed.
    pub(in crate::serve) fn keep_clock(&mut self) -> Result<(), JournalError> {
        match self.time_left() {
            Some((_, true)) => self.journal.add(self.clock_event().iter()),
            _ => Ok(()),
        }
    }

    /// Whether no time is left, though the match was not ended yet.
    pub(super) fn has_no_time(&self) -> bool {
        self.time_left().is_some_and(|(left, _)| left.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_counts_while_it_runs_and_never_beyond_its_limit() {
        let mut clock = MatchClock::new(100);
        assert_eq!(clock.left(), Duration::from_secs(100));
        clock.set_used(Duration::from_secs(40));
        assert_eq!(clock.left(), Duration::from_secs(60));
        clock.run(true);
        assert!(clock.left() <= Duration::from_secs(60));
        clock.run(false);
        let stopped = clock.left();
        assert_eq!(clock.left(), stopped);
        clock.set_used(Duration::from_secs(500));
        assert_eq!(
            (clock.used(), clock.left()),
            (Duration::from_secs(100), Duration::ZERO)
        );
    }
}
