//! Backpropagation of evaluations and of proved bounds.

use super::amaf::AmafSample;
use super::node::{Arm, MAX_GOAL, MIN_GOAL, Movers, NO_NODE};
use super::select::{TreePath, TreePaths};
use super::tree::Tree;

/// No bounds are derived in simultaneous nodes with more joint moves than this.
const MAX_JOINT_MOVES: usize = 1024;

impl Tree {
    /// Takes back the virtual loss along a path.
    pub(super) fn remove_virtual_loss(&self, paths: &TreePaths, path: &TreePath) {
        for (node, picks) in paths.upwards(path, self.roles) {
            self.node(node).visits().give_up();
            for role in self.roles_with_arms(node) {
                self.arm(node, role, picks[role]).visits().give_up();
            }
        }
    }

    /// Adds the value of every role at the end of a path to all its nodes. `leaf` is the node at its end, if there is one. What evaluations
    /// tell of AMAF means is added to `samples`.
    pub(super) fn backpropagate(
        &self,
        paths: &TreePaths,
        path: &TreePath,
        (leaf, values): (Option<u32>, &[f64]),
        samples: &mut Vec<AmafSample>,
    ) {
        let mut is_changed = false;
        if let Some(leaf) = leaf {
            // Other threads may see the sum before the visit, but no visit without a value.
            self.add_values(leaf, values);
            self.node(leaf).visits().add();
            is_changed = self.has_proved_bound(leaf);
        }
        for (node, picks) in paths.upwards(path, self.roles) {
            samples.extend(self.amaf_sample(node, picks, values));
            self.add_values(node, values);
            self.node(node).visits().finish();
            is_changed |= self.update_arms(node, picks, values);
            is_changed = is_changed && self.update_bounds(node);
            if self.is_evaluated() {
                self.update_minimax(node);
            }
        }
    }

    /// Derives what the roles can get in a node, whose sum is 100, from what they can get after each move; where both have a choice, it is
    /// the mean over all visits.
    fn update_minimax(&self, node: u32) {
        match self.movers(node) {
            Movers::One(mover) => {
                let arms = self.arms(node, mover).iter();
                let best = arms.fold(f32::NEG_INFINITY, |best, arm| best.max(Arm(arm).minimax()));
                self.stats(node, mover).set_minimax(best);
                self.stats(node, 1 - mover).set_minimax(MAX_GOAL - best);
            }
            Movers::Several => {
                for role in 0..self.roles {
                    let expected = self.expected(node, role) as f32;
                    self.stats(node, role).set_minimax(expected);
                }
            }
        }
    }

    fn add_values(&self, node: u32, values: &[f64]) {
        for (role, &value) in values.iter().enumerate() {
            self.stats(node, role).add(value);
        }
    }

    /// Whether a bound of any role is proved in the node.
    fn has_proved_bound(&self, node: u32) -> bool {
        let is_bounded = |role| {
            let (lower, upper) = self.stats(node, role).bounds().get();
            lower > MIN_GOAL || upper < MAX_GOAL
        };
        (0..self.roles).any(is_bounded)
    }

    /// Adds an evaluation to the selected moves. Returns whether the proved bounds of one of them have changed.
    fn update_arms(&self, node: u32, picks: &[u32], values: &[f64]) -> bool {
        let is_single = self.movers(node) != Movers::Several;
        let mut is_changed = false;
        for role in self.roles_with_arms(node) {
            let arm = self.arm(node, role, picks[role]);
            let visits = arm.visits().finish();
            match arm.child() {
                // The child may have been visited by a transposition, too.
                child if is_single && child != NO_NODE => {
                    let stats = self.stats(child, role);
                    let (lower, upper) = stats.bounds().get();
                    is_changed |= arm.bounds().tighten((lower, upper));
                    let minimax = stats.minimax().clamp(lower, upper);
                    arm.set_values((self.expected(child, role) as f32, minimax));
                }
                _ => arm.add_to_mean(values[role] as f32, visits),
            }
        }
        is_changed
    }

    /// Derives the bounds of a node from those of its children. Returns whether they became tighter.
    ///
    /// Lower and upper bounds for goals of any value (Cazenave and Saffidine 2010, *Score bounded Monte-Carlo tree
    /// search*): the maximum over the role's own moves, the minimum over the moves of others, the mean over the moves of
    /// chance.
    pub(super) fn update_bounds(&self, node: u32) -> bool {
        let bounds = match self.movers(node) {
            Movers::One(role) => {
                self.update_arm_bounds(node, role);
                self.single_mover_bounds(node, role)
            }
            Movers::Several => self.simultaneous_bounds(node),
        };
        let mut is_changed = false;
        for (role, bounds) in bounds.into_iter().enumerate() {
            is_changed |= self.stats(node, role).bounds().tighten(bounds);
        }
        if is_changed || self.is_proved(node) {
            // Another thread may have proved the node before the distances of its children were known.
            let plies = self.plies(node);
            is_changed |= plies != self.node(node).plies();
            self.node(node).set_plies(plies);
        }
        is_changed
    }

    /// Takes over what is proved of the children of a node: of some of them by other ways to the same states.
    fn update_arm_bounds(&self, node: u32, mover: usize) {
        for arm in self.arms(node, mover) {
            let bounds = self.bounds(Arm(arm).child(), mover);
            Arm(arm).bounds().tighten(bounds);
        }
    }

    /// The bounds of every role where one role has the choice.
    fn single_mover_bounds(&self, node: u32, mover: usize) -> Vec<(f32, f32)> {
        let children = self.arms(node, mover);
        let count = children.len().max(1) as f32;
        let bounds = |role: usize| {
            let of_child = children
                .iter()
                .map(|arm| self.bounds(Arm(arm).child(), role));
            if self.chance[mover] {
                let add = |sum: (f32, f32), (lower, upper)| (sum.0 + lower, sum.1 + upper);
                let (lower, upper) = of_child.fold((0.0, 0.0), add);
                (lower / count, upper / count)
            } else if role == mover {
                let best =
                    |best: (f32, f32), (lower, upper)| (best.0.max(lower), best.1.max(upper));
                of_child.fold((MIN_GOAL, MIN_GOAL), best)
            } else {
                of_child.fold((MAX_GOAL, MAX_GOAL), minimum)
            }
        };
        (0..self.roles).map(bounds).collect()
    }

    fn bounds(&self, child: u32, role: usize) -> (f32, f32) {
        if child == NO_NODE {
            return (MIN_GOAL, MAX_GOAL);
        }
        self.stats(child, role).bounds().get()
    }

    /// The bounds of every role in a simultaneous node: from below by what its best move guarantees (maximin), from above
    /// by what it would get if it knew the others' moves (minimax). Updates the bounds of each move, too.
    fn simultaneous_bounds(&self, node: u32) -> Vec<(f32, f32)> {
        let all = 0..self.roles;
        let moves: Vec<usize> = all
            .clone()
            .map(|role| self.stats(node, role).moves() as usize)
            .collect();
        let count = moves.iter().copied().fold(1, usize::saturating_mul);
        if count > MAX_JOINT_MOVES {
            return vec![(MIN_GOAL, MAX_GOAL); self.roles];
        }
        let mut joint_moves = Vec::with_capacity(count);
        for number in 0..count {
            let picks = joint_move(number, &moves);
            joint_moves.push((self.child(node, &picks).unwrap_or(NO_NODE), picks));
        }
        let mut bounds = Vec::with_capacity(self.roles);
        for role in all {
            let matrix = self.matrix(&joint_moves, &moves, role);
            let guaranteed =
                |row: &[(f32, f32)]| row.iter().copied().fold((MAX_GOAL, MAX_GOAL), minimum);
            for (pick, row) in matrix.iter().enumerate() {
                let arm = self.arm(node, role, pick as u32);
                arm.bounds().tighten(guaranteed(row));
            }
            let lower = matrix
                .iter()
                .map(|row| guaranteed(row).0)
                .fold(MIN_GOAL, f32::max);
            let best = |column: usize| {
                matrix
                    .iter()
                    .map(|row| row[column].1)
                    .fold(MIN_GOAL, f32::max)
            };
            let columns = 0..matrix.first().map_or(0, Vec::len);
            bounds.push((lower, columns.map(best).fold(MAX_GOAL, f32::min)));
        }
        bounds
    }

    /// The bounds of a role by its own moves (rows) and the others' joint moves (columns), given the child by each joint
    /// move of all; the mean over the moves of chance.
    fn matrix(
        &self,
        joint_moves: &[(u32, Vec<u32>)],
        moves: &[usize],
        role: usize,
    ) -> Vec<Vec<(f32, f32)>> {
        let is_other = |other: &usize| *other != role && !self.chance[*other];
        let others: Vec<usize> = (0..moves.len()).filter(is_other).collect();
        let columns = others.iter().map(|&other| moves[other]).product();
        let chances = (joint_moves.len() / (moves[role] * columns)) as f32;
        let mut matrix = vec![vec![(0.0, 0.0); columns]; moves[role]];
        for (child, picks) in joint_moves {
            let column =
                |column: usize, &other: &usize| column * moves[other] + picks[other] as usize;
            let cell = &mut matrix[picks[role] as usize][others.iter().fold(0, column)];
            let (lower, upper) = self.bounds(*child, role);
            *cell = (cell.0 + lower, cell.1 + upper);
        }
        for (lower, upper) in matrix.iter_mut().flatten() {
            (*lower, *upper) = (*lower / chances, *upper / chances);
        }
        matrix
    }

    /// The distance to the end in plies under best play: a role that gets more than half prefers a short one.
    fn plies(&self, node: u32) -> u32 {
        let Movers::One(mover) = self.movers(node) else {
            return 1;
        };
        let lower = self.stats(node, mover).bounds().lower();
        let arms = self.arms(node, mover).iter().map(Arm);
        let good = arms.filter(|arm| arm.child() != NO_NODE && arm.bounds().lower() >= lower);
        let plies = good.map(|arm| self.node(arm.child()).plies());
        let plies = if lower > 50.0 && !self.chance[mover] {
            plies.min()
        } else {
            plies.max()
        };
        plies.unwrap_or(0).saturating_add(1)
    }
}

/// The minimum of two pairs of bounds.
fn minimum(one: (f32, f32), other: (f32, f32)) -> (f32, f32) {
    (one.0.min(other.0), one.1.min(other.1))
}

/// The joint move of this index; the last role's move varies fastest.
fn joint_move(number: usize, moves: &[usize]) -> Vec<u32> {
    let mut rest = number;
    let digit = |moves: &usize| {
        let digit = rest % moves;
        rest /= moves;
        digit as u32
    };
    let mut joint_move: Vec<u32> = moves.iter().rev().map(digit).collect();
    joint_move.reverse();
    joint_move
}
