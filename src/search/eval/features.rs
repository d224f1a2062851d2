//! Features: quantities of a state, found in the rules of any game.
//!
//! [`fact_relations`] says which arguments of facts are places and which are contents.

use super::relation::add_features;
use crate::game::GameFacts;
use crate::info::board::fact_relations;
use crate::search::Heuristics;
use crate::search::alphabeta::stack::Side;

/// A feature of a state.
#[derive(Debug, Clone)]
pub(super) struct Feature {
    /// The heuristic it belongs to.
    pub(super) heuristic: &'static str,
    /// A description.
    pub(super) about: String,
    pub(super) measure: FeatureMeasure,
}

/// How a feature is computed.
#[derive(Debug, Clone)]
pub(super) enum FeatureMeasure {
    /// The weighted sum over the facts that hold.
    Facts(Vec<(u32, f32)>),
    /// The logarithm of the number of choices.
    Choices(Side),
}

/// The most features that are used.
const MOST: usize = 96;

/// The features of a game for the heuristics that are on.
pub(super) fn features(game_facts: Option<&GameFacts>, heuristics: Heuristics) -> Vec<Feature> {
    let mut features = Vec::new();
    if heuristics.has("mobility") {
        features.extend([Side::Own, Side::Others].map(choices));
    }
    if let Some(game_facts) = game_facts {
        for relation in fact_relations(game_facts) {
            add_features(&relation, &mut features);
        }
        features.retain(|feature| heuristics.has(feature.heuristic));
    }
    features.truncate(MOST);
    features
}

fn choices(side: Side) -> Feature {
    Feature {
        heuristic: "mobility",
        about: about_choices(side).to_owned(),
        measure: FeatureMeasure::Choices(side),
    }
}

fn about_choices(side: Side) -> &'static str {
    match side {
        Side::Own => "own moves",
        Side::Others => "others' moves",
    }
}

impl Feature {
    /// The description for the other one of two roles.
    pub(super) fn about_for_other(&self) -> &str {
        match self.measure {
            FeatureMeasure::Choices(Side::Own) => about_choices(Side::Others),
            FeatureMeasure::Choices(Side::Others) => about_choices(Side::Own),
            FeatureMeasure::Facts(_) => &self.about,
        }
    }
}

pub(super) fn holds(words: &[u64], fact: u32) -> bool {
    words[fact as usize / 64] >> (fact % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GoalValue, Implicant};

    /// A strip of four squares, on each of which x or o may stand, a counter, and who is to move.
    fn strip() -> GameFacts {
        let squares =
            (1..=4).flat_map(|square| ["o", "x"].map(|mark| format!("(cell {square} {mark})")));
        let mut facts: Vec<String> = squares.collect();
        facts.extend(["o", "x"].map(|role| format!("(control {role})")));
        facts.extend((0..3).map(|number| format!("(score x {number})")));
        facts.sort();
        let number = |fact: &str| facts.binary_search(&fact.to_owned()).unwrap() as u32;
        let group = |facts: &[&str]| facts.iter().map(|fact| number(fact)).collect::<Vec<u32>>();
        let squares = ["1", "2", "3", "4"];
        let cells = squares.map(|at| [format!("(cell {at} o)"), format!("(cell {at} x)")]);
        let mut groups: Vec<Vec<u32>> = cells
            .iter()
            .map(|cell| group(&[&cell[0], &cell[1]]))
            .collect();
        groups.push(group(&["(control o)", "(control x)"]));
        groups.push(group(&["(score x 0)", "(score x 1)", "(score x 2)"]));
        GameFacts {
            initial: group(&["(control x)", "(score x 0)"]),
            goals: vec![
                vec![GoalValue {
                    goal: 100,
                    implicants: vec![Implicant {
                        needs: group(&["(cell 1 x)", "(cell 2 x)"]),
                        unless: Vec::new(),
                    }],
                }],
                Vec::new(),
            ],
            mutex_groups: groups,
            facts,
            ..GameFacts::default()
        }
    }

    #[test]
    fn letters_that_a_cell_holds_are_pieces_and_no_numbers() {
        let cells =
            (1..=9).flat_map(|cell| ["b", "o", "x"].map(|what| format!("(cell {cell} {what})")));
        let game_facts = GameFacts {
            facts: cells.collect(),
            mutex_groups: (0..9)
                .map(|cell| (3 * cell..3 * cell + 3).collect())
                .collect(),
            ..GameFacts::default()
        };
        let found = features(Some(&game_facts), "pieces+progress".parse().unwrap());
        let about = found.iter().map(|feature| feature.about.as_str());
        let counts: Vec<&str> = about
            .filter(|about| !about.contains("near") && !about.contains("along"))
            .collect();
        assert_eq!(counts, ["(cell ? b)", "(cell ? o)", "(cell ? x)"]);
    }

    #[test]
    fn boards_and_counters_are_found() {
        let game_facts = strip();
        let found = features(Some(&game_facts), Heuristics::ALL);
        let about: Vec<&str> = found.iter().map(|feature| feature.about.as_str()).collect();
        for expected in [
            "own moves",
            "(cell ? x)",
            "(cell ? o) along argument 1",
            "(cell ? x) near the middle",
            "(control x)",
            "(score x ?)",
        ] {
            assert!(about.contains(&expected), "{expected} in {about:?}");
        }
    }

    #[test]
    fn pieces_are_distinguished_by_owner() {
        let squares = (1..=9).flat_map(|square| {
            ["black king", "black man", "white king", "white man"]
                .map(|piece| format!("(cell {square} {piece})"))
        });
        let facts: Vec<String> = squares.collect();
        // The only mutex groups: no piece is both a man and a king.
        let mut game_facts = GameFacts {
            mutex_groups: (0..18).map(|pair| vec![2 * pair, 2 * pair + 1]).collect(),
            facts,
            ..GameFacts::default()
        };
        let about = |game_facts: &GameFacts| {
            let pieces = "pieces".parse().unwrap();
            let found = features(Some(game_facts), pieces);
            let about = found.into_iter().map(|feature| feature.about);
            about.collect::<Vec<String>>()
        };
        let kinds = ["black king", "black man", "white king", "white man"];
        assert_eq!(
            about(&game_facts),
            kinds.map(|kind| format!("(cell ? {kind})"))
        );
        // Squares with one name each are places as well.
        for fact in &mut game_facts.facts {
            *fact = fact.replace("(cell ", "(cell on");
        }
        assert_eq!(
            about(&game_facts),
            kinds.map(|kind| format!("(cell ? {kind})"))
        );
    }

    #[test]
    fn places_do_not_distinguish_pieces() {
        let squares = (1..=4).flat_map(|x| (1..=4).map(move |y| format!("{x} {y}")));
        let squares: Vec<String> = squares.collect();
        let at = |piece: &str| {
            squares
                .iter()
                .map(move |square| format!("(at {piece} {square})"))
                .collect::<Vec<_>>()
        };
        let game_facts = GameFacts {
            facts: [at("black king"), at("white king")].concat(),
            // A piece is in one place.
            mutex_groups: vec![(0..16).collect(), (16..32).collect()],
            ..GameFacts::default()
        };
        let pieces = "pieces".parse().unwrap();
        let found = features(Some(&game_facts), pieces);
        let about: Vec<String> = found.into_iter().map(|feature| feature.about).collect();
        assert_eq!(about, ["(at black king ? ?)", "(at white king ? ?)"]);
    }

    #[test]
    fn heuristics_can_be_turned_off() {
        let game_facts = strip();
        let found = features(Some(&game_facts), "pieces".parse().unwrap());
        assert!(found.iter().all(|feature| feature.heuristic == "pieces") && !found.is_empty());
        assert!(features(Some(&game_facts), Heuristics::NONE).is_empty());
        assert_eq!(features(None, Heuristics::ALL).len(), 2, "mobility alone");
    }
}
