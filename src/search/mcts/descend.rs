//! Ways down from the root, to where something is to be found out.

use std::ops::Range;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::node::{Arm, Choosers};
use super::tree::Tree;

/// How much is tried out, against what has been good: times the deviation of evaluations.
const CURIOSITY: f32 = 1.0;
/// No way is longer, so that games that go round are left.
const LONGEST: usize = 1000;

/// Ways from the root down.
#[derive(Debug, Default)]
pub(super) struct Paths {
    /// The nodes passed, path after path.
    nodes: Vec<u32>,
    /// Per node passed, the move of each role that leads on.
    picks: Vec<u32>,
    paths: Vec<Path>,
}

/// A way from the root down.
#[derive(Debug, Clone)]
pub(super) struct Path {
    /// Its nodes.
    pub(super) nodes: Range<usize>,
    pub(super) end: End,
}

/// Where a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Beyond its last node, at a state that is not known yet.
    Beyond,
    /// At this node, which is to be evaluated once more.
    At(u32),
    /// At this node, of which all is known.
    Known(u32),
}

impl Paths {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.picks.clear();
        self.paths.clear();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter()
    }

    /// The number of nodes of the longest path, or 1 where there are paths.
    pub(super) fn longest(&self) -> usize {
        let lengths = self.paths.iter().map(|path| path.nodes.len().max(1));
        lengths.max().unwrap_or(0)
    }

    /// The nodes of a path and the picks that lead on from each, from the last to the first.
    pub(super) fn upwards(&self, path: &Path, roles: usize) -> impl Iterator<Item = (u32, &[u32])> {
        let step = move |at: usize| (self.nodes[at], &self.picks[at * roles..][..roles]);
        path.nodes.clone().rev().map(step)
    }
}

impl Tree {
    /// Goes down from the root to where something is to be found out, and notes that this is under way.
    pub(super) fn descend(&mut self, rng: &mut Xoshiro256PlusPlus, paths: &mut Paths) {
        let begin = paths.nodes.len();
        let mut node = self.root;
        let end = loop {
            if self.is_settled(node) {
                break End::Known(node);
            }
            let is_long = paths.nodes.len() - begin >= LONGEST;
            if is_long || self.node(node).is_on_path || !self.is_opened(node) && self.is_full() {
                break End::At(node);
            }
            if !self.is_opened(node) {
                self.open(node);
            }
            let first = paths.picks.len();
            self.pick(node, rng, &mut paths.picks);
            let picks = &paths.picks[first..];
            self.expect(node, picks);
            paths.nodes.push(node);
            match self.child(node, picks) {
                None => break End::Beyond,
                Some(child) => node = child,
            }
        };
        let nodes = begin..paths.nodes.len();
        for node in &paths.nodes[nodes.clone()] {
            self.node_mut(*node).is_on_path = false;
        }
        paths.paths.push(Path { nodes, end });
    }

    /// Notes that an evaluation is under way.
    fn expect(&mut self, node: u32, picks: &[u32]) {
        let this = self.node_mut(node);
        this.pending += 1;
        this.is_on_path = true;
        for (role, &pick) in picks.iter().enumerate() {
            self.arm_mut(node, role, pick).pending += 1;
        }
    }

    /// Picks a move for each role.
    fn pick(&self, node: u32, rng: &mut Xoshiro256PlusPlus, picks: &mut Vec<u32>) {
        let is_single = self.choosers(node) != Choosers::Many;
        for role in 0..self.roles {
            picks.push(match self.side(node, role).moves {
                0 | 1 => 0,
                moves if self.chance[role] => rng.random_range(0..moves),
                _ if is_single => self.promising(node, role, rng, |_| 1.0),
                _ => self.promising(node, role, rng, |rng| rng.random_range(0.0..2.0)),
            });
        }
    }

    /// The move with the greatest upper confidence bound (Kocsis and Szepesvári 2006, *Bandit based Monte-Carlo
    /// planning*). Evaluations under way count as trials of which the outcome is not known (Liu et al. 2020, *Watch the
    /// unobserved*). A move that was never tried is expected to be worth what the state is. Moves that are known to be
    /// worse than another one are left out, as are those of which nothing more can be learnt.
    ///
    /// Where several roles choose at once, the bounds are blurred at random: roles that follow the same numbers in lock
    /// step meet again and again in the same joint moves, and one of them thinks it wins. Blurred, what they do on average
    /// comes close to an equilibrium (follow the perturbed leader: Kalai and Vempala 2005, *Efficient algorithms for online
    /// decision problems*).
    fn promising(
        &self,
        node: u32,
        role: usize,
        rng: &mut Xoshiro256PlusPlus,
        blur: impl Fn(&mut Xoshiro256PlusPlus) -> f32,
    ) -> u32 {
        let (this, side) = (self.node(node), self.side(node, role));
        let is_strict = self.choosers(node) != Choosers::Many && self.is_strict();
        let trials = (this.visits + this.pending).max(1) as f32;
        let curiosity = CURIOSITY * self.noise[role].deviation() * trials.ln().max(0.0).sqrt();
        let unknown = self.expected(node, role) as f32;
        let score = |arm: &Arm, blur: f32| {
            let mean = if arm.visits > 0 { arm.mean } else { unknown };
            let tried = (arm.visits + arm.pending).max(1) as f32;
            let is_idle = is_strict && (arm.low >= arm.high || arm.high < side.low);
            let handicap = if is_idle { 1000.0 } else { 0.0 };
            mean.max(arm.low) + blur * curiosity / tried.sqrt() - handicap
        };
        // Of equally good moves, any one may come first.
        let from = rng.random_range(0..side.moves);
        let (mut best, mut best_score) = (from, f32::NEG_INFINITY);
        let (before, after) = self.arms(node, role).split_at(from as usize);
        for (number, arm) in (from..).zip(after).chain((0..).zip(before)) {
            let score = score(arm, blur(rng));
            if score > best_score {
                (best, best_score) = (number, score);
            }
        }
        best
    }
}
