//! Who sits where, when players change roles.

use crate::game::is_chance;
use crate::play::Spec;

/// Which player takes each role, after so many changes: all move on by one, chance stays where it is.
pub(super) fn seating(specs: &[Spec], roles: &[String], changes: u64) -> Vec<usize> {
    let moving: Vec<usize> = (0..specs.len())
        .filter(|&role| !is_chance(&roles[role]))
        .collect();
    let mut seats: Vec<usize> = (0..specs.len()).collect();
    for (place, &role) in moving.iter().enumerate() {
        let shift = usize::try_from(changes % moving.len() as u64).unwrap_or(0);
        seats[role] = moving[(place + shift) % moving.len()];
    }
    seats
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_change_roles_and_chance_stays() {
        let roles = ["red", "random", "blue"].map(str::to_owned);
        let specs = [Spec::First, Spec::Random { seed: None }, Spec::First];
        assert_eq!(seating(&specs, &roles, 0), [0, 1, 2]);
        assert_eq!(seating(&specs, &roles, 1), [2, 1, 0]);
        assert_eq!(seating(&specs, &roles, 2), [0, 1, 2]);
    }
}
