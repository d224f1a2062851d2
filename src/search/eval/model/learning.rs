//! How weights are learned: gradient steps of a logistic function, normalised by the length of what is weighted.

use super::super::logistic::logistic;
use super::super::tuples::FollowedPlaces;
use super::{EvaluationModel, Parent};
use crate::game::held_facts;
use crate::search::alphabeta::stack::Choices;

/// Means and spreads of the features in some states.
#[derive(Debug, Clone, Default)]
pub(in crate::search::eval) struct FeatureSpread {
    states: f64,
    sums: Vec<(f64, f64)>,
}

/// The places of the states that were learned from last: as they are, and as images where that is what a state is learned from.
pub(in crate::search::eval) type FollowedStates = [FollowedPlaces; 2];

impl EvaluationModel {
    /// The image of a state by which it is learned from; none where its turn has weights of its own.
    fn learned_image(&self, state: (&[u64], Choices)) -> Option<(Vec<u64>, Choices)> {
        let exchange = self.exchange.as_ref()?;
        let is_second = self.turns.turn(state.0, state.1) == 1;
        is_second.then(|| exchange.image(state))
    }

    /// Adds a state to what is known of the spread of the features, turn by turn.
    pub(in crate::search::eval) fn observe(
        &self,
        words: &[u64],
        choices: Choices,
        spread: &mut Vec<FeatureSpread>,
        parent: &mut Parent,
    ) {
        if let Some((words, choices)) = self.learned_image((words, choices)) {
            return self.observe(&words, choices, spread, parent);
        }
        spread.resize(self.weights.len(), FeatureSpread::default());
        let spread = &mut spread[self.turns.turn(words, choices)];
        self.count(words, choices, &mut parent.counts);
        spread.states += 1.0;
        spread.sums.resize(self.features.len(), (0.0, 0.0));
        for (sums, &count) in spread.sums.iter_mut().zip(&parent.counts) {
            *sums = (sums.0 + f64::from(count), sums.1 + f64::from(count).powi(2));
        }
    }

    /// Scales the features, by what was observed, to a mean of 0 and a deviation of 1, so that they are learned about as fast as facts.
    pub(in crate::search::eval) fn scale(&mut self, spread: &[FeatureSpread]) {
        for (weights, spread) in self.weights.iter_mut().zip(spread) {
            for (scale, (sum, squares)) in weights.scales.iter_mut().zip(&spread.sums) {
                let mean = sum / spread.states;
                let deviation = (squares / spread.states - mean * mean).max(0.0).sqrt();
                let unit = if deviation > 1e-3 {
                    1.0 / deviation
                } else {
                    0.0
                };
                *scale = (mean as f32, unit as f32);
            }
        }
    }

    /// Moves the value of a state towards `target`. `followed` has the places of the state that was learned from before: the fewer facts differ, the less time it takes.
    pub(in crate::search::eval) fn learn(
        &mut self,
        (words, choices): (&[u64], Choices),
        target: f32,
        rate: f32,
        (followed, parent): (&mut FollowedStates, &mut Parent),
    ) {
        let [as_it_is, as_image] = followed;
        match self.learned_image((words, choices)) {
            Some((words, choices)) => {
                self.step((&words, choices), 1.0 - target, rate, (as_image, parent))
            }
            None => self.step((words, choices), target, rate, (as_it_is, parent)),
        }
    }

    /// The same for a state whose turn has weights of its own.
    fn step(
        &mut self,
        (words, choices): (&[u64], Choices),
        target: f32,
        rate: f32,
        (followed, parent): (&mut FollowedPlaces, &mut Parent),
    ) {
        self.tuples.follow(words, followed);
        self.count(words, choices, &mut parent.counts);
        let first_weighed = self.first_weighed();
        let is_weighed = |fact: &usize| *fact >= first_weighed;
        let turn = self.turns.turn(words, choices);
        let weights = &mut self.weights[turn];
        let counts = &mut parent.counts;
        for (count, (mean, scale)) in counts.iter_mut().zip(&weights.scales) {
            *count = (*count - mean) * scale;
        }
        let mut sum = weights.constant;
        let mut square = 1.0 + self.tuples.count() as f32;
        parent.often.resize(self.tuples.patterns.count, 0);
        for (weight, count) in weights.features.iter().zip(counts.iter()) {
            sum += weight * count;
            square += count * count;
        }
        for fact in held_facts(words).filter(is_weighed) {
            sum += weights.facts[fact];
            square += 1.0;
        }
        for (tuple, place) in self.tuples.followed(followed) {
            sum += weights.tuples[place as usize];
            if let Some(pattern) = self.tuples.patterns.of(tuple, place) {
                parent.patterns.push(pattern);
                sum += weights.patterns[pattern];
                let often = &mut parent.often[pattern];
                // From the square of how often it occurs to the next one.
                square += (2 * *often + 1) as f32;
                *often += 1;
            }
        }
        sum += weights.hidden.output(words, &mut parent.units);
        let facts = held_facts(words).count();
        square += weights.hidden.squared_gradient(facts, &parent.units);
        let error = target - logistic(sum);
        let step = rate * error / square;
        weights.constant += step;
        for fact in held_facts(words).filter(is_weighed) {
            weights.facts[fact] += step;
        }
        for (weight, count) in weights.features.iter_mut().zip(counts) {
            *weight += step * *count;
        }
        weights.hidden.step(words, &mut parent.units, step);
        for (_, place) in self.tuples.followed(followed) {
            weights.tuples[place as usize] += step;
        }
        for pattern in parent.patterns.drain(..) {
            weights.patterns[pattern] += step;
            parent.often[pattern] = 0;
        }
    }
}
