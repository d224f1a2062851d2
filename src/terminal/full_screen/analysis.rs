//! What the computer thinks of the position shown, beside the game.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::play::{Listener, Session};
use crate::search::SearchProgress;
use crate::session::{Minimax, Position, RoleSearcher, RunningSearch};

/// A search that runs as long as its position is shown. What it learns is kept for the next position.
#[derive(Debug, Default)]
pub(super) struct Analysis {
    is_wanted: bool,
    running: Option<Running>,
    /// Those that rest, by the role that they search for.
    searchers: BTreeMap<usize, RoleSearcher>,
}

#[derive(Debug)]
struct Running {
    position: Position,
    role: usize,
    search: RunningSearch,
    is_stopped: bool,
}

/// What is known of a position for a role.
#[derive(Debug)]
pub(super) struct Analysed {
    pub(super) role: usize,
    pub(super) progress: SearchProgress,
    /// What each heuristic adds to the evaluation of the position itself.
    pub(super) contributions: Vec<(&'static str, f64)>,
}

/// After so long, a position is searched no further.
const LONGEST: Duration = Duration::from_secs(600);

impl Analysis {
    pub(super) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    pub(super) fn toggle(&mut self) {
        self.is_wanted = !self.is_wanted;
        self.stop();
    }

    /// Searches this position for a role from now on, and no other one; as soon as the search before has ended.
    pub(super) fn follow(&mut self, position: &Position, role: usize) {
        let is_known = |running: &Running| {
            running.role == role && running.position == *position && !running.is_stopped
        };
        if !self.is_wanted || self.running.as_ref().is_some_and(is_known) {
            return;
        }
        self.stop();
        if self.running.is_some() || !self.is_wanted {
            return;
        }
        let searcher = self.searchers.remove(&role).or_else(|| {
            let minimax = Minimax::new().time(LONGEST);
            let name = &position.roles()[role];
            minimax.for_role(position.game(), name).ok()
        });
        self.running = searcher.map(|searcher| Running {
            position: position.clone(),
            role,
            search: searcher.start(Session::from(position.clone()), None),
            is_stopped: false,
        });
    }

    /// Ends the search. On a slow engine that takes a moment, for which nobody waits.
    pub(super) fn stop(&mut self) {
        let Some(mut running) = self.running.take() else {
            return;
        };
        running.search.stop();
        if !running.search.is_finished() {
            running.is_stopped = true;
            self.running = Some(running);
            return;
        }
        match running.search.searcher_unless_panicked() {
            Some(searcher) if searcher.training_cut_short() => {}
            Some(searcher) => drop(self.searchers.insert(running.role, searcher)),
            // It has been told where it happened, and would happen again. The game goes on.
            None => self.is_wanted = false,
        }
    }

    /// What was found so far.
    pub(super) fn found(&self) -> Option<Analysed> {
        let running = self
            .running
            .as_ref()
            .filter(|running| !running.is_stopped)?;
        Some(Analysed {
            role: running.role,
            progress: running.search.progress()?,
            contributions: running.search.contributions(),
        })
    }
}

/// What the players think, for the screen to show. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct ThoughtsShown(Arc<Mutex<Option<(String, SearchProgress)>>>);

impl ThoughtsShown {
    /// The name of the role that thinks, or thought last, and what was told last.
    pub(super) fn last(&self) -> Option<(String, SearchProgress)> {
        let thought = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        thought.clone()
    }
}

impl Listener for ThoughtsShown {
    fn report(&self, role: &str, progress: &SearchProgress) {
        let mut thought = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *thought = Some((role.to_owned(), progress.clone()));
    }

    fn end(&self) {}
}
