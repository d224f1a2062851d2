//! Evaluation of states at the horizon of a search: a weighted sum of features, as a probability by the logistic function.
//!
//! Features are derived from the rules (`features`, `relation`, `implicants`). Their weights are learned by logistic
//! regression on games of self-play (`self_play`, `regression`, `training`). `certain` clamps the result to the goals that
//! are still reachable.

mod certain;
mod features;
mod heuristics;
mod implicants;
mod learned_weights;
mod regression;
mod relation;
mod self_play;
mod training;

use self::certain::ReachableGoals;
use self::features::{Feature, FeatureMeasure};
use self::implicants::WinImplicants;
use self::regression::logistic;
use super::ladder::{Choices, Side};

pub(super) use heuristics::QUIESCENCE;
pub use heuristics::{Heuristics, UnknownHeuristic};
pub use learned_weights::LearnedWeights;

/// A learned linear evaluation of states, for one role.
#[derive(Debug)]
pub(super) struct LearnedEvaluator {
    features: Vec<Feature>,
    /// One for each feature, and the intercept.
    weights: Vec<f64>,
    implicants: WinImplicants,
    reachable: Option<ReachableGoals>,
    integers: IntegerWeights,
}

/// The weights as integers, so that sums do not depend on the order of their terms and all engines agree exactly.
#[derive(Debug)]
struct IntegerWeights {
    intercept: i32,
    /// By fact.
    facts: Vec<i32>,
    /// By number of choices, for the searcher and the others.
    choices: [Vec<i32>; 2],
    /// By role, for implicants that lack 1, 2 and 3 facts; empty if no such feature has a weight.
    missing: Vec<[i32; 3]>,
    /// The logistic function in thousandths of a goal point, tabulated every `GRAIN` parts of a unit.
    logistic: Vec<i32>,
}

/// The integer scale: parts of a unit of the logistic function's argument.
const UNIT: f64 = 1024.0;
/// The resolution of the table.
const GRAIN: i32 = 4;
/// The range of the table in units; beyond it, the expectation is constant.
const LOGISTIC_RANGE: i32 = 10;
/// Numbers of choices are clamped to less than this.
const CHOICES: usize = 256;

impl LearnedEvaluator {
    fn new(
        features: Vec<Feature>,
        weights: Vec<f64>,
        implicants: WinImplicants,
        facts: usize,
    ) -> Self {
        let integers = IntegerWeights::new(&features, &weights, facts);
        Self {
            features,
            weights,
            implicants,
            reachable: None,
            integers,
        }
    }

    /// The same with expectations clamped to the reachable goals.
    fn clamped_to(self, reachable: Option<ReachableGoals>) -> Self {
        Self { reachable, ..self }
    }

    /// The sum of the weights of the facts that hold.
    pub(super) fn sum(&self, words: &[u64]) -> i32 {
        self.changed_sum(0, &vec![0; words.len()], words)
    }

    /// The same, updated incrementally from the sum `known` of the state `before`.
    pub(super) fn changed_sum(&self, known: i32, before: &[u64], words: &[u64]) -> i32 {
        let mut sum = known;
        let facts = self.integers.facts.chunks(64);
        for ((word, before), facts) in words.iter().zip(before).zip(facts) {
            let mut changed = word ^ before;
            while changed != 0 {
                let fact = changed.trailing_zeros();
                let sign = if word >> fact & 1 == 1 { 1 } else { -1 };
                sum += sign * facts[fact as usize];
                changed &= changed - 1;
            }
        }
        sum
    }

    /// The expected goal of the searcher in thousandths of a point; `sum` is the sum of the weights of the facts.
    pub(super) fn expectation(&self, sum: i32, words: &[u64], choices: Choices) -> i32 {
        let integers = &self.integers;
        let mut sum = integers.intercept + sum;
        for side in [Side::Own, Side::Others] {
            let count = (choices.of(side) as usize).min(CHOICES - 1);
            sum += integers.choices[side as usize][count];
        }
        for (role, weights) in integers.missing.iter().enumerate() {
            let counts = self.implicants.missing(role, words);
            let implicants = weights.iter().zip(counts);
            sum += implicants
                .map(|(weight, count)| weight * count as i32)
                .sum::<i32>();
        }
        let place = (sum / GRAIN + integers.logistic.len() as i32 / 2).max(0) as usize;
        let expected = integers.logistic[place.min(integers.logistic.len() - 1)];
        self.clamped(expected, words)
    }

    /// An expectation clamped to the reachable goals.
    fn clamped(&self, expected: i32, words: &[u64]) -> i32 {
        match &self.reachable {
            Some(reachable) => {
                let (least, greatest) = reachable.range(words);
                expected.clamp(i32::from(least) * 1000, i32::from(greatest) * 1000)
            }
            None => expected,
        }
    }

    /// The contribution of each heuristic to the sum, in units of the logistic function's argument; `start` is the
    /// intercept.
    pub(super) fn contributions(
        &self,
        words: &[u64],
        choices: Choices,
    ) -> Vec<(&'static str, f64)> {
        let mut sums = vec![("start", self.weights[self.features.len()])];
        for (feature, weight) in self.features.iter().zip(&self.weights) {
            let contribution = weight * feature.value(words, choices, &self.implicants);
            match sums.iter_mut().find(|(name, _)| *name == feature.heuristic) {
                Some((_, sum)) => *sum += contribution,
                None => sums.push((feature.heuristic, contribution)),
            }
        }
        if self.reachable.is_some() {
            let sum = sums.iter().map(|(_, contribution)| contribution).sum();
            sums.push(("certain", self.correction(sum, words)));
        }
        sums
    }

    /// What must be added to a sum to clamp its expectation to the reachable goals.
    fn correction(&self, sum: f64, words: &[u64]) -> f64 {
        let expected = (logistic(sum) * 100_000.0) as i32;
        match self.clamped(expected, words) {
            clamped if clamped == expected => 0.0,
            clamped => {
                let share = f64::from(clamped) / 100_000.0;
                let most = f64::from(LOGISTIC_RANGE);
                (share / (1.0 - share)).ln().clamp(-most, most) - sum
            }
        }
    }

    /// The features with their heuristics, descriptions and weights.
    pub(super) fn weights(&self) -> impl Iterator<Item = (&'static str, &str, f64)> {
        let features = self.features.iter().zip(&self.weights);
        features.map(|(feature, weight)| (feature.heuristic, feature.description.as_str(), *weight))
    }
}

impl IntegerWeights {
    fn new(features: &[Feature], weights: &[f64], facts: usize) -> Self {
        let mut sums = vec![0.0; facts];
        let mut integers = Self {
            intercept: rounded(weights[features.len()]),
            choices: [vec![0; CHOICES], vec![0; CHOICES]],
            facts: Vec::new(),
            missing: Vec::new(),
            logistic: thousandths(),
        };
        for (feature, weight) in features.iter().zip(weights) {
            match &feature.measure {
                FeatureMeasure::Facts(facts) => {
                    for (fact, share) in facts {
                        sums[*fact as usize] += weight * f64::from(*share);
                    }
                }
                FeatureMeasure::Choices(side) => {
                    let values =
                        (0..CHOICES).map(|count| rounded(weight * (count.max(1) as f64).ln()));
                    integers.choices[*side as usize] = values.collect();
                }
                FeatureMeasure::Missing { role, facts } => {
                    let len = integers.missing.len().max(role + 1);
                    integers.missing.resize(len, [0; 3]);
                    integers.missing[*role][*facts as usize - 1] = rounded(*weight);
                }
            }
        }
        integers.facts = sums.into_iter().map(rounded).collect();
        integers
    }
}

/// The table of the logistic function.
fn thousandths() -> Vec<i32> {
    let most = LOGISTIC_RANGE * UNIT as i32 / GRAIN;
    let goal = |place: i32| logistic(f64::from(place * GRAIN) / UNIT) * 100_000.0;
    (-most..=most).map(|place| goal(place) as i32).collect()
}

fn rounded(weight: f64) -> i32 {
    (weight * UNIT).round().clamp(-1e6, 1e6) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameFacts, GoalValue, Implicant, Role};
    use crate::search::Heuristics;

    #[test]
    fn expectations_are_clamped_to_reachable_goals() {
        let goal_value = |goal, needs: &[u32]| GoalValue {
            goal,
            ways: vec![Implicant {
                needs: needs.to_vec(),
                unless: Vec::new(),
            }],
        };
        let game_facts = GameFacts {
            facts: vec!["o".to_owned(), "x".to_owned()],
            groups: vec![vec![0, 1]],
            goals: vec![vec![goal_value(60, &[]), goal_value(100, &[1])]],
            stay: vec![0],
            ..GameFacts::default()
        };
        let reachable = ReachableGoals::new(&game_facts, Role(0), Heuristics::ALL);
        let evaluator = LearnedEvaluator::new(Vec::new(), vec![3.0], WinImplicants::default(), 2)
            .clamped_to(reachable);
        let choices = Choices {
            own: 1,
            replies: 1,
            chances: 1,
        };
        let expected = |words| evaluator.expectation(0, words, choices);
        assert!(expected(&[0]) > 90_000);
        assert_eq!(expected(&[1]), 60_000);
        let sum = |words| -> f64 {
            let parts = evaluator.contributions(words, choices);
            parts.iter().map(|(_, contribution)| contribution).sum()
        };
        assert_eq!(sum(&[0]), 3.0);
        assert!((logistic(sum(&[1])) - 0.6).abs() < 1e-9);
    }
}
