//! What machines and the analysis think, as those who watch are told.

use std::iter;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::watch;

use super::hosted::ServedMatch;
use crate::play::{Found, Listener};
use crate::search::SearchProgress;

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
        }
    }

    /// A legal move and its clicks.
    pub(super) fn clicks(&self, role: &str, mv: &str) -> Option<Vec<String>> {
        let role = self.roles.iter().position(|known| known == role)?;
        let mut moves = self.moves[role].iter();
        Some(moves.find(|(known, _)| known == mv)?.1.clone())
    }

    /// A search is over: what it found may be more than it told on the way.
    pub(super) fn conclude(&self, role: &str, found: &Found) {
        // The first move is that of the role, whatever the others wait with.
        let later = found.pv.iter().skip(1).map(|joint| {
            let moves: Vec<&str> = joint.iter().map(String::as_str).collect();
            let acting = moves.iter().filter(|mv| **mv != "noop");
            acting.copied().collect::<Vec<_>>().join(" ")
        });
        self.report(
            role,
            &SearchProgress {
                depth: found.depth,
                value: found.value,
                line: iter::once(found.best.clone()).chain(later).collect(),
                nodes: found.nodes,
                counts: "nodes",
                time: found.time,
            },
        );
    }
}

impl Listener for ThoughtListener {
    fn report(&self, role: &str, progress: &SearchProgress) {
        let line = progress.line.iter().filter(|ply| !ply.is_empty());
        let line: Vec<String> = line.take(LONGEST_LINE).cloned().collect();
        let first = progress.line.first();
        let clicks = first.and_then(|mv| self.clicks(role, mv));
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
            value: progress.value.points(),
            exact: progress.value.is_decided(),
            nodes: progress.nodes,
            rate: progress.nodes as f64 / seconds,
            line,
            best: clicks.is_some().then(|| first.cloned()).flatten(),
            clicks: clicks.unwrap_or_default(),
        };
        self.thoughts.send_replace(Some(Arc::new(thought)));
    }

    fn end(&self) {}
}
