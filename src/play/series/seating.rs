//! Which player takes which role, when players change roles.

use crate::game::is_chance;

/// One match of a series: which player takes which role, and what its chance is drawn from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seating {
    /// Which match it is, counted from 0.
    pub number: u64,
    /// Which round it belongs to: all matches of a round begin alike, and every player takes every role once.
    pub round: u64,
    /// Which player takes each role.
    pub players: Vec<usize>,
    /// What its chance is drawn from.
    pub seed: u64,
    /// What its opening is drawn from.
    pub opening_seed: u64,
}

impl Seating {
    /// The seating of a match, where the first match draws from `seed` and the players may `swap` roles from match to match;
    /// without that, each match is a round.
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

/// Which player takes each role, after so many changes: all move on by one, chance stays where it is.
fn players(roles: &[String], changes: usize) -> Vec<usize> {
    let moving: Vec<usize> = (0..roles.len())
        .filter(|&role| !is_chance(&roles[role]))
        .collect();
    let mut players: Vec<usize> = (0..roles.len()).collect();
    for (place, &role) in moving.iter().enumerate() {
        players[role] = moving[(place + changes) % moving.len()];
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
            let seating = Seating::new(&roles, number, swap, 7);
            let Seating { round, players, .. } = seating;
            (round, seating.opening_seed, seating.seed, players[0])
        };
        let swapping = [0, 1, 2, 3].map(|number| of(number, true));
        let expected = [(0, 7, 7, 0), (0, 7, 8, 2), (1, 9, 9, 0), (1, 9, 10, 2)];
        assert_eq!(swapping, expected);
        assert_eq!(of(3, false), (3, 10, 10, 0));
    }
}
