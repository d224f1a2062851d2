//! What to expect of a state where the search ends: features found in the rules, weighed by how games ended.

mod features;
mod regression;
mod train;

use self::features::{Feature, Measure, Ways};
use self::regression::logistic;
use super::ladder::{Choices, Side};

pub(super) use train::train;

/// Weighs what can be counted in a state, for one role.
#[derive(Debug)]
pub(super) struct Evaluator {
    features: Vec<Feature>,
    /// One for each feature, and a constant.
    weights: Vec<f64>,
    ways: Ways,
    fast: Fast,
}

/// The same in whole numbers, so that engines agree to the last digit in whatever order they add.
#[derive(Debug, Default)]
struct Fast {
    constant: i32,
    /// Per fact.
    facts: Vec<i32>,
    /// Per number of choices, for the searcher and the others.
    choices: [Vec<i32>; 2],
    /// Per role, for 1, 2 and 3 missing facts; empty if nobody asks.
    missing: Vec<[i32; 3]>,
}

/// Sums are in so many parts of a unit of the logistic function's argument.
const UNIT: f64 = 1024.0;
/// From this number on choices are not told apart.
const CHOICES: usize = 256;

impl Evaluator {
    fn new(features: Vec<Feature>, weights: Vec<f64>, ways: Ways, facts: usize) -> Self {
        let fast = Fast::new(&features, &weights, facts);
        Self {
            features,
            weights,
            ways,
            fast,
        }
    }

    /// Thousandths of the goal that the searcher can expect.
    pub(super) fn expectation(&self, words: &[u64], choices: Choices) -> i32 {
        let fast = &self.fast;
        let mut sum = fast.constant;
        for (word, facts) in words.iter().zip(fast.facts.chunks(64)) {
            let mut left = *word;
            while left != 0 {
                sum += facts[left.trailing_zeros() as usize];
                left &= left - 1;
            }
        }
        for side in [Side::Own, Side::Others] {
            let count = (choices.of(side) as usize).min(CHOICES - 1);
            sum += fast.choices[side as usize][count];
        }
        for (role, weights) in fast.missing.iter().enumerate() {
            let counts = self.ways.missing(role, words);
            let ways = weights.iter().zip(counts);
            sum += ways
                .map(|(weight, count)| weight * count as i32)
                .sum::<i32>();
        }
        (logistic(f64::from(sum) / UNIT) * 100_000.0) as i32
    }

    /// How much each heuristic adds to the expectation, in units of the logistic function's argument; the constant is
    /// `start`.
    pub(super) fn contributions(
        &self,
        words: &[u64],
        choices: Choices,
    ) -> Vec<(&'static str, f64)> {
        let mut sums = vec![("start", self.weights[self.features.len()])];
        for (feature, weight) in self.features.iter().zip(&self.weights) {
            let part = weight * feature.count(words, choices, &self.ways);
            match sums.iter_mut().find(|(name, _)| *name == feature.heuristic) {
                Some((_, sum)) => *sum += part,
                None => sums.push((feature.heuristic, part)),
            }
        }
        sums
    }

    /// The features and their weights, in words.
    pub(super) fn weights(&self) -> impl Iterator<Item = (&'static str, &str, f64)> {
        let features = self.features.iter().zip(&self.weights);
        features.map(|(feature, weight)| (feature.heuristic, feature.about.as_str(), *weight))
    }
}

impl Fast {
    fn new(features: &[Feature], weights: &[f64], facts: usize) -> Self {
        let mut sums = vec![0.0; facts];
        let mut fast = Self {
            constant: whole(weights[features.len()]),
            choices: [vec![0; CHOICES], vec![0; CHOICES]],
            ..Self::default()
        };
        for (feature, weight) in features.iter().zip(weights) {
            match &feature.measure {
                Measure::Facts(facts) => {
                    for (fact, share) in facts {
                        sums[*fact as usize] += weight * f64::from(*share);
                    }
                }
                Measure::Choices(side) => {
                    let values =
                        (0..CHOICES).map(|count| whole(weight * (count.max(1) as f64).ln()));
                    fast.choices[*side as usize] = values.collect();
                }
                Measure::Missing { role, facts } => {
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

fn whole(weight: f64) -> i32 {
    (weight * UNIT).round().clamp(-1e6, 1e6) as i32
}
