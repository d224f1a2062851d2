//! Do the engines search the same, and how fast? The same search to the same depth must find the same on each.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::OnProgress;
use super::agreement::share_spent;
use super::engines::ComparedEngine;
use crate::game::Stopped;
use crate::play::{Found, Session};
use crate::search::{Heuristics, MAX_DEPTH, MinimaxSettings, SearchLimits, Searcher};
use crate::session::START_CLOCK;
use crate::util::{Expired, StopFlag};

/// Megabytes for what a search remembers. A larger session takes its time to be made, in every round.
const HASH: usize = 16;

/// What the engines think of the start at one depth; `None` where thinking would have taken too long.
#[derive(Debug, Clone, Serialize)]
pub struct SearchedDepth {
    /// The depth.
    pub depth: u32,
    /// Engine by engine, the best move, and the goal that is sure.
    pub best: Vec<Option<(String, u8)>>,
}

impl SearchedDepth {
    /// How many engines have searched to this depth.
    pub fn engines(&self) -> usize {
        self.best.iter().flatten().count()
    }

    /// Whether all that have searched to this depth found the same.
    pub fn agrees(&self) -> bool {
        let mut searched = self.best.iter().flatten();
        let first = searched.next();
        searched.all(|best| Some(best) == first)
    }
}

/// A searcher that knows nothing yet, with its session allocated. It has no heuristics: what is compared is how engines
/// search, and not how quickly weights are found.
pub(super) fn new_searcher(session: &mut Session, role: usize, stop: &StopFlag) -> Searcher {
    let mut searcher = Searcher::minimax(MinimaxSettings {
        hash: HASH,
        heuristics: Heuristics::NONE,
        ..MinimaxSettings::default()
    });
    session.prepare(role, &mut searcher, START_CLOCK, stop);
    searcher
}

/// The first role that has a choice, or else the first one.
fn chooser(session: &Session) -> usize {
    let mut roles = 0..session.roles().len();
    roles
        .find(|&role| session.legal_of(role).len() > 1)
        .unwrap_or(0)
}

/// What a new searcher thinks of the present state, and how long that took.
fn search_once(
    session: &mut Session,
    limits: &SearchLimits<'_>,
    stop: &StopFlag,
) -> (Option<Found>, Duration) {
    let role = chooser(session);
    let mut searcher = new_searcher(session, role, stop);
    let begin = Instant::now();
    let found = session.search(role, limits, &mut searcher);
    (found, begin.elapsed())
}

/// Thinks deeper and deeper, each engine for at most `budget`, and adds what comes of it to `searched`.
///
/// # Errors
/// The user has had enough.
pub(super) fn compare_searches(
    engines: &[ComparedEngine],
    (budget, stop): (Duration, &StopFlag),
    searched: &mut Vec<SearchedDepth>,
    progress: &mut OnProgress<'_>,
) -> Result<(), Stopped> {
    let mut left = vec![budget; engines.len()];
    for depth in 1..=MAX_DEPTH {
        let mut level = SearchedDepth {
            depth,
            best: vec![None; engines.len()],
        };
        let mut is_over = true;
        for (index, engine) in engines.iter().enumerate() {
            if left[index].is_zero() {
                continue;
            }
            let doing = format!("search: {}, depth {depth}", engine.name());
            progress(share_spent(&left, budget), &doing);
            let limits = SearchLimits {
                time: Some(left[index]),
                stop: Some(stop),
                ..SearchLimits::to_depth(depth)
            };
            let (found, spent) = search_once(&mut engine.session(), &limits, stop);
            interrupted(stop)?;
            left[index] = left[index].saturating_sub(spent);
            let Some(found) = found.filter(|found| found.exact || found.depth == depth) else {
                left[index] = Duration::ZERO;
                continue;
            };
            is_over &= found.exact;
            level.best[index] = Some((found.best, found.value.goal()));
        }
        if level.engines() > 0 {
            searched.push(level);
        }
        if is_over {
            break;
        }
    }
    Ok(())
}

/// States looked at per second, in searches of the start that take about as long as `time`.
///
/// # Errors
/// The user has had enough.
pub(super) fn rate(
    engine: &ComparedEngine,
    time: Duration,
    stop: &StopFlag,
) -> Result<f64, Stopped> {
    let (mut nodes, mut spent) = (0, Duration::ZERO);
    while spent < time {
        let mut session = engine.session();
        let limits = SearchLimits {
            time: Some(time - spent),
            stop: Some(stop),
            ..SearchLimits::to_depth(MAX_DEPTH)
        };
        let (found, time) = search_once(&mut session, &limits, stop);
        spent += time;
        interrupted(stop)?;
        match found {
            Some(found) => nodes += found.nodes,
            None => break,
        }
    }
    Ok(nodes as f64 / spent.as_secs_f64().max(1e-9))
}

/// Whether the user has had enough.
pub(super) fn interrupted(stop: &StopFlag) -> Result<(), Stopped> {
    match stop.is_raised() {
        true => Err(Stopped::Expired(Expired::Interrupted)),
        false => Ok(()),
    }
}
