//! Openings: first steps that nobody chose, so that games between the same players differ.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::play::Table;

/// Openings that end the game are drawn again, so often.
const TRIES: usize = 100;

/// The joint moves of the first `steps` steps from the present state, each move drawn from `seed` with equal chances, after
/// which the game still goes on; `None` if it always ended. `table` is left as it was.
pub fn opening(table: &mut dyn Table, steps: usize, seed: u64) -> Option<Vec<Vec<String>>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..TRIES).find_map(|_| drawn(table, steps, &mut rng))
}

/// One try.
fn drawn(
    table: &mut dyn Table,
    steps: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<Vec<Vec<String>>> {
    let mut joints = Vec::with_capacity(steps);
    while joints.len() < steps {
        let mut draw = |role| {
            let legal = table.legal(role);
            let drawn = rng.random_range(0..legal.len().max(1));
            legal.get(drawn).cloned()
        };
        let joint: Option<Vec<String>> = (0..table.roles().len()).map(&mut draw).collect();
        let Some(joint) = joint.filter(|joint| table.play(joint).is_ok()) else {
            break;
        };
        joints.push(joint);
    }
    let goes_on = joints.len() == steps && !table.is_terminal();
    joints.iter().for_each(|_| {
        table.undo();
    });
    goes_on.then_some(joints)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::toy::Subtraction;
    use crate::play::Seat;

    #[test]
    fn an_opening_leaves_a_game_to_be_played() {
        let game = Subtraction::new(8, 3);
        let mut table = Seat::new(&game);
        let openings: Vec<_> = (0..20)
            .map(|seed| opening(&mut table, 4, seed).unwrap())
            .collect();
        assert!(table.history().is_empty());
        assert!(openings.iter().any(|other| *other != openings[0]));
        for joints in openings {
            joints.iter().for_each(|joint| table.play(joint).unwrap());
            assert!(!table.is_terminal());
            while table.undo() {}
        }
        assert_eq!(opening(&mut table, 0, 1), Some(Vec::new()));
    }

    #[test]
    fn no_opening_is_as_long_as_the_game() {
        let game = Subtraction::new(3, 1);
        let mut table = Seat::new(&game);
        assert!(opening(&mut table, 2, 1).is_some());
        assert_eq!(opening(&mut table, 3, 1), None);
        assert_eq!(opening(&mut table, 9, 1), None);
        assert!(table.history().is_empty());
    }
}
