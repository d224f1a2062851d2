//! Weights from games that the program plays against itself: at random first, then with the weights found so far.
//!
//! Weights depend on the game, the role, the heuristics that are on and nothing else, unless the clock cuts the training
//! short: among states that come of one, those are told apart by the facts that hold in them and not by their numbers, so
//! that all engines play the same games.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::Evaluator;
use super::certain::Reach;
use super::features::{Feature, Measure, features};
use super::regression::{Samples, fit, surprise};
use super::ways::Ways;
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::alpha_beta::look;
use crate::search::judge::Judge;
use crate::search::ladder::{Ladder, Pick, Seen, Side, Turn};
use crate::search::limits::Deadline;
use crate::search::rungs::Rungs;

/// How often weights are found anew.
const ROUNDS: u64 = 5;
/// So many games, or states looked at, make a round. A third of that gave a Kolibrat that lost every game against a
/// formula made by hand, instead of winning most.
const GAMES: u64 = 750;
const STATES: usize = 240_000;
/// So many games are played side by side.
const AT_ONCE: u64 = 50;
/// A game that is longer is given up.
const PLIES: usize = 400;
/// Fewer samples tell nothing.
const FEWEST: usize = 200;
/// One move in so many is drawn at random where weights are known.
const ADVENTURE: u32 = 8;
/// How far a sample leans, from each later one of its game, on what the weights so far expected there, and not on how the
/// game ended by later luck: temporal differences (Sutton, 1988).
const LEANING: f64 = 0.15;
/// To count ways to win may take ten times as long as all else. They are left out where they hardly help to foretell
/// results: by less than this, in nats a state. Where lines are to be made, they bring ten times as much.
const WORTH: f64 = 1e-3;

/// What training came to.
#[derive(Debug, Clone)]
pub(in crate::search) struct Taught {
    /// An evaluator, if there was anything to be weighed.
    pub(in crate::search) evaluator: Option<Arc<Evaluator>>,
    /// Whether the clock cut it short, so that another time may bring other weights.
    pub(in crate::search) is_cut_short: bool,
}

/// What can be learned for `role` until the deadline.
pub(in crate::search) fn train<G: Engine>(
    game: &G,
    role: Role,
    heuristics: Heuristics,
    deadline: Deadline<'_>,
) -> Taught {
    let evaluator = evaluator_of(game, role, heuristics, deadline);
    Taught {
        is_cut_short: evaluator.is_some() && deadline.is_over(),
        evaluator,
    }
}

fn evaluator_of<G: Engine>(
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
    let facts = vocabulary.map_or(0, |vocabulary| vocabulary.facts.len());
    let ways = vocabulary.map(Ways::new).unwrap_or_default();
    let mut features = features(vocabulary, &ways, heuristics);
    let reach = vocabulary.and_then(|vocabulary| Reach::new(vocabulary, role, heuristics));
    let evaluator = |features: &[Feature], weights: Vec<f64>| {
        Evaluator::new(features.to_vec(), weights, ways.clone(), facts)
    };
    let rounds = if features.is_empty() { 0 } else { ROUNDS };
    let mut weights = None;
    for round in 0..rounds {
        // The range of goals is left out of account: weights that were learned with it lost to those without.
        let known = weights.clone();
        let known = known.map(|weights| Arc::new(evaluator(&features, weights)));
        let samples = School {
            game,
            role,
            features: &features,
            ways: &ways,
            evaluator: known.as_ref(),
            round,
            deadline,
            ladders: Mutex::default(),
        }
        .samples();
        if samples.rows.len() < FEWEST {
            break;
        }
        let fitted = fit(&samples);
        weights = Some(match without_ways(&features, &samples, &fitted) {
            Some((rest, fitted)) => {
                features = rest;
                fitted
            }
            None => fitted,
        });
    }
    let nothing = || reach.is_some().then(|| vec![0.0; features.len() + 1]);
    let weights = weights.or_else(nothing)?;
    Some(Arc::new(evaluator(&features, weights).within(reach)))
}

/// The features but the ways to win, and their weights, if these foretell as much as those `fitted` with the ways.
fn without_ways(
    features: &[Feature],
    samples: &Samples,
    fitted: &[f64],
) -> Option<(Vec<Feature>, Vec<f64>)> {
    let is_cheap = |feature: &Feature| !matches!(feature.measure, Measure::Missing { .. });
    let is_kept: Vec<bool> = features.iter().map(is_cheap).collect();
    if !is_kept.contains(&true) || !is_kept.contains(&false) {
        return None;
    }
    let few = samples.of_columns(&is_kept);
    let weights = fit(&few);
    let worth = surprise(&few, &weights) - surprise(samples, fitted);
    let rest = features.iter().filter(|feature| is_cheap(feature));
    (worth < WORTH).then(|| (rest.cloned().collect(), weights))
}

/// Where games are played, and notes taken.
struct School<'s, G: Engine> {
    game: &'s G,
    role: Role,
    features: &'s [Feature],
    ways: &'s Ways,
    evaluator: Option<&'s Arc<Evaluator>>,
    round: u64,
    deadline: Deadline<'s>,
    /// Ladders of which no game is played at the moment: making one takes longer than many a game.
    ladders: Mutex<Vec<Rungs<'s, G>>>,
}

impl<'s, G: Engine> School<'s, G> {
    /// What a round of games brings, on all cores: the same on any number of them.
    fn samples(&self) -> Samples {
        let (mut samples, mut states) = (Samples::default(), 0);
        for first in (0..GAMES).step_by(AT_ONCE as usize) {
            if states > STATES || self.deadline.is_over() {
                break;
            }
            let games = (first..first + AT_ONCE).into_par_iter();
            let played = games.map(|number| {
                let mut ladder = self.ladder();
                let played = self.play(&mut ladder, number);
                self.resting().push(ladder);
                played
            });
            for (of_game, looked_at) in played.collect::<Vec<_>>() {
                samples.rows.extend(of_game.rows);
                samples.results.extend(of_game.results);
                states += looked_at;
            }
        }
        samples
    }

    /// A ladder that rests, or a new one.
    fn ladder(&self) -> Rungs<'s, G> {
        // By itself, so that nobody waits while one is made.
        let resting = self.resting().pop();
        if let Some(ladder) = resting {
            return ladder;
        }
        let judge = self.evaluator.cloned().map(Judge::Learned);
        let mut rungs = Rungs::new(self.game, &self.game.initial(), self.role, judge);
        rungs.mark_facts();
        rungs
    }

    fn resting(&self) -> MutexGuard<'_, Vec<Rungs<'s, G>>> {
        self.ladders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The samples of one game, and how many states were looked at for it.
    fn play(&self, ladder: &mut dyn Ladder, number: u64) -> (Samples, usize) {
        let mut pupil = Pupil {
            ladder,
            features: self.features,
            ways: self.ways,
            rng: Xoshiro256PlusPlus::seed_from_u64(self.round * GAMES + number),
            adventure: self.evaluator.map_or(1, |_| ADVENTURE),
            rows: Vec::new(),
            expected: Vec::new(),
            states: 0,
        };
        pupil.ladder.halt_by(Some(&self.deadline.end()));
        let result = pupil.game(self.deadline);
        pupil.ladder.halt_by(None);
        let samples = match result {
            Some(result) => Samples {
                results: targets(
                    &pupil.expected,
                    result,
                    self.evaluator.map_or(0.0, |_| LEANING),
                ),
                rows: pupil.rows,
            },
            None => Samples::default(),
        };
        (samples, pupil.states)
    }
}

/// What the samples of a game that ended with `result` are to foretell, where so much was expected of each.
fn targets(expected: &[f64], result: f64, leaning: f64) -> Vec<f64> {
    let mut targets = Vec::with_capacity(expected.len());
    let mut target = result;
    for expected in expected.iter().rev() {
        targets.push(target);
        target += leaning * (expected - target);
    }
    targets.reverse();
    targets
}

/// Who plays a game and takes notes.
struct Pupil<'s> {
    ladder: &'s mut dyn Ladder,
    features: &'s [Feature],
    ways: &'s Ways,
    rng: Xoshiro256PlusPlus,
    adventure: u32,
    /// The counts of some of the states, and what was expected of each.
    rows: Vec<Vec<f64>>,
    expected: Vec<f64>,
    states: usize,
}

impl Pupil<'_> {
    /// Plays to the end, which gives the share of the points; `None` if there is none, or it is too far away.
    fn game(&mut self, deadline: Deadline<'_>) -> Option<f64> {
        let opening = self.rng.random_range(0..12);
        let (mut rung, mut index) = (0, 0);
        loop {
            let seen = self.ladder.seen(rung, index);
            if seen.is_over {
                return Some(f64::from(seen.goal) / 100.0);
            }
            let turn = seen.choices.turn();
            if rung == PLIES || turn == Turn::Stuck || deadline.is_over() {
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
        self.expected.push(f64::from(seen.expectation) / 100_000.0);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_win_that_foretell_nothing_are_left_out() {
        let feature = |measure| Feature {
            heuristic: "any",
            about: String::new(),
            measure,
        };
        let ways = Measure::Missing { role: 0, facts: 1 };
        let features = [feature(ways), feature(Measure::Facts(vec![(0, 1.0)]))];
        let told_by = |column: usize| {
            let bits = (0..400).map(|number| [f64::from(number & 1), f64::from(number >> 1 & 1)]);
            let rows: Vec<Vec<f64>> = bits.map(Vec::from).collect();
            let results = rows.iter().map(|row| row[column]).collect();
            let samples = Samples { rows, results };
            without_ways(&features, &samples, &fit(&samples))
        };
        assert!(told_by(0).is_none());
        let (kept, weights) = told_by(1).unwrap();
        assert!(matches!(
            kept[..],
            [Feature {
                measure: Measure::Facts(_),
                ..
            }]
        ));
        assert!(weights.len() == 2 && weights[0] > 1.0);
        let samples = Samples {
            rows: vec![vec![1.0]; 9],
            results: vec![1.0; 9],
        };
        let alone = without_ways(&features[..1], &samples, &fit(&samples));
        assert!(alone.is_none(), "there is nothing else to count");
    }

    #[test]
    fn early_samples_lean_on_what_was_expected_later() {
        assert_eq!(targets(&[0.3, 0.9, 0.5], 1.0, 0.0), [1.0; 3]);
        let targets = targets(&[0.3, 0.9, 0.5], 1.0, 0.5);
        assert_eq!(targets, [0.825, 0.75, 1.0]);
    }
}
