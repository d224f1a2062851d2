//! Work on rules: little of it at once, for a bounded time, and what is short does not wait for what is long.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::util::StopFlag;

/// So much work is begun at once, and so much that turns out to be long goes on beside it; other work waits.
const AT_ONCE: usize = 2;
/// More than these that wait are turned away.
const MOST_WAITING: usize = 32;

/// Turns for work on rules.
#[derive(Debug)]
pub(super) struct WorkTurns {
    begun: Arc<Semaphore>,
    long: Arc<Semaphore>,
    waiting: Semaphore,
    times: WorkTimes,
}

/// How long work may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct WorkTimes {
    /// Until its turn.
    pub(super) waiting: Duration,
    /// Work that takes longer counts as long: it gives its turn to the next, if there is not too much long work already.
    pub(super) short: Duration,
    /// Then it is stopped.
    pub(super) whole: Duration,
}

/// Why work was not done.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WorkFault {
    /// There is too much of it.
    Busy,
    /// It took too long.
    TooLong(Duration),
    /// It panicked.
    Panicked(String),
}

impl WorkTurns {
    pub(super) fn new(times: WorkTimes) -> Self {
        Self {
            begun: Arc::new(Semaphore::new(AT_ONCE)),
            long: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: Semaphore::new(MOST_WAITING),
            times,
        }
    }

    /// Does work on a thread of its own, which is to end soon after the flag is raised.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&StopFlag) -> T + Send + 'static,
    ) -> Result<T, WorkFault> {
        let turn = {
            let _waiting = self.waiting.try_acquire().map_err(|_| WorkFault::Busy)?;
            let turn = Arc::clone(&self.begun).acquire_owned();
            let turn = timeout(self.times.waiting, turn).await;
            turn.map_err(|_| WorkFault::Busy)?
                .map_err(|_| WorkFault::Busy)?
        };
        let (answer, answered) = oneshot::channel();
        let long = Arc::clone(&self.long);
        tokio::spawn(attend(work, turn, long, self.times, answer));
        let lost = |_| Err(WorkFault::Panicked("its task was lost".to_owned()));
        answered.await.unwrap_or_else(lost)
    }
}

/// Sees to it that work ends. Its turn ends with it, though its caller may have been answered before.
async fn attend<T: Send + 'static>(
    work: impl FnOnce(&StopFlag) -> T + Send + 'static,
    mut turn: OwnedSemaphorePermit,
    long: Arc<Semaphore>,
    times: WorkTimes,
    answer: oneshot::Sender<Result<T, WorkFault>>,
) {
    let stop = StopFlag::default();
    let flag = stop.clone();
    let mut work = spawn_blocking(move || work(&flag));
    let mut done = timeout(times.short, &mut work).await;
    if done.is_err() {
        if let Ok(place) = long.try_acquire_owned() {
            turn = place;
        }
        done = timeout(times.whole.saturating_sub(times.short), &mut work).await;
    }
    // Nobody may wait for the answer any more.
    match done {
        Ok(done) => {
            drop(turn);
            let _ = answer.send(done.map_err(|panic| WorkFault::Panicked(panic.to_string())));
        }
        Err(_) => {
            stop.raise();
            let _ = answer.send(Err(WorkFault::TooLong(times.whole)));
            let _ = work.await;
            drop(turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tokio::runtime::{Builder, Runtime};

    use super::*;

    const SOON: Duration = Duration::from_millis(1);
    const NEVER: Duration = Duration::from_secs(3600);

    fn runtime() -> Runtime {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(2).enable_time().build().unwrap()
    }

    fn turns(whole: Duration) -> Arc<WorkTurns> {
        Arc::new(WorkTurns::new(WorkTimes {
            waiting: NEVER,
            short: SOON,
            whole,
        }))
    }

    fn until_stopped(stop: &StopFlag) {
        while !stop.is_raised() {
            thread::yield_now();
        }
    }

    #[test]
    fn long_work_keeps_short_work_waiting_no_more_than_it_must() {
        let (runtime, turns) = (runtime(), turns(NEVER));
        let end = StopFlag::default();
        for _ in 0..AT_ONCE {
            let (turns, end) = (Arc::clone(&turns), end.clone());
            runtime.spawn(async move { turns.run(move |_| until_stopped(&end)).await });
        }
        while turns.long.available_permits() > 0 {
            thread::yield_now();
        }
        assert_eq!(runtime.block_on(turns.run(|_| 7)), Ok(7));
        end.raise();
        while turns.long.available_permits() < AT_ONCE {
            thread::yield_now();
        }
    }

    #[test]
    fn work_that_takes_too_long_is_stopped_and_gives_its_turn_back() {
        let (runtime, turns) = (runtime(), turns(SOON));
        let all = (0..3 * AT_ONCE).map(|_| {
            let turns = Arc::clone(&turns);
            runtime.spawn(async move { turns.run(until_stopped).await })
        });
        let all: Vec<_> = all.collect();
        for one in all {
            let done = runtime.block_on(one).unwrap();
            assert_eq!(done, Err(WorkFault::TooLong(SOON)));
        }
        let places = || turns.begun.available_permits() + turns.long.available_permits();
        while places() < 2 * AT_ONCE {
            thread::yield_now();
        }
    }

    #[test]
    fn too_much_work_is_turned_away_and_a_panic_is_told() {
        let runtime = runtime();
        let turns = WorkTurns::new(WorkTimes {
            waiting: SOON,
            short: NEVER,
            whole: NEVER,
        });
        let _all = Arc::clone(&turns.begun).try_acquire_many_owned(AT_ONCE as u32);
        assert_eq!(runtime.block_on(turns.run(|_| 7)), Err(WorkFault::Busy));
        drop(_all);
        let panicked = runtime.block_on(turns.run(|_| panic!("at work")));
        let panicked: Result<(), _> = panicked;
        assert!(matches!(panicked, Err(WorkFault::Panicked(_))));
    }
}
