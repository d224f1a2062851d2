//! What the tree says of the moves at the root.

use std::cmp::Reverse;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::node::{Arm, Choosers, MOST, NOBODY};
use super::tree::Tree;

/// The longest line that is told.
const LONGEST_LINE: usize = 40;
/// Where several roles choose at once, moves tried less often than the favourite by more than this factor are not
/// played.
const FAVOUR: u32 = 4;

/// What the tree says of the root.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Verdict {
    /// The moves of the role and what they are expected to bring, best first.
    pub(super) moves: Vec<(u32, f64)>,
    /// Whether what the best one brings is certain.
    pub(super) is_certain: bool,
    /// Then, the steps to the end.
    pub(super) steps: u32,
}

/// The nodes passed and what is picked there by each role, from the root on.
pub(super) type Line = Vec<(u32, Vec<u32>)>;

impl Tree {
    /// Whether nothing more needs to be known of the root to move well.
    pub(super) fn is_decided(&self, role: usize) -> bool {
        self.is_settled(self.root) || self.side(self.root, role).low >= MOST
    }

    /// What is known of the moves of a role at the root. Where several roles choose at once, the first one is drawn from
    /// the seed, more often the more it was tried: whoever always plays the same can be foreseen.
    pub(super) fn verdict(&self, role: usize, seed: Option<u64>) -> Verdict {
        let root = self.root;
        let mut order = self.by_merit(root, role);
        let is_open = self.is_opened(root) && !self.is_decided(role);
        if let (Choosers::Many, Some(seed), true) = (self.choosers(root), seed, is_open) {
            self.mix(role, seed, &mut order);
        }
        let points = |&pick: &u32| match self.is_opened(root) {
            true if self.arms(root, role)[pick as usize].visits > 0 => {
                self.arms(root, role)[pick as usize].mean.into()
            }
            _ => self.expected(root, role),
        };
        let mut moves: Vec<(u32, f64)> = order.iter().map(|pick| (*pick, points(pick))).collect();
        let is_certain = self.is_decided(role);
        if is_certain {
            moves[0].1 = self.side(root, role).low.into();
        }
        Verdict {
            is_certain,
            steps: self.node(root).steps.into(),
            moves,
        }
    }

    /// The moves of a role in a node, best first: if all is known, those that bring the most, and soonest if that is
    /// good; else those tried most often, after what is known to bring more than these did.
    fn by_merit(&self, node: u32, role: usize) -> Vec<u32> {
        let side = self.side(node, role);
        let mut order: Vec<u32> = (0..side.moves).collect();
        if !self.is_opened(node) || order.len() < 2 {
            return order;
        }
        let arms = self.arms(node, role);
        let is_decided = side.low >= side.high || side.low >= MOST;
        let is_strict = self.choosers(node) != Choosers::Many && self.is_strict();
        let favourite = arms.iter().max_by_key(|arm| arm.visits);
        let usual = favourite.map_or(0.0, |arm| arm.mean);
        let merit = |arm: &Arm| {
            let is_sure = is_strict && arm.low >= arm.high;
            match is_decided {
                true => (arm.low >= side.low, false, self.haste(arm)),
                false => (
                    !is_strict || arm.high >= side.low,
                    is_sure && arm.low > usual,
                    arm.visits.into(),
                ),
            }
        };
        order.sort_by_key(|&pick| Reverse(merit(&arms[pick as usize])));
        order
    }

    /// How welcome the end is that comes of a move: the sooner the better for who gets more than half.
    fn haste(&self, arm: &Arm) -> i64 {
        if arm.child == NOBODY {
            return i64::MIN;
        }
        let steps: i64 = self.node(arm.child).steps.into();
        if arm.low > 50.0 { -steps } else { steps }
    }

    /// Moves one of the moves tried often to the front.
    fn mix(&self, role: usize, seed: u64, order: &mut [u32]) {
        let visits = |pick: u32| self.arms(self.root, role)[pick as usize].visits;
        let most = visits(order[0]);
        let serious = order
            .iter()
            .take_while(|&&pick| visits(pick).saturating_mul(FAVOUR) >= most);
        let weights: Vec<u32> = serious.map(|&pick| visits(pick).max(1)).collect();
        let mut drawn =
            Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..weights.iter().sum());
        let chosen = weights.iter().position(|&weight| {
            let is_it = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            is_it
        });
        order[..=chosen.unwrap_or(0)].rotate_right(1);
    }

    /// What is expected to be played after a role's first move.
    pub(super) fn line(&self, role: usize, first: u32) -> Line {
        let (mut line, mut node) = (Line::new(), self.root);
        while self.is_opened(node) && line.len() < LONGEST_LINE {
            let best = |other: usize| match (line.is_empty(), other == role) {
                (true, true) => first,
                _ => self.by_merit(node, other)[0],
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
