//! A match with its machines at work and those who watch it.

mod analysis;
mod drive;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use super::ServeRefusal;
use super::hosted::{NextTask, ServedMatch};
use super::machines::Machines;
use super::thoughts::{ThoughtListener, ThoughtSender};
use crate::play::Listener;
use crate::session::Session;
use crate::util::StopFlag;

/// A match with its machines at work and those who watch it.
pub(super) struct MatchRoom {
    state: Mutex<RoomState>,
    /// The version that there is to see.
    version: watch::Sender<u64>,
    /// What its machines think, and the analysis.
    pub(super) thoughts: ThoughtSender,
    pub(super) analysis: ThoughtSender,
    machines: Mutex<Machines>,
    analysts: Mutex<Machines>,
    /// Whoever gives hints, one at a time.
    advisers: Arc<tokio::sync::Mutex<Machines>>,
    searches: Arc<Semaphore>,
    runtime: Handle,
    /// Connections that watch it.
    watchers: AtomicUsize,
}

struct RoomState {
    played: ServedMatch,
    /// Whether a task lets the machines move.
    is_driven: bool,
    /// Whether a task waits for the end of the time limit.
    is_timed: bool,
    /// Whether a task analyses, and for each connection that wants that, how many lines it wants.
    is_analysed: bool,
    analysis_wanted: Vec<usize>,
    /// The flags of the searches that go on: raised as soon as another position is shown.
    thinking: StopFlag,
    analysing: StopFlag,
    used: Instant,
}

/// What a search is about.
struct SearchSubject {
    session: Session,
    seed: u64,
    epoch: u64,
    listener: Arc<ThoughtListener>,
    stop: StopFlag,
}

impl SearchSubject {
    fn shared_listener(&self) -> Arc<dyn Listener> {
        Arc::clone(&self.listener) as _
    }
}

impl MatchRoom {
    pub(super) fn new(played: ServedMatch, searches: &Arc<Semaphore>, runtime: &Handle) -> Self {
        Self {
            version: watch::channel(played.version()).0,
            state: Mutex::new(RoomState {
                played,
                is_driven: false,
                is_timed: false,
                is_analysed: false,
                analysis_wanted: Vec::new(),
                thinking: StopFlag::default(),
                analysing: StopFlag::default(),
                used: Instant::now(),
            }),
            thoughts: watch::channel(None).0,
            analysis: watch::channel(None).0,
            machines: Mutex::default(),
            analysts: Mutex::default(),
            advisers: Arc::default(),
            searches: Arc::clone(searches),
            runtime: runtime.clone(),
            watchers: AtomicUsize::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, RoomState> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used = Instant::now();
        state
    }

    /// Looks at the match.
    pub(super) fn look<T>(&self, look: impl FnOnce(&ServedMatch) -> T) -> T {
        look(&self.lock().played)
    }

    /// Tells of new versions.
    pub(super) fn versions(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Changes the match, and sees to it that whatever follows from that happens.
    pub(super) fn change<T>(
        self: &Arc<Self>,
        change: impl FnOnce(&mut ServedMatch) -> Result<T, ServeRefusal>,
    ) -> Result<T, ServeRefusal> {
        let mut state = self.lock();
        let epoch = state.played.epoch();
        let changed = change(&mut state.played);
        if state.played.epoch() != epoch {
            state.thinking.raise();
            state.analysing.raise();
        }
        self.follow(&mut state);
        changed
    }

    /// Lets the machines go on with a match that was just opened.
    pub(super) fn wake(self: &Arc<Self>) {
        self.follow(&mut self.lock());
    }

    fn follow(self: &Arc<Self>, state: &mut RoomState) {
        self.version.send_replace(state.played.version());
        if !state.is_driven && state.played.next_task() != NextTask::Wait {
            state.is_driven = true;
            self.runtime.spawn(Arc::clone(self).drive());
        }
        if !state.is_timed && state.played.time_left().is_some_and(|(_, runs)| runs) {
            state.is_timed = true;
            self.runtime.spawn(Self::keep_time(Arc::downgrade(self)));
        }
        if !state.is_analysed && state.wants_analysis() {
            state.is_analysed = true;
            self.runtime.spawn(Arc::clone(self).analyse());
        }
    }

    /// The position shown, for a search that ends when another one is.
    fn subject(&self, state: &mut RoomState, is_analysis: bool) -> SearchSubject {
        let (stop, thoughts) = match is_analysis {
            true => (&state.analysing, &self.analysis),
            false => (&state.thinking, &self.thoughts),
        };
        // Nobody has shown another position meanwhile: that takes the lock.
        stop.lower();
        let listener = ThoughtListener::of(&state.played, thoughts, is_analysis);
        SearchSubject {
            session: state.played.session().clone(),
            seed: state.played.seed(),
            epoch: state.played.epoch(),
            listener: Arc::new(listener),
            stop: stop.clone(),
        }
    }

    /// A connection begins to watch, or ends.
    pub(super) fn watch(&self, begins: bool) {
        match begins {
            true => self.watchers.fetch_add(1, Ordering::Relaxed),
            false => self.watchers.fetch_sub(1, Ordering::Relaxed),
        };
    }

    /// Since when nobody has used it; nothing while somebody watches or a machine thinks.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_busy =
            state.is_driven || state.is_analysed || self.watchers.load(Ordering::Relaxed) > 0;
        (!is_busy).then_some(state.used)
    }

    /// Ends all searches.
    pub(super) fn stop(&self) {
        let state = self.lock();
        state.thinking.raise();
        state.analysing.raise();
    }

    /// Writes down what is not on the disk yet: the match is about to be closed.
    pub(super) fn keep(&self) {
        if let Err(fault) = self.lock().played.keep_clock() {
            tracing::warn!("the time used in a match is not kept: {fault}");
        }
    }
}
