//! The evaluation while it is learned: a logistic function of a weighted sum.

mod learning;
mod turn_weights;

use std::sync::{Arc, LazyLock};

use super::cells::Cell;
use super::features::{Feature, FeatureMeasure};
use super::heuristics::{FACTS, THREATS, TUPLES};
use super::hidden::HiddenUnits;
use super::learned::{weight_of_tuple, whole_of_tuple};
use super::logistic::logistic;
use super::threats::Threats;
use super::tuples::{ChangedTuples, ParentSum, Tuples, changed_facts};
use super::turn::TurnFacts;
use super::turn_exchange::TurnExchange;
use crate::game::held_facts;
use crate::search::alphabeta::stack::{Choices, Side};
use crate::symmetry::FactSymmetry;

pub(super) use learning::{FeatureSpread, FollowedStates};
pub(super) use turn_weights::TurnWeights;

/// What hidden units together add to a value is called so beside the heuristics.
pub(super) const HIDDEN: &str = "hidden";

/// What is weighted, and the weights: for each turn its own.
#[derive(Debug, Clone)]
pub(super) struct EvaluationModel {
    pub(super) features: Vec<Feature>,
    pub(super) tuples: Tuples,
    pub(super) turns: TurnFacts,
    /// What threatens cells counts as facts, too.
    pub(super) threats: Option<Arc<Threats>>,
    pub(super) weights: Vec<TurnWeights>,
    /// Where the turns are tied: the symmetry by which the weights of the second one follow from those of the first one, which alone are learned.
    exchange: Option<Arc<TurnExchange>>,
    /// Per fact, the features that count it, and how much.
    shares: Vec<Vec<(u32, f32)>>,
    /// The features that count the choices of the searcher, and of the others.
    choice_features: [Vec<usize>; 2],
    /// Whether facts have weights of their own.
    weighs_facts: bool,
}

/// Working memory: the places of the weights in one state, its sum for each turn, and changes from there.
#[derive(Debug, Clone, Default)]
pub(super) struct Parent {
    pub(super) places: Vec<u32>,
    sums: Vec<ParentSum<f32, f32>>,
    changed: ChangedTuples,
    pub(super) counts: Vec<f32>,
    /// How often each pattern occurs in a state that is learned from; otherwise zero.
    often: Vec<u32>,
    /// The patterns that occur in such a state, one entry for each time.
    patterns: Vec<usize>,
    /// The sums of the hidden units.
    units: Vec<f32>,
}

impl EvaluationModel {
    pub(super) fn new(
        features: Vec<Feature>,
        tuples: Tuples,
        turns: TurnFacts,
        facts: usize,
        weighs_facts: bool,
    ) -> Self {
        let mut shares = vec![Vec::new(); facts];
        let mut choice_features = [Vec::new(), Vec::new()];
        for (number, feature) in features.iter().enumerate() {
            match &feature.measure {
                FeatureMeasure::Facts(of_feature) => {
                    for &(fact, share) in of_feature {
                        shares[fact as usize].push((number as u32, share));
                    }
                }
                FeatureMeasure::Choices(side) => choice_features[*side as usize].push(number),
            }
        }
        let of_turn = TurnWeights::zero(features.len(), facts, &tuples);
        Self {
            weights: vec![of_turn; turns.count()],
            features,
            tuples,
            turns,
            threats: None,
            exchange: None,
            shares,
            choice_features,
            weighs_facts,
        }
    }

    /// The same for facts of which the last ones are these threats.
    pub(super) fn with_threats(self, threats: Option<Arc<Threats>>) -> Self {
        Self { threats, ..self }
    }

    /// The same with so many hidden units for each turn, in place of those that it has.
    pub(super) fn with_hidden(mut self, units: usize) -> Self {
        let facts = self.facts();
        for weights in &mut self.weights {
            weights.hidden = HiddenUnits::new(units, facts);
        }
        self
    }

    /// How many facts there are, threats among them.
    pub(super) fn facts(&self) -> usize {
        self.shares.len()
    }

    /// How many hidden units each turn has.
    pub(super) fn hidden_units(&self) -> usize {
        self.weights.first().map_or(0, |of| of.hidden.count())
    }

    /// Whether there is nothing to weigh.
    pub(super) fn is_empty(&self) -> bool {
        let weighs_nothing = self.features.is_empty() && self.tuples.weights == 0;
        weighs_nothing && !self.weighs_facts && self.threats.is_none()
    }

    /// The number of the first fact that is a threat; after all facts where there are none.
    pub(super) fn first_threat(&self) -> usize {
        let threats = self.threats.as_ref();
        threats.map_or(self.shares.len(), |threats| threats.first())
    }

    /// The number of the first fact that has a weight of its own.
    fn first_weighed(&self) -> usize {
        match self.weighs_facts {
            true => 0,
            false => self.first_threat(),
        }
    }

    /// The heuristic that a fact belongs to.
    pub(super) fn heuristic_of_fact(&self, fact: usize) -> &'static str {
        match fact < self.first_threat() {
            true => FACTS,
            false => THREATS,
        }
    }

    /// The heuristic that a tuple belongs to.
    pub(super) fn heuristic_of_tuple(&self, cells: &[Cell]) -> &'static str {
        let first = cells.first().and_then(|cell| cell.facts.first());
        match first.is_some_and(|&fact| fact as usize >= self.first_threat()) {
            true => THREATS,
            false => TUPLES,
        }
    }

    /// The same with room for threats, which weigh nothing yet.
    pub(super) fn with_new_threats(&self, threats: Arc<Threats>) -> Self {
        let facts = threats.facts();
        let tuples = Tuples::new(self.tuples.cells.clone(), facts, self.tuples.weights);
        let (features, turns) = (self.features.clone(), self.turns.clone());
        let mut new = Self::new(features, tuples, turns, facts, self.weighs_facts);
        for (own, others) in new.weights.iter_mut().zip(&self.weights) {
            own.take_over(others);
        }
        new.refresh();
        new.with_threats(Some(threats))
    }

    /// Ties the weights of two turns that one of these symmetries exchanges, if one does with all that is weighed.
    pub(super) fn tie_turns(&mut self, symmetries: &[FactSymmetry]) {
        self.exchange = TurnExchange::new(self, symmetries).map(Arc::new);
        self.refresh();
    }

    /// The same for those who learn no more, and need not know how the turns are tied.
    pub(super) fn untied(self) -> Self {
        Self {
            exchange: None,
            ..self
        }
    }

    /// Whether the weights of one turn are learned in states of the other one, too.
    pub(super) fn turns_are_tied(&self) -> bool {
        self.exchange.is_some()
    }

    /// Adds up the weights of each fact anew, gives tuples what was learned of their patterns, and one of two tied turns what was learned of the
    /// other one. Until then, values count with those of before.
    pub(super) fn refresh(&mut self) {
        let learned = match self.turns_are_tied() {
            true => &mut self.weights[..1],
            false => &mut self.weights,
        };
        for weights in learned {
            weights.take_in_patterns(&self.tuples);
        }
        if let (Some(exchange), [first, second]) = (&self.exchange, &mut self.weights[..]) {
            exchange.derive(first, second);
        }
        for weights in &mut self.weights {
            let facts = weights.sums.iter_mut().zip(&weights.facts);
            for ((sum, weight), shares) in facts.zip(&self.shares) {
                let shared = shares.iter().map(|&(feature, share)| {
                    let feature = feature as usize;
                    weights.features[feature] * weights.scales[feature].1 * share
                });
                *sum = weight + shared.sum::<f32>();
            }
            let means = weights.features.iter().zip(&weights.scales);
            let means: f32 = means
                .map(|(weight, (mean, scale))| weight * mean * scale)
                .sum();
            weights.base = weights.constant - means;
        }
    }

    /// Moves all weights by the share `part` of the way to those of another model of the same kind.
    pub(super) fn approach(&mut self, other: &Self, part: f32) {
        for (own, others) in self.weights.iter_mut().zip(&other.weights) {
            own.approach(others, part);
        }
    }

    /// Takes over the weights of a model of the same game whose tuples are the first ones of this model.
    pub(super) fn take_over(&mut self, fewer: &Self) {
        for (own, others) in self.weights.iter_mut().zip(&fewer.weights) {
            own.take_over(others);
        }
        self.refresh();
    }

    /// Rounds the weights of tuples to those that the search uses, and files keep.
    pub(super) fn round(&mut self) {
        let tuples = self.weights.iter_mut().flat_map(|of| &mut of.tuples);
        for weight in tuples {
            *weight = weight_of_tuple(whole_of_tuple(*weight));
        }
        self.refresh();
    }

    /// Gets `parent` ready for [`EvaluationModel::logits_after`] from a state.
    pub(super) fn enter(&self, words: &[u64], parent: &mut Parent) {
        self.tuples.places(words, &mut parent.places);
        ParentSum::forget_all(&mut parent.sums, self.weights.len());
    }

    /// The value of a state with words `after`, which follows that of `parent` with words `before`, in logits.
    pub(super) fn logits_after(
        &self,
        before: &[u64],
        after: &[u64],
        choices: Choices,
        parent: &mut Parent,
    ) -> f32 {
        let turn = self.turns.turn(after, choices);
        let weights = &self.weights[turn];
        let Parent {
            places,
            sums,
            changed,
            units,
            ..
        } = parent;
        let (mut sum, before_it) = sums[turn].get(|tuples| weights.sum(before, places, tuples));
        sum += weights.hidden.output(after, units);
        for (fact, holds) in changed_facts(before, after) {
            sum += if holds {
                weights.sums[fact]
            } else {
                -weights.sums[fact]
            };
        }
        self.tuples.changes(
            places,
            changed_facts(before, after),
            changed,
            |tuple, to| {
                sum += weights.tuples[to as usize] - before_it[tuple];
            },
        );
        sum + self.of_choices(weights, choices)
    }

    /// The value of a state.
    pub(super) fn value(&self, words: &[u64], choices: Choices, parent: &mut Parent) -> f32 {
        self.enter(words, parent);
        logistic(self.logits_after(words, words, choices, parent))
    }

    /// What the choices add.
    fn of_choices(&self, weights: &TurnWeights, choices: Choices) -> f32 {
        let of_side = |side| match choices.of(side) {
            ..=1 => 0.0,
            _ => self.weight_of_choices(weights, side) * log_choices(choices, side),
        };
        [Side::Own, Side::Others].into_iter().map(of_side).sum()
    }

    /// The weight of the logarithm of the number of choices of a side.
    pub(super) fn weight_of_choices(&self, weights: &TurnWeights, side: Side) -> f32 {
        let of_side = self.choice_features[side as usize].iter();
        of_side
            .map(|&feature| weights.features[feature] * weights.scales[feature].1)
            .sum()
    }

    /// The counts of the features in a state.
    pub(super) fn count(&self, words: &[u64], choices: Choices, counts: &mut Vec<f32>) {
        counts.clear();
        counts.resize(self.features.len(), 0.0);
        for fact in held_facts(words) {
            for &(feature, share) in &self.shares[fact] {
                counts[feature as usize] += share;
            }
        }
        for (side, features) in [Side::Own, Side::Others]
            .into_iter()
            .zip(&self.choice_features)
        {
            for &feature in features {
                counts[feature] = log_choices(choices, side);
            }
        }
    }

    /// What each heuristic adds to the sum of a state; the constant is called `start`.
    pub(super) fn parts(&self, words: &[u64], choices: Choices) -> Vec<(&'static str, f64)> {
        let mut parent = Parent::default();
        self.enter(words, &mut parent);
        self.count(words, choices, &mut parent.counts);
        let weights = &self.weights[self.turns.turn(words, choices)];
        let mut parts = vec![("start", f64::from(weights.constant))];
        let mut add = |name: &'static str, part: f32| match parts
            .iter_mut()
            .find(|(known, _)| *known == name)
        {
            Some((_, sum)) => *sum += f64::from(part),
            None => parts.push((name, f64::from(part))),
        };
        let features = self
            .features
            .iter()
            .zip(weights.units())
            .zip(&weights.scales);
        for (((feature, unit), (mean, _)), count) in features.zip(&parent.counts) {
            add(feature.heuristic, unit * (count - mean));
        }
        for fact in held_facts(words).filter(|&fact| fact >= self.first_weighed()) {
            add(self.heuristic_of_fact(fact), weights.facts[fact]);
        }
        for (cells, &place) in self.tuples.cells.iter().zip(&parent.places) {
            let weight = weights.tuples[place as usize];
            add(self.heuristic_of_tuple(cells), weight);
        }
        if weights.hidden.count() > 0 {
            add(HIDDEN, weights.hidden.output(words, &mut parent.units));
        }
        parts
    }
}

/// The logarithm of the number of choices of a side.
fn log_choices(choices: Choices, side: Side) -> f32 {
    static FEW: LazyLock<[f32; 256]> =
        LazyLock::new(|| std::array::from_fn(|count| libm::logf(count.max(1) as f32)));
    let count = choices.of(side);
    match FEW.get(count as usize) {
        Some(logarithm) => *logarithm,
        None => libm::logf(count as f32),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::Cell;
    use super::*;

    #[test]
    fn threats_change_no_value_before_they_are_learned() {
        let cell = Cell {
            facts: vec![0, 1],
            place: None,
        };
        let tuples = Tuples::new(vec![vec![cell.clone(), cell]], 3, 1000);
        let model = EvaluationModel::new(Vec::new(), tuples, TurnFacts::default(), 3, true);
        let mut model = model.with_hidden(5);
        let choices = Choices {
            own: 2,
            replies: 1,
            chances: 1,
        };
        let mut parent = Parent::default();
        for words in [1, 2, 1, 0] {
            model.learn(
                (&[words], choices),
                0.9,
                1.0,
                (&mut Default::default(), &mut parent),
            );
        }
        model.refresh();
        let record = r#"{"implicants":[[0,1,2]],"cells":[{"filled":[0],"contents":[0]},{"filled":[1],"contents":[1]},{"filled":[2],"contents":[2]}]}"#;
        let threats = Threats::of_record(serde_json::from_str(record).unwrap(), 3).unwrap();
        let wider = model.with_new_threats(Arc::new(threats));
        assert!(wider.facts() > model.facts());
        for words in 0..3 {
            let value = model.value(&[words], choices, &mut parent);
            assert_eq!(
                wider.value(&[words], choices, &mut parent),
                value,
                "{words}"
            );
            assert_ne!(value, 0.5);
        }
    }

    #[test]
    fn larger_tuples_change_no_value_before_they_are_learned() {
        let cell = |facts: [u32; 2]| Cell {
            facts: facts.to_vec(),
            place: None,
        };
        let usual = vec![[0, 1], [2, 3]].into_iter().map(cell);
        let usual: Vec<Cell> = usual.collect();
        let large = [&usual[..], &[cell([4, 5])]].concat();
        let of = |tuples: Vec<Vec<Cell>>| {
            let tuples = Tuples::new(tuples, 6, 1000);
            EvaluationModel::new(Vec::new(), tuples, TurnFacts::default(), 6, true)
        };
        let (mut fewer, mut more) = (of(vec![usual.clone()]), of(vec![usual, large]));
        let choices = Choices {
            own: 2,
            replies: 1,
            chances: 1,
        };
        let mut parent = Parent::default();
        // A cell holds one of two contents, or nothing.
        let is_sound = |words: &u64| [3, 12, 48].iter().all(|cell| words & cell != *cell);
        let states: Vec<u64> = (0..64).filter(is_sound).collect();
        for &words in &states {
            let target = (words % 3) as f32 / 2.0;
            fewer.learn(
                (&[words], choices),
                target,
                1.0,
                (&mut Default::default(), &mut parent),
            );
        }
        fewer.refresh();
        more.take_over(&fewer);
        let mut values = Vec::new();
        for &words in &states {
            let value = fewer.value(&[words], choices, &mut parent);
            assert_eq!(value, more.value(&[words], choices, &mut parent), "{words}");
            values.push(value);
        }
        assert!(values.iter().any(|value| *value != values[0]));
        let (last, before) = (states[26], values[26]);
        more.learn(
            (&[last], choices),
            1.0,
            1.0,
            (&mut Default::default(), &mut parent),
        );
        more.refresh();
        assert!(more.value(&[last], choices, &mut parent) > before);
    }
}
