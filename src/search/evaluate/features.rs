//! What can be counted in a state, found in the rules of whatever game.
//!
//! Boards, markers and pieces come to light by groups of facts that exclude each other, as `(cell 1 2 ?)` do: what
//! varies within groups is the *content*, all else the *place* (Kuhlmann, Dresner and Stone 2006; Clune 2007; Schiffel
//! and Thielscher 2007 look for the same).

use indexmap::IndexMap;

use super::arguments::Order;
use super::ways::Ways;
use crate::game::Vocabulary;
use crate::search::Heuristics;
use crate::search::ladder::{Choices, Side};

/// Something that can be counted in a state.
#[derive(Debug, Clone)]
pub(super) struct Feature {
    /// The heuristic it belongs to.
    pub(super) heuristic: &'static str,
    /// What is counted, in words.
    pub(super) about: String,
    pub(super) measure: Measure,
}

/// How to count it.
#[derive(Debug, Clone)]
pub(super) enum Measure {
    /// The sum over the facts that hold.
    Facts(Vec<(u32, f32)>),
    /// The logarithm of the number of choices.
    Choices(Side),
    /// The ways of a role to win, none of them barred, for which so many facts are missing.
    Missing { role: usize, facts: u32 },
}

/// More features are not weighed.
const MOST: usize = 96;
/// Numbers at more places than this are added up.
const PLACES: usize = 8;

/// The features of a game that belong to the heuristics that are on.
pub(super) fn features(vocabulary: Option<&Vocabulary>, heuristics: Heuristics) -> Vec<Feature> {
    let mut features = Vec::new();
    if heuristics.has("mobility") {
        features.extend([Side::Own, Side::Others].map(choices));
    }
    if let Some(vocabulary) = vocabulary {
        if heuristics.has("goals") {
            features.extend(missing(vocabulary));
        }
        let mut relations: IndexMap<(&str, usize), Relation<'_>> = IndexMap::new();
        for (number, fact) in (0..).zip(&vocabulary.facts) {
            let words = words_of(fact);
            let (name, args) = words
                .split_first()
                .map_or(("", &[][..]), |(name, args)| (*name, args));
            let relation = relations.entry((name, args.len())).or_default();
            relation.facts.insert(number, args.to_vec());
        }
        for ((name, _), relation) in &relations {
            relation.find(name, vocabulary, &mut features);
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
        measure: Measure::Choices(side),
    }
}

fn missing(vocabulary: &Vocabulary) -> Vec<Feature> {
    let ways = vocabulary
        .wins
        .iter()
        .enumerate()
        .filter(|(_, ways)| !ways.is_empty());
    let features = ways.flat_map(|(role, _)| {
        (1..=3).map(move |facts| Feature {
            heuristic: "goals",
            about: format!("role {}: {facts} short of a win", role + 1),
            measure: Measure::Missing { role, facts },
        })
    });
    features.collect()
}

/// The words of a fact: its name and its arguments.
fn words_of(fact: &str) -> Vec<&str> {
    let Some(inner) = fact
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return vec![fact];
    };
    let (mut words, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, character) in inner.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                words.push(&inner[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    words.push(&inner[begin..]);
    words
}

/// The facts of one relation, by their numbers.
#[derive(Debug, Default)]
struct Relation<'v> {
    facts: IndexMap<u32, Vec<&'v str>>,
}

impl<'v> Relation<'v> {
    fn find(&self, name: &str, vocabulary: &Vocabulary, features: &mut Vec<Feature>) {
        let arity = self.facts.first().map_or(0, |(_, args)| args.len());
        let orders: Vec<Option<Order>> = (0..arity)
            .map(|place| Order::new(self.values(place), vocabulary))
            .collect();
        let content = self.content(vocabulary, &orders);
        match content[..] {
            [only] if orders[only].is_some() => self.numbers(name, only, &orders, features),
            _ => self.pieces(name, &content, &orders, features),
        }
    }

    fn values(&self, place: usize) -> Vec<&'v str> {
        let mut values: Vec<&str> = self.facts.values().map(|args| args[place]).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// The arguments that vary within groups; where no groups are known, those without an order.
    fn content(&self, vocabulary: &Vocabulary, orders: &[Option<Order>]) -> Vec<usize> {
        let mut seen: IndexMap<Vec<usize>, usize> = IndexMap::new();
        for group in &vocabulary.groups {
            let args: Option<Vec<_>> = group.iter().map(|fact| self.facts.get(fact)).collect();
            if let Some(args) = args {
                let varies = |place: &usize| args.iter().any(|one| one[*place] != args[0][*place]);
                *seen
                    .entry((0..orders.len()).filter(varies).collect())
                    .or_default() += 1;
            }
        }
        // Where squares hold one piece and a piece stands on one square, the squares tell more.
        let usual = seen
            .into_iter()
            .min_by_key(|(content, count)| (content.len(), usize::MAX - count));
        usual.map_or_else(
            || {
                (0..orders.len())
                    .filter(|place| orders[*place].is_none())
                    .collect()
            },
            |(content, _)| content,
        )
    }

    /// A relation that says how many: the higher, the more.
    fn numbers(
        &self,
        name: &str,
        content: usize,
        orders: &[Option<Order>],
        features: &mut Vec<Feature>,
    ) {
        let Some(order) = &orders[content] else {
            return;
        };
        let mut by_place: IndexMap<Vec<&str>, Vec<(u32, f32)>> = IndexMap::new();
        for (&fact, args) in &self.facts {
            let mut place = args.clone();
            place[content] = "?";
            by_place
                .entry(place)
                .or_default()
                .push((fact, order.height(args[content])));
        }
        if by_place.len() > PLACES {
            let all = by_place.into_values().flatten().collect();
            by_place = IndexMap::from([(vec!["?"], all)]);
        }
        features.extend(by_place.into_iter().map(|(place, facts)| Feature {
            heuristic: "progress",
            about: pattern(name, &place),
            measure: Measure::Facts(facts),
        }));
    }

    /// A relation that says what is where: how many there are of each, how far they have come, and how near the middle
    /// they are.
    fn pieces(
        &self,
        name: &str,
        content: &[usize],
        orders: &[Option<Order>],
        features: &mut Vec<Feature>,
    ) {
        let mut kinds: IndexMap<Vec<&str>, Vec<(u32, &Vec<&str>)>> = IndexMap::new();
        for (&fact, args) in &self.facts {
            let shown = |place: usize| {
                if content.contains(&place) {
                    args[place]
                } else {
                    "?"
                }
            };
            kinds
                .entry((0..args.len()).map(shown).collect())
                .or_default()
                .push((fact, args));
        }
        let ordered: Vec<(usize, &Order)> = (0..orders.len())
            .filter(|place| !content.contains(place))
            .filter_map(|place| Some((place, orders[place].as_ref()?)))
            .collect();
        for (kind, facts) in kinds {
            let about = pattern(name, &kind);
            let count = facts.iter().map(|(fact, _)| (*fact, 1.0)).collect();
            features.push(Feature {
                heuristic: "pieces",
                about: about.clone(),
                measure: Measure::Facts(count),
            });
            if facts.len() > 2 {
                features.extend(progress(&about, &facts, &ordered));
            }
        }
    }
}

/// How far the facts of a kind have come along each ordered argument, and how near the middle of all they are.
fn progress(about: &str, facts: &[(u32, &Vec<&str>)], ordered: &[(usize, &Order)]) -> Vec<Feature> {
    let feature = |how: String, weight: &dyn Fn(&[&str]) -> f32| Feature {
        heuristic: "progress",
        about: format!("{about} {how}"),
        measure: Measure::Facts(
            facts
                .iter()
                .map(|(fact, args)| (*fact, weight(args)))
                .collect(),
        ),
    };
    let mut features = Vec::new();
    for (place, order) in ordered {
        let along = |args: &[&str]| 2.0 * order.height(args[*place]) - 1.0;
        features.push(feature(format!("along argument {}", place + 1), &along));
    }
    if !ordered.is_empty() {
        let central = |args: &[&str]| {
            let off = ordered
                .iter()
                .map(|(place, order)| (2.0 * order.height(args[*place]) - 1.0).abs());
            1.0 - off.sum::<f32>() / ordered.len() as f32
        };
        features.push(feature("near the middle".to_owned(), &central));
    }
    features
}

fn pattern(name: &str, args: &[&str]) -> String {
    match args.is_empty() {
        true => name.to_owned(),
        false => format!("({name} {})", args.join(" ")),
    }
}

impl Feature {
    /// How much of it there is in a state.
    pub(super) fn count(&self, words: &[u64], choices: Choices, ways: &Ways) -> f64 {
        match &self.measure {
            Measure::Choices(side) => f64::from(choices.of(*side).max(1)).ln(),
            Measure::Missing { role, facts } => {
                f64::from(ways.missing(*role, words)[*facts as usize - 1])
            }
            Measure::Facts(facts) => {
                let holding = facts.iter().filter(|(fact, _)| holds(words, *fact));
                holding.map(|(_, weight)| f64::from(*weight)).sum()
            }
        }
    }
}

fn holds(words: &[u64], fact: u32) -> bool {
    words[fact as usize / 64] >> (fact % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip of four squares, on each of which x or o may stand, a counter, and who is to move.
    fn strip() -> Vocabulary {
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
        Vocabulary {
            initial: group(&["(control x)", "(score x 0)"]),
            wins: vec![vec![group(&["(cell 1 x)", "(cell 2 x)"])], Vec::new()],
            groups,
            chains: Vec::new(),
            facts,
        }
    }

    fn words(vocabulary: &Vocabulary, facts: &[&str]) -> Vec<u64> {
        let bits = facts
            .iter()
            .map(|fact| 1 << vocabulary.number(fact).unwrap());
        vec![bits.fold(0, |word, bit: u64| word | bit)]
    }

    #[test]
    fn boards_counters_and_wins_are_found() {
        let vocabulary = strip();
        let found = features(Some(&vocabulary), Heuristics::ALL);
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
            &vocabulary,
            &["(cell 1 x)", "(cell 3 x)", "(cell 4 o)", "(score x 2)"],
        );
        let choices = Choices {
            own: 1,
            replies: 1,
            chances: 1,
        };
        let ways = Ways::new(&vocabulary);
        let count = |about: &str| {
            let feature = found.iter().find(|feature| feature.about == about).unwrap();
            feature.count(&state, choices, &ways)
        };
        assert_eq!(count("(cell ? x)"), 2.0);
        assert_eq!(count("(score x ?)"), 1.0);
        assert!((count("(cell ? o) along argument 1") - 1.0).abs() < 1e-6);
        assert_eq!(count("role 1: 1 short of a win"), 1.0);
    }

    #[test]
    fn a_way_that_is_barred_does_not_count() {
        let vocabulary = strip();
        let ways = Ways::new(&vocabulary);
        assert_eq!(
            ways.missing(0, &words(&vocabulary, &["(cell 3 x)"])),
            [0, 1, 0]
        );
        assert_eq!(
            ways.missing(0, &words(&vocabulary, &["(cell 2 o)"])),
            [0, 0, 0]
        );
        assert_eq!(ways.missing(1, &words(&vocabulary, &[])), [0, 0, 0]);
    }

    #[test]
    fn heuristics_can_be_turned_off() {
        let vocabulary = strip();
        let found = features(Some(&vocabulary), "pieces".parse().unwrap());
        assert!(found.iter().all(|feature| feature.heuristic == "pieces") && !found.is_empty());
        assert!(features(Some(&vocabulary), Heuristics::NONE).is_empty());
        assert_eq!(features(None, Heuristics::ALL).len(), 2, "mobility alone");
    }

    #[test]
    fn orders_are_those_of_numbers_or_of_the_rules() {
        let mut vocabulary = strip();
        assert!(Order::new(vec!["up", "down", "left"], &vocabulary).is_none());
        vocabulary.chains = vec![["down", "left", "up"].map(str::to_owned).to_vec()];
        let order = Order::new(vec!["up", "down", "left"], &vocabulary).unwrap();
        assert_eq!([order.height("down"), order.height("up")], [0.0, 1.0]);
        let order = Order::new(vec!["10", "9", "8"], &vocabulary).unwrap();
        assert_eq!([order.height("8"), order.height("10")], [0.0, 1.0]);
    }
}
