//! A game that the program plays against itself, and the notes it takes of it.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::features::Feature;
use super::regression::Samples;
use super::ways::Ways;
use crate::search::alpha_beta::look;
use crate::search::ladder::{Ladder, Pick, Seen, Side, Turn};
use crate::search::limits::SearchClock;

/// A game that is longer is given up.
const PLIES: usize = 400;
/// One move in so many is drawn at random where weights are known.
const ADVENTURE: u32 = 8;
/// How far a sample leans, from each later one of its game, on what the weights so far expected there, and not on how the
/// game ended by later luck: temporal differences (Sutton, 1988).
const LEANING: f64 = 0.15;

/// Who plays a game and takes notes.
pub(super) struct Pupil<'s> {
    ladder: &'s mut dyn Ladder,
    features: &'s [Feature],
    ways: &'s Ways,
    rng: Xoshiro256PlusPlus,
    /// Whether the ladder expects anything of states; otherwise all moves are drawn at random.
    knows_weights: bool,
    /// The counts of some of the states, what was expected of each, and what was given away after it and before the next one.
    rows: Vec<Vec<f64>>,
    expected: Vec<f64>,
    given_away: Vec<f64>,
    states: usize,
}

impl<'s> Pupil<'s> {
    /// One who plays on a ladder that marks facts, and draws from `seed`: some moves if the ladder `knows_weights`, else all.
    pub(super) fn new(
        ladder: &'s mut dyn Ladder,
        (features, ways): (&'s [Feature], &'s Ways),
        knows_weights: bool,
        seed: u64,
    ) -> Self {
        Self {
            ladder,
            features,
            ways,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            knows_weights,
            rows: Vec::new(),
            expected: Vec::new(),
            given_away: Vec::new(),
            states: 0,
        }
    }

    /// The samples of one game, none if it does not end soon enough, and how many states were looked at for it.
    pub(super) fn play(mut self, clock: &SearchClock) -> (Samples, usize) {
        self.ladder.set_deadline(Some(&clock.deadline));
        let result = self.game(clock);
        self.ladder.set_deadline(None);
        let leaning = if self.knows_weights { LEANING } else { 0.0 };
        let samples = result.map(|result| Samples {
            results: targets(&self.expected, &self.given_away, result, leaning),
            rows: self.rows,
        });
        (samples.unwrap_or_default(), self.states)
    }

    /// Plays to the end, which gives the share of the points; `None` if there is none, or it is too far away.
    fn game(&mut self, clock: &SearchClock) -> Option<f64> {
        let opening = self.rng.random_range(0..12);
        let (mut rung, mut index) = (0, 0);
        loop {
            let seen = self.ladder.seen(rung, index);
            if seen.is_over {
                return Some(share(seen));
            }
            let turn = seen.choices.turn();
            if rung == PLIES || turn == Turn::Stuck || clock.is_over() {
                return None;
            }
            if self.rng.random_range(0..3) == 0 {
                self.note(rung, index, seen);
            }
            self.ladder.enter(rung, index);
            index = match turn {
                Turn::Of(side) => self.choose(rung, side, seen, rung < opening),
                _ => self.draw(rung, seen),
            };
            if self.ladder.is_cut_short() {
                return None;
            }
            rung += 1;
        }
    }

    fn note(&mut self, rung: usize, index: usize, seen: Seen) {
        let words = self.ladder.words(rung, index);
        let counts = self
            .features
            .iter()
            .map(|feature| feature.count(words, seen.choices, self.ways));
        let row = counts.collect();
        self.rows.push(row);
        self.expected.push(share(seen));
        self.given_away.push(0.0);
    }

    /// Goes on by a choice of `side`: the best one by the weights so far, or any.
    fn choose(&mut self, rung: usize, side: Side, seen: Seen, is_opening: bool) -> usize {
        let count = seen.choices.of(side);
        let picks: Vec<Pick> = (0..count).map(|choice| Pick::of(side, choice)).collect();
        self.ladder.expand(rung, &picks);
        self.states += picks.len();
        let mut order: Vec<usize> = (0..picks.len()).collect();
        let words = |at: &usize| self.ladder.words(rung + 1, *at);
        order.sort_by(|one, other| words(one).cmp(words(other)));
        let seen = |at: usize| self.ladder.seen(rung + 1, at);
        let best = order.iter().copied().max_by_key(|&at| look(side, seen(at)));
        let best = best.unwrap_or(0);
        let is_drawn = !self.knows_weights || is_opening;
        if !is_drawn && self.rng.random_range(0..ADVENTURE) > 0 {
            return best;
        }
        let drawn = order[self.rng.random_range(0..order.len())];
        let given_away = share(seen(best)) - share(seen(drawn));
        if let Some(since_last) = self.given_away.last_mut().filter(|_| self.knows_weights) {
            *since_last += given_away;
        }
        drawn
    }

    /// Goes on by a joint move that is drawn at random.
    fn draw(&mut self, rung: usize, seen: Seen) -> usize {
        let mut draw = |count: u32| self.rng.random_range(0..count.max(1));
        let pick = Pick {
            own: draw(seen.choices.own),
            reply: draw(seen.choices.replies),
            chance: draw(seen.choices.chances),
        };
        self.ladder.expand(rung, &[pick]);
        self.states += 1;
        0
    }
}

/// What the samples of a game that ended with `result` are to foretell, where so much was expected of each, and so much
/// given away between each and the next one by moves drawn at random: a state is no worse for a move that nobody would
/// choose there. Of simultaneous moves and of chance, nothing is given away.
fn targets(expected: &[f64], given_away: &[f64], result: f64, leaning: f64) -> Vec<f64> {
    let mut targets = Vec::with_capacity(expected.len());
    let mut target = result;
    for (expected, given_away) in expected.iter().zip(given_away).rev() {
        target = (target + given_away).clamp(0.0, 1.0);
        targets.push(target);
        target += leaning * (expected - target);
    }
    targets.reverse();
    targets
}

/// The share of the points that is expected of a state, from 0 to 1.
fn share(seen: Seen) -> f64 {
    match seen.is_over {
        true => f64::from(seen.goal) / 100.0,
        false => f64::from(seen.expectation) / 100_000.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_samples_lean_on_what_was_expected_later() {
        assert_eq!(targets(&[0.3, 0.9, 0.5], &[0.0; 3], 1.0, 0.0), [1.0; 3]);
        let targets = targets(&[0.3, 0.9, 0.5], &[0.0; 3], 1.0, 0.5);
        assert_eq!(targets, [0.825, 0.75, 1.0]);
    }

    #[test]
    fn what_was_given_away_is_given_back() {
        let given_away = [0.75, 0.0, -0.25, 0.75];
        let targets = targets(&[0.5; 4], &given_away, 0.0, 0.0);
        assert_eq!(targets, [1.0, 0.5, 0.5, 0.75], "not more than there is");
    }
}
