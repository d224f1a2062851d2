//! Joint moves: what all roles do at once.

use std::ops::Range;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Role, StateMachine};

/// Whether the role of this name is played by chance: GDL's `random`.
pub fn is_chance(role: &str) -> bool {
    role.eq_ignore_ascii_case("random")
}

/// Replaces the contents of `legal` by the legal moves of every role, in role order.
pub fn legal_of_all<G: StateMachine>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
    legal: &mut Vec<Vec<G::Move>>,
) {
    legal.resize_with(game.roles().len(), Vec::new);
    for (role, moves) in legal.iter_mut().enumerate() {
        game.legal(scratch, state, Role(role), moves);
    }
}

/// Every combination of one move per role, the last role's move changing fastest.
///
/// None at all where a role has no move. Lends each joint move, so that a walk allocates once per state:
///
/// ```
/// use kolibri::game::JointMoves;
///
/// let legal = [vec!["a", "b"], vec!["noop"]];
/// let mut joints = JointMoves::new(&legal);
/// assert_eq!(joints.count(), 2);
/// assert_eq!(joints.advance(), Some(&["a", "noop"][..]));
/// assert_eq!(joints.advance(), Some(&["b", "noop"][..]));
/// assert_eq!(joints.advance(), None);
/// ```
#[derive(Debug, Clone)]
pub struct JointMoves<'m, M> {
    legal: &'m [Vec<M>],
    count: u64,
    next: u64,
    joint: Vec<M>,
}

impl<'m, M: Copy> JointMoves<'m, M> {
    /// The combinations of `legal`, one list per role.
    pub fn new(legal: &'m [Vec<M>]) -> Self {
        let sizes = legal.iter().map(|moves| moves.len() as u64);
        Self {
            legal,
            count: sizes.fold(1, u64::saturating_mul),
            next: 0,
            joint: Vec::with_capacity(legal.len()),
        }
    }

    /// How many there are, capped at the largest `u64`.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The next one.
    pub fn advance(&mut self) -> Option<&[M]> {
        if self.next >= self.count {
            return None;
        }
        self.joint.clear();
        push_joint_move(self.legal, self.next, &mut self.joint);
        self.next += 1;
        Some(&self.joint)
    }
}

/// One of `legal` per role, each equally likely; `None` where a role has no move.
pub fn random_joint_move<M: Copy>(
    legal: &[Vec<M>],
    rng: &mut Xoshiro256PlusPlus,
) -> Option<Vec<M>> {
    let pick = |moves: &Vec<M>| match moves.len() {
        0 => None,
        choices => Some(moves[rng.random_range(0..choices)]),
    };
    legal.iter().map(pick).collect()
}

/// Appends the joint move that comes after `number` others in [`JointMoves`], of which there must be more than that.
fn push_joint_move<M: Copy>(legal: &[Vec<M>], number: u64, joints: &mut Vec<M>) {
    let begin = joints.len();
    joints.extend(legal.iter().map(|moves| moves[0]));
    let mut rest = number;
    for (mv, moves) in joints[begin..].iter_mut().zip(legal).rev() {
        let choices = moves.len() as u64;
        if choices > 1 {
            *mv = moves[(rest % choices) as usize];
            rest /= choices;
        }
    }
}

/// Appends the joint moves of these numbers, in the order of [`JointMoves`]; there must be as many.
pub fn push_joint_moves<M: Copy>(legal: &[Vec<M>], numbers: Range<u64>, joints: &mut Vec<M>) {
    let Some(fastest) = legal.iter().rposition(|moves| moves.len() > 1) else {
        return numbers.for_each(|number| push_joint_move(legal, number, joints));
    };
    let choices = legal[fastest].len() as u64;
    let mut number = numbers.start;
    while number < numbers.end {
        let first = joints.len();
        push_joint_move(legal, number, joints);
        // The moves of the other roles change only after all of its moves.
        let at = number % choices;
        let count = (choices - at).min(numbers.end - number);
        for &next in &legal[fastest][at as usize..][1..count as usize] {
            for role in 0..legal.len() {
                let same = joints[first + role];
                joints.push(if role == fastest { next } else { same });
            }
        }
        number += count;
    }
}

#[cfg(test)]
mod tests {
    use super::{JointMoves, push_joint_move, push_joint_moves};

    fn all(legal: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let mut joints = JointMoves::new(legal);
        let mut seen = Vec::new();
        while let Some(joint) = joints.advance() {
            seen.push(joint.to_vec());
        }
        seen
    }

    #[test]
    fn every_combination_comes_once() {
        let legal = [vec![1, 2], vec![3], vec![4, 5]];
        let expected = [[1, 3, 4], [1, 3, 5], [2, 3, 4], [2, 3, 5]];
        assert_eq!(all(&legal), expected.map(Vec::from));
    }

    #[test]
    fn many_at_once_are_the_same_as_one_by_one() {
        for legal in [
            vec![vec![1, 2, 3], vec![4, 5], vec![6]],
            vec![vec![1], vec![2]],
        ] {
            let count = JointMoves::new(&legal).count();
            for start in 0..=count {
                for end in start..=count {
                    let (mut one_by_one, mut at_once) = (Vec::new(), Vec::new());
                    (start..end)
                        .for_each(|number| push_joint_move(&legal, number, &mut one_by_one));
                    push_joint_moves(&legal, start..end, &mut at_once);
                    assert_eq!(at_once, one_by_one, "{start}..{end}");
                }
            }
        }
    }

    #[test]
    fn a_role_without_a_move_leaves_none() {
        assert!(all(&[vec![1], vec![]]).is_empty());
    }
}
