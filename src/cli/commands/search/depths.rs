//! What each depth of a search takes.

use std::time::Duration;

use serde::Serialize;

use crate::search::{SearchEffort, SearchProgress};

/// What a search has reported, depth by depth.
#[derive(Debug, Default)]
pub(super) struct MeasuredDepths {
    reports: Vec<DepthReport>,
    nodes: u64,
    effort: SearchEffort,
    time: Duration,
}

/// A depth.
#[derive(Debug, Serialize)]
pub(super) struct DepthReport {
    pub(super) depth: u32,
    value: f64,
    /// States searched at this depth, and how many of them were leaves.
    pub(super) nodes: u64,
    pub(super) leaves: u64,
    /// The fewest leaves that a search of this depth can have, if each state of a ply has as many moves as that of the line (Knuth and Moore
    /// 1975); nothing where the line ends before.
    pub(super) fewest_leaves: Option<u64>,
    pub(super) seconds: f64,
    /// How many times as many states as one ply before; where the depth before is more plies away, on average.
    pub(super) branching: Option<f64>,
    /// The share of cutoffs that the first move brought.
    pub(super) first_move_cutoffs: Option<f64>,
    /// The states of all depths before, for each state of this one.
    pub(super) overhead: f64,
    /// What that would be if each depth had as many times the states of the one before as this one has: of the depth before alone,
    /// 1/b, and of all, 1/(b−1).
    pub(super) overhead_of_one_depth: Option<f64>,
    pub(super) overhead_of_all_depths: Option<f64>,
}

impl MeasuredDepths {
    /// Adds a depth; what is reported counts from the beginning of the search.
    pub(super) fn add(&mut self, progress: &SearchProgress) {
        let nodes = progress.nodes - self.nodes;
        let effort = progress.effort.since(self.effort);
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let last = self.reports.last();
        let growth = share(nodes, last.map_or(0, |last| last.nodes));
        let plies = last.map_or(1, |last| progress.depth.saturating_sub(last.depth).max(1));
        let branching = growth.map(|growth| growth.powf(1.0 / f64::from(plies)));
        let grows = growth.filter(|growth| *growth > 1.0);
        self.reports.push(DepthReport {
            depth: progress.depth,
            value: progress.value.points(),
            nodes,
            leaves: effort.leaves,
            fewest_leaves: None,
            seconds: (progress.time - self.time).as_secs_f64(),
            branching,
            first_move_cutoffs: share(effort.first_cutoffs, effort.cutoffs),
            overhead: share(self.nodes, nodes).unwrap_or_default(),
            overhead_of_one_depth: growth.map(f64::recip),
            overhead_of_all_depths: grows.map(|growth| 1.0 / (growth - 1.0)),
        });
        self.nodes = progress.nodes;
        self.effort = progress.effort;
        self.time = progress.time;
    }

    /// How many times as many states the last depth had as one ply before.
    pub(super) fn branching(&self) -> Option<f64> {
        self.reports.last()?.branching
    }

    /// The depths, beside the numbers of moves along the line.
    pub(super) fn into_reports(mut self, widths: &[u64]) -> Vec<DepthReport> {
        for report in &mut self.reports {
            report.fewest_leaves = fewest_leaves(widths, report.depth as usize);
        }
        self.reports
    }
}

/// The fewest leaves of a tree in which all states of a ply have as many moves as `widths` says.
fn fewest_leaves(widths: &[u64], depth: usize) -> Option<u64> {
    let widths = widths.get(..depth)?;
    let of_every_other = |first: usize| {
        let widths = widths.iter().skip(first).step_by(2);
        widths.fold(1_u64, |product, width| product.saturating_mul(*width))
    };
    Some(of_every_other(0).saturating_add(of_every_other(1)) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_leaves_are_those_of_knuth_and_moore() {
        let tictactoe: Vec<u64> = (1..=9).rev().collect();
        let fewest = |depth| fewest_leaves(&tictactoe, depth);
        let known = [Some(9), Some(16), Some(70), Some(110)];
        assert_eq!([fewest(1), fewest(2), fewest(3), fewest(4)], known);
        assert_eq!(fewest(10), None);
        assert_eq!(fewest_leaves(&[3, 3, 3, 3], 4), Some(17));
    }
}
