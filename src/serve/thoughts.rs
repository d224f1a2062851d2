//! What machines and the analysis think, as those who watch are told.

use std::iter;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tokio::sync::watch;

use super::hosted::ServedMatch;
use crate::play::{Found, Listener};
use crate::search::{OtherLine, SearchEffort, SearchProgress, Value};
use crate::session::MoveFound;

/// Moves of a line that are told.
const LONGEST_LINE: usize = 40;

/// What is known of a position so far.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ThinkingView {
    #[serde(rename = "type")]
    kind: &'static str,
    ply: usize,
    role: String,
    /// The role of the machine that thinks, or `analysis`.
    by: String,
    depth: u32,
    value: f64,
    exact: bool,
    nodes: u64,
    /// Nodes per second.
    rate: f64,
    line: Vec<String>,
    best: Option<String>,
    clicks: Vec<String>,
    /// What an analysis knows of the best moves, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<LineView>,
    /// What the heuristics of an analysis add to the evaluation of the position itself, in logits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    features: Vec<(&'static str, f64)>,
}

/// What is known of a move.
#[derive(Debug, Clone, Serialize)]
struct LineView {
    value: f64,
    exact: bool,
    line: Vec<String>,
    clicks: Vec<String>,
}

impl ThinkingView {
    /// The same, with so many lines at most.
    pub(super) fn with_lines(&self, most: usize) -> Self {
        let mut view = self.clone();
        view.lines.truncate(most);
        view
    }
}

/// The newest thought of one thinker.
pub(super) type ThoughtSender = watch::Sender<Option<Arc<ThinkingView>>>;
pub(super) type ThoughtReceiver = watch::Receiver<Option<Arc<ThinkingView>>>;

/// Listens to a search about one position.
pub(super) struct ThoughtListener {
    thoughts: ThoughtSender,
    ply: usize,
    is_analysis: bool,
    /// Per role, its moves and their clicks.
    moves: Vec<Vec<(String, Vec<String>)>>,
    roles: Vec<String>,
    features: Mutex<Vec<(&'static str, f64)>>,
}

impl ThoughtListener {
    /// Listens to searches about the position shown.
    pub(super) fn of(played: &ServedMatch, thoughts: &ThoughtSender, is_analysis: bool) -> Self {
        let roles = played.session().roles().to_vec();
        let moves = (0..roles.len()).map(|role| {
            let legal = played.session().legal_of(role).iter().cloned();
            let clicks = played.drawn().clicks[role].iter().cloned();
            legal.zip(clicks).collect()
        });
        Self {
            thoughts: thoughts.clone(),
            ply: played.played().ply(),
            is_analysis,
            moves: moves.collect(),
            roles,
            features: Mutex::default(),
        }
    }

    /// What is told of the evaluation of the position from now on.
    pub(super) fn set_features(&self, features: Vec<(&'static str, f64)>) {
        *self.features() = features;
    }

    fn features(&self) -> MutexGuard<'_, Vec<(&'static str, f64)>> {
        self.features.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A legal move and its clicks.
    pub(super) fn clicks(&self, role: &str, mv: &str) -> Option<Vec<String>> {
        let role = self.roles.iter().position(|known| known == role)?;
        let mut moves = self.moves[role].iter();
        Some(moves.find(|(known, _)| known == mv)?.1.clone())
    }

    fn line(&self, role: &str, (value, exact): (Value, bool), line: &[String]) -> LineView {
        let first = line.first();
        let told = line.iter().filter(|ply| !ply.is_empty());
        LineView {
            value: value.points(),
            exact,
            clicks: first
                .and_then(|mv| self.clicks(role, mv))
                .unwrap_or_default(),
            line: told.take(LONGEST_LINE).cloned().collect(),
        }
    }

    /// A search is over: what it found may be more than it told on the way.
    pub(super) fn conclude(&self, role: &str, found: &Found, lines: usize) {
        let known = found.moves.iter().take(lines);
        let others = known.filter(|of| of.mv != found.best && of.is_exact);
        let other = |of: &MoveFound| OtherLine {
            value: of.value,
            exact: of.is_decided,
            line: line_text(&of.mv, &of.pv),
        };
        self.report(
            role,
            &SearchProgress {
                depth: found.depth,
                value: found.value,
                exact: found.exact,
                line: line_text(&found.best, &found.pv),
                others: others.map(other).collect(),
                nodes: found.nodes,
                effort: SearchEffort::default(),
                counts: "nodes",
                time: found.time,
            },
        );
    }
}

/// A line as it is told: its first move is that of the role, whatever the others wait with.
fn line_text(first: &str, pv: &[Vec<String>]) -> Vec<String> {
    let later = pv.iter().skip(1).map(|joint| {
        let acting = joint.iter().map(String::as_str).filter(|mv| *mv != "noop");
        acting.collect::<Vec<_>>().join(" ")
    });
    iter::once(first.to_owned()).chain(later).collect()
}

impl Listener for ThoughtListener {
    fn report(&self, role: &str, progress: &SearchProgress) {
        let best = self.line(role, (progress.value, progress.exact), &progress.line);
        let first = progress.line.first();
        let first = first.filter(|mv| self.clicks(role, mv).is_some());
        let others = progress.others.iter();
        let others = others.map(|other| self.line(role, (other.value, other.exact), &other.line));
        let seconds = progress.time.max(Duration::from_micros(1)).as_secs_f64();
        let thought = ThinkingView {
            kind: "thinking",
            ply: self.ply,
            role: role.to_owned(),
            by: match self.is_analysis {
                true => "analysis".to_owned(),
                false => role.to_owned(),
            },
            depth: progress.depth,
            value: best.value,
            exact: best.exact,
            nodes: progress.nodes,
            rate: progress.nodes as f64 / seconds,
            line: best.line.clone(),
            best: first.cloned(),
            clicks: best.clicks.clone(),
            lines: match self.is_analysis {
                true => iter::once(best).chain(others).collect(),
                false => Vec::new(),
            },
            features: self.features().clone(),
        };
        self.thoughts.send_replace(Some(Arc::new(thought)));
    }

    fn end(&self) {}
}
