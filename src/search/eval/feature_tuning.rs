//! Weights of features alone, tuned by games between them: by simultaneous perturbation (Spall 1992) or by the annealing of a population.
//!
//! With one ply of look-ahead, weights choose the same moves as any multiple of them. So those that are found are scaled to weigh as much as
//! the ones that regression finds, which also give the constants.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::course::USUAL_TIME;
use super::duel::share_of_points;
use super::model::EvaluationModel;
use super::saved::{SavedWeights, WeightsSubject};
use super::training_plan::{TrainingPlan, TrainingRecord};
use super::weights::LearnedWeights;
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::limits::SearchClock;
use crate::util::StopFlag;

/// Games that tell how good the weights are in the end.
const FINAL_GAMES: u64 = 800;
/// The gains of simultaneous perturbation: `GAIN / (round + STABILITY)^0.602`, and the size of a perturbation: `PERTURBATION / round^0.101`.
const GAIN: f32 = 0.3;
const STABILITY: f32 = 50.0;
const PERTURBATION: f32 = 0.3;
/// How many weights a population has, and by how much each changes at most while it is hot. The greatest is 1.
const POPULATION: usize = 20;
const AMPLITUDE: f32 = 0.5;

/// How weights of features are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TuningMethod {
    /// Logistic regression by temporal differences, as players learn.
    Regression,
    /// Simultaneous perturbation: two weights that differ everywhere by a random sign play a match, whose result moves all of them.
    Spsa,
    /// A population plays in pairs; winners stay, and each yields a copy with random changes, which become smaller.
    Annealing,
}

/// What is asked of a tuning.
pub struct FeatureTuning<'t> {
    /// The number of the role; where what one of two roles wins, the other loses, weights are for both.
    pub role: usize,
    /// How they are found.
    pub method: TuningMethod,
    /// The heuristics whose features have weights; tuples and facts have none.
    pub heuristics: Heuristics,
    /// States of self-play from which regression learns, at most; without it, as many as players.
    pub states: Option<u64>,
    /// Matches of simultaneous perturbation, or generations of a population.
    pub rounds: u64,
    /// Games of a match, at least: an even number for each of eight groups.
    pub games: u64,
    /// What is random is drawn from this.
    pub seed: u64,
    /// The name of the game, and the digest of its rules.
    pub subject: (String, String),
    /// Raised to end it: what was found until then counts.
    pub stop: &'t StopFlag,
    /// Told of each round.
    pub report: &'t (dyn Fn(u64) + Sync),
}

/// The result of a tuning.
#[derive(Debug, Clone)]
pub struct TunedFeatures {
    /// The weights. Their training counts games, and no states.
    pub weights: SavedWeights,
    /// What they are: heuristic, feature, and what a unit of it adds, in logits.
    pub features: Vec<(&'static str, String, f64)>,
    /// How many rounds were played.
    pub rounds: u64,
    /// The points of 100 that they get against those of regression, one ply deep; none for regression itself.
    pub score: Option<f64>,
}

/// A tuning under way.
struct Tuning<'g, 't, G> {
    game: &'g G,
    learner: Role,
    tuning: &'t FeatureTuning<'t>,
    /// The weights of regression.
    regression: EvaluationModel,
    clock: SearchClock,
    random: Xoshiro256PlusPlus,
    rounds: u64,
    games: u64,
}

impl LearnedWeights {
    /// Tunes weights of features; nothing where a game has none, or none of its games ends.
    pub fn tune<G: Engine>(
        &mut self,
        game: &G,
        tuning: &FeatureTuning<'_>,
    ) -> Option<TunedFeatures> {
        let clock = SearchClock::within(USUAL_TIME, tuning.stop);
        let plan = TrainingPlan {
            heuristics: tuning.heuristics,
            states: tuning.states,
            ..TrainingPlan::default()
        };
        let learned = self.learn(game, Role(tuning.role), plan, &clock);
        let regression = learned.evaluator?.model().clone();
        let shares_points = self.shares_points();
        let mut under_way = Tuning {
            game,
            learner: Role(if shares_points { 0 } else { tuning.role }),
            tuning,
            regression,
            clock: SearchClock::endless_until(tuning.stop),
            random: Xoshiro256PlusPlus::seed_from_u64(tuning.seed),
            rounds: 0,
            games: 0,
        };
        if under_way.features().is_empty() {
            return None;
        }
        let found = match tuning.method {
            TuningMethod::Regression => None,
            TuningMethod::Spsa => Some(under_way.perturb()),
            TuningMethod::Annealing => Some(under_way.anneal()),
        };
        let model = match &found {
            Some(weights) => under_way.scaled(weights),
            None => under_way.regression.clone(),
        };
        let score = found.and_then(|_| under_way.score(&model));
        let record = TrainingRecord {
            seconds: clock.begin.elapsed().as_secs_f64(),
            ..match tuning.method {
                TuningMethod::Regression => learned.record,
                _ => TrainingRecord {
                    games: under_way.games,
                    ..TrainingRecord::default()
                },
            }
        };
        let (name, rules) = tuning.subject.clone();
        let subject = WeightsSubject {
            game: name,
            rules,
            role: under_way.learner.0,
            shares_points,
        };
        let (about, game_facts) = ((subject, record), game.game_facts());
        let weights = SavedWeights::of(&model, game_facts, tuning.heuristics, about);
        Some(TunedFeatures {
            features: weights
                .evaluator(game_facts, under_way.learner)
                .weights(game.roles()),
            weights,
            rounds: under_way.rounds,
            score,
        })
    }
}

impl<G: Engine> Tuning<'_, '_, G> {
    /// The weights of the features of regression, turn by turn.
    fn features(&self) -> Vec<f32> {
        let of_turns = self.regression.weights.iter();
        of_turns
            .flat_map(|weights| weights.features.clone())
            .collect()
    }

    /// The evaluation with these weights of features.
    fn model(&self, weights: &[f32]) -> EvaluationModel {
        let mut model = self.regression.clone();
        let of_turns = model.weights.iter_mut();
        let own = of_turns.flat_map(|of_turn| &mut of_turn.features);
        own.zip(weights).for_each(|(own, weight)| *own = *weight);
        model.refresh();
        model
    }

    /// The same, with weights that weigh as much as those of regression.
    fn scaled(&self, weights: &[f32]) -> EvaluationModel {
        let norm = |weights: &[f32]| weights.iter().map(|weight| weight * weight).sum::<f32>();
        let factor = match norm(weights) {
            0.0 => 0.0,
            own => (norm(&self.features()) / own).sqrt(),
        };
        let weights: Vec<f32> = weights.iter().map(|weight| weight * factor).collect();
        self.model(&weights)
    }

    /// The first one's share of the points in a match between two weights, in games that no match before had; nothing after a stop.
    fn share(&mut self, [one, other]: [&[f32]; 2]) -> Option<f32> {
        let models = [one, other].map(|weights| self.model(weights));
        let games = (self.tuning.games, self.games);
        self.games += self.tuning.games;
        let [one, other] = &models;
        let share = share_of_points(self.game, self.learner, [one, other], games, &self.clock);
        share.map(|share| share as f32)
    }

    /// Points of 100 against the weights of regression.
    fn score(&self, model: &EvaluationModel) -> Option<f64> {
        let models = [model, &self.regression];
        let games = (FINAL_GAMES, self.games);
        let share = share_of_points(self.game, self.learner, models, games, &self.clock);
        share.map(|share| 100.0 * share)
    }

    fn end_round(&mut self) {
        self.rounds += 1;
        (self.tuning.report)(self.rounds);
    }

    /// Simultaneous perturbation, from no weights at all.
    fn perturb(&mut self) -> Vec<f32> {
        let mut weights = vec![0.0; self.features().len()];
        for round in 1..=self.tuning.rounds {
            let gain = GAIN / libm::powf(round as f32 + STABILITY, 0.602);
            let size = PERTURBATION / libm::powf(round as f32, 0.101);
            let sign = |random: &mut Xoshiro256PlusPlus| if random.random() { 1.0 } else { -1.0 };
            let signs: Vec<f32> = weights.iter().map(|_| sign(&mut self.random)).collect();
            let moved = |by: f32| -> Vec<f32> {
                let signs = weights.iter().zip(&signs);
                signs.map(|(weight, sign)| weight + by * sign).collect()
            };
            let Some(share) = self.share([&moved(size), &moved(-size)]) else {
                break;
            };
            weights = moved(gain * (share - 0.5) / size);
            self.end_round();
        }
        weights
    }

    /// The mean of a population in the end.
    fn anneal(&mut self) -> Vec<f32> {
        let count = self.features().len();
        let at_random = |random: &mut Xoshiro256PlusPlus| -> Vec<f32> {
            (0..count)
                .map(|_| random.random_range(-1.0..=1.0))
                .collect()
        };
        let population = 0..POPULATION;
        let mut population: Vec<Vec<f32>> =
            population.map(|_| at_random(&mut self.random)).collect();
        for generation in 0..self.tuning.rounds {
            let temperature = 1.0 - generation as f32 / self.tuning.rounds as f32;
            population.shuffle(&mut self.random);
            let Some(survivors) = self.survivors(&population) else {
                break;
            };
            let mutants = survivors.iter().map(|parent| {
                let change =
                    |random: &mut Xoshiro256PlusPlus| random.random_range(-AMPLITUDE..=AMPLITUDE);
                let changed = parent.iter();
                let changed = changed.map(|weight| weight + temperature * change(&mut self.random));
                with_greatest_one(changed.collect())
            });
            let mutants: Vec<Vec<f32>> = mutants.collect();
            population = [survivors, mutants].concat();
            self.end_round();
        }
        let mean = |place: usize| population.iter().map(|weights| weights[place]).sum::<f32>();
        (0..count)
            .map(|place| mean(place) / POPULATION as f32)
            .collect()
    }

    /// The winner of each pair; nothing after a stop.
    fn survivors(&mut self, population: &[Vec<f32>]) -> Option<Vec<Vec<f32>>> {
        let (pairs, _) = population.as_chunks::<2>();
        let winner = |[one, other]: &[Vec<f32>; 2]| {
            let share = self.share([one, other])?;
            Some(if share >= 0.5 { one } else { other }.clone())
        };
        pairs.iter().map(winner).collect()
    }
}

/// The weights divided by the greatest of them.
fn with_greatest_one(weights: Vec<f32>) -> Vec<f32> {
    let greatest = weights
        .iter()
        .fold(0.0, |greatest: f32, weight| greatest.max(weight.abs()));
    match greatest {
        0.0 => weights,
        greatest => weights.iter().map(|weight| weight / greatest).collect(),
    }
}

#[cfg(test)]
mod tests;
