//! What can be counted in a state, found in the rules of whatever game.
//!
//! Boards, markers and pieces come to light by groups of facts that exclude each other, as `(cell 1 2 ?)` do: what
//! varies within groups is the *content*, all else the *place* (Kuhlmann, Dresner and Stone 2006; Clune 2007; Schiffel
//! and Thielscher 2007 look for the same).

use indexmap::IndexMap;

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

/// The values of an argument in an order: that of numbers, of letters, or one that the rules give.
#[derive(Debug)]
struct Order {
    values: Vec<String>,
}

impl Order {
    fn new(mut values: Vec<&str>, vocabulary: &Vocabulary) -> Option<Self> {
        if values.len() < 3 {
            return None;
        }
        let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
        let place_in =
            |chain: &Vec<String>, value: &str| chain.iter().position(|term| term == value);
        let chain = vocabulary
            .chains
            .iter()
            .find(|chain| values.iter().all(|value| place_in(chain, value).is_some()));
        if numbers.is_some() {
            values.sort_by_key(|value| value.parse::<i64>().unwrap_or(0));
        } else if let Some(chain) = chain {
            values.sort_by_key(|value| place_in(chain, value));
        } else if values.iter().any(|value| value.len() != 1) {
            return None;
        }
        Some(Self {
            values: values.into_iter().map(str::to_owned).collect(),
        })
    }

    /// From 0 for the first value to 1 for the last.
    fn height(&self, value: &str) -> f32 {
        let place = self
            .values
            .iter()
            .position(|known| known == value)
            .unwrap_or(0);
        place as f32 / (self.values.len() - 1).max(1) as f32
    }
}

/// The ways of each role to win, ready to be looked up in states.
#[derive(Debug, Clone, Default)]
pub(super) struct Ways {
    of_roles: Vec<Vec<Way>>,
}

#[derive(Debug, Clone)]
struct Way {
    /// Per word of a state that matters: which, the facts that are needed, and those that bar them.
    masks: Vec<(usize, u64, u64)>,
    length: u32,
}

impl Ways {
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        let mut bars: Vec<Vec<u32>> = vec![Vec::new(); vocabulary.facts.len()];
        for group in &vocabulary.groups {
            for fact in group {
                let others = group.iter().filter(|other| *other != fact);
                let bar = others.filter(|other| !vocabulary.initial.contains(other));
                bars[*fact as usize].extend(bar);
            }
        }
        let way = |facts: &Vec<u32>| Way::new(facts, &bars);
        let of_roles = vocabulary
            .wins
            .iter()
            .map(|ways| ways.iter().map(way).collect());
        Self {
            of_roles: of_roles.collect(),
        }
    }

    /// How many ways of `role` are not barred and lack 1, 2 and 3 facts.
    pub(super) fn missing(&self, role: usize, words: &[u64]) -> [u32; 3] {
        let mut counts = [0; 3];
        for way in &self.of_roles[role] {
            let missing = way.missing(words);
            if let Some(count) =
                missing.and_then(|facts| counts.get_mut(facts.wrapping_sub(1) as usize))
            {
                *count += 1;
            }
        }
        counts
    }
}

impl Way {
    fn new(facts: &[u32], bars: &[Vec<u32>]) -> Self {
        let mut masks: IndexMap<usize, (u64, u64)> = IndexMap::new();
        for fact in facts {
            masks.entry(*fact as usize / 64).or_default().0 |= 1 << (fact % 64);
            for bar in &bars[*fact as usize] {
                masks.entry(*bar as usize / 64).or_default().1 |= 1 << (bar % 64);
            }
        }
        Self {
            masks: masks
                .into_iter()
                .map(|(word, (needed, barring))| (word, needed, barring))
                .collect(),
            length: facts.len() as u32,
        }
    }

    /// How many facts are missing, unless the way is barred.
    fn missing(&self, words: &[u64]) -> Option<u32> {
        let mut held = 0;
        for &(word, needed, barring) in &self.masks {
            if words[word] & barring != 0 {
                return None;
            }
            held += (words[word] & needed).count_ones();
        }
        Some(self.length - held)
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
