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

/// What a game was for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleOutcome {
    /// It has the highest goal, above 0, and not all have it.
    Won,
    /// Several players have the same goal, all of them.
    Drawn,
    /// Anything else.
    Lost,
}

/// What a game with these scores was for each of them.
pub fn outcomes(scores: &[(usize, u8)]) -> Vec<RoleOutcome> {
    let best = scores.iter().map(|(_, goal)| *goal).max().unwrap_or(0);
    let winners = scores.iter().filter(|(_, goal)| *goal == best).count();
    let is_draw = winners == scores.len() && scores.len() > 1;
    let of = |(_, goal): &(usize, u8)| match *goal {
        _ if is_draw => RoleOutcome::Drawn,
        goal if goal == best && goal > 0 => RoleOutcome::Won,
        _ => RoleOutcome::Lost,
    };
    scores.iter().map(of).collect()
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

    #[test]
    fn the_highest_goal_wins_unless_all_have_it() {
        use RoleOutcome::{Drawn, Lost, Won};
        let of = |goals: &[u8]| outcomes(&goals.iter().copied().enumerate().collect::<Vec<_>>());
        assert_eq!(of(&[75, 25]), [Won, Lost]);
        assert_eq!(of(&[50, 50]), [Drawn, Drawn]);
        assert_eq!(of(&[0, 0]), [Drawn, Drawn]);
        assert_eq!(of(&[40, 40, 20]), [Won, Won, Lost]);
        assert_eq!(of(&[100]), [Won]);
        assert_eq!(of(&[0]), [Lost]);
    }
}
