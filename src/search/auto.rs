//! Which search suits a game.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Game, is_chance, legal_of_all, random_joint_move};

/// So many random games are looked at; where that takes too long, as many as end in time, but no fewer than a few.
const GAMES: u64 = 32;
const FEW: usize = 4;
const TIME: Duration = Duration::from_millis(250);
/// A game is not followed any further.
const PLIES: u32 = 1000;
/// Random games whose lengths deviate by less than this share of the mean are all equally long.
const ALIKE: f64 = 0.05;

/// Whether Min-Max suits the game better than Monte-Carlo tree search: where two players take turns, chance has no part,
/// and games end sooner or later depending on how they are played.
///
/// What Min-Max sees of other games is the worst that can happen, which says little; and where a game ends when the board
/// is full, and not before, what counts is too far away to be seen, while random games come to the same end. This rule
/// agrees with matches at 50 ms a move: see the section on players in the README.
pub(super) fn suits_minimax<G: Game>(game: &G) -> bool {
    let roles = game.roles();
    if roles.len() != 2 || roles.iter().any(|role| is_chance(role)) {
        return false;
    }
    let begin = Instant::now();
    let mut lengths = Vec::new();
    for seed in 0..GAMES {
        match random_game(game, seed, begin) {
            Walk::Together => return false,
            Walk::Ended(plies) => lengths.push(plies.into()),
            Walk::TooLong => return true,
            Walk::OutOfTime => break,
        }
    }
    if lengths.len() < FEW {
        return true;
    }
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    let squares = lengths.iter().map(|length| (length - mean).powi(2));
    let deviation = (squares.sum::<f64>() / lengths.len() as f64).sqrt();
    deviation >= ALIKE * mean
}

/// How a random game went.
enum Walk {
    /// Several roles had a choice at the same time.
    Together,
    /// It ended after so many plies.
    Ended(u32),
    TooLong,
    /// Time was up before that.
    OutOfTime,
}

/// Plays a random game until it ends, or is too long, or the clock says so.
fn random_game<G: Game>(game: &G, seed: u64, begin: Instant) -> Walk {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut scratch, mut state, mut legal) = (game.scratch(), game.initial(), Vec::new());
    for plies in 0..PLIES {
        if game.is_terminal(&mut scratch, &state) {
            return Walk::Ended(plies);
        }
        legal_of_all(game, &mut scratch, &state, &mut legal);
        if legal.iter().filter(|moves| moves.len() > 1).count() > 1 {
            return Walk::Together;
        }
        match random_joint_move(&legal, &mut rng) {
            _ if begin.elapsed() > TIME => return Walk::OutOfTime,
            Some(joint) => state = game.next(&mut scratch, &state, &joint),
            None => break,
        }
    }
    Walk::TooLong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::toy::{Hands, Subtraction};
    use crate::search::tests::chaos::Chaos;

    #[test]
    fn minimax_plays_games_in_turns_that_end_sooner_or_later() {
        assert!(suits_minimax(&Subtraction::new(40, 6)));
        // Both players take one at a time.
        assert!(!suits_minimax(&Subtraction::new(40, 1)));
        assert!(!suits_minimax(&Hands::new(3)));
        assert!(!suits_minimax(&Chaos::new(1, 50, 1, false, false)));
        assert!(!suits_minimax(&Chaos::new(1, 50, 1, false, true)));
    }
}
