//! Weights from games that the program plays against itself: at random first, then with the weights found so far.
//!
//! Weights depend on the game, the role, the heuristics that are on and nothing else, unless the clock cuts the training
//! short: among states that come of one, those are told apart by the facts that hold in them and not by their numbers, so
//! that all engines play the same games.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Evaluator;
use super::features::{Feature, features};
use super::regression::{Samples, fit};
use super::ways::Ways;
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::alpha_beta::look;
use crate::search::judge::Judge;
use crate::search::ladder::{Ladder, Pick, Seen, Side, Turn};
use crate::search::limits::Deadline;
use crate::search::rungs::Rungs;

/// How often weights are found anew.
const ROUNDS: usize = 3;
/// So many games, or states looked at, make a round.
const GAMES: usize = 250;
const STATES: usize = 80_000;
/// A game that is longer is given up.
const PLIES: usize = 400;
/// Fewer samples tell nothing.
const FEWEST: usize = 200;
/// One move in so many is drawn at random where weights are known.
const ADVENTURE: u32 = 8;

/// An evaluator for `role`, if there is anything to be weighed; trained until the deadline at most.
pub(in crate::search) fn train<G: Engine>(
    game: &G,
    role: Role,
    heuristics: Heuristics,
    deadline: Deadline<'_>,
) -> Option<Arc<Evaluator>> {
    let vocabulary = if heuristics == Heuristics::NONE {
        None
    } else {
        game.vocabulary()
    };
    let features = features(vocabulary, heuristics);
    if features.is_empty() {
        return None;
    }
    let facts = vocabulary.map_or(0, |vocabulary| vocabulary.facts.len());
    let ways = vocabulary.map(Ways::new).unwrap_or_default();
    let mut evaluator = None;
    for round in 0..ROUNDS {
        let mut rungs = Rungs::new(
            game,
            &game.initial(),
            role,
            evaluator.clone().map(Judge::Learned),
        );
        rungs.mark_facts();
        let mut school = School {
            ladder: &mut rungs,
            features: &features,
            ways: &ways,
            rng: Xoshiro256PlusPlus::seed_from_u64(round as u64),
            adventure: if round == 0 { 1 } else { ADVENTURE },
            samples: Samples::default(),
            states: 0,
        };
        school.play(deadline);
        let samples = school.samples;
        if samples.rows.len() < FEWEST {
            break;
        }
        let weights = fit(&samples);
        evaluator = Some(Arc::new(Evaluator::new(
            features.clone(),
            weights,
            ways.clone(),
            facts,
        )));
    }
    evaluator
}

/// Plays games and takes notes.
struct School<'s> {
    ladder: &'s mut dyn Ladder,
    features: &'s [Feature],
    ways: &'s Ways,
    rng: Xoshiro256PlusPlus,
    adventure: u32,
    samples: Samples,
    states: usize,
}

impl School<'_> {
    fn play(&mut self, deadline: Deadline<'_>) {
        for _ in 0..GAMES {
            if self.states > STATES || deadline.is_over() {
                break;
            }
            self.game(deadline);
        }
    }

    /// Plays a game; if it ends, a part of its states become samples.
    fn game(&mut self, deadline: Deadline<'_>) {
        let first = self.samples.rows.len();
        let opening = self.rng.random_range(0..12);
        let (mut rung, mut index) = (0, 0);
        let result = loop {
            let seen = self.ladder.seen(rung, index);
            if seen.is_over {
                break Some(f64::from(seen.goal) / 100.0);
            }
            let turn = seen.choices.turn();
            if rung == PLIES || turn == Turn::Stuck || deadline.is_over() {
                break None;
            }
            if self.rng.random_range(0..3) == 0 {
                self.note(rung, index, seen);
            }
            self.ladder.enter(rung, index);
            index = match turn {
                Turn::Of(side) => self.choose(rung, side, seen, rung < opening),
                _ => self.draw(rung, seen),
            };
            rung += 1;
        };
        let Some(result) = result else {
            self.samples.rows.truncate(first);
            return;
        };
        self.samples.results.resize(self.samples.rows.len(), result);
    }

    fn note(&mut self, rung: usize, index: usize, seen: Seen) {
        let words = self.ladder.words(rung, index);
        let counts = self
            .features
            .iter()
            .map(|feature| feature.count(words, seen.choices, self.ways));
        let row = counts.collect();
        self.samples.rows.push(row);
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
        if is_opening || self.rng.random_range(0..self.adventure) == 0 {
            return order[self.rng.random_range(0..order.len())];
        }
        let best = order
            .into_iter()
            .max_by_key(|at| look(side, self.ladder.seen(rung + 1, *at)));
        best.unwrap_or(0)
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
