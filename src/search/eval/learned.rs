//! The learned evaluator: features found in the rules, weighted by self-play.

use std::sync::Arc;

use super::explanation::EvaluationPart;
use super::hidden::IntegerHidden;
use super::logistic::logistic;
use super::model::{EvaluationModel, TurnWeights};
use super::reachable::GoalBounds;
use super::threats::Threats;
use super::tuples::{ChangedTuples, ParentSum, Tuples, changed_facts};
use crate::game::{GameFacts, held_facts};
use crate::search::alphabeta::stack::{Choices, Side};

/// What a state is worth for one role: the logistic function of a weighted sum.
#[derive(Debug, Clone)]
pub(in crate::search) struct LearnedEvaluator {
    learned: Arc<LearnedValues>,
    /// Whether it is asked for the other one of two roles than the one that was learned for: what one wins, the other loses.
    is_for_other: bool,
}

/// What was learned for a role.
#[derive(Debug)]
struct LearnedValues {
    model: EvaluationModel,
    bounds: GoalBounds,
    /// Whether what the role wins, the other one loses.
    shares_points: bool,
    fast: IntegerWeights,
}

/// The same in integers, so that all engines get the same sums, in whatever order they add.
#[derive(Debug)]
struct IntegerWeights {
    turns: Vec<IntegerTurn>,
    /// The logistic function in thousandths of a goal, tabulated in steps of [`GRAIN`].
    logistic: Vec<i32>,
}

/// The weights for one turn.
#[derive(Debug)]
struct IntegerTurn {
    constant: i32,
    /// Per fact.
    facts: Vec<i32>,
    /// See [`Tuples`].
    tuples: Vec<i16>,
    hidden: IntegerHidden,
    /// Per number of choices, for the searcher and the others.
    choices: [Vec<i32>; 2],
}

/// Working memory: the state whose children are evaluated.
#[derive(Debug, Clone, Default)]
pub(in crate::search) struct EvaluatedParent {
    /// Which weights of tuples count.
    places: Vec<u32>,
    /// For each turn that was asked for, its sum and the weight of each tuple.
    sums: Vec<ParentSum<i32, i16>>,
    /// For each turn that was asked for, the sums of its hidden units.
    hidden: Vec<Vec<i32>>,
    changed: ChangedTuples,
    /// The sums of the hidden units in a child.
    units: Vec<i32>,
}

/// The parts of a unit in which the logistic function's argument is counted.
pub(super) const UNIT: f64 = 1024.0;
/// The resolution of the table.
const GRAIN: i32 = 4;
/// The number of units beyond which the logistic function counts as 0 or 1.
const CERTAIN: i32 = 10;
/// Greater numbers of choices count as this one.
const CHOICES: usize = 256;

impl LearnedEvaluator {
    /// Of a model, with the goals that are left to its role, which may share its points with the only other one.
    pub(super) fn new(model: EvaluationModel, bounds: GoalBounds, shares_points: bool) -> Self {
        let fast = IntegerWeights::new(&model);
        let learned = LearnedValues {
            model,
            bounds,
            shares_points,
            fast,
        };
        Self {
            learned: Arc::new(learned),
            is_for_other: false,
        }
    }

    /// What is weighted for the role that was learned for.
    pub(super) fn model(&self) -> &EvaluationModel {
        &self.learned.model
    }

    /// What threatens cells: facts of the states that it evaluates.
    pub(in crate::search) fn threats(&self) -> Option<&Arc<Threats>> {
        self.learned.model.threats.as_ref()
    }

    /// The same for the other role.
    pub(super) fn for_other(&self) -> Self {
        Self {
            learned: Arc::clone(&self.learned),
            is_for_other: !self.is_for_other,
        }
    }

    /// Whether it has weights, and what it expects for one role, it does not for the other.
    pub(in crate::search) fn is_for_both(&self) -> bool {
        self.learned.shares_points && !self.learned.model.is_empty()
    }

    /// The least and the greatest goal that a state leaves to the searcher, as far as the rules show: a proof, whatever was learned.
    pub(in crate::search) fn reach(&self, words: &[u64]) -> (u8, u8) {
        self.learned.bounds.reach(words, self.is_for_other)
    }

    fn tuples(&self) -> &Tuples {
        &self.learned.model.tuples
    }

    /// Gets ready for [`LearnedEvaluator::expectation_after`] from a state.
    pub(in crate::search) fn enter(&self, words: &[u64], parent: &mut EvaluatedParent) {
        self.tuples().places(words, &mut parent.places);
        let turns = self.learned.fast.turns.len();
        ParentSum::forget_all(&mut parent.sums, turns);
        parent.hidden.resize(turns, Vec::new());
    }

    /// The expected goal of the searcher in a state, in thousandths.
    pub(in crate::search) fn expectation(
        &self,
        words: &[u64],
        choices: Choices,
        parent: &mut EvaluatedParent,
    ) -> i32 {
        self.enter(words, parent);
        self.expectation_after(words, words, choices, parent)
    }

    /// The same in a state with words `after`, which follows the state that was entered, whose words are `before`.
    pub(in crate::search) fn expectation_after(
        &self,
        before: &[u64],
        after: &[u64],
        choices: Choices,
        parent: &mut EvaluatedParent,
    ) -> i32 {
        let seen = match self.is_for_other {
            true => choices.swapped(),
            false => choices,
        };
        let turn = self.learned.model.turns.turn(after, seen);
        let weights = &self.learned.fast.turns[turn];
        let EvaluatedParent {
            places,
            sums,
            hidden,
            changed,
            units,
        } = parent;
        let hidden = &mut hidden[turn];
        let (mut sum, before_it) = sums[turn].get(|tuples| {
            weights.hidden.add_up(before, hidden);
            weights.sum(before, places, tuples)
        });
        sum += (weights.hidden).output_after(hidden, changed_facts(before, after), units);
        for (fact, holds) in changed_facts(before, after) {
            let weight = weights.facts[fact];
            sum += if holds { weight } else { -weight };
        }
        let tuples = &weights.tuples;
        self.tuples().changes(
            places,
            changed_facts(before, after),
            changed,
            |tuple, to| {
                sum += i32::from(tuples[to as usize]) - i32::from(before_it[tuple]);
            },
        );
        for side in [Side::Own, Side::Others] {
            let count = (choices.of(side) as usize).min(CHOICES - 1);
            sum += weights.choices[self.seen(side) as usize][count];
        }
        let expected = self.learned.fast.goal(sum);
        let bounded = self.learned.bounds.clamp(expected, after);
        match self.is_for_other {
            true => 100_000 - bounded,
            false => bounded,
        }
    }

    /// What a side of the search is for the role that was learned for.
    fn seen(&self, side: Side) -> Side {
        match (side, self.is_for_other) {
            (Side::Own, true) => Side::Others,
            (Side::Others, true) => Side::Own,
            (side, false) => side,
        }
    }

    /// The contribution of each heuristic to the logistic function's argument; the constant is called `start`.
    pub(in crate::search) fn contributions(
        &self,
        words: &[u64],
        choices: Choices,
    ) -> Vec<(&'static str, f64)> {
        let choices = if self.is_for_other {
            choices.swapped()
        } else {
            choices
        };
        let mut sums = self.learned.contributions(words, choices);
        if self.is_for_other {
            sums.iter_mut().for_each(|(_, part)| *part = -*part);
        }
        sums
    }

    /// What the value of a state is made of, in the words of the rules; those parts that weigh most first.
    pub(in crate::search) fn explanation(
        &self,
        words: &[u64],
        choices: Choices,
        game_facts: &GameFacts,
    ) -> Vec<EvaluationPart> {
        let model = &self.learned.model;
        if !self.is_for_other {
            return model.explanation(words, choices, (game_facts, false));
        }
        let mut parts = model.explanation(words, choices.swapped(), (game_facts, true));
        for part in &mut parts {
            part.adds = -part.adds;
        }
        parts
    }

    /// Heuristic, description and weight of each feature: what a unit of it adds to the logistic function's argument, turn by turn.
    /// `roles` are the names of the game's roles.
    pub(in crate::search) fn weights(&self, roles: &[String]) -> Vec<(&'static str, String, f64)> {
        let model = &self.learned.model;
        let sign = if self.is_for_other { -1.0 } else { 1.0 };
        let of_turn = |(turn, weights): (usize, &TurnWeights)| {
            let units = model.features.iter().zip(weights.units());
            let named = units.map(move |(feature, unit)| {
                let about = match self.is_for_other {
                    true => feature.about_for_other(),
                    false => &feature.about,
                };
                let about = match model.weights.len() {
                    1 => about.to_owned(),
                    _ => format!("{about}, {}", self.turn_name(turn, roles)),
                };
                (feature.heuristic, about, sign * f64::from(unit))
            });
            named.collect::<Vec<_>>()
        };
        model.weights.iter().enumerate().flat_map(of_turn).collect()
    }

    /// Whose turn the number of a turn stands for.
    fn turn_name(&self, turn: usize, roles: &[String]) -> String {
        match roles.get(turn) {
            _ if self.learned.model.turns.are_choices => match (turn == 0) != self.is_for_other {
                true => "own turn".to_owned(),
                false => "turn of the other".to_owned(),
            },
            Some(role) => format!("turn of {role}"),
            None => format!("turn {}", turn + 1),
        }
    }
}

impl LearnedValues {
    /// What each heuristic adds to the sum of a state, for the role that was learned for.
    fn contributions(&self, words: &[u64], choices: Choices) -> Vec<(&'static str, f64)> {
        let mut sums = self.model.parts(words, choices);
        let sum: f64 = sums.iter().map(|(_, part)| part).sum();
        if !self.bounds.are_idle() {
            sums.push(("certain", self.clamp_correction(sum, words)));
        }
        sums
    }

    /// What clamping to the reachable goals adds to a sum.
    fn clamp_correction(&self, sum: f64, words: &[u64]) -> f64 {
        let expected = (logistic(sum as f32) * 100_000.0) as i32;
        match self.bounds.clamp(expected, words) {
            bounded if bounded == expected => 0.0,
            bounded => {
                let share = f64::from(bounded) / 100_000.0;
                let most = f64::from(CERTAIN);
                libm::log(share / (1.0 - share)).clamp(-most, most) - sum
            }
        }
    }
}

impl IntegerWeights {
    fn new(model: &EvaluationModel) -> Self {
        let turns = model.weights.iter();
        Self {
            turns: turns
                .map(|weights| IntegerTurn::new(model, weights))
                .collect(),
            logistic: thousandths(),
        }
    }

    /// The expected goal that a sum stands for, in thousandths.
    fn goal(&self, sum: i32) -> i32 {
        let place = (sum / GRAIN + self.logistic.len() as i32 / 2).max(0) as usize;
        self.logistic[place.min(self.logistic.len() - 1)]
    }
}

impl IntegerTurn {
    fn new(model: &EvaluationModel, weights: &TurnWeights) -> Self {
        let choices = |side: Side| {
            let weight = f64::from(model.weight_of_choices(weights, side));
            let counts = 0..CHOICES;
            counts
                .map(|count| whole(weight * libm::log(count.max(1) as f64)))
                .collect()
        };
        let wholes = |weights: &[f32]| -> Vec<i32> {
            weights
                .iter()
                .map(|&weight| whole(f64::from(weight)))
                .collect()
        };
        Self {
            constant: whole(f64::from(weights.base)),
            facts: wholes(&weights.sums),
            tuples: weights
                .tuples
                .iter()
                .map(|&weight| whole_of_tuple(weight))
                .collect(),
            hidden: IntegerHidden::new(&weights.hidden),
            choices: [choices(Side::Own), choices(Side::Others)],
        }
    }

    /// The sum over facts and tuples; replaces `tuples` by the weight of each.
    fn sum(&self, words: &[u64], places: &[u32], tuples: &mut Vec<i16>) -> i32 {
        let facts: i32 = held_facts(words).map(|fact| self.facts[fact]).sum();
        tuples.clear();
        tuples.extend(places.iter().map(|&place| self.tuples[place as usize]));
        let of_tuples: i32 = tuples.iter().map(|&weight| i32::from(weight)).sum();
        self.constant + facts + of_tuples
    }
}

/// The table of the logistic function.
fn thousandths() -> Vec<i32> {
    let most = CERTAIN * UNIT as i32 / GRAIN;
    let goal = |place: i32| logistic((f64::from(place * GRAIN) / UNIT) as f32) * 100_000.0;
    (-most..=most).map(|place| goal(place) as i32).collect()
}

pub(super) fn whole(weight: f64) -> i32 {
    (weight * UNIT).round().clamp(-1e6, 1e6) as i32
}

/// The weight of a tuple, as it is kept.
pub(super) fn whole_of_tuple(weight: f32) -> i16 {
    let most = i32::from(i16::MAX);
    whole(f64::from(weight)).clamp(-most, most) as i16
}

/// What a kept weight of a tuple stands for.
pub(super) fn weight_of_tuple(whole: i16) -> f32 {
    f32::from(whole) / UNIT as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GoalValue, Implicant, Role};
    use crate::search::Heuristics;
    use crate::search::eval::turn::TurnFacts;

    const CHOICES: Choices = Choices {
        own: 1,
        replies: 1,
        chances: 1,
    };

    /// A model without features, whose sum is 3 in all states.
    fn three() -> EvaluationModel {
        let mut model = EvaluationModel::new(
            Vec::new(),
            Tuples::new(Vec::new(), 2, 0),
            TurnFacts::default(),
            2,
            false,
        );
        model.weights[0].constant = 3.0;
        model.refresh();
        model
    }

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
        let bounds = GoalBounds::new(Some(&game_facts), Role(0), false, Heuristics::ALL);
        let evaluator = LearnedEvaluator::new(three(), bounds, false);
        let expected =
            |words| evaluator.expectation(words, CHOICES, &mut EvaluatedParent::default());
        assert!(expected(&[0]) > 90_000);
        assert_eq!(expected(&[1]), 60_000);
        let sum = |words| -> f64 {
            let parts = evaluator.contributions(words, CHOICES);
            parts.iter().map(|(_, part)| part).sum()
        };
        assert_eq!(sum(&[0]), 3.0);
        assert!((logistic(sum(&[1]) as f32) - 0.6).abs() < 1e-6);
    }

    #[test]
    fn what_one_role_expects_the_other_does_not() {
        let evaluator = LearnedEvaluator::new(three(), GoalBounds::default(), true);
        let other = evaluator.for_other();
        let expected = |evaluator: &LearnedEvaluator| {
            evaluator.expectation(&[0], CHOICES, &mut EvaluatedParent::default())
        };
        assert_eq!(expected(&evaluator) + expected(&other), 100_000);
        assert_eq!(other.contributions(&[0], CHOICES), [("start", -3.0)]);
    }
}
