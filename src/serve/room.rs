//! A match with its machines at work and those who watch it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio::task::spawn_blocking;

use super::ServeRefusal;
use super::hosted::{MatchAccess, NextTask, ServedMatch};
use super::machines::Machines;
use super::match_player;
use super::thoughts::{ThoughtListener, ThoughtSender};
use crate::game::is_chance;
use crate::play::{Choice, Listener, PlayerFault, Spec, seed_of_role};
use crate::session::Session;
use crate::util::StopFlag;

/// The first slice of an analysis, and the longest one: between slices, others may search.
const SLICES: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(4));
/// How long a hint is thought about.
const HINT: Duration = Duration::from_secs(1);
/// The seed of what analysis and hints draw.
const ANALYSIS_SEED: u64 = 1;

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
    searches: Arc<Semaphore>,
    runtime: Handle,
    /// Connections that watch it.
    watchers: AtomicUsize,
}

struct RoomState {
    played: ServedMatch,
    /// Whether a task lets the machines move.
    is_driven: bool,
    /// Whether a task analyses, and how many connections want that.
    is_analysed: bool,
    analysis_wanted: usize,
    /// The flags of the searches that go on: raised as soon as another position is shown.
    thinking: StopFlag,
    analysing: StopFlag,
    used: Instant,
}

/// An answer to a request for a good move.
#[derive(Debug, Serialize)]
pub(super) struct HintView {
    #[serde(rename = "type")]
    kind: &'static str,
    ply: usize,
    role: String,
    #[serde(rename = "move")]
    mv: String,
    clicks: Vec<String>,
    value: Option<f64>,
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
                is_analysed: false,
                analysis_wanted: 0,
                thinking: StopFlag::default(),
                analysing: StopFlag::default(),
                used: Instant::now(),
            }),
            thoughts: watch::channel(None).0,
            analysis: watch::channel(None).0,
            machines: Mutex::default(),
            analysts: Mutex::default(),
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
        if !state.is_analysed && state.analysis_wanted > 0 && !state.played.is_over() {
            state.is_analysed = true;
            self.runtime.spawn(Arc::clone(self).analyse());
        }
    }

    /// Lets the machines move until a person is to move.
    async fn drive(self: Arc<Self>) {
        let mut last_move = Instant::now();
        loop {
            let (task, epoch, delay) = {
                let mut state = self.lock();
                let task = state.played.next_task();
                if task == NextTask::Wait {
                    state.is_driven = false;
                    return;
                }
                (task, state.played.epoch(), state.played.header.delay)
            };
            match task {
                NextTask::Wait => {}
                NextTask::Ask(roles) => self.ask(roles).await,
                NextTask::Play => {
                    let wait = Duration::from_secs_f64(delay).saturating_sub(last_move.elapsed());
                    tokio::time::sleep(wait).await;
                    let room = Arc::clone(&self);
                    let play = move || room.play_chosen(epoch);
                    if let Err(panic) = spawn_blocking(play).await {
                        self.fail(format!("the move cannot be played: {panic}"));
                    }
                    last_move = Instant::now();
                }
            }
        }
    }

    fn play_chosen(self: &Arc<Self>, epoch: u64) {
        let _ = self.change(|played| {
            let is_due = played.epoch() == epoch && played.next_task() == NextTask::Play;
            if is_due && let Err(fault) = played.play_chosen() {
                played.fail(fault.message);
            }
            Ok(())
        });
    }

    fn fail(self: &Arc<Self>, why: String) {
        let _ = self.change(|played| {
            played.fail(why);
            Ok(())
        });
    }

    /// Asks machines for their moves, one after the other.
    async fn ask(self: &Arc<Self>, roles: Vec<usize>) {
        let Ok(_turn) = self.searches.acquire().await else {
            return;
        };
        let room = Arc::clone(self);
        let asked = spawn_blocking(move || {
            for role in roles {
                room.ask_one(role);
            }
        });
        if let Err(panic) = asked.await {
            self.fail(format!("a machine failed: {panic}"));
        }
    }

    fn ask_one(self: &Arc<Self>, role: usize) {
        let (subject, spec) = {
            let mut state = self.lock();
            let played = &state.played;
            let is_asked =
                matches!(played.next_task(), NextTask::Ask(roles) if roles.contains(&role));
            if !is_asked {
                return;
            }
            let spec = match_player::machine(&played.header.match_players[role].name);
            (self.subject(&mut state, false), spec)
        };
        let choice = match spec {
            Err(refusal) => Err(PlayerFault(refusal.message)),
            Ok(spec) => {
                let mut machines = self.machines.lock().unwrap_or_else(PoisonError::into_inner);
                let asked = (&subject.session, role);
                let limits = (None, &subject.stop);
                machines.choose(
                    (&spec, subject.seed),
                    asked,
                    limits,
                    &subject.shared_listener(),
                )
            }
        };
        let _ = self.change(|played| {
            if played.epoch() == subject.epoch {
                match choice {
                    Ok(choice) => played.choose(role, choice.mv),
                    Err(fault) => played.fail(fault.to_string()),
                }
            }
            Ok(())
        });
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

    /// One connection more wants an analysis, or one less.
    pub(super) fn want_analysis(self: &Arc<Self>, is_wanted: bool) {
        let mut state = self.lock();
        match is_wanted {
            true => state.analysis_wanted += 1,
            false => state.analysis_wanted = state.analysis_wanted.saturating_sub(1),
        }
        if state.analysis_wanted == 0 {
            state.analysing.raise();
        }
        self.follow(&mut state);
    }

    /// Searches the position shown as long as somebody wants that, in slices that grow.
    async fn analyse(self: Arc<Self>) {
        let (mut slice, mut epoch) = (SLICES.0, 0);
        loop {
            let Ok(_turn) = self.searches.acquire().await else {
                return;
            };
            let subject = {
                let mut state = self.lock();
                if state.analysis_wanted == 0 || state.played.is_over() {
                    state.is_analysed = false;
                    return;
                }
                self.subject(&mut state, true)
            };
            slice = match subject.epoch == epoch {
                true => (slice * 2).min(SLICES.1),
                false => SLICES.0,
            };
            epoch = subject.epoch;
            let mut versions = self.versions();
            let room = Arc::clone(&self);
            let found = spawn_blocking(move || room.search_slice(&subject, slice)).await;
            // A panic has been reported where it happened; the next position may do.
            let is_settled = found.unwrap_or(true);
            drop(_turn);
            if is_settled && self.look(ServedMatch::epoch) == epoch {
                let _ = versions.changed().await;
            }
        }
    }

    /// Searches for a while; whether that has settled what the position is worth, or there is nothing to search for.
    fn search_slice(&self, subject: &SearchSubject, slice: Duration) -> bool {
        let Some(role) = role_to_analyse(&subject.session) else {
            return true;
        };
        let mut analysts = self.analysts.lock().unwrap_or_else(PoisonError::into_inner);
        let found = analysts.choose(
            (&analyst(SLICES.1), ANALYSIS_SEED),
            (&subject.session, role),
            (Some(slice), &subject.stop),
            &subject.shared_listener(),
        );
        match found {
            Ok(Choice {
                found: Some(found), ..
            }) => {
                if !subject.stop.is_raised() {
                    let role = &subject.session.roles()[role];
                    subject.listener.conclude(role, &found);
                }
                found.exact
            }
            _ => true,
        }
    }

    /// A good move for a role of the caller.
    pub(super) async fn hint(
        self: &Arc<Self>,
        access: MatchAccess,
        role: &str,
    ) -> Result<HintView, ServeRefusal> {
        let busy = || ServeRefusal::busy("the server is about to end");
        let _turn = self.searches.acquire().await.map_err(|_| busy())?;
        let (role, listener, session, ply) = {
            let state = self.lock();
            let played = &state.played;
            let role = played.role_of(access, role)?;
            let listener = ThoughtListener::of(played, &watch::channel(None).0, false);
            (
                role,
                listener,
                played.session().clone(),
                played.played().ply(),
            )
        };
        let listener = Arc::new(listener);
        let shared: Arc<dyn Listener> = Arc::clone(&listener) as _;
        let name = session.roles()[role].clone();
        let think = move || {
            let mut advisers = Machines::default();
            advisers.choose(
                (&analyst(HINT), seed_of_role(ANALYSIS_SEED, role)),
                (&session, role),
                (Some(HINT), &StopFlag::default()),
                &shared,
            )
        };
        let choice = spawn_blocking(think).await;
        let choice = choice.map_err(|panic| ServeRefusal::server(panic.to_string()))?;
        let choice = choice.map_err(|fault| ServeRefusal::conflict(fault.to_string()))?;
        Ok(HintView {
            kind: "hint",
            ply,
            clicks: listener.clicks(&name, &choice.mv).unwrap_or_default(),
            role: name,
            value: choice.found.map(|found| found.value.points()),
            mv: choice.mv,
        })
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
}

/// Whoever searches for advice, for at most so long.
fn analyst(time: Duration) -> Spec {
    let options = crate::play::SearchOptions {
        time: Some(time),
        ..crate::play::SearchOptions::USUAL
    };
    Spec::Auto(options)
}

/// The role that a position is analysed for: the one to move; of several, the first that has a choice.
fn role_to_analyse(session: &Session) -> Option<usize> {
    let is_player = |role: &usize| !is_chance(&session.roles()[*role]);
    let first = || session.position().choosing().into_iter().find(is_player);
    let role = session.position().role_to_move().or_else(first)?;
    (session.legal_of(role).len() > 1).then_some(role)
}
