//! Features: quantities of a state, found in the rules of any game.
//!
//! [`fact_relations`] says which arguments of facts are places and which are contents.

use super::implicants::WinningImplicants;
use super::relation::add_features;
use crate::game::GameFacts;
use crate::info::board::fact_relations;
use crate::search::Heuristics;
use crate::search::alphabeta::stack::{Choices, Side};

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
    /// The number of a role's winning implicants that are not blocked and lack `facts` facts.
    Missing { role: usize, facts: u32 },
}

/// The most features that are used.
const MOST: usize = 96;

/// The features of a game for the heuristics that are on.
pub(super) fn features(
    game_facts: Option<&GameFacts>,
    implicants: &WinningImplicants,
    heuristics: Heuristics,
) -> Vec<Feature> {
    let mut features = Vec::new();
    if heuristics.has("mobility") {
        features.extend([Side::Own, Side::Others].map(choices));
    }
    if let Some(game_facts) = game_facts {
        if heuristics.has("goals") {
            features.extend(missing(game_facts.goals.len(), implicants));
        }
        for relation in fact_relations(game_facts) {
            add_features(&relation, &mut features);
        }
        features.retain(|feature| heuristics.has(feature.heuristic));
    }
    features.truncate(MOST);
    features
}

fn choices(side: Side) -> Feature {
    let whose = match side {
        Side::Own => "own",
        Side::Others => "others'",
    };
    Feature {
        heuristic: "mobility",
        about: format!("{whose} moves"),
        measure: FeatureMeasure::Choices(side),
    }
}

fn missing(roles: usize, implicants: &WinningImplicants) -> Vec<Feature> {
    let with_implicants = (0..roles).filter(|&role| implicants.has_any(role));
    let features = with_implicants.flat_map(|role| {
        (1..=3).map(move |facts| Feature {
            heuristic: "goals",
            about: format!("role {}: {facts} short of a win", role + 1),
            measure: FeatureMeasure::Missing { role, facts },
        })
    });
    features.collect()
}

impl Feature {
    /// The value of the feature in a state.
    pub(super) fn count(
        &self,
        words: &[u64],
        choices: Choices,
        implicants: &WinningImplicants,
    ) -> f64 {
        match &self.measure {
            FeatureMeasure::Choices(side) => f64::from(choices.of(*side).max(1)).ln(),
            FeatureMeasure::Missing { role, facts } => {
                f64::from(implicants.missing(*role, words)[*facts as usize - 1])
            }
            FeatureMeasure::Facts(facts) => {
                let holding = facts.iter().filter(|(fact, _)| holds(words, *fact));
                holding.map(|(_, weight)| f64::from(*weight)).sum()
            }
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
            persistent: Vec::new(),
            mutex_groups: groups,
            successor_orders: Vec::new(),
            facts,
        }
    }

    fn words(game_facts: &GameFacts, facts: &[&str]) -> Vec<u64> {
        let bits = facts
            .iter()
            .map(|fact| 1 << game_facts.number(fact).unwrap());
        vec![bits.fold(0, |word, bit: u64| word | bit)]
    }

    #[test]
    fn boards_counters_and_winning_implicants_are_found() {
        let game_facts = strip();
        let found = features(
            Some(&game_facts),
            &WinningImplicants::new(&game_facts),
            Heuristics::ALL,
        );
        let about: Vec<&str> = found.iter().map(|feature| feature.about.as_str()).collect();
        for expected in [
            "own moves",
            "role 1: 1 short of a win",
            "(cell ? x)",
            "(cell ? o) along argument 1",
            "(cell ? x) near the middle",
            "(control x)",
            "(score x ?)",
        ] {
            assert!(about.contains(&expected), "{expected} in {about:?}");
        }
        let state = words(
            &game_facts,
            &["(cell 1 x)", "(cell 3 x)", "(cell 4 o)", "(score x 2)"],
        );
        let choices = Choices {
            own: 1,
            replies: 1,
            chances: 1,
        };
        let implicants = WinningImplicants::new(&game_facts);
        let count = |about: &str| {
            let feature = found.iter().find(|feature| feature.about == about).unwrap();
            feature.count(&state, choices, &implicants)
        };
        assert_eq!(count("(cell ? x)"), 2.0);
        assert_eq!(count("(score x ?)"), 1.0);
        assert!((count("(cell ? o) along argument 1") - 1.0).abs() < 1e-6);
        assert_eq!(count("role 1: 1 short of a win"), 1.0);
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
            let found = features(Some(game_facts), &WinningImplicants::default(), pieces);
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
        let found = features(Some(&game_facts), &WinningImplicants::default(), pieces);
        let about: Vec<String> = found.into_iter().map(|feature| feature.about).collect();
        assert_eq!(about, ["(at black king ? ?)", "(at white king ? ?)"]);
    }

    #[test]
    fn blocked_implicants_do_not_count() {
        let game_facts = strip();
        let implicants = WinningImplicants::new(&game_facts);
        assert_eq!(
            implicants.missing(0, &words(&game_facts, &["(cell 3 x)"])),
            [0, 1, 0]
        );
        assert_eq!(
            implicants.missing(0, &words(&game_facts, &["(cell 2 o)"])),
            [0, 0, 0]
        );
        assert_eq!(implicants.missing(1, &words(&game_facts, &[])), [0, 0, 0]);
    }

    #[test]
    fn heuristics_can_be_turned_off() {
        let game_facts = strip();
        let found = features(
            Some(&game_facts),
            &WinningImplicants::new(&game_facts),
            "pieces".parse().unwrap(),
        );
        assert!(found.iter().all(|feature| feature.heuristic == "pieces") && !found.is_empty());
        assert!(
            features(
                Some(&game_facts),
                &WinningImplicants::new(&game_facts),
                Heuristics::NONE
            )
            .is_empty()
        );
        assert_eq!(
            features(None, &WinningImplicants::default(), Heuristics::ALL).len(),
            2,
            "mobility alone"
        );
    }
}
