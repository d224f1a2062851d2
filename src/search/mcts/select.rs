//! Selection: paths from the root to leaves that are to be evaluated.

use std::ops::Range;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::amaf::{AmafFit, MoveAmaf, Prediction};
use super::node::{Arm, ArmRow, Movers};
use super::tree::Tree;

/// The exploration constant of UCT, relative to the standard deviation of evaluations.
const EXPLORATION: f32 = 1.0;
/// The same where moves are evaluated (PUCT).
const PRIOR_EXPLORATION: f32 = 3.0;
/// The longest path, in nodes; this bounds selection in games with cycles.
const MAX_PATH: usize = 1000;

/// The paths of one leaf batch.
#[derive(Debug, Default)]
pub(super) struct TreePaths {
    /// The nodes of all paths, one path after the other.
    nodes: Vec<u32>,
    /// For each of these nodes, the index of the selected move of every role.
    picks: Vec<u32>,
    paths: Vec<TreePath>,
}

/// A path from the root.
#[derive(Debug, Clone)]
pub(super) struct TreePath {
    /// The range of its nodes.
    pub(super) nodes: Range<usize>,
    pub(super) end: PathEnd,
}

/// Where a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathEnd {
    /// At a child of its last node that is not in the tree yet.
    NewChild,
    /// At this node, which is to be evaluated again.
    Node(u32),
    /// At this node, which is terminal or has a proved value.
    Proved(u32),
}

impl TreePaths {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.picks.clear();
        self.paths.clear();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &TreePath> {
        self.paths.iter()
    }

    /// The number of nodes of the longest path, at least 1; 0 without paths.
    pub(super) fn longest(&self) -> usize {
        let lengths = self.paths.iter().map(|path| path.nodes.len().max(1));
        lengths.max().unwrap_or(0)
    }

    /// The nodes of a path with the joint moves selected in them, from the leaf to the root.
    pub(super) fn upwards(
        &self,
        path: &TreePath,
        roles: usize,
    ) -> impl Iterator<Item = (u32, &[u32])> {
        let step = move |at: usize| (self.nodes[at], &self.picks[at * roles..][..roles]);
        path.nodes.clone().rev().map(step)
    }
}

impl Tree {
    /// Selects a path from the root to a leaf and adds virtual loss along it. `fit` says how evaluations follow from AMAF means.
    pub(super) fn select(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        fit: Option<AmafFit>,
        paths: &mut TreePaths,
    ) {
        let begin = paths.nodes.len();
        let mut node = self.root;
        let end = loop {
            if self.is_proved(node) {
                break PathEnd::Proved(node);
            }
            let passed = &paths.nodes[begin..];
            if passed.len() >= MAX_PATH || passed.contains(&node) || !self.make_arms(node) {
                break PathEnd::Node(node);
            }
            let first = paths.picks.len();
            self.select_joint_move(node, rng, fit, &mut paths.picks);
            let picks = &paths.picks[first..];
            self.add_virtual_loss(node, picks);
            paths.nodes.push(node);
            match self.child(node, picks) {
                None => break PathEnd::NewChild,
                Some(child) => node = child,
            }
        };
        let nodes = begin..paths.nodes.len();
        paths.paths.push(TreePath { nodes, end });
    }

    /// Expands a node that is not expanded yet. False if there is no room.
    pub(super) fn make_arms(&self, node: u32) -> bool {
        self.is_expanded(node) || !self.is_full() && self.expand(node)
    }

    /// Adds virtual loss to a node and the selected moves.
    fn add_virtual_loss(&self, node: u32, picks: &[u32]) {
        self.node(node).visits().begin();
        for role in self.roles_with_arms(node) {
            self.arm(node, role, picks[role]).visits().begin();
        }
    }

    /// Selects a move for each role.
    fn select_joint_move(
        &self,
        node: u32,
        rng: &mut Xoshiro256PlusPlus,
        fit: Option<AmafFit>,
        picks: &mut Vec<u32>,
    ) {
        let movers = self.movers(node);
        for role in 0..self.roles {
            picks.push(match self.stats(node, role).moves() {
                0 | 1 => 0,
                moves if self.chance[role] => rng.random_range(0..moves),
                _ => match movers {
                    Movers::One(_) if self.is_evaluated() => self.puct_move(node, role, rng),
                    Movers::One(_) => self.uct_move(node, role, rng, fit, |_| 1.0),
                    Movers::Several => {
                        self.uct_move(node, role, rng, None, |rng| rng.random_range(0.0..2.0))
                    }
                },
            });
        }
    }

    /// The move with the greatest upper confidence bound where moves are evaluated: a move with a great prior and few visits gets the most
    /// on top of what it is worth (PUCT). Otherwise as in [`Tree::uct_move`].
    fn puct_move(&self, node: u32, role: usize, rng: &mut Xoshiro256PlusPlus) -> u32 {
        let visits = self.node(node).visits().all().max(1) as f32;
        let exploration = PRIOR_EXPLORATION * self.statistics.deviation(role) * visits.sqrt();
        self.best_arm(node, role, rng, |_, arm, _| {
            let tries = arm.visits().all() as f32;
            (arm.worth(), exploration * arm.prior() / (1.0 + tries))
        })
    }

    /// The move with the greatest upper confidence bound (UCT: Kocsis and Szepesvári 2006, *Bandit based Monte-Carlo
    /// planning*). Evaluations under way count as visits without a value (Liu et al. 2020, *Watch the unobserved*). The
    /// first-play urgency of an unvisited move is the mean of its node.
    ///
    /// Where roles move simultaneously, the exploration term is perturbed at random. Without that, decoupled UCT selects
    /// correlated moves: the roles meet again and again in the same joint moves, and one of them overestimates its chances.
    /// With it, the average strategies come close to an equilibrium (follow the perturbed leader: Kalai and Vempala 2005,
    /// *Efficient algorithms for online decision problems*).
    fn uct_move(
        &self,
        node: u32,
        role: usize,
        rng: &mut Xoshiro256PlusPlus,
        fit: Option<AmafFit>,
        perturbation: impl Fn(&mut Xoshiro256PlusPlus) -> f32,
    ) -> u32 {
        let visits = self.node(node).visits().all().max(1) as f32;
        let deviation = self.statistics.deviation(role);
        let exploration = EXPLORATION * deviation * libm::logf(visits).max(0.0).sqrt();
        let predictor = fit.and_then(|fit| self.predictor(node, role, fit));
        let first_play = Prediction::none(self.expected(node, role) as f32);
        self.best_arm(node, role, rng, |number, arm, rng| {
            let visits = arm.visits();
            let prediction = match &predictor {
                Some((predictor, amafs)) => {
                    predictor.of(&MoveAmaf::from(&amafs[number as usize]), visits.done())
                }
                None => first_play,
            };
            let tries = visits.all() as f32 + prediction.visits;
            let worth = prediction.combined(arm.mean(), visits.done() as f32);
            (
                worth,
                perturbation(rng) * exploration / tries.max(1.0).sqrt(),
            )
        })
    }

    /// The move with the greatest sum of what it is worth and a bonus, as `worth` tells. Moves with a proved value, and moves proved to be
    /// worse than another one, are selected only if there is no other; so are, at the root, moves that repeat a state.
    fn best_arm(
        &self,
        node: u32,
        role: usize,
        rng: &mut Xoshiro256PlusPlus,
        worth: impl Fn(u32, Arm<'_>, &mut Xoshiro256PlusPlus) -> (f32, f32),
    ) -> u32 {
        let is_single = self.movers(node) != Movers::Several;
        let is_constant_sum = is_single && self.statistics.is_constant_sum();
        let proved = self.stats(node, role).bounds().lower();
        let repetitions = match node == self.root {
            true => &self.repetitions[..],
            false => &[],
        };
        let penalty = |number: u32, (lower, upper): (f32, f32)| {
            let is_known = is_constant_sum && (lower >= upper || upper < proved);
            let is_skipped = is_known || repetitions.contains(&number);
            if is_skipped { 1000.0 } else { 0.0 }
        };
        let arms = self.arms(node, role);
        // Ties are broken at random.
        let from = rng.random_range(0..arms.len());
        let (mut best, mut best_score) = (from as u32, f32::NEG_INFINITY);
        let (before, after): (&[ArmRow], &[ArmRow]) = arms.split_at(from);
        for (number, arm) in (from as u32..).zip(after).chain((0..).zip(before)) {
            let ((worth, bonus), bounds) = (worth(number, Arm(arm), rng), Arm(arm).bounds().get());
            let score = worth.max(bounds.0) + bonus - penalty(number, bounds);
            if score > best_score {
                (best, best_score) = (number, score);
            }
        }
        best
    }
}
