//! Random walks through every shipped game.

use super::paths::joint_moves;
use super::position::{game, text};
use kolibri::catalog::{SHIPPED, Shipped};
use kolibri::conformance;
use kolibri::game::{Role, StateMachine};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Longer than any match: 80 turns a side of checkers with chains, 100 of lines of action.
const ENDLESS: usize = 2000;

#[test]
fn every_game_obeys_the_laws() {
    for shipped in SHIPPED {
        let game = game(shipped.text);
        conformance::check_engine(&game, 1, 2, 20).unwrap();
        let report = conformance::check(&game, 1, 2, 40).unwrap();
        assert_eq!(report.fault, None, "{}", shipped.name);
        assert_eq!(report.stuck, 0, "{}", shipped.name);
        assert_eq!(report.ends_without_goal, 0, "{}", shipped.name);
    }
}

/// The shipped games, puzzles left out.
fn of_two_roles() -> impl Iterator<Item = &'static Shipped> {
    SHIPPED.iter().filter(|game| game.name != "eight-puzzle")
}

/// Walks to the end of a match, and says whether it came; in every state the goals add up to 100.
fn walk_to_the_end(name: &str, seed: u64) -> bool {
    let game = game(text(name));
    let mut scratch = game.scratch();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = game.initial();
    for _ in 0..ENDLESS {
        let goals = (0..2).map(|role| game.goal(&mut scratch, &state, Role(role)));
        let sum: Option<u8> = goals.sum();
        assert_eq!(sum, Some(100), "{name}: {:?}", game.state_text(&state));
        let joints = joint_moves(&game, &mut scratch, &state);
        if game.is_terminal(&mut scratch, &state) {
            return true;
        }
        assert!(!joints.is_empty(), "{name}: {:?}", game.state_text(&state));
        let joint = &joints[rng.random_range(0..joints.len())];
        state = game.next(&mut scratch, &state, joint);
    }
    false
}

#[test]
fn every_match_ends_and_what_one_wins_the_other_loses() {
    for shipped in of_two_roles() {
        for seed in 0..3 {
            assert!(walk_to_the_end(shipped.name, seed), "{}", shipped.name);
        }
    }
}

/// In games with turns, exactly one role has a choice to make, or `noop` is all there is.
#[test]
fn the_waiting_role_has_noop() {
    for shipped in of_two_roles().filter(|game| game.name != "rock-paper-scissors") {
        let game = game(shipped.text);
        let (mut scratch, state) = (game.scratch(), game.initial());
        let joints = joint_moves(&game, &mut scratch, &state);
        for joint in joints {
            let texts = joint.iter().map(|&mv| game.move_text(mv));
            let waiting = texts.filter(|text| text == "noop").count();
            assert_eq!(waiting, 1, "{}", shipped.name);
        }
    }
}
