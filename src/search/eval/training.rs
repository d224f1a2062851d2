//! Training: rounds of self-play, with random moves first and then with the weights found so far.
//!
//! The weights depend on the game, the role and the heuristics alone, unless the deadline cuts the training short.
//! Sibling states are ordered by the facts that hold in them and not by their numbers, so that all engines play the
//! same games.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::evaluator::Evaluator;
use super::features::{Feature, FeatureMeasure, features};
use super::implicants::WinningImplicants;
use super::learned::LearnedEvaluator;
use super::reachable::ReachableGoals;
use super::regression::{TrainingSamples, cross_entropy, fit};
use super::self_play::SelfPlayGame;
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::alphabeta::plies::EngineStack;
use crate::search::alphabeta::stack::SearchStack;
use crate::search::limits::SearchClock;

/// How often the weights are fitted.
const ROUNDS: u64 = 5;
/// The games or states after which a round ends. With a third of that, Kolibrat lost every game against a hand-written
/// evaluation instead of winning most.
const GAMES: u64 = 750;
const STATES: usize = 240_000;
/// The number of games played in parallel: fewer where the number of states is given, so that it is not exceeded by far.
const AT_ONCE: u64 = 50;
const AT_ONCE_OF_FEW: u64 = 10;
/// Fewer samples are not enough.
const FEWEST: usize = 200;
/// Counting missing facts of implicants may take ten times as long as all other features. These features are dropped
/// where they improve the prediction by less than this, in nats per state; in games of making lines they bring ten
/// times as much.
const WORTH: f64 = 1e-3;

/// What is trained, and on how many states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct TrainingPlan {
    /// The heuristics that get weights.
    pub(in crate::search) heuristics: Heuristics,
    /// States of self-play at most; without it, what is usual.
    pub(in crate::search) states: Option<u64>,
}

impl TrainingPlan {
    /// After how many states a round ends, and how many games are played at once.
    fn round(self) -> (usize, u64) {
        match self.states {
            None => (STATES, AT_ONCE),
            Some(states) => {
                let of_round = usize::try_from(states / ROUNDS).unwrap_or(usize::MAX);
                (of_round, AT_ONCE_OF_FEW)
            }
        }
    }
}

/// The result of a training.
#[derive(Debug, Clone)]
pub(in crate::search) struct TrainingResult {
    /// An evaluator, if there was anything to learn.
    pub(in crate::search) evaluator: Option<Arc<LearnedEvaluator>>,
    /// Whether the deadline cut it short, so that another training may give other weights.
    pub(in crate::search) is_cut_short: bool,
}

/// Trains an evaluator for `role` until the deadline.
pub(in crate::search) fn train<G: Engine>(
    game: &G,
    role: Role,
    plan: TrainingPlan,
    clock: &SearchClock,
) -> TrainingResult {
    let evaluator = evaluator_of(game, role, plan, clock);
    TrainingResult {
        is_cut_short: evaluator.is_some() && clock.is_over(),
        evaluator,
    }
}

fn evaluator_of<G: Engine>(
    game: &G,
    role: Role,
    plan: TrainingPlan,
    clock: &SearchClock,
) -> Option<Arc<LearnedEvaluator>> {
    let heuristics = plan.heuristics;
    let game_facts = if heuristics == Heuristics::NONE {
        None
    } else {
        game.game_facts()
    };
    let facts = game_facts.map_or(0, |game_facts| game_facts.facts.len());
    let implicants = game_facts.map(WinningImplicants::new).unwrap_or_default();
    let mut features = features(game_facts, &implicants, heuristics);
    let reach = game_facts.and_then(|game_facts| ReachableGoals::new(game_facts, role, heuristics));
    let evaluator = |features: &[Feature], weights: Vec<f64>| {
        LearnedEvaluator::new(features.to_vec(), weights, implicants.clone(), facts)
    };
    let rounds = if features.is_empty() { 0 } else { ROUNDS };
    let mut weights = None;
    for round in 0..rounds {
        // Without clamping to reachable goals: weights that were learned with it lost to those without.
        let known = weights.clone();
        let known = known.map(|weights| Arc::new(evaluator(&features, weights)));
        let samples = TrainingRound {
            game,
            role,
            features: &features,
            implicants: &implicants,
            evaluator: known.as_ref(),
            round,
            plan,
            clock,
            stacks: Mutex::default(),
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

/// The features without the winning implicants, and their weights, if these predict as well as those `fitted` with
/// all.
fn without_ways(
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
    let worth = cross_entropy(&few, &weights) - cross_entropy(samples, fitted);
    let rest = features.iter().filter(|feature| is_cheap(feature));
    (worth < WORTH).then(|| (rest.cloned().collect(), weights))
}

/// One round of self-play.
struct TrainingRound<'s, G: Engine> {
    game: &'s G,
    role: Role,
    features: &'s [Feature],
    implicants: &'s WinningImplicants,
    evaluator: Option<&'s Arc<LearnedEvaluator>>,
    round: u64,
    plan: TrainingPlan,
    clock: &'s SearchClock,
    /// Stacks that no game uses at the moment: making one takes longer than many a game.
    stacks: Mutex<Vec<EngineStack<'s, G>>>,
}

impl<'s, G: Engine> TrainingRound<'s, G> {
    /// The samples of a round, played on all cores; the same for any number of them.
    fn samples(&self) -> TrainingSamples {
        let (mut samples, mut states) = (TrainingSamples::default(), 0);
        let (most_states, at_once) = self.plan.round();
        for first in (0..GAMES).step_by(at_once as usize) {
            if states > most_states || self.clock.is_over() {
                break;
            }
            let games = (first..first + at_once).into_par_iter();
            let played = games.map(|number| {
                let mut stack = self.stack();
                let played = self.play(&mut stack, number);
                self.idle_stacks().push(stack);
                played
            });
            for (of_game, expanded) in played.collect::<Vec<_>>() {
                samples.rows.extend(of_game.rows);
                samples.results.extend(of_game.results);
                states += expanded;
            }
        }
        samples
    }

    /// An idle stack, or a new one.
    fn stack(&self) -> EngineStack<'s, G> {
        // A statement of its own, so that the lock is released while a stack is made.
        let idle_stacks = self.idle_stacks().pop();
        if let Some(stack) = idle_stacks {
            return stack;
        }
        let evaluator = self.evaluator.cloned().map(Evaluator::Learned);
        let mut plies = EngineStack::new(self.game, &self.game.initial(), self.role, evaluator);
        plies.mark_facts();
        plies
    }

    fn idle_stacks(&self) -> MutexGuard<'_, Vec<EngineStack<'s, G>>> {
        self.stacks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The samples of one game, and the number of states expanded for it.
    fn play(&self, stack: &mut dyn SearchStack, number: u64) -> (TrainingSamples, usize) {
        let seed = self.round * GAMES + number;
        let counted = (self.features, self.implicants);
        SelfPlayGame::new(stack, counted, self.evaluator.is_some(), seed).play(self.clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implicants_that_predict_nothing_are_left_out() {
        let feature = |measure| Feature {
            heuristic: "any",
            about: String::new(),
            measure,
        };
        let implicants = FeatureMeasure::Missing { role: 0, facts: 1 };
        let features = [
            feature(implicants),
            feature(FeatureMeasure::Facts(vec![(0, 1.0)])),
        ];
        let predicted_by = |column: usize| {
            let bits = (0..400).map(|number| [f64::from(number & 1), f64::from(number >> 1 & 1)]);
            let rows: Vec<Vec<f64>> = bits.map(Vec::from).collect();
            let results = rows.iter().map(|row| row[column]).collect();
            let samples = TrainingSamples { rows, results };
            without_ways(&features, &samples, &fit(&samples))
        };
        assert!(predicted_by(0).is_none());
        let (kept, weights) = predicted_by(1).unwrap();
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
            results: vec![1.0; 9],
        };
        let alone = without_ways(&features[..1], &samples, &fit(&samples));
        assert!(alone.is_none(), "there is nothing else to count");
    }
}
