//! Which search suits a game.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use crate::game::{Game, is_chance, legal_of_all, random_joint_move};

/// So many random games are looked at; where that takes too long, as many as end in time, but no fewer than a few.
const GAMES: u64 = 32;
const FEW: usize = 4;
const TIME: Duration = Duration::from_millis(250);
/// A game is not followed any further.
const PLIES: u32 = 1000;
/// Random games whose lengths deviate by less than this share of the mean are all equally long.
const ALIKE: f64 = 0.05;
/// Where at least this share of the facts that come to hold in the course of a game do so to its end, pieces are put down
/// to stay; the rest is who is to move.
const LASTING: f64 = 0.8;

/// Whether Min-Max suits the game better than Monte-Carlo tree search: where two players take turns, chance has no part,
/// and games end sooner or later depending on how they are played.
///
/// What Min-Max sees of other games is the worst that can happen, which says little; and where a game ends when the board
/// is full, and not before, what counts is too far away to be seen, while random games come to the same end. The same goes
/// for games in which pieces are put down to stay, such as four in a row: what a position is worth shows late, and in
/// patterns. This rule agrees with matches at 20 to 100 ms a move in all shipped games but checkers: see the section on
/// players in the README.
pub(super) fn suits_minimax<G: Game>(game: &G) -> bool {
    let roles = game.roles();
    if roles.len() != 2 || roles.iter().any(|role| is_chance(role)) {
        return false;
    }
    let begin = Instant::now();
    let (mut lengths, mut lasting) = (Vec::new(), Vec::new());
    for seed in 0..GAMES {
        match random_game(game, seed, begin) {
            Walk::Together => return false,
            Walk::Ended(plies, facts) => {
                lengths.push(plies.into());
                lasting.push(facts.lasting());
            }
            Walk::TooLong => return true,
            Walk::OutOfTime => break,
        }
    }
    if lengths.len() < FEW {
        return true;
    }
    let middle = mean(&lengths);
    let squares: Vec<f64> = lengths
        .iter()
        .map(|length| (length - middle).powi(2))
        .collect();
    mean(&squares).sqrt() >= ALIKE * middle && mean(&lasting) < LASTING
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The facts that came to hold in the course of a game.
#[derive(Default)]
struct Arrived {
    present: FxHashSet<String>,
    all: FxHashSet<String>,
    gone: FxHashSet<String>,
}

impl Arrived {
    /// What holds at the start has not arrived.
    fn at(facts: Vec<String>) -> Self {
        Self {
            present: facts.into_iter().collect(),
            ..Self::default()
        }
    }

    fn step(&mut self, facts: Vec<String>) {
        let next: FxHashSet<String> = facts.into_iter().collect();
        let lost = self.present.iter().filter(|fact| !next.contains(*fact));
        let lost = lost.filter(|fact| self.all.contains(*fact));
        self.gone.extend(lost.cloned());
        let new = next.iter().filter(|fact| !self.present.contains(*fact));
        self.all.extend(new.cloned());
        self.present = next;
    }

    /// The share of them that never went.
    fn lasting(&self) -> f64 {
        1.0 - self.gone.len() as f64 / self.all.len().max(1) as f64
    }
}

/// How a random game went.
enum Walk {
    /// Several roles had a choice at the same time.
    Together,
    /// It ended after so many plies, in which these facts came to hold.
    Ended(u32, Arrived),
    TooLong,
    /// Time was up before that.
    OutOfTime,
}

/// Plays a random game until it ends, or is too long, or the clock says so.
fn random_game<G: Game>(game: &G, seed: u64, begin: Instant) -> Walk {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut scratch, mut state, mut legal) = (game.scratch(), game.initial(), Vec::new());
    let mut facts = Arrived::at(game.state_text(&state));
    for plies in 0..PLIES {
        if game.is_terminal(&mut scratch, &state) {
            return Walk::Ended(plies, facts);
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
        facts.step(game.state_text(&state));
    }
    Walk::TooLong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::toy::{Hands, Subtraction};
    use crate::search::tests::chaos::Chaos;

    #[test]
    fn facts_that_stay_are_told_from_those_that_go() {
        let facts = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut arrived = Arrived::at(facts("red blank1 blank2"));
        for step in [
            "black x1 blank2",
            "red x1 o2",
            "black x1 o2 x3",
            "red x1 o2 x3 o4",
        ] {
            arrived.step(facts(step));
        }
        // Of both players' turns and four pieces, the turns went.
        assert_eq!(arrived.lasting(), 1.0 - 2.0 / 6.0);
    }

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
