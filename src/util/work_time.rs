//! How long work takes, and how much of that time something may have held it up.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::time::{Duration, Instant};

/// What some work of this process took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkTime {
    /// By the clock.
    pub(crate) wall: Duration,
    /// What its threads did meanwhile; `None` where the platform does not tell.
    pub(crate) threads: Option<ThreadTime>,
}

/// The time of threads, all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ThreadTime {
    /// On a processor.
    pub(crate) ran: Duration,
    /// Ready to run, while others had the processors.
    pub(crate) waited: Duration,
}

impl WorkTime {
    /// Does some work, and says what it took.
    pub(crate) fn of<T>(work: impl FnOnce() -> T) -> (T, Self) {
        let (began, before) = (Instant::now(), threads());
        let done = work();
        let wall = began.elapsed();
        let threads = before.and_then(|before| Some(since(&before, &threads()?)));
        (done, Self { wall, threads })
    }

    /// Whether something may have held the work up for more than a tenth of the time: other work, a signal that stopped the process, a
    /// slow disk, or another machine on the same processor. Where other threads of the process have work of their own, that may hide it.
    pub(crate) fn may_have_been_held_up(&self) -> bool {
        self.threads.is_none_or(|threads| {
            threads.waited > self.wall / 10 || threads.ran < self.wall / 10 * 9
        })
    }
}

/// The times of each thread of the process so far, by its number, as Linux counts them; `None` also where nothing is counted.
fn threads() -> Option<BTreeMap<OsString, ThreadTime>> {
    let folders = fs::read_dir("/proc/self/task").ok()?;
    // A thread that ends meanwhile has no file any more.
    let thread = |folder: fs::DirEntry| {
        let counts = fs::read_to_string(folder.path().join("schedstat")).ok()?;
        // Nanoseconds on a processor, nanoseconds waiting for one, and turns.
        let mut counts = counts.split_ascii_whitespace().map(str::parse);
        let mut next = || counts.next()?.ok().map(Duration::from_nanos);
        let (ran, waited) = (next()?, next()?);
        Some((folder.file_name(), ThreadTime { ran, waited }))
    };
    let threads: BTreeMap<_, _> = folders.flatten().filter_map(thread).collect();
    let is_counted = threads.values().any(|thread| thread.ran > Duration::ZERO);
    is_counted.then_some(threads)
}

/// What threads did between two times; those that began meanwhile count from then on, those that ended not at all.
fn since(
    before: &BTreeMap<OsString, ThreadTime>,
    after: &BTreeMap<OsString, ThreadTime>,
) -> ThreadTime {
    let mut all = ThreadTime::default();
    for (thread, now) in after {
        let earlier = before.get(thread).copied().unwrap_or_default();
        all.ran += now.ran.saturating_sub(earlier.ran);
        all.waited += now.waited.saturating_sub(earlier.waited);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_time_is_too_much() {
        let is_held_up = |threads: Option<(u64, u64)>| {
            let threads = threads.map(|(ran, waited)| ThreadTime {
                ran: Duration::from_millis(ran),
                waited: Duration::from_millis(waited),
            });
            let wall = Duration::from_secs(10);
            WorkTime { wall, threads }.may_have_been_held_up()
        };
        assert!(is_held_up(None));
        assert!(is_held_up(Some((10_000, 2000))));
        assert!(!is_held_up(Some((10_000, 900))));
        assert!(!is_held_up(Some((15_000, 0))));
        assert!(is_held_up(Some((8000, 0))));
    }

    #[test]
    fn threads_count_from_their_beginning() {
        let times = |of: &[(&str, u64, u64)]| {
            let time = |&(thread, ran, waited): &(&str, u64, u64)| {
                let [ran, waited] = [ran, waited].map(Duration::from_nanos);
                (OsString::from(thread), ThreadTime { ran, waited })
            };
            of.iter().map(time).collect()
        };
        let before = times(&[("1", 50, 5), ("2", 1000, 900)]);
        let after = times(&[("1", 80, 6), ("3", 10, 2)]);
        let [ran, waited] = [40, 3].map(Duration::from_nanos);
        assert_eq!(since(&before, &after), ThreadTime { ran, waited });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn who_shares_a_processor_waits() {
        let work = || {
            let began = Instant::now();
            while began.elapsed() < Duration::from_millis(200) {}
        };
        let count = 2 * std::thread::available_parallelism().unwrap().get();
        let all = std::thread::scope(|scope| {
            (1..count).for_each(|_| _ = scope.spawn(work));
            work();
            threads()
        });
        // Not every kernel counts.
        let waited = all.map(|all| all.values().map(|thread| thread.waited).sum::<Duration>());
        assert!(waited.is_none_or(|waited| waited > Duration::ZERO));
    }
}
