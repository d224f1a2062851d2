//! The result at the root: ranked moves, proved values, and principal variations.

use std::cmp::Reverse;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::node::{Arm, MAX_GOAL, Movers, NO_NODE};
use super::tree::Tree;
use crate::search::repetition::REPETITION_POINTS;

/// The length limit of lines.
pub(super) const MAX_LINE: usize = 40;
/// Where roles move simultaneously, moves with fewer visits than the most visited one by more than this factor are not
/// played.
const MIXING_FACTOR: u32 = 4;

/// The result at the root.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RootResult {
    /// The moves of the role and their estimated goals, best first.
    pub(super) moves: Vec<(u32, f64)>,
    /// Whether the goal of the best one is proved.
    pub(super) is_proved: bool,
    /// The distance to the end in plies, if it is proved.
    pub(super) plies: u32,
}

/// The nodes of a line from the root on, with the index of the move of each role.
pub(super) type NodeLine = Vec<(u32, Vec<u32>)>;

impl Tree {
    /// Whether the value of the root, or a win of `role`, is proved, so that the search can stop.
    pub(super) fn is_decided(&self, role: usize) -> bool {
        self.is_proved(self.root) || self.stats(self.root, role).bounds().lower() >= MAX_GOAL
    }

    /// The moves of a role at the root, best first. Where roles move simultaneously, the first one is drawn with
    /// probabilities in proportion to visits (a mixed strategy), since a pure strategy can be exploited.
    pub(super) fn root_result(&self, role: usize, seed: Option<u64>) -> RootResult {
        // Other threads may go on: what is proved now counts, and what is proved meanwhile does later.
        let (root, is_proved) = (self.root, self.is_decided(role));
        let mut order = self.ranked_moves(root, role);
        let is_open = self.is_expanded(root) && !is_proved;
        if let (Movers::Several, Some(seed), true) = (self.movers(root), seed, is_open) {
            self.draw_mixed(role, seed, &mut order);
        }
        if is_open {
            self.place_repetitions(role, &mut order);
        }
        let arms = match self.is_expanded(root) {
            true => self.arms(root, role),
            false => &[],
        };
        let points = |&pick: &u32| match arms.get(pick as usize).map(Arm) {
            Some(_) if self.repetitions.contains(&pick) && is_open => REPETITION_POINTS,
            Some(arm) if self.is_evaluated() && self.movers(root) == Movers::One(role) => {
                arm.worth().into()
            }
            Some(arm) if arm.visits().done() > 0 => arm.mean().into(),
            _ => self.expected(root, role),
        };
        let mut moves: Vec<(u32, f64)> = order.iter().map(|pick| (*pick, points(pick))).collect();
        if is_proved {
            moves[0].1 = self.stats(root, role).bounds().lower().into();
        }
        RootResult {
            is_proved,
            plies: self.node(root).plies(),
            moves,
        }
    }

    /// The moves of a role in a node, best first. If the value is proved, by value and then by distance to the end; else by
    /// visits, between moves that are proved to be worth more than the most visited open one and those proved to be worth less.
    fn ranked_moves(&self, node: u32, role: usize) -> Vec<u32> {
        let stats = self.stats(node, role);
        let mut order: Vec<u32> = (0..stats.moves()).collect();
        if !self.is_expanded(node) || order.len() < 2 {
            return order;
        }
        let arms = self.arms(node, role);
        let (proved, most) = stats.bounds().get();
        let is_decided = proved >= most || proved >= MAX_GOAL;
        let is_constant_sum =
            self.movers(node) != Movers::Several && self.statistics.is_constant_sum();
        let is_exact = |(lower, upper): (f32, f32)| is_constant_sum && lower >= upper;
        let repeats = |pick| node == self.root && self.repetitions.contains(&pick);
        let open = (0..).zip(arms.iter().map(Arm));
        let open = open.filter(|&(pick, arm)| !is_exact(arm.bounds().get()) && !repeats(pick));
        let expected = open.max_by_key(|(_, arm)| arm.visits().done());
        let expected = expected.map_or(0.0, |(_, arm)| self.worth(arm));
        // What is known exactly comes before all that is open, or after it.
        let place = |bounds: (f32, f32)| match is_exact(bounds) {
            true if bounds.0 > expected => 2,
            true => 0,
            false => 1,
        };
        let rank = |arm: Arm<'_>| {
            let bounds = arm.bounds().get();
            match is_decided {
                true => (bounds.0 >= proved, 0, self.distance_preference(arm)),
                false => (
                    !is_constant_sum || bounds.1 >= proved,
                    place(bounds),
                    arm.visits().done().into(),
                ),
            }
        };
        // Other threads may go on: each move is looked at once.
        order.sort_by_cached_key(|&pick| Reverse(rank(Arm(&arms[pick as usize]))));
        order
    }

    /// What a move is worth, as far as it was looked at, and within what is proved of it.
    fn worth(&self, arm: Arm<'_>) -> f32 {
        let worth = match self.is_evaluated() {
            true => arm.worth(),
            false => arm.mean(),
        };
        let (lower, upper) = arm.bounds().get();
        worth.max(lower).min(upper)
    }

    /// Puts moves that repeat a state last, or first where the best of the others is worth less.
    fn place_repetitions(&self, role: usize, order: &mut Vec<u32>) {
        let repeats = |pick: &u32| self.repetitions.contains(pick);
        let (repeating, others): (Vec<u32>, Vec<u32>) =
            order.iter().partition(|&pick| repeats(pick));
        let arms = self.arms(self.root, role);
        let best = others.first().and_then(|&pick| arms.get(pick as usize));
        *order = match best.map(|arm| f64::from(self.worth(Arm(arm)))) {
            Some(best) if best < REPETITION_POINTS => [repeating, others].concat(),
            _ => [others, repeating].concat(),
        };
    }

    /// The preference by distance to the end: a short one if the proved goal is more than half, else a long one.
    fn distance_preference(&self, arm: Arm<'_>) -> i64 {
        if arm.child() == NO_NODE {
            return i64::MIN;
        }
        let plies: i64 = self.node(arm.child()).plies().into();
        if arm.bounds().lower() > 50.0 {
            -plies
        } else {
            plies
        }
    }

    /// Moves one of the most visited moves to the front, drawn in proportion to visits.
    fn draw_mixed(&self, role: usize, seed: u64, order: &mut [u32]) {
        let visits = |pick: u32| self.arm(self.root, role, pick).visits().done();
        let most = visits(order[0]);
        let candidates = order
            .iter()
            .take_while(|&&pick| visits(pick).saturating_mul(MIXING_FACTOR) >= most);
        let weights: Vec<u32> = candidates.map(|&pick| visits(pick).max(1)).collect();
        let mut drawn =
            Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..weights.iter().sum());
        let chosen = weights.iter().position(|&weight| {
            let is_it = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            is_it
        });
        order[..=chosen.unwrap_or(0)].rotate_right(1);
    }

    /// The principal variation after a role's first move, of at most so many nodes.
    pub(super) fn line(&self, role: usize, first: u32, most: usize) -> NodeLine {
        let (mut line, mut node) = (NodeLine::new(), self.root);
        while self.is_expanded(node) && line.len() < most {
            let best = |other: usize| match (line.is_empty(), other == role) {
                (true, true) => first,
                _ => self.ranked_moves(node, other)[0],
            };
            let picks: Vec<u32> = (0..self.roles).map(best).collect();
            let child = self.child(node, &picks);
            line.push((node, picks));
            match child {
                Some(child) if line.iter().all(|(passed, _)| *passed != child) => node = child,
                _ => break,
            }
        }
        line
    }
}
