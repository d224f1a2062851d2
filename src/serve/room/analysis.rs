//! Searches for those who want advice: analysis of the position shown, and hints.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tokio::sync::watch;
use tokio::task::spawn_blocking;

use super::{MatchRoom, RoomState, SearchSubject};
use crate::game::is_chance;
use crate::play::{Choice, Listener, SearchOptions, Spec};
use crate::serve::ServeRefusal;
use crate::serve::hosted::{MatchAccess, ServedMatch};
use crate::serve::thoughts::ThoughtListener;
use crate::session::Session;
use crate::util::StopFlag;

/// The first slice of an analysis, and the longest one: between slices, others may search.
const SLICES: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(4));
/// How long a hint is thought about.
const HINT: Duration = Duration::from_secs(1);
/// The seed of what analysis and hints draw.
const ANALYSIS_SEED: u64 = 1;

/// An answer to a request for a good move.
#[derive(Debug, Serialize)]
pub(in crate::serve) struct HintView {
    #[serde(rename = "type")]
    kind: &'static str,
    ply: usize,
    role: String,
    #[serde(rename = "move")]
    mv: String,
    clicks: Vec<String>,
    value: Option<f64>,
}

impl MatchRoom {
    /// A connection wants an analysis of so many lines, or none, other than `before`.
    pub(in crate::serve) fn want_analysis(
        self: &Arc<Self>,
        before: Option<usize>,
        now: Option<usize>,
    ) {
        let mut state = self.lock();
        let searched = state.lines_wanted();
        let wanted = &mut state.analysis_wanted;
        let place = wanted.iter().position(|&lines| Some(lines) == before);
        if let Some(place) = place {
            wanted.swap_remove(place);
        }
        wanted.extend(now);
        if state.lines_wanted() != searched {
            state.analysing.raise();
        }
        self.follow(&mut state);
    }

    /// Searches the position shown as long as somebody wants that, in slices that grow.
    pub(super) async fn analyse(self: Arc<Self>) {
        let (mut slice, mut epoch) = (SLICES.0, 0);
        loop {
            let Ok(_turn) = self.searches.acquire().await else {
                return;
            };
            let (subject, lines) = {
                let mut state = self.lock();
                if !state.wants_analysis() {
                    state.is_analysed = false;
                    return;
                }
                (self.subject(&mut state, true), state.lines_wanted())
            };
            slice = match subject.epoch == epoch {
                true => (slice * 2).min(SLICES.1),
                false => SLICES.0,
            };
            epoch = subject.epoch;
            let mut versions = self.versions();
            let room = Arc::clone(&self);
            let found = spawn_blocking(move || room.search_slice(&subject, slice, lines)).await;
            // A panic has been reported where it happened; the next position may do.
            let is_settled = found.unwrap_or(true);
            drop(_turn);
            if is_settled && self.look(ServedMatch::epoch) == epoch {
                let _ = versions.changed().await;
            }
        }
    }

    /// Searches for a while; whether that has settled what the position is worth, or there is nothing to search for.
    fn search_slice(&self, subject: &SearchSubject, slice: Duration, lines: usize) -> bool {
        let Some(role) = role_to_analyse(&subject.session) else {
            return true;
        };
        let mut analysts = self.analysts.lock().unwrap_or_else(PoisonError::into_inner);
        let listener = &subject.listener;
        listener.set_features(analysts.contributions(&subject.session, role));
        let found = analysts.choose(
            (&analyst(SLICES.1, lines), ANALYSIS_SEED),
            (&subject.session, role),
            (Some(slice), &subject.stop),
            &subject.shared_listener(),
        );
        match found {
            Ok(Choice {
                found: Some(found), ..
            }) => {
                if !subject.stop.is_raised() {
                    // In the first slice it has learned meanwhile.
                    listener.set_features(analysts.contributions(&subject.session, role));
                    listener.conclude(&subject.session.roles()[role], &found, lines);
                }
                // A search that ends long before its time has nothing more to find.
                let mut wanted = found.moves.iter().take(lines);
                let is_known = wanted.all(|of| of.is_decided);
                found.exact && (is_known || found.time < slice / 2)
            }
            _ => true,
        }
    }

    /// A good move for a role of the caller.
    pub(in crate::serve) async fn hint(
        self: &Arc<Self>,
        access: MatchAccess,
        role: &str,
    ) -> Result<HintView, ServeRefusal> {
        let busy = || ServeRefusal::busy("the server is about to end");
        // Not the other way round: a turn is for those who search.
        let mut advisers = Arc::clone(&self.advisers).lock_owned().await;
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
            advisers.choose(
                (&analyst(HINT, 1), ANALYSIS_SEED),
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
}

impl RoomState {
    /// Whether somebody wants the position shown analysed, and there is something to be found out.
    pub(super) fn wants_analysis(&self) -> bool {
        !self.analysis_wanted.is_empty() && !self.played.is_over()
    }

    /// How many lines an analysis is to tell of; none if there is to be no analysis.
    fn lines_wanted(&self) -> usize {
        self.analysis_wanted.iter().copied().max().unwrap_or(0)
    }
}

/// The table of a search for advice: a match keeps one for each role.
const ADVICE_MEBIBYTES: usize = 8;

/// Whoever searches for advice, for at most so long, about so many moves.
fn analyst(time: Duration, lines: usize) -> Spec {
    let options = SearchOptions {
        time: Some(time),
        lines,
        hash: Some(ADVICE_MEBIBYTES),
        ..SearchOptions::USUAL
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
