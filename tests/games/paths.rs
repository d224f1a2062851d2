//! Numbers of move sequences, against figures known from elsewhere.

use super::position::{game, text};
use super::sizes::kolibrat_rules;
use kolibri::game::{JointMoves, StateMachine, legal_of_all};
use std::collections::HashMap;

/// Sequences of joint moves at depths 1, 2, … up to `depth`; equal states are counted together.
fn paths(name: &str, depth: usize) -> Vec<u64> {
    paths_of(text(name), depth)
}

fn paths_of(rules: &str, depth: usize) -> Vec<u64> {
    let game = game(rules);
    let mut scratch = game.scratch();
    let mut states = HashMap::from([(game.initial(), 1)]);
    let mut counts = Vec::new();
    for level in 1..=depth {
        let mut following = HashMap::new();
        let mut count = 0;
        for (state, times) in states {
            for joint in joint_moves(&game, &mut scratch, &state) {
                count += times;
                if level < depth {
                    let next = game.next(&mut scratch, &state, &joint);
                    *following.entry(next).or_insert(0) += times;
                }
            }
        }
        counts.push(count);
        states = following;
    }
    counts
}

/// Every joint move of a state, none where the game is over.
pub(super) fn joint_moves<G: StateMachine>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
) -> Vec<Vec<G::Move>> {
    if game.is_terminal(scratch, state) {
        return Vec::new();
    }
    let mut legal = Vec::new();
    legal_of_all(game, scratch, state, &mut legal);
    let mut joints = JointMoves::new(&legal);
    let mut found = Vec::new();
    while let Some(joint) = joints.advance() {
        found.push(joint.to_vec());
    }
    found
}

fn assert_paths(name: &str, expected: &[u64]) {
    assert_eq!(paths(name, expected.len()), expected, "{name}");
}

#[test]
fn tictactoe_to_the_end() {
    let whole_tree = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0];
    assert_paths("tictactoe", &whole_tree);
}

#[test]
fn kolibrat() {
    let known = [3, 9, 30, 100, 404, 1630, 7036, 29874, 133_536, 589_096];
    assert_paths("kolibrat", &known);
}

/// The boards for which figures are published.
#[test]
fn kolibrat_of_other_sizes() {
    let assert_paths = |sizes, known: &[u64]| {
        assert_eq!(
            paths_of(&kolibrat_rules(sizes), known.len()),
            known,
            "{sizes:?}"
        );
    };
    assert_paths(
        [3, 4, 4, 1],
        &[3, 9, 30, 100, 404, 1630, 7036, 29784, 132_982, 581_274],
    );
    assert_paths(
        [3, 3, 4, 1],
        &[3, 9, 30, 102, 398, 1448, 5310, 18024, 65390, 221_084],
    );
    assert_paths([2, 2, 2, 1], &[2, 4, 8, 12, 22, 34, 42, 30, 14, 0]);
    assert_paths([4, 5, 5, 5], &[4, 16, 72, 324, 1692, 8842, 50652]);
}

/// The two variants part at depth 13, with the fifth piece of one side. Figures from a program written for the purpose.
#[test]
fn kolibrat_variants_part_with_the_fifth_piece() {
    let standard = paths("kolibrat", 13);
    let berger = paths("kolibrat-berger", 13);
    assert_eq!(standard[..12], berger[..12]);
    assert_eq!((standard[12], berger[12]), (54_311_280, 55_427_752));
}

#[test]
fn checkers_by_plies() {
    assert_paths("checkers", &[7, 49, 302, 1469, 7361]);
}

#[test]
fn lines_of_action() {
    assert_paths("lines-of-action", &[36, 1244, 44952]);
}

#[test]
fn connect_four() {
    assert_paths("connect-four", &[7, 49, 343, 2401, 16807, 117_649]);
}

#[test]
fn breakthrough() {
    assert_paths("breakthrough", &[22, 484, 11132, 256_036]);
}

#[test]
fn reversi() {
    assert_paths("reversi", &[4, 12, 56, 244, 1396, 8200]);
}

/// 16 sticks can be taken from heaps of 1, 3, 5 and 7 in 16 ways.
#[test]
fn nim() {
    assert_paths("nim", &[16, 206, 2116]);
}

/// 6075 = 9 · (729 - 2 · 27): three rounds won by the same player end the match.
#[test]
fn rock_paper_scissors() {
    assert_paths("rock-paper-scissors", &[9, 81, 729, 6075]);
}
