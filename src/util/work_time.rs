//! How long work takes, and how long it waited for a processor meanwhile.

use std::fs;
use std::time::{Duration, Instant};

/// What some work of this process took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkTime {
    /// By the clock.
    pub(crate) wall: Duration,
    /// How long threads of the process had to wait for a processor, all together; `None` where the platform does not tell.
    pub(crate) waited: Option<Duration>,
}

impl WorkTime {
    /// Does some work, and says what it took.
    pub(crate) fn of<T>(work: impl FnOnce() -> T) -> (T, Self) {
        let (began, waited) = (Instant::now(), waited_so_far());
        let done = work();
        let took = Self {
            wall: began.elapsed(),
            waited: waited_so_far().and_then(|now| now.checked_sub(waited?)),
        };
        (done, took)
    }

    /// Whether other work may have taken more than a tenth of the time.
    pub(crate) fn may_have_waited(&self) -> bool {
        self.waited.is_none_or(|waited| waited > self.wall / 10)
    }
}

/// How long the present threads of the process have waited for a processor so far, as Linux counts it.
fn waited_so_far() -> Option<Duration> {
    let threads = fs::read_dir("/proc/self/task").ok()?;
    // One that ends meanwhile is left out.
    let waited = threads.flatten().filter_map(|thread| {
        let counts = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        // Nanoseconds on a processor, nanoseconds waiting for one, and turns.
        let waited = counts.split_ascii_whitespace().nth(1)?;
        Some(Duration::from_nanos(waited.parse().ok()?))
    });
    waited.reduce(|one, other| one + other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_time_is_too_much() {
        let waits = |waited| {
            let wall = Duration::from_secs(10);
            WorkTime { wall, waited }.may_have_waited()
        };
        assert!(waits(None));
        assert!(waits(Some(Duration::from_secs(2))));
        assert!(!waits(Some(Duration::from_millis(900))));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn who_shares_a_processor_waits() {
        let work = || {
            let began = Instant::now();
            while began.elapsed() < Duration::from_millis(200) {}
        };
        let threads = 2 * std::thread::available_parallelism().unwrap().get();
        let all = std::thread::scope(|scope| {
            (1..threads).for_each(|_| _ = scope.spawn(work));
            work();
            waited_so_far()
        });
        assert!(all.unwrap() > Duration::ZERO);
    }
}
