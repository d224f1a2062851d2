//! Which player takes which role, when players change roles.

use crate::game::is_chance;

/// One match of a series: which player takes which role, and the seed of the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleAssignment {
    /// The number of the match, counted from 0.
    pub number: u64,
    /// The number of its round: all matches of a round have the same opening, and every player takes every role once.
    pub round: u64,
    /// The player of each role.
    pub players: Vec<usize>,
    /// The seed of the match.
    pub seed: u64,
    /// The seed of the opening.
    pub opening_seed: u64,
}

impl RoleAssignment {
    /// The assignment of match `number`, where the first match has `seed`. With `swap`, the players change roles from match
    /// to match; without it, each match is a round.
    pub fn new(roles: &[String], number: u64, swap: bool, seed: u64) -> Self {
        let moving = roles.iter().filter(|role| !is_chance(role)).count();
        let games_of_round = if swap { moving.max(1) as u64 } else { 1 };
        let round = number / games_of_round;
        Self {
            number,
            round,
            players: players(roles, (number % games_of_round) as usize),
            seed: seed.wrapping_add(number),
            opening_seed: seed.wrapping_add(round * games_of_round),
        }
    }
}

/// The player of each role after `changes` changes: each change moves all players on by one role, except chance.
fn players(roles: &[String], changes: usize) -> Vec<usize> {
    let moving: Vec<usize> = (0..roles.len())
        .filter(|&role| !is_chance(&roles[role]))
        .collect();
    let mut players: Vec<usize> = (0..roles.len()).collect();
    for (index, &role) in moving.iter().enumerate() {
        players[role] = moving[(index + changes) % moving.len()];
    }
    players
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_change_roles_and_chance_stays() {
        let roles = ["red", "random", "blue"].map(str::to_owned);
        assert_eq!(players(&roles, 0), [0, 1, 2]);
        assert_eq!(players(&roles, 1), [2, 1, 0]);
        assert_eq!(players(&roles, 2), [0, 1, 2]);
    }

    #[test]
    fn every_player_takes_every_role_of_an_opening() {
        let roles = ["red", "random", "blue"].map(str::to_owned);
        let of = |number, swap| {
            let assignment = RoleAssignment::new(&roles, number, swap, 7);
            let RoleAssignment { round, players, .. } = assignment;
            (round, assignment.opening_seed, assignment.seed, players[0])
        };
        let swapping = [0, 1, 2, 3].map(|number| of(number, true));
        let expected = [(0, 7, 7, 0), (0, 7, 8, 2), (1, 9, 9, 0), (1, 9, 10, 2)];
        assert_eq!(swapping, expected);
        assert_eq!(of(3, false), (3, 10, 10, 0));
    }
}
