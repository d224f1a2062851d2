//! A game of self-play, and the training samples it yields.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::features::Feature;
use super::implicants::WinningImplicants;
use super::regression::TrainingSamples;
use crate::search::alphabeta::ordering::static_score;
use crate::search::alphabeta::stack::{Pick, SearchStack, Side, StateInfo, ToMove};
use crate::search::limits::SearchClock;

/// Longer games are abandoned.
const PLIES: usize = 400;
/// One move in this number is random where weights are known.
const EXPLORATION: u32 = 8;
/// How far the target of a sample moves, at each later sample of its game, from the result towards the expectation
/// there: temporal differences (Sutton, 1988).
const TD_WEIGHT: f64 = 0.15;

/// A game of self-play.
pub(super) struct SelfPlayGame<'s> {
    stack: &'s mut dyn SearchStack,
    features: &'s [Feature],
    implicants: &'s WinningImplicants,
    rng: Xoshiro256PlusPlus,
    /// Whether the stack has an evaluator; otherwise all moves are random.
    knows_weights: bool,
    /// Of the sampled states: feature values, expectation, and what random moves lost between this sample and the next
    /// one.
    rows: Vec<Vec<f64>>,
    expected: Vec<f64>,
    losses: Vec<f64>,
    states: usize,
}

impl<'s> SelfPlayGame<'s> {
    /// A game on a stack that marks facts, with randomness from `seed`: some moves are random if the stack
    /// `knows_weights`, else all.
    pub(super) fn new(
        stack: &'s mut dyn SearchStack,
        (features, implicants): (&'s [Feature], &'s WinningImplicants),
        knows_weights: bool,
        seed: u64,
    ) -> Self {
        Self {
            stack,
            features,
            implicants,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            knows_weights,
            rows: Vec::new(),
            expected: Vec::new(),
            losses: Vec::new(),
            states: 0,
        }
    }

    /// The samples of the game, none if it does not end soon enough, and the number of states expanded for it.
    pub(super) fn play(mut self, clock: &SearchClock) -> (TrainingSamples, usize) {
        self.stack.set_deadline(Some(&clock.deadline));
        let result = self.game(clock);
        self.stack.set_deadline(None);
        let mix = if self.knows_weights { TD_WEIGHT } else { 0.0 };
        let samples = result.map(|result| TrainingSamples {
            results: targets(&self.expected, &self.losses, result, mix),
            rows: self.rows,
        });
        (samples.unwrap_or_default(), self.states)
    }

    /// Plays to the end and returns the result as a share of the points; `None` if there is none in time.
    fn game(&mut self, clock: &SearchClock) -> Option<f64> {
        let opening = self.rng.random_range(0..12);
        let (mut ply, mut index) = (0, 0);
        loop {
            let info = self.stack.info(ply, index);
            if info.is_over {
                return Some(share(info));
            }
            let turn = info.choices.turn();
            if ply == PLIES || turn == ToMove::Stuck || clock.is_over() {
                return None;
            }
            if self.rng.random_range(0..3) == 0 {
                self.note(ply, index, info);
            }
            self.stack.enter(ply, index);
            index = match turn {
                ToMove::Of(side) => self.choose(ply, side, info, ply < opening),
                _ => self.draw(ply, info),
            };
            if self.stack.is_cut_short() {
                return None;
            }
            ply += 1;
        }
    }

    fn note(&mut self, ply: usize, index: usize, info: StateInfo) {
        let words = self.stack.words(ply, index);
        let counts = self
            .features
            .iter()
            .map(|feature| feature.count(words, info.choices, self.implicants));
        let row = counts.collect();
        self.rows.push(row);
        self.expected.push(share(info));
        self.losses.push(0.0);
    }

    /// Makes a choice of `side`: the best one by the present weights, or a random one.
    fn choose(&mut self, ply: usize, side: Side, info: StateInfo, is_opening: bool) -> usize {
        let count = info.choices.of(side);
        let picks: Vec<Pick> = (0..count).map(|choice| Pick::of(side, choice)).collect();
        self.stack.expand(ply, &picks);
        self.states += picks.len();
        let mut order: Vec<usize> = (0..picks.len()).collect();
        let words = |at: &usize| self.stack.words(ply + 1, *at);
        order.sort_by(|one, other| words(one).cmp(words(other)));
        let info = |at: usize| self.stack.info(ply + 1, at);
        let best = order
            .iter()
            .copied()
            .max_by_key(|&at| static_score(side, info(at)));
        let best = best.unwrap_or(0);
        let is_drawn = !self.knows_weights || is_opening;
        if !is_drawn && self.rng.random_range(0..EXPLORATION) > 0 {
            return best;
        }
        let drawn = order[self.rng.random_range(0..order.len())];
        let losses = share(info(best)) - share(info(drawn));
        if let Some(since_last) = self.losses.last_mut().filter(|_| self.knows_weights) {
            *since_last += losses;
        }
        drawn
    }

    /// Makes a random joint move.
    fn draw(&mut self, ply: usize, info: StateInfo) -> usize {
        let mut draw = |count: u32| self.rng.random_range(0..count.max(1));
        let pick = Pick {
            own: draw(info.choices.own),
            reply: draw(info.choices.replies),
            chance: draw(info.choices.chances),
        };
        self.stack.expand(ply, &[pick]);
        self.states += 1;
        0
    }
}

/// The targets of the samples of a game that ended with `result`, given the expectation at each and what random moves
/// lost after it. A state is no worse because a random move was bad, so that losses are added back. Simultaneous moves
/// and chance count as no loss.
fn targets(expected: &[f64], losses: &[f64], result: f64, mix: f64) -> Vec<f64> {
    let mut targets = Vec::with_capacity(expected.len());
    let mut target = result;
    for (expected, losses) in expected.iter().zip(losses).rev() {
        target = (target + losses).clamp(0.0, 1.0);
        targets.push(target);
        target += mix * (expected - target);
    }
    targets.reverse();
    targets
}

/// The expected share of the points, from 0 to 1.
fn share(info: StateInfo) -> f64 {
    match info.is_over {
        true => f64::from(info.goal) / 100.0,
        false => f64::from(info.expectation) / 100_000.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_move_towards_later_expectations() {
        assert_eq!(targets(&[0.3, 0.9, 0.5], &[0.0; 3], 1.0, 0.0), [1.0; 3]);
        let targets = targets(&[0.3, 0.9, 0.5], &[0.0; 3], 1.0, 0.5);
        assert_eq!(targets, [0.825, 0.75, 1.0]);
    }

    #[test]
    fn losses_by_random_moves_are_added_back() {
        let losses = [0.75, 0.0, -0.25, 0.75];
        let targets = targets(&[0.5; 4], &losses, 0.0, 0.0);
        assert_eq!(targets, [1.0, 0.5, 0.5, 0.75], "not more than there is");
    }
}
