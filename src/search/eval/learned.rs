//! The learned evaluator: features found in the rules, weighted by logistic regression on self-play.

use super::features::{Feature, FeatureMeasure};
use super::implicants::WinningImplicants;
use super::reachable::ReachableGoals;
use super::regression::logistic;
use crate::search::alphabeta::stack::{Choices, Side};

/// A weighted sum of features, for one role.
#[derive(Debug)]
pub(in crate::search) struct LearnedEvaluator {
    features: Vec<Feature>,
    /// One for each feature, and a constant.
    weights: Vec<f64>,
    implicants: WinningImplicants,
    reach: Option<ReachableGoals>,
    fast: IntegerWeights,
}

/// The same in integers, so that all engines get the same sums, in whatever order they add.
#[derive(Debug)]
struct IntegerWeights {
    constant: i32,
    /// Per fact.
    facts: Vec<i32>,
    /// Per number of choices, for the searcher and the others.
    choices: [Vec<i32>; 2],
    /// Per role, for 1, 2 and 3 missing facts; empty without this feature.
    missing: Vec<[i32; 3]>,
    /// The logistic function in thousandths of a goal, tabulated in steps of [`GRAIN`].
    logistic: Vec<i32>,
}

/// The parts of a unit in which the logistic function's argument is counted.
const UNIT: f64 = 1024.0;
/// The resolution of the table.
const GRAIN: i32 = 4;
/// The number of units beyond which the logistic function counts as 0 or 1.
const CERTAIN: i32 = 10;
/// Greater numbers of choices count as this one.
const CHOICES: usize = 256;

impl LearnedEvaluator {
    pub(super) fn new(
        features: Vec<Feature>,
        weights: Vec<f64>,
        implicants: WinningImplicants,
        facts: usize,
    ) -> Self {
        let fast = IntegerWeights::new(&features, &weights, facts);
        Self {
            features,
            weights,
            implicants,
            reach: None,
            fast,
        }
    }

    /// The same, clamped to the goals that are still reachable.
    pub(super) fn within(self, reach: Option<ReachableGoals>) -> Self {
        Self { reach, ..self }
    }

    /// The weighted sum over the facts that hold.
    pub(in crate::search) fn sum(&self, words: &[u64]) -> i32 {
        self.changed_sum(0, &vec![0; words.len()], words)
    }

    /// The same, computed from the sum of another state and the facts that differ.
    pub(in crate::search) fn changed_sum(&self, known: i32, before: &[u64], words: &[u64]) -> i32 {
        let mut sum = known;
        let facts = self.fast.facts.chunks(64);
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

    /// The expected goal of the searcher, in thousandths; `sum` is that of the facts.
    pub(in crate::search) fn expectation(&self, sum: i32, words: &[u64], choices: Choices) -> i32 {
        let fast = &self.fast;
        let mut sum = fast.constant + sum;
        for side in [Side::Own, Side::Others] {
            let count = (choices.of(side) as usize).min(CHOICES - 1);
            sum += fast.choices[side as usize][count];
        }
        for (role, weights) in fast.missing.iter().enumerate() {
            let counts = self.implicants.missing(role, words);
            let implicants = weights.iter().zip(counts);
            sum += implicants
                .map(|(weight, count)| weight * count as i32)
                .sum::<i32>();
        }
        let place = (sum / GRAIN + fast.logistic.len() as i32 / 2).max(0) as usize;
        let expected = fast.logistic[place.min(fast.logistic.len() - 1)];
        self.bounded(expected, words)
    }

    /// Clamps the expectation to the reachable goals.
    fn bounded(&self, expected: i32, words: &[u64]) -> i32 {
        match &self.reach {
            Some(reach) => {
                let (least, greatest) = reach.range(words);
                expected.clamp(i32::from(least) * 1000, i32::from(greatest) * 1000)
            }
            None => expected,
        }
    }

    /// The contribution of each heuristic to the logistic function's argument; the constant is called `start`.
    pub(in crate::search) fn contributions(
        &self,
        words: &[u64],
        choices: Choices,
    ) -> Vec<(&'static str, f64)> {
        let mut sums = vec![("start", self.weights[self.features.len()])];
        for (feature, weight) in self.features.iter().zip(&self.weights) {
            let part = weight * feature.count(words, choices, &self.implicants);
            match sums.iter_mut().find(|(name, _)| *name == feature.heuristic) {
                Some((_, sum)) => *sum += part,
                None => sums.push((feature.heuristic, part)),
            }
        }
        if self.reach.is_some() {
            let sum = sums.iter().map(|(_, part)| part).sum();
            sums.push(("certain", self.clamp_correction(sum, words)));
        }
        sums
    }

    /// What clamping to the reachable goals adds to a sum.
    fn clamp_correction(&self, sum: f64, words: &[u64]) -> f64 {
        let expected = (logistic(sum) * 100_000.0) as i32;
        match self.bounded(expected, words) {
            bounded if bounded == expected => 0.0,
            bounded => {
                let share = f64::from(bounded) / 100_000.0;
                let most = f64::from(CERTAIN);
                (share / (1.0 - share)).ln().clamp(-most, most) - sum
            }
        }
    }

    /// Heuristic, description and weight of each feature.
    pub(in crate::search) fn weights(&self) -> impl Iterator<Item = (&'static str, &str, f64)> {
        let features = self.features.iter().zip(&self.weights);
        features.map(|(feature, weight)| (feature.heuristic, feature.about.as_str(), *weight))
    }
}

impl IntegerWeights {
    fn new(features: &[Feature], weights: &[f64], facts: usize) -> Self {
        let mut sums = vec![0.0; facts];
        let mut fast = Self {
            constant: whole(weights[features.len()]),
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
                        (0..CHOICES).map(|count| whole(weight * (count.max(1) as f64).ln()));
                    fast.choices[*side as usize] = values.collect();
                }
                FeatureMeasure::Missing { role, facts } => {
                    let len = fast.missing.len().max(role + 1);
                    fast.missing.resize(len, [0; 3]);
                    fast.missing[*role][*facts as usize - 1] = whole(*weight);
                }
            }
        }
        fast.facts = sums.into_iter().map(whole).collect();
        fast
    }
}

/// The table of the logistic function.
fn thousandths() -> Vec<i32> {
    let most = CERTAIN * UNIT as i32 / GRAIN;
    let goal = |place: i32| logistic(f64::from(place * GRAIN) / UNIT) * 100_000.0;
    (-most..=most).map(|place| goal(place) as i32).collect()
}

fn whole(weight: f64) -> i32 {
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
            implicants: vec![Implicant {
                needs: needs.to_vec(),
                unless: Vec::new(),
            }],
        };
        let game_facts = GameFacts {
            facts: vec!["o".to_owned(), "x".to_owned()],
            mutex_groups: vec![vec![0, 1]],
            goals: vec![vec![goal_value(60, &[]), goal_value(100, &[1])]],
            persistent: vec![0],
            ..GameFacts::default()
        };
        let reach = ReachableGoals::new(&game_facts, Role(0), Heuristics::ALL);
        let evaluator =
            LearnedEvaluator::new(Vec::new(), vec![3.0], WinningImplicants::default(), 2)
                .within(reach);
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
            parts.iter().map(|(_, part)| part).sum()
        };
        assert_eq!(sum(&[0]), 3.0);
        assert!((logistic(sum(&[1])) - 0.6).abs() < 1e-9);
    }
}
