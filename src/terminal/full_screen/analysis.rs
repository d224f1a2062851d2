//! What the computer thinks of the position shown, beside the game.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::play::{Listener, Session};
use crate::search::SearchProgress;
use crate::session::{Minimax, Position, RunningSearch};

/// A search that runs as long as its position is shown.
#[derive(Debug, Default)]
pub(super) struct Analysis {
    is_wanted: bool,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    position: Position,
    role: usize,
    search: RunningSearch,
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

    /// Searches this position for a role from now on, and no other one.
    pub(super) fn follow(&mut self, position: &Position, role: usize) {
        let is_known = |running: &Running| running.role == role && running.position == *position;
        if !self.is_wanted || self.running.as_ref().is_some_and(is_known) {
            return;
        }
        self.stop();
        let name = &position.roles()[role];
        let minimax = Minimax::new().time(LONGEST);
        self.running = minimax
            .for_role(position.game(), name)
            .ok()
            .map(|searcher| Running {
                position: position.clone(),
                role,
                search: searcher.start(Session::from(position.clone()), None),
            });
    }

    /// Ends the search at once.
    pub(super) fn stop(&mut self) {
        self.running = None;
    }

    /// What was found so far, and for which role.
    pub(super) fn found(&self) -> Option<(usize, SearchProgress)> {
        let running = self.running.as_ref()?;
        Some((running.role, running.search.progress()?))
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
