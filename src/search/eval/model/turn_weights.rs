//! The weights for one turn.

use super::super::hidden::HiddenUnits;
use super::super::tuples::Tuples;
use crate::game::held_facts;

/// The weights for one turn.
#[derive(Debug, Clone)]
pub(in crate::search::eval) struct TurnWeights {
    pub(in crate::search::eval) constant: f32,
    /// One for each feature.
    pub(in crate::search::eval) features: Vec<f32>,
    /// One for each fact.
    pub(in crate::search::eval) facts: Vec<f32>,
    /// See [`Tuples`].
    pub(in crate::search::eval) tuples: Vec<f32>,
    pub(in crate::search::eval) hidden: HiddenUnits,
    /// What was learned of each pattern since the weights were refreshed, when it is added to those of all tuples that it stands for.
    pub(super) patterns: Vec<f32>,
    /// What each fact adds to the sum, tuples left out.
    pub(in crate::search::eval) sums: Vec<f32>,
    /// What does not depend on the state.
    pub(in crate::search::eval) base: f32,
    /// Per feature, its mean and how much a unit of it counts, so that all features vary alike.
    pub(in crate::search::eval) scales: Vec<(f32, f32)>,
}

impl TurnWeights {
    /// All weights zero, for so many features and facts, and for these tuples.
    pub(super) fn zero(features: usize, facts: usize, tuples: &Tuples) -> Self {
        Self {
            constant: 0.0,
            features: vec![0.0; features],
            facts: vec![0.0; facts],
            tuples: vec![0.0; tuples.weights],
            hidden: HiddenUnits::default(),
            patterns: vec![0.0; tuples.patterns.count],
            sums: vec![0.0; facts],
            base: 0.0,
            scales: vec![(0.0, 0.0); features],
        }
    }

    /// Takes over weights of which these have more.
    pub(super) fn take_over(&mut self, fewer: &Self) {
        self.constant = fewer.constant;
        self.features.clone_from(&fewer.features);
        self.scales.clone_from(&fewer.scales);
        self.facts[..fewer.facts.len()].copy_from_slice(&fewer.facts);
        self.tuples[..fewer.tuples.len()].copy_from_slice(&fewer.tuples);
        self.hidden = fewer.hidden.over(self.facts.len());
    }

    /// The sum over facts and tuples; replaces `tuples` by the weight of each.
    pub(super) fn sum(&self, words: &[u64], places: &[u32], tuples: &mut Vec<f32>) -> f32 {
        let facts: f32 = held_facts(words).map(|fact| self.sums[fact]).sum();
        tuples.clear();
        tuples.extend(places.iter().map(|&place| self.tuples[place as usize]));
        self.base + tuples.iter().sum::<f32>() + facts
    }

    /// Adds what was learned of patterns to the weights of the tuples.
    pub(super) fn take_in_patterns(&mut self, tuples: &Tuples) {
        for (places, patterns) in tuples.patterns.ranges() {
            let learned = &self.patterns[patterns];
            for (weight, of_pattern) in self.tuples[places].iter_mut().zip(learned) {
                *weight += of_pattern;
            }
        }
        self.patterns.fill(0.0);
    }

    /// Moves the weights by the share `part` of the way to those of `other`.
    pub(in crate::search::eval) fn approach(&mut self, other: &Self, part: f32) {
        let mix = |own: &mut Vec<f32>, others: &[f32]| {
            for (own, other) in own.iter_mut().zip(others) {
                *own += part * (other - *own);
            }
        };
        self.constant += part * (other.constant - self.constant);
        mix(&mut self.features, &other.features);
        mix(&mut self.facts, &other.facts);
        mix(&mut self.tuples, &other.tuples);
        self.hidden.approach(&other.hidden, part);
    }

    /// What a unit of each feature adds to the sum.
    pub(in crate::search::eval) fn units(&self) -> impl Iterator<Item = f32> + '_ {
        let weights = self.features.iter().zip(&self.scales);
        weights.map(|(weight, (_, scale))| weight * scale)
    }
}
