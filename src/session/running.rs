//! A search in a thread of its own, which can be watched and stopped.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::searches::{Contributions, SearchWatcher};
use super::{Found, RoleSearcher, SearchError, Session};
use crate::search::SearchProgress;
use crate::util::StopFlag;

/// A search in a thread of its own. Dropping it stops the search.
#[derive(Debug)]
pub struct RunningSearch {
    worker: Option<JoinHandle<(RoleSearcher, Result<Found, SearchError>)>>,
    stop: StopFlag,
    progress: Arc<Mutex<Option<SearchProgress>>>,
    contributions: Arc<Mutex<Contributions>>,
}

impl RunningSearch {
    pub(super) fn start(
        mut searcher: RoleSearcher,
        session: Session,
        move_clock: Option<Duration>,
    ) -> Self {
        let stop = StopFlag::default();
        let progress = Arc::<Mutex<Option<SearchProgress>>>::default();
        let contributions = Arc::<Mutex<Contributions>>::default();
        let (flag, known) = (stop.clone(), Arc::clone(&progress));
        let parts = Arc::clone(&contributions);
        let work = move || {
            let watcher = SearchWatcher {
                contributions: Some(&|now| {
                    *parts.lock().unwrap_or_else(PoisonError::into_inner) = now;
                }),
                progress: &|now| {
                    *known.lock().unwrap_or_else(PoisonError::into_inner) = Some(now.clone());
                },
            };
            let found = searcher.search_until(&session, move_clock, &flag, &watcher);
            (searcher, found)
        };
        Self {
            worker: Some(thread::spawn(work)),
            stop,
            progress,
            contributions,
        }
    }

    /// What is known so far: depth, value, principal variation, nodes. `None` before the first depth is complete.
    pub fn progress(&self) -> Option<SearchProgress> {
        let progress = self.progress.lock();
        progress.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What each heuristic adds to the evaluation of the position itself, in logits: 0 is an even game, +1 a goal of 73. Empty
    /// until weights are learned, and for searches without any.
    pub fn contributions(&self) -> Vec<(&'static str, f64)> {
        let contributions = self.contributions.lock();
        contributions
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Whether it has ended.
    pub fn is_finished(&self) -> bool {
        self.worker.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// The flag that ends it, for another thread to raise.
    pub fn stop_flag(&self) -> &StopFlag {
        &self.stop
    }

    /// Ends it soon, with what was found so far.
    pub fn stop(&self) {
        self.stop.raise();
    }

    /// Waits for what it finds.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn wait(self) -> Result<Found, SearchError> {
        self.wait_for_searcher().1
    }

    /// Waits for what it finds, and gives the searcher back for the next move.
    ///
    /// # Panics
    /// The search panicked.
    pub fn wait_for_searcher(self) -> (RoleSearcher, Result<Found, SearchError>) {
        let done = self.join();
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// The same; nothing where the search panicked.
    // Only the full-screen terminal goes on after a panic.
    #[cfg(feature = "cli")]
    pub(crate) fn searcher_unless_panicked(self) -> Option<RoleSearcher> {
        self.join().ok().map(|(searcher, _)| searcher)
    }

    fn join(mut self) -> thread::Result<(RoleSearcher, Result<Found, SearchError>)> {
        let worker = self.worker.take().expect("only this takes the worker");
        worker.join()
    }
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_panicked_has_no_searcher() {
        let running = RunningSearch {
            worker: Some(thread::spawn(|| panic!("a fault of an engine"))),
            stop: StopFlag::default(),
            progress: Arc::default(),
            contributions: Arc::default(),
        };
        assert!(running.searcher_unless_panicked().is_none());
    }
}
