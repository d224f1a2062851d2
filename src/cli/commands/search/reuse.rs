//! What a search two plies later can use of this one.

use std::sync::Arc;

use serde::Serialize;

use super::SearchArgs;
use crate::search::{SearchLimits, Searcher};
use crate::session::{Found, Session};
use crate::symmetry::SymmetryGroup;
use crate::util::StopFlag;

/// So many plies later, it is the same player's turn again.
const PLIES: usize = 2;

/// The search of the position after the first plies of the line, as deep as the first search looked there.
#[derive(Debug, Serialize)]
pub(super) struct ReuseReport {
    /// The depth.
    pub(super) depth: u32,
    /// Nodes of that search with an empty table, and with that of the first search.
    pub(super) nodes_alone: u64,
    pub(super) nodes_after: u64,
    /// How much of its work is spared.
    pub(super) spared: f64,
    /// The part of the whole tree that lies below that position: its nodes alone for each of the first search.
    pub(super) share_of_tree: f64,
    /// What that would be in a tree in which all branch alike: 1/b².
    pub(super) expected_share: Option<f64>,
}

/// Searches on where the line of `found` leads in two plies; `None` where the game is over by then, the search was too shallow, or
/// `stop` is raised. `branching` is how many times as many nodes the last depth had as the one before.
pub(super) fn reuse(
    session: &Session,
    (role, args, symmetries): (usize, &SearchArgs, Option<&Arc<SymmetryGroup>>),
    found: &Found,
    searcher: &mut Searcher,
    branching: Option<f64>,
    stop: &StopFlag,
) -> Option<ReuseReport> {
    let depth = found.depth.checked_sub(PLIES as u32)?;
    let mut later = session.clone();
    for joint in found.pv.get(..PLIES)? {
        later.play_joint(joint).ok()?;
    }
    if later.is_terminal() || depth == 0 {
        return None;
    }
    let limits = SearchLimits {
        stop: Some(stop),
        ..SearchLimits::to_depth(depth)
    };
    let after = later.search(role, &limits, searcher)?;
    let mut empty = Searcher::minimax(args.settings());
    if let Some(symmetries) = symmetries {
        empty.use_symmetries(Arc::clone(symmetries));
    }
    // What was learned is known by now.
    later.prepare(role, &mut empty, args.learning_time(), stop);
    let alone = later.search(role, &limits, &mut empty)?;
    let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    (!stop.is_raised()).then(|| ReuseReport {
        depth,
        nodes_alone: alone.nodes,
        nodes_after: after.nodes,
        spared: 1.0 - share(after.nodes, alone.nodes),
        share_of_tree: share(alone.nodes, found.nodes),
        expected_share: branching.map(|branching| branching.powi(-(PLIES as i32))),
    })
}
