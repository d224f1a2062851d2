//! What the end of a game is worth to a role, even where the rules give it no goal, or several.

use super::Value;
use crate::game::{Role, is_chance};

/// The goal of `role` at the end of a game, where `goal` has those that the rules give. If it has none, or several, but the only other player has
/// one, it is what that leaves of 100; otherwise 50.
pub(super) fn goal_of_end(
    role: Role,
    roles: &[String],
    mut goal: impl FnMut(Role) -> Option<u8>,
) -> u8 {
    if let Some(own) = goal(role) {
        return own;
    }
    let other = only_other_player(role, roles).and_then(goal);
    other.map_or(Value::UNKNOWN.goal(), |other| 100_u8.saturating_sub(other))
}

/// The mean of that over several ends, of which `goals` has the sum of the goals that the rules give a role, and the number of ends that give it one;
/// none where no end gives a goal. It is exact where two players share 100 points and one of them has a goal at every end.
pub(super) fn mean_goal_of_ends(
    role: Role,
    roles: &[String],
    goals: impl Fn(Role) -> (u64, u64),
) -> Option<f64> {
    let mean = |(sum, count): (u64, u64)| (count > 0).then(|| sum as f64 / count as f64);
    let own = goals(role);
    let others = only_other_player(role, roles).map(goals);
    match others.filter(|(_, count)| *count > own.1) {
        Some(others) => mean(others).map(|mean| 100.0 - mean),
        None => mean(own),
    }
}

/// The only other role of two, unless one of them is chance.
fn only_other_player(role: Role, roles: &[String]) -> Option<Role> {
    let other = Role(1 - role.0.min(1));
    let are_players = roles.len() == 2 && !roles.iter().any(|role| is_chance(role));
    are_players.then_some(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles<const N: usize>(names: [&str; N]) -> Vec<String> {
        names.map(str::to_owned).to_vec()
    }

    #[test]
    fn a_missing_goal_is_what_the_other_one_leaves() {
        let two = roles(["red", "black"]);
        let of = |role, goals: [Option<u8>; 2]| goal_of_end(Role(role), &two, |role| goals[role.0]);
        assert_eq!([of(0, [Some(0), None]), of(1, [Some(0), None])], [0, 100]);
        assert_eq!([of(0, [None, Some(70)]), of(1, [None, Some(70)])], [30, 70]);
        assert_eq!([of(0, [None, None]), of(1, [None, None])], [50, 50]);
        assert_eq!(
            [of(0, [Some(90), Some(20)]), of(1, [Some(90), Some(20)])],
            [90, 20]
        );
    }

    #[test]
    fn chance_and_many_roles_tell_nothing_of_a_missing_goal() {
        let goal = |role: Role| (role.0 > 0).then_some(0);
        for others in [roles(["a"]), roles(["a", "random"]), roles(["a", "b", "c"])] {
            assert_eq!(goal_of_end(Role(0), &others, goal), 50);
        }
    }

    #[test]
    fn means_count_ends_without_a_goal() {
        let two = roles(["red", "black"]);
        // Of four ends, black has no goal in the two that red loses.
        let goals = |role: Role| [(150, 4), (50, 2)][role.0];
        let mean = |role| mean_goal_of_ends(Role(role), &two, goals);
        assert_eq!([mean(0), mean(1)], [Some(37.5), Some(62.5)]);
        assert_eq!(mean_goal_of_ends(Role(0), &two, |_| (0, 0)), None);
        let alone = roles(["red"]);
        assert_eq!(mean_goal_of_ends(Role(0), &alone, |_| (30, 2)), Some(15.0));
    }
}
