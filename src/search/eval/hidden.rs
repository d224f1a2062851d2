//! Hidden units: a small neural network over facts, whose output adds to the sum that an evaluation weighs.
//!
//! A unit adds up its bias and the weights of all facts that hold, and cuts the sum off below 0 and above 1 (a clipped rectified linear unit). From a state to
//! its children few facts change, so a search keeps the sums of the parent and changes them (as Nasu 2018 does in shogi: an efficiently
//! updatable neural network).

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::learned::{UNIT, whole};
use crate::game::held_facts;

/// Weights of inputs are drawn from this range on both sides of 0, those of outputs from a quarter of it.
const FIRST_WEIGHT: f32 = 0.2;
/// The first sum of a unit without inputs: between its two limits.
const FIRST_BIAS: f32 = 0.5;
/// What the first weights are drawn from: the same in all runs of a training, so that units with one number learn similar things, and the mean over
/// runs makes sense.
const SEED: u64 = 1;

/// The hidden units for one turn, while they are learned; maybe none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct HiddenUnits {
    /// One for each unit.
    biases: Vec<f32>,
    /// For each fact, its weights in all units.
    inputs: Vec<f32>,
    /// One for each unit.
    output_weights: Vec<f32>,
}

impl HiddenUnits {
    /// So many units over so many facts, with small weights at random, the same each time.
    pub(super) fn new(units: usize, facts: usize) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut drawn = |count: usize, most: f32| -> Vec<f32> {
            (0..count).map(|_| rng.random_range(-most..most)).collect()
        };
        Self {
            biases: vec![FIRST_BIAS; units],
            inputs: drawn(units * facts, FIRST_WEIGHT),
            output_weights: drawn(units, FIRST_WEIGHT / 4.0),
        }
    }

    /// How many units there are.
    pub(super) fn count(&self) -> usize {
        self.biases.len()
    }

    /// The weights of a fact in all units.
    fn inputs_of(&self, fact: usize) -> &[f32] {
        &self.inputs[fact * self.count()..][..self.count()]
    }

    /// Adds up the inputs of all units in a state; returns what the units add to the evaluation.
    pub(super) fn output(&self, words: &[u64], sums: &mut Vec<f32>) -> f32 {
        sums.clone_from(&self.biases);
        if sums.is_empty() {
            return 0.0;
        }
        for fact in held_facts(words) {
            let inputs = sums.iter_mut().zip(self.inputs_of(fact));
            inputs.for_each(|(sum, weight)| *sum += weight);
        }
        let outputs = sums.iter().zip(&self.output_weights);
        outputs
            .map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight)
            .sum()
    }

    /// The square of the length of the gradient of the output by all weights, where so many facts hold and the units have these sums.
    pub(super) fn squared_gradient(&self, facts: usize, sums: &[f32]) -> f32 {
        let inputs = facts as f32 + 1.0;
        let of_unit = |(sum, weight): (&f32, &f32)| {
            let slope = if is_unclipped(*sum) {
                weight * weight
            } else {
                0.0
            };
            sum.clamp(0.0, 1.0).powi(2) + inputs * slope
        };
        sums.iter().zip(&self.output_weights).map(of_unit).sum()
    }

    /// Moves all weights by `step` along the gradient of the output, in a state in which the units have these sums. The sums are overwritten.
    pub(super) fn step(&mut self, words: &[u64], sums: &mut [f32], step: f32) {
        let units = self.biases.iter_mut().zip(&mut self.output_weights);
        for ((bias, weight), sum) in units.zip(sums.iter_mut()) {
            let slope = if is_unclipped(*sum) {
                step * *weight
            } else {
                0.0
            };
            *weight += step * sum.clamp(0.0, 1.0);
            *bias += slope;
            *sum = slope;
        }
        let count = self.count();
        if count == 0 {
            return;
        }
        for fact in held_facts(words) {
            let inputs = &mut self.inputs[fact * count..][..count];
            let steps = inputs.iter_mut().zip(&*sums);
            steps.for_each(|(weight, step)| *weight += step);
        }
    }

    /// Moves the weights by the share `part` of the way to those of `other`, which has as many.
    pub(super) fn approach(&mut self, other: &Self, part: f32) {
        for (own, other) in self.numbers_mut().zip(other.numbers()) {
            *own += part * (other - *own);
        }
    }

    /// The same over more facts, which weigh nothing.
    pub(super) fn over(&self, facts: usize) -> Self {
        let mut wider = self.clone();
        wider.inputs.resize(facts * self.count(), 0.0);
        wider
    }

    /// Units whose output in a state is what that of these is in the state of the images of its facts, with the sign exchanged.
    pub(super) fn negated(&self, images: &[u32]) -> Self {
        let inputs = images
            .iter()
            .flat_map(|&fact| self.inputs_of(fact as usize));
        Self {
            biases: self.biases.clone(),
            inputs: inputs.copied().collect(),
            output_weights: self.output_weights.iter().map(|weight| -weight).collect(),
        }
    }

    /// All weights: biases, those of inputs fact by fact, those of outputs.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> + '_ {
        let numbers = self.biases.iter().chain(&self.inputs);
        numbers.chain(&self.output_weights).copied()
    }

    /// The same, to be changed.
    pub(super) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let numbers = self.biases.iter_mut().chain(&mut self.inputs);
        numbers.chain(&mut self.output_weights)
    }
}

/// Whether a change of its inputs changes what a unit with this sum gives.
fn is_unclipped(sum: f32) -> bool {
    0.0 < sum && sum < 1.0
}

/// The same in integers, so that all engines get the same sums, in whatever order they add.
#[derive(Debug)]
pub(super) struct IntegerHidden {
    biases: Vec<i32>,
    inputs: Vec<i32>,
    output_weights: Vec<i32>,
}

impl IntegerHidden {
    pub(super) fn new(units: &HiddenUnits) -> Self {
        let wholes = |numbers: &[f32]| -> Vec<i32> {
            let numbers = numbers.iter();
            numbers.map(|&number| whole(f64::from(number))).collect()
        };
        Self {
            biases: wholes(&units.biases),
            inputs: wholes(&units.inputs),
            output_weights: wholes(&units.output_weights),
        }
    }

    /// Adds up the inputs of all units in a state.
    pub(super) fn add_up(&self, words: &[u64], sums: &mut Vec<i32>) {
        sums.clone_from(&self.biases);
        if !sums.is_empty() {
            held_facts(words).for_each(|fact| self.change(sums, fact, true));
        }
    }

    /// What the units add to the evaluation of a state that differs in these facts from the one in which they have the sums `before`.
    pub(super) fn output_after(
        &self,
        before: &[i32],
        changed: impl Iterator<Item = (usize, bool)>,
        sums: &mut Vec<i32>,
    ) -> i32 {
        if self.biases.is_empty() {
            return 0;
        }
        sums.clear();
        sums.extend_from_slice(before);
        changed.for_each(|(fact, holds)| self.change(sums, fact, holds));
        let one = UNIT as i32;
        let outputs = sums.iter().zip(&self.output_weights);
        let outputs =
            outputs.map(|(sum, weight)| i64::from((*sum).clamp(0, one)) * i64::from(*weight));
        (outputs.sum::<i64>() / i64::from(one)) as i32
    }

    fn change(&self, sums: &mut [i32], fact: usize, holds: bool) {
        let count = sums.len();
        let inputs = self.inputs[fact * count..][..count].iter();
        for (sum, weight) in sums.iter_mut().zip(inputs) {
            *sum += if holds { *weight } else { -*weight };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether exactly one of two facts holds, which no sum of weights of single facts tells.
    #[test]
    fn hidden_units_learn_what_no_weighted_sum_tells() {
        let mut units = HiddenUnits::new(16, 2);
        let (mut constant, mut sums) = (0.0, Vec::new());
        let target = |words: u64| if words.count_ones() == 1 { 1.0 } else { -1.0 };
        for round in 0..40_000 {
            let words = [round % 4];
            let error = target(words[0]) - constant - units.output(&words, &mut sums);
            let square = 1.0 + units.squared_gradient(words[0].count_ones() as usize, &sums);
            let step = 0.2 * error / square;
            constant += step;
            units.step(&words, &mut sums, step);
        }
        for words in 0..4 {
            let found = constant + units.output(&[words], &mut sums);
            assert!((found - target(words)).abs() < 0.1, "{words}: {found}");
        }
    }

    #[test]
    fn a_step_moves_along_the_gradient() {
        let units = HiddenUnits::new(5, 4);
        let (words, step) = ([0b1011], 1e-3);
        let mut sums = Vec::new();
        let before = units.output(&words, &mut sums);
        let square = units.squared_gradient(3, &sums);
        let mut moved = units.clone();
        moved.step(&words, &mut sums, step);
        let gained = moved.output(&words, &mut sums) - before;
        assert!(
            (gained - step * square).abs() < 0.02 * step * square,
            "{gained}"
        );
    }

    #[test]
    fn integers_give_the_same_for_every_parent() {
        let units = HiddenUnits::new(7, 70);
        let fast = IntegerHidden::new(&units);
        let states: [[u64; 2]; 3] = [[0, 0], [u64::MAX, 63], [0x5a5a_1234, 5]];
        let (mut before, mut sums, mut floats) = (Vec::new(), Vec::new(), Vec::new());
        for after in &states {
            let expected = units.output(after, &mut floats) * UNIT as f32;
            let found = states.map(|parent| {
                fast.add_up(&parent, &mut before);
                let changed = super::super::tuples::changed_facts(&parent, after);
                fast.output_after(&before, changed, &mut sums)
            });
            assert_eq!(found, [found[0]; 3]);
            assert!(
                (found[0] as f32 - expected).abs() < 8.0,
                "{found:?} {expected}"
            );
        }
    }

    #[test]
    fn more_facts_change_nothing_until_they_are_learned() {
        let units = HiddenUnits::new(3, 2);
        let mut sums = Vec::new();
        let output = units.output(&[2], &mut sums);
        assert_eq!(units.over(5).output(&[0b11010], &mut sums), output);
        assert_eq!(HiddenUnits::default().output(&[3], &mut sums), 0.0);
    }
}
