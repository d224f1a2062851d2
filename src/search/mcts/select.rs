//! Selection: paths from the root to leaves that are to be evaluated.

use std::ops::Range;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::amaf::Prediction;
use super::node::{Arm, Movers};
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
    /// Selects a path from the root to a leaf and adds virtual loss along it.
    pub(super) fn select(&mut self, rng: &mut Xoshiro256PlusPlus, paths: &mut TreePaths) {
        let begin = paths.nodes.len();
        let mut node = self.root;
        let end = loop {
            if self.is_proved(node) {
                break PathEnd::Proved(node);
            }
            let is_long = paths.nodes.len() - begin >= MAX_PATH;
            if is_long || self.node(node).is_on_path || !self.is_expanded(node) && self.is_full() {
                break PathEnd::Node(node);
            }
            if !self.is_expanded(node) {
                self.expand(node);
            }
            let first = paths.picks.len();
            self.select_joint_move(node, rng, &mut paths.picks);
            let picks = &paths.picks[first..];
            self.add_virtual_loss(node, picks);
            paths.nodes.push(node);
            match self.child(node, picks) {
                None => break PathEnd::NewChild,
                Some(child) => node = child,
            }
        };
        let nodes = begin..paths.nodes.len();
        for node in &paths.nodes[nodes.clone()] {
            self.node_mut(*node).is_on_path = false;
        }
        paths.paths.push(TreePath { nodes, end });
    }

    /// Adds virtual loss to a node and the selected moves.
    fn add_virtual_loss(&mut self, node: u32, picks: &[u32]) {
        let this = self.node_mut(node);
        this.virtual_loss += 1;
        this.is_on_path = true;
        for (role, &pick) in picks.iter().enumerate() {
            self.arm_mut(node, role, pick).virtual_loss += 1;
        }
    }

    /// Selects a move for each role.
    fn select_joint_move(&self, node: u32, rng: &mut Xoshiro256PlusPlus, picks: &mut Vec<u32>) {
        let is_single = self.movers(node) != Movers::Several;
        for role in 0..self.roles {
            picks.push(match self.stats(node, role).moves {
                0 | 1 => 0,
                moves if self.chance[role] => rng.random_range(0..moves),
                _ if is_single => self.uct_move(node, role, rng, |_| 1.0),
                _ => self.uct_move(node, role, rng, |rng| rng.random_range(0.0..2.0)),
            });
        }
    }

    /// The move with the greatest upper confidence bound (UCT: Kocsis and Szepesvári 2006, *Bandit based Monte-Carlo
    /// planning*). Evaluations under way count as visits without a value (Liu et al. 2020, *Watch the unobserved*). The
    /// first-play urgency of an unvisited move is the mean of its node. Moves with a proved value, and moves proved to be
    /// worse than another one, are selected only if there is no other; so are, at the root, moves that repeat a state.
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
        perturbation: impl Fn(&mut Xoshiro256PlusPlus) -> f32,
    ) -> u32 {
        let (this, stats) = (self.node(node), self.stats(node, role));
        let is_single = self.movers(node) != Movers::Several;
        let is_constant_sum = is_single && self.is_constant_sum();
        let visits = this.visits.saturating_add(this.virtual_loss).max(1) as f32;
        let deviation = self.deviations[role].std_dev();
        let exploration = EXPLORATION * deviation * visits.ln().max(0.0).sqrt();
        let by_prior = PRIOR_EXPLORATION * deviation * visits.sqrt();
        let is_evaluated = is_single && self.is_evaluated();
        let predictor = match is_single {
            true => self.predictor(node, role),
            false => None,
        };
        let first_play = self.expected(node, role) as f32;
        let repetitions = match node == self.root {
            true => &self.repetitions[..],
            false => &[],
        };
        let score = |number: u32, arm: &Arm, perturbation: f32| {
            let tries = arm.visits.saturating_add(arm.virtual_loss) as f32;
            let (worth, bonus) = match is_evaluated {
                true => (arm.worth(), by_prior * arm.prior / (1.0 + tries)),
                false => {
                    let prediction = match &predictor {
                        Some((predictor, amafs)) => {
                            predictor.of(&amafs[number as usize], arm.visits)
                        }
                        None => Prediction::none(first_play),
                    };
                    let tries = tries + prediction.visits;
                    let worth = prediction.combined(arm.mean, arm.visits as f32);
                    (worth, perturbation * exploration / tries.max(1.0).sqrt())
                }
            };
            let is_known = is_constant_sum && (arm.lower >= arm.upper || arm.upper < stats.lower);
            let is_skipped = is_known || repetitions.contains(&number);
            let penalty = if is_skipped { 1000.0 } else { 0.0 };
            worth.max(arm.lower) + bonus - penalty
        };
        // Ties are broken at random.
        let from = rng.random_range(0..stats.moves);
        let (mut best, mut best_score) = (from, f32::NEG_INFINITY);
        let (before, after) = self.arms(node, role).split_at(from as usize);
        for (number, arm) in (from..).zip(after).chain((0..).zip(before)) {
            let score = score(number, arm, perturbation(rng));
            if score > best_score {
                (best, best_score) = (number, score);
            }
        }
        best
    }
}
