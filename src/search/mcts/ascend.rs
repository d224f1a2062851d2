//! The way back up: what was found out is added to the statistics, and what is certain is passed on.

use super::descend::{Path, Paths};
use super::node::{Choosers, LEAST, MOST, NOBODY};
use super::tree::Tree;

/// In states with more joint moves than this, nothing is concluded from what is certain of some.
const MOST_JOINTS: usize = 1024;

impl Tree {
    /// Takes back that an evaluation was under way.
    pub(super) fn abandon(&mut self, paths: &Paths, path: &Path) {
        for (node, picks) in paths.upwards(path, self.roles) {
            self.node_mut(node).pending -= 1;
            for (role, &pick) in picks.iter().enumerate() {
                self.arm_mut(node, role, pick).pending -= 1;
            }
        }
    }

    /// Adds to all nodes of a path what each role is worth at its end, where `leaf` is, if it has become a node.
    pub(super) fn ascend(&mut self, paths: &Paths, path: &Path, leaf: Option<u32>, values: &[f64]) {
        self.abandon(paths, path);
        let mut is_news = false;
        if let Some(leaf) = leaf {
            self.visit(leaf, values);
            is_news = self.is_tight(leaf);
        }
        for (node, picks) in paths.upwards(path, self.roles) {
            self.visit(node, values);
            is_news |= self.update_arms(node, picks, values);
            is_news = is_news && self.tighten(node);
        }
    }

    fn visit(&mut self, node: u32, values: &[f64]) {
        self.node_mut(node).visits += 1;
        for (role, value) in values.iter().enumerate() {
            self.side_mut(node, role).sum += value;
        }
    }

    /// Whether something is certain of the node.
    fn is_tight(&self, node: u32) -> bool {
        let tight = |role| {
            let side = self.side(node, role);
            side.low > LEAST || side.high < MOST
        };
        (0..self.roles).any(tight)
    }

    /// Adds an evaluation to the moves made. Says whether more is certain of one than was known here.
    fn update_arms(&mut self, node: u32, picks: &[u32], values: &[f64]) -> bool {
        let single = match self.choosers(node) {
            Choosers::One(role) => Some(role),
            Choosers::Many => None,
        };
        let mut is_news = false;
        for (role, &pick) in picks.iter().enumerate() {
            let child = match single {
                Some(chooser) if chooser == role => self.child(node, picks),
                _ => None,
            };
            let known = child.map(|child| (self.expected(child, role), *self.side(child, role)));
            let arm = self.arm_mut(node, role, pick);
            arm.visits += 1;
            match known {
                // The child may have been come by from elsewhere, too.
                Some((expected, side)) => {
                    arm.mean = expected as f32;
                    is_news |= (arm.low, arm.high) != (side.low, side.high);
                    (arm.low, arm.high) = (side.low, side.high);
                }
                None => arm.mean += (values[role] as f32 - arm.mean) / arm.visits as f32,
            }
        }
        is_news
    }

    /// Concludes from the children what each role can be sure of. Says whether that is more than was known.
    ///
    /// Bounds from below and above, for goals of any value (Cazenave and Saffidine 2010, *Score bounded Monte-Carlo tree
    /// search*): a role takes the best of its moves and fears the worst of all others', and chance takes its moves
    /// equally often.
    fn tighten(&mut self, node: u32) -> bool {
        let bounds = match self.choosers(node) {
            Choosers::One(role) => self.bounds_of_moves(node, role),
            Choosers::Many => self.bound_joint_moves(node),
        };
        let mut is_news = false;
        for (role, (low, high)) in bounds.into_iter().enumerate() {
            let side = self.side_mut(node, role);
            is_news |= low > side.low || high < side.high;
            side.low = side.low.max(low);
            side.high = side.high.min(high);
        }
        if is_news {
            self.node_mut(node).steps = self.steps(node);
        }
        is_news
    }

    /// What each role can be sure of, where one has the choice.
    fn bounds_of_moves(&self, node: u32, chooser: usize) -> Vec<(f32, f32)> {
        let children = self.arms(node, chooser);
        let count = children.len().max(1) as f32;
        let bounds = |role: usize| {
            let of_child = children.iter().map(|arm| self.bounds(arm.child, role));
            if self.chance[chooser] {
                let add = |sum: (f32, f32), (low, high)| (sum.0 + low, sum.1 + high);
                let (low, high) = of_child.fold((0.0, 0.0), add);
                (low / count, high / count)
            } else if role == chooser {
                let best = |best: (f32, f32), (low, high)| (best.0.max(low), best.1.max(high));
                of_child.fold((LEAST, LEAST), best)
            } else {
                of_child.fold((MOST, MOST), worse)
            }
        };
        (0..self.roles).map(bounds).collect()
    }

    fn bounds(&self, child: u32, role: usize) -> (f32, f32) {
        if child == NOBODY {
            return (LEAST, MOST);
        }
        let side = self.side(child, role);
        (side.low, side.high)
    }

    /// What each role can be sure of, where several have a choice: at least what its best move guarantees, and at most
    /// what it would get if it knew the others' moves. Notes the same of each move.
    fn bound_joint_moves(&mut self, node: u32) -> Vec<(f32, f32)> {
        let all = 0..self.roles;
        let moves: Vec<usize> = all
            .clone()
            .map(|role| self.side(node, role).moves as usize)
            .collect();
        let count = moves.iter().copied().fold(1, usize::saturating_mul);
        if count > MOST_JOINTS {
            return vec![(LEAST, MOST); self.roles];
        }
        let mut joints = Vec::with_capacity(count);
        for number in 0..count {
            let picks = digits(number, &moves);
            joints.push((self.child(node, &picks).unwrap_or(NOBODY), picks));
        }
        let mut bounds = Vec::with_capacity(self.roles);
        for role in all {
            let matrix = self.matrix(&joints, &moves, role);
            let sure = |row: &[(f32, f32)]| row.iter().copied().fold((MOST, MOST), worse);
            for (pick, row) in matrix.iter().enumerate() {
                let arm = self.arm_mut(node, role, pick as u32);
                (arm.low, arm.high) = sure(row);
            }
            let low = matrix.iter().map(|row| sure(row).0).fold(LEAST, f32::max);
            let best = |column: usize| matrix.iter().map(|row| row[column].1).fold(LEAST, f32::max);
            let columns = 0..matrix.first().map_or(0, Vec::len);
            bounds.push((low, columns.map(best).fold(MOST, f32::min)));
        }
        bounds
    }

    /// The bounds of a role by its own moves and the others' joint moves, given what comes of each joint move of all;
    /// the mean over what chance may do.
    fn matrix(
        &self,
        joints: &[(u32, Vec<u32>)],
        moves: &[usize],
        role: usize,
    ) -> Vec<Vec<(f32, f32)>> {
        let is_other = |other: &usize| *other != role && !self.chance[*other];
        let others: Vec<usize> = (0..moves.len()).filter(is_other).collect();
        let columns = others.iter().map(|&other| moves[other]).product();
        let chances = (joints.len() / (moves[role] * columns)) as f32;
        let mut matrix = vec![vec![(0.0, 0.0); columns]; moves[role]];
        for (child, picks) in joints {
            let column =
                |column: usize, &other: &usize| column * moves[other] + picks[other] as usize;
            let cell = &mut matrix[picks[role] as usize][others.iter().fold(0, column)];
            let (low, high) = self.bounds(*child, role);
            *cell = (cell.0 + low, cell.1 + high);
        }
        for (low, high) in matrix.iter_mut().flatten() {
            (*low, *high) = (*low / chances, *high / chances);
        }
        matrix
    }

    /// How many steps are left, if everyone makes for the best: the sooner the better for who gets more than half.
    fn steps(&self, node: u32) -> u16 {
        let Choosers::One(chooser) = self.choosers(node) else {
            return 1;
        };
        let low = self.side(node, chooser).low;
        let arms = self.arms(node, chooser).iter();
        let good = arms.filter(|arm| arm.child != NOBODY && arm.low >= low);
        let steps = good.map(|arm| self.node(arm.child).steps);
        let steps = if low > 50.0 && !self.chance[chooser] {
            steps.min()
        } else {
            steps.max()
        };
        steps.unwrap_or(0).saturating_add(1)
    }
}

/// The worse of two pairs of bounds.
fn worse(one: (f32, f32), other: (f32, f32)) -> (f32, f32) {
    (one.0.min(other.0), one.1.min(other.1))
}

/// The joint move of this number, the last role's move changing fastest.
fn digits(number: usize, moves: &[usize]) -> Vec<u32> {
    let mut rest = number;
    let digit = |moves: &usize| {
        let digit = rest % moves;
        rest /= moves;
        digit as u32
    };
    let mut digits: Vec<u32> = moves.iter().rev().map(digit).collect();
    digits.reverse();
    digits
}
