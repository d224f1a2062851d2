//! What the value of a state is made of, in the words of the rules.

use super::cells::Cell;
use super::features::{FeatureMeasure, holds};
use super::model::{EvaluationModel, HIDDEN, Parent};
use crate::game::GameFacts;
use crate::game::held_facts;
use crate::info::board::functor_and_arguments;
use crate::search::alphabeta::stack::Choices;

/// A part of what is expected of a state.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluationPart {
    /// The heuristic that it belongs to.
    pub heuristic: &'static str,
    /// What is there: facts, or a feature with its count.
    pub about: String,
    /// What that adds to the logistic function's argument.
    pub adds: f64,
}

impl EvaluationModel {
    /// All parts that add something to the sum of a state, the constant left out; those that weigh most first. They are told in the
    /// words of the role that was learned for, or in those of the other one.
    pub(super) fn explanation(
        &self,
        words: &[u64],
        choices: Choices,
        (game_facts, is_for_other): (&GameFacts, bool),
    ) -> Vec<EvaluationPart> {
        let mut parts = self.feature_parts(words, choices, is_for_other);
        let weights = &self.weights[self.turns.turn(words, choices)];
        let facts = held_facts(words).map(|fact| EvaluationPart {
            heuristic: self.heuristic_of_fact(fact),
            about: self.fact_name(fact, game_facts),
            adds: f64::from(weights.facts[fact]),
        });
        parts.extend(facts);
        let mut places = Vec::new();
        self.tuples.places(words, &mut places);
        let tuples = self.tuples.cells.iter().zip(places);
        parts.extend(tuples.map(|(cells, place)| EvaluationPart {
            heuristic: self.heuristic_of_tuple(cells),
            about: self.contents(cells, words, game_facts),
            adds: f64::from(weights.tuples[place as usize]),
        }));
        parts.push(EvaluationPart {
            heuristic: HIDDEN,
            about: "all hidden units".to_owned(),
            adds: f64::from(weights.hidden.output(words, &mut Vec::new())),
        });
        parts.retain(|part| part.adds != 0.0);
        parts.sort_by(|one, other| other.adds.abs().total_cmp(&one.adds.abs()));
        parts
    }

    fn feature_parts(
        &self,
        words: &[u64],
        choices: Choices,
        is_for_other: bool,
    ) -> Vec<EvaluationPart> {
        let mut parent = Parent::default();
        self.count(words, choices, &mut parent.counts);
        let weights = &self.weights[self.turns.turn(words, choices)];
        let units = weights.units().zip(&weights.scales);
        let counted = self.features.iter().zip(parent.counts);
        let parts = counted.zip(units);
        let parts = parts.map(|((feature, count), (unit, (mean, _)))| {
            let usual = match feature.measure {
                FeatureMeasure::Choices(_) => mean.exp(),
                FeatureMeasure::Facts(_) => *mean,
            };
            let count_shown = match feature.measure {
                FeatureMeasure::Choices(_) => count.exp(),
                FeatureMeasure::Facts(_) => count,
            };
            let about = match is_for_other {
                true => feature.about_for_other(),
                false => &feature.about,
            };
            EvaluationPart {
                heuristic: feature.heuristic,
                about: format!("{about}: {count_shown:.1}, on average {usual:.1}"),
                adds: f64::from(unit * (count - mean)),
            }
        });
        parts.collect()
    }

    /// A fact of the game, or what threatens a cell.
    fn fact_name(&self, fact: usize, game_facts: &GameFacts) -> String {
        match (game_facts.facts.get(fact), &self.threats) {
            (None, Some(threats)) => threats.about(fact, game_facts),
            (name, _) => name.cloned().unwrap_or_default(),
        }
    }

    /// What the cells of a tuple hold, or what threatens them.
    fn contents(&self, cells: &[Cell], words: &[u64], game_facts: &GameFacts) -> String {
        let held = |cell: &Cell| {
            let mut facts = cell.facts.iter();
            let held = facts.find(|fact| holds(words, **fact));
            held.map(|fact| self.fact_name(*fact as usize, game_facts))
        };
        let mut said: Vec<String> = cells.iter().filter_map(held).collect();
        let empty = cells.len() - said.len();
        let of_first = cells.first().and_then(|cell| cell.facts.first());
        let are_threats = of_first.is_some_and(|&fact| fact as usize >= game_facts.facts.len());
        let from = || {
            let cell = cells.first();
            cell.map_or_else(String::new, |cell| self.place(cell, game_facts))
        };
        match (empty, said.is_empty(), are_threats) {
            (0, ..) => {}
            (_, false, true) => said.push(format!("no others from {} on", from())),
            (_, true, true) => said.push(format!("no threats from {} on", from())),
            (_, true, false) => said.push(format!("{empty} empty cells from {} on", from())),
            (_, false, false) => said.push(format!("{empty} empty")),
        }
        said.join(", ")
    }

    /// What all facts of a cell have in common, `?` for the rest.
    fn place(&self, cell: &Cell, game_facts: &GameFacts) -> String {
        let fact_of = |&fact: &u32| match &self.threats {
            Some(threats) => threats.fact_behind(fact),
            None => fact,
        };
        let facts = cell.facts.iter().map(fact_of);
        let mut facts = facts.map(|fact| functor_and_arguments(&game_facts.facts[fact as usize]));
        let mut common = facts.next().unwrap_or_default();
        let only_one = cell.facts.len() == 1;
        for words in facts {
            let differ = common
                .iter_mut()
                .zip(words)
                .filter(|(one, other)| *one != other);
            differ.for_each(|(one, _)| *one = "?");
        }
        if let Some(last) = common.last_mut().filter(|_| only_one) {
            *last = "?";
        }
        format!("({})", common.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::search::eval::threats::Threats;
    use crate::search::eval::tuples::Tuples;
    use crate::search::eval::turn::TurnFacts;

    #[test]
    fn parts_are_told_in_the_words_of_the_rules() {
        let facts = ["(cell 1 o)", "(cell 1 x)", "(cell 2 o)", "(cell 2 x)"];
        let game_facts = GameFacts {
            facts: facts.map(str::to_owned).to_vec(),
            ..GameFacts::default()
        };
        let cells = [[0, 1], [2, 3]].map(|facts| Cell {
            facts: facts.to_vec(),
            place: None,
        });
        let tuples = Tuples::new(vec![cells.to_vec()], 4, 100);
        let mut model = EvaluationModel::new(Vec::new(), tuples, TurnFacts::default(), 4, true);
        model.weights[0].facts = vec![0.0, 1.0, 0.0, 0.0];
        model.weights[0].tuples = vec![0.5; 9];
        model.weights[0].tuples[2] = -2.0;
        let choices = Choices {
            own: 1,
            replies: 1,
            chances: 1,
        };
        let about = |words: u64| -> Vec<(String, f64)> {
            let parts = model.explanation(&[words], choices, (&game_facts, false));
            parts
                .into_iter()
                .map(|part| (part.about, part.adds))
                .collect()
        };
        let part = |about: &str, adds: f64| (about.to_owned(), adds);
        assert_eq!(
            about(2),
            [part("(cell 1 x), 1 empty", -2.0), part("(cell 1 x)", 1.0)]
        );
        assert_eq!(about(0), [part("2 empty cells from (cell 1 ?) on", 0.5)]);
        assert_eq!(about(2 | 4)[1], part("(cell 1 x), (cell 2 o)", 0.5));
    }

    #[test]
    fn threats_are_told_by_the_facts_that_would_win() {
        let facts = ["(cell 1 x)", "(cell 2 x)", "(cell 3 x)"];
        let game_facts = GameFacts {
            facts: facts.map(str::to_owned).to_vec(),
            ..GameFacts::default()
        };
        let cells = r#"{"filled":[0],"contents":[0]},{"filled":[1],"contents":[1]},{"filled":[2],"contents":[2]}"#;
        let record = format!(r#"{{"implicants":[[0,1,2]],"cells":[{cells}]}}"#);
        let record = serde_json::from_str(&record).unwrap();
        let threats = Threats::of_record(record, 3).unwrap();
        let cells = [4, 5].map(|threat| Cell {
            facts: vec![threat],
            place: None,
        });
        let tuples = Tuples::new(vec![cells.to_vec()], 6, 100);
        let model = EvaluationModel::new(Vec::new(), tuples, TurnFacts::default(), 6, true);
        let mut model = model.with_threats(Some(Arc::new(threats)));
        model.weights[0].facts[5] = 1.0;
        model.weights[0].tuples = vec![-0.5, 0.0, 2.0, 0.0];
        let choices = Choices {
            own: 1,
            replies: 1,
            chances: 1,
        };
        let told = |words: u64| -> Vec<(&str, String, f64)> {
            let parts = model.explanation(&[words], choices, (&game_facts, false));
            let parts = parts.into_iter();
            parts
                .map(|part| (part.heuristic, part.about, part.adds))
                .collect()
        };
        let threat = "threat of (cell 3 x)".to_owned();
        let window = format!("{threat}, no others from (cell 2 ?) on");
        assert_eq!(
            told(0b10_0011),
            [("threats", window, 2.0), ("threats", threat, 1.0)]
        );
        let none = "no threats from (cell 2 ?) on".to_owned();
        assert_eq!(told(0), [("threats", none, -0.5)]);
    }
}
