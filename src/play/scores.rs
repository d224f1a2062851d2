//! The result of a game for its players.

use crate::game::is_chance;

/// The goal of every role except chance, with the number of the role. `None` if one of them has no goal, or if chance is
/// the only role: then there is no result.
///
/// Chance has no result, because rule files need not give it a goal.
pub fn scores(roles: &[String], goals: &[Option<u8>]) -> Option<Vec<(usize, u8)>> {
    let all = roles.iter().zip(goals).enumerate();
    let players = all.filter(|(_, (role, _))| !is_chance(role));
    let known: Option<Vec<_>> = players
        .map(|(role, (_, goal))| Some((role, (*goal)?)))
        .collect();
    known.filter(|scores| !scores.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_needs_no_goal() {
        let roles = ["red", "random", "blue"].map(str::to_owned);
        let result = |goals: [Option<u8>; 3]| scores(&roles, &goals);
        let both = Some(vec![(0, 30), (2, 70)]);
        assert_eq!(result([Some(30), None, Some(70)]), both);
        assert_eq!(result([Some(30), Some(100), Some(70)]), both);
        assert_eq!(result([Some(30), Some(100), None]), None);
        assert_eq!(scores(&roles[1..2], &[Some(100)]), None);
    }
}
