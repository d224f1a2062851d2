//! Training: rounds of self-play, first with random moves, then with the weights of the round before.
//!
//! Weights depend only on the game, the role and the heuristics that are on, unless the clock cuts the training short.
//! Successors of a state are ordered by the facts that hold in them and not by their numbers, so that all engines play the
//! same games.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::LearnedEvaluator;
use super::certain::ReachableGoals;
use super::features::{Feature, FeatureMeasure, features};
use super::implicants::WinImplicants;
use super::regression::{TrainingSamples, fit, log_loss};
use super::self_play::SelfPlay;
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::judge::Judge;
use crate::search::ladder::Ladder;
use crate::search::limits::SearchClock;
use crate::search::rungs::Rungs;

/// The number of rounds of self-play and regression.
const ROUNDS: u64 = 5;
/// The games of a round, and the states evaluated in it, at most. With a third of that, the player of Kolibrat lost every
/// game against a hand-written evaluation instead of winning most.
const GAMES: u64 = 750;
const STATES: usize = 240_000;
/// The number of games played in parallel.
const PARALLEL_GAMES: u64 = 50;
/// The minimum number of samples for a regression.
const MIN_SAMPLES: usize = 200;
/// The minimum decrease of the log loss by the features of winning implicants, in nats per state; below it, they are left
/// out, since they may take ten times as long as all others. In games of making lines, they gain ten times as much.
const MIN_GAIN: f64 = 1e-3;

/// The result of training.
#[derive(Debug, Clone)]
pub(in crate::search) struct TrainedEvaluator {
    /// `None` if there are neither features nor goals that can become unreachable.
    pub(in crate::search) evaluator: Option<Arc<LearnedEvaluator>>,
    /// Whether the clock cut training short, so that another run may give other weights.
    pub(in crate::search) is_cut_short: bool,
}

/// Trains an evaluator for `role` until the deadline.
pub(in crate::search) fn train<G: Engine>(
    game: &G,
    role: Role,
    heuristics: Heuristics,
    clock: &SearchClock,
) -> TrainedEvaluator {
    let evaluator = evaluator_of(game, role, heuristics, clock);
    TrainedEvaluator {
        is_cut_short: evaluator.is_some() && clock.is_over(),
        evaluator,
    }
}

fn evaluator_of<G: Engine>(
    game: &G,
    role: Role,
    heuristics: Heuristics,
    clock: &SearchClock,
) -> Option<Arc<LearnedEvaluator>> {
    let game_facts = if heuristics == Heuristics::NONE {
        None
    } else {
        game.game_facts()
    };
    let facts = game_facts.map_or(0, |game_facts| game_facts.facts.len());
    let implicants = game_facts.map(WinImplicants::new).unwrap_or_default();
    let mut features = features(game_facts, &implicants, heuristics);
    let reachable =
        game_facts.and_then(|game_facts| ReachableGoals::new(game_facts, role, heuristics));
    let evaluator = |features: &[Feature], weights: Vec<f64>| {
        LearnedEvaluator::new(features.to_vec(), weights, implicants.clone(), facts)
    };
    let rounds = if features.is_empty() { 0 } else { ROUNDS };
    let mut weights = None;
    for round in 0..rounds {
        // Not clamped to the reachable goals: weights learned with that lost to those learned without.
        let known = weights.clone();
        let known = known.map(|weights| Arc::new(evaluator(&features, weights)));
        let samples = TrainingRound {
            game,
            role,
            features: &features,
            implicants: &implicants,
            evaluator: known.as_ref(),
            round,
            clock,
            ladders: Mutex::default(),
        }
        .samples();
        if samples.rows.len() < MIN_SAMPLES {
            break;
        }
        let fitted = fit(&samples);
        weights = Some(match without_implicants(&features, &samples, &fitted) {
            Some((rest, fitted)) => {
                features = rest;
                fitted
            }
            None => fitted,
        });
    }
    let zeros = || reachable.is_some().then(|| vec![0.0; features.len() + 1]);
    let weights = weights.or_else(zeros)?;
    Some(Arc::new(
        evaluator(&features, weights).clamped_to(reachable),
    ))
}

/// The features except winning implicants, and their weights, if their log loss is about that of all features `fitted`.
fn without_implicants(
    features: &[Feature],
    samples: &TrainingSamples,
    fitted: &[f64],
) -> Option<(Vec<Feature>, Vec<f64>)> {
    let is_cheap = |feature: &Feature| !matches!(feature.measure, FeatureMeasure::Missing { .. });
    let is_kept: Vec<bool> = features.iter().map(is_cheap).collect();
    if !is_kept.contains(&true) || !is_kept.contains(&false) {
        return None;
    }
    let few = samples.of_columns(&is_kept);
    let weights = fit(&few);
    let gain = log_loss(&few, &weights) - log_loss(samples, fitted);
    let rest = features.iter().filter(|feature| is_cheap(feature));
    (gain < MIN_GAIN).then(|| (rest.cloned().collect(), weights))
}

/// One round of self-play.
struct TrainingRound<'s, G: Engine> {
    game: &'s G,
    role: Role,
    features: &'s [Feature],
    implicants: &'s WinImplicants,
    evaluator: Option<&'s Arc<LearnedEvaluator>>,
    round: u64,
    clock: &'s SearchClock,
    /// Search stacks not in use: building one takes longer than many a game.
    ladders: Mutex<Vec<Rungs<'s, G>>>,
}

impl<'s, G: Engine> TrainingRound<'s, G> {
    /// The samples of all games of the round, played on all cores; the same on any number of them.
    fn samples(&self) -> TrainingSamples {
        let (mut samples, mut states) = (TrainingSamples::default(), 0);
        for first in (0..GAMES).step_by(PARALLEL_GAMES as usize) {
            if states > STATES || self.clock.is_over() {
                break;
            }
            let games = (first..first + PARALLEL_GAMES).into_par_iter();
            let played = games.map(|number| {
                let mut ladder = self.ladder();
                let played = self.play(&mut ladder, number);
                self.unused().push(ladder);
                played
            });
            for (of_game, evaluated) in played.collect::<Vec<_>>() {
                samples.rows.extend(of_game.rows);
                samples.targets.extend(of_game.targets);
                states += evaluated;
            }
        }
        samples
    }

    /// An unused search stack, or a new one.
    fn ladder(&self) -> Rungs<'s, G> {
        // A statement of its own, so that the lock is released while a stack is built.
        let unused = self.unused().pop();
        if let Some(ladder) = unused {
            return ladder;
        }
        let judge = self.evaluator.cloned().map(Judge::Learned);
        let mut rungs = Rungs::new(self.game, &self.game.initial(), self.role, judge);
        rungs.mark_facts();
        rungs
    }

    fn unused(&self) -> MutexGuard<'_, Vec<Rungs<'s, G>>> {
        self.ladders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The samples of one game, and the number of states evaluated for it.
    fn play(&self, ladder: &mut dyn Ladder, number: u64) -> (TrainingSamples, usize) {
        let seed = self.round * GAMES + number;
        let features = (self.features, self.implicants);
        SelfPlay::new(ladder, features, self.evaluator.is_some(), seed).play(self.clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implicants_without_predictive_value_are_left_out() {
        let feature = |measure| Feature {
            heuristic: "any",
            description: String::new(),
            measure,
        };
        let implicants = FeatureMeasure::Missing { role: 0, facts: 1 };
        let features = [
            feature(implicants),
            feature(FeatureMeasure::Facts(vec![(0, 1.0)])),
        ];
        let decided_by = |column: usize| {
            let bits = (0..400).map(|number| [f64::from(number & 1), f64::from(number >> 1 & 1)]);
            let rows: Vec<Vec<f64>> = bits.map(Vec::from).collect();
            let targets = rows.iter().map(|row| row[column]).collect();
            let samples = TrainingSamples { rows, targets };
            without_implicants(&features, &samples, &fit(&samples))
        };
        assert!(decided_by(0).is_none());
        let (kept, weights) = decided_by(1).unwrap();
        assert!(matches!(
            kept[..],
            [Feature {
                measure: FeatureMeasure::Facts(_),
                ..
            }]
        ));
        assert!(weights.len() == 2 && weights[0] > 1.0);
        let samples = TrainingSamples {
            rows: vec![vec![1.0]; 9],
            targets: vec![1.0; 9],
        };
        let alone = without_implicants(&features[..1], &samples, &fit(&samples));
        assert!(alone.is_none(), "there is nothing else to count");
    }
}
