//! Self-play: one game, and the training samples taken from it.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::features::Feature;
use super::implicants::WinImplicants;
use super::regression::TrainingSamples;
use crate::search::alpha_beta::look;
use crate::search::ladder::{Ladder, Pick, Seen, Side, Turn};
use crate::search::limits::SearchClock;

/// Longer games are given up.
const MAX_PLIES: usize = 400;
/// With weights, one move in this many is drawn at random for exploration.
const EXPLORATION_PERIOD: u32 = 8;
/// 1 − λ of temporal-difference learning, TD(λ) (Sutton 1988): the weight of the expectation at each later sample of the
/// game in the target of a sample; the rest is the result of the game.
const ONE_MINUS_LAMBDA: f64 = 0.15;

/// A game of self-play under way.
pub(super) struct SelfPlay<'s> {
    ladder: &'s mut dyn Ladder,
    features: &'s [Feature],
    implicants: &'s WinImplicants,
    rng: Xoshiro256PlusPlus,
    /// Whether states are evaluated by learned weights; otherwise all moves are drawn at random.
    knows_weights: bool,
    /// For each sampled state: the values of the features, the expectation, and the exploration loss until the next sample.
    rows: Vec<Vec<f64>>,
    expected: Vec<f64>,
    exploration_loss: Vec<f64>,
    states: usize,
}

impl<'s> SelfPlay<'s> {
    /// A game on a search stack that marks facts. Some moves are drawn from `seed` if it `knows_weights`, else all.
    pub(super) fn new(
        ladder: &'s mut dyn Ladder,
        (features, implicants): (&'s [Feature], &'s WinImplicants),
        knows_weights: bool,
        seed: u64,
    ) -> Self {
        Self {
            ladder,
            features,
            implicants,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            knows_weights,
            rows: Vec::new(),
            expected: Vec::new(),
            exploration_loss: Vec::new(),
            states: 0,
        }
    }

    /// The samples of one game, none if it does not end soon enough, and the number of states evaluated for it.
    pub(super) fn play(mut self, clock: &SearchClock) -> (TrainingSamples, usize) {
        self.ladder.set_deadline(Some(&clock.deadline));
        let result = self.game(clock);
        self.ladder.set_deadline(None);
        let one_minus_lambda = if self.knows_weights {
            ONE_MINUS_LAMBDA
        } else {
            0.0
        };
        let samples = result.map(|result| TrainingSamples {
            targets: targets(
                &self.expected,
                &self.exploration_loss,
                result,
                one_minus_lambda,
            ),
            rows: self.rows,
        });
        (samples.unwrap_or_default(), self.states)
    }

    /// Plays to the end and returns the goal from 0 to 1; `None` if the game is stuck, too long or cut short.
    fn game(&mut self, clock: &SearchClock) -> Option<f64> {
        let opening = self.rng.random_range(0..12);
        let (mut rung, mut index) = (0, 0);
        loop {
            let seen = self.ladder.seen(rung, index);
            if seen.is_over {
                return Some(share(seen));
            }
            let turn = seen.choices.turn();
            if rung == MAX_PLIES || turn == Turn::Stuck || clock.is_over() {
                return None;
            }
            if self.rng.random_range(0..3) == 0 {
                self.sample(rung, index, seen);
            }
            self.ladder.enter(rung, index);
            index = match turn {
                Turn::Of(side) => self.choose_move(rung, side, seen, rung < opening),
                _ => self.draw_joint_move(rung, seen),
            };
            if self.ladder.is_cut_short() {
                return None;
            }
            rung += 1;
        }
    }

    fn sample(&mut self, rung: usize, index: usize, seen: Seen) {
        let words = self.ladder.words(rung, index);
        let counts = self
            .features
            .iter()
            .map(|feature| feature.value(words, seen.choices, self.implicants));
        let row = counts.collect();
        self.rows.push(row);
        self.expected.push(share(seen));
        self.exploration_loss.push(0.0);
    }

    /// Makes a move of `side`: the best one by the current weights, or a random one.
    fn choose_move(&mut self, rung: usize, side: Side, seen: Seen, is_opening: bool) -> usize {
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
        if !is_drawn && self.rng.random_range(0..EXPLORATION_PERIOD) > 0 {
            return best;
        }
        let drawn = order[self.rng.random_range(0..order.len())];
        let exploration_loss = share(seen(best)) - share(seen(drawn));
        if let Some(since_last) = self
            .exploration_loss
            .last_mut()
            .filter(|_| self.knows_weights)
        {
            *since_last += exploration_loss;
        }
        drawn
    }

    /// Makes a random joint move.
    fn draw_joint_move(&mut self, rung: usize, seen: Seen) -> usize {
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

/// The regression targets for the samples of a game that ended with `result`: λ-returns of the expectations. The loss by
/// exploratory moves between a sample and the next one is added back, since such a move says nothing about the value of the
/// state before it. Simultaneous moves and moves of chance count without loss.
fn targets(
    expected: &[f64],
    exploration_loss: &[f64],
    result: f64,
    one_minus_lambda: f64,
) -> Vec<f64> {
    let mut targets = Vec::with_capacity(expected.len());
    let mut target = result;
    for (expected, exploration_loss) in expected.iter().zip(exploration_loss).rev() {
        target = (target + exploration_loss).clamp(0.0, 1.0);
        targets.push(target);
        target += one_minus_lambda * (expected - target);
    }
    targets.reverse();
    targets
}

/// The goal or the expected goal of a state, from 0 to 1.
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
    fn targets_are_lambda_returns() {
        assert_eq!(targets(&[0.3, 0.9, 0.5], &[0.0; 3], 1.0, 0.0), [1.0; 3]);
        let targets = targets(&[0.3, 0.9, 0.5], &[0.0; 3], 1.0, 0.5);
        assert_eq!(targets, [0.825, 0.75, 1.0]);
    }

    #[test]
    fn exploration_losses_are_added_back() {
        let exploration_loss = [0.75, 0.0, -0.25, 0.75];
        let targets = targets(&[0.5; 4], &exploration_loss, 0.0, 0.0);
        assert_eq!(targets, [1.0, 0.5, 0.5, 0.75], "not more than there is");
    }
}
