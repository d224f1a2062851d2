//! What can be counted of the facts of one relation: pieces, how far they have come, and numbers.

use indexmap::IndexMap;

use super::arguments::Order;
use super::features::{Feature, Measure};
use crate::game::GameFacts;

/// Numbers at more places than this are added up.
const PLACES: usize = 8;
/// An argument with more names is taken for a place.
const NAMES: usize = 8;

/// The facts of one relation, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Relation<'v> {
    /// Per fact, its arguments.
    pub(super) facts: IndexMap<u32, Vec<&'v str>>,
}

impl<'v> Relation<'v> {
    /// Adds what can be counted of the relation.
    pub(super) fn find(&self, name: &str, game_facts: &GameFacts, features: &mut Vec<Feature>) {
        let arity = self.facts.first().map_or(0, |(_, args)| args.len());
        let orders: Vec<Option<Order>> = (0..arity)
            .map(|place| Order::new(self.values(place), game_facts))
            .collect();
        let content = self.content(game_facts, &orders);
        match content[..] {
            [only] if orders[only].is_some() => self.numbers(name, only, &orders, features),
            _ => self.pieces(name, &self.kinds(content, &orders), &orders, features),
        }
    }

    fn values(&self, place: usize) -> Vec<&'v str> {
        let mut values: Vec<&str> = self.facts.values().map(|args| args[place]).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// The arguments that vary within groups; where no groups are known, those without an order.
    fn content(&self, game_facts: &GameFacts, orders: &[Option<Order>]) -> Vec<usize> {
        let mut seen: IndexMap<Vec<usize>, usize> = IndexMap::new();
        for group in &game_facts.groups {
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

    /// What tells pieces apart: their content, and whatever is one of a few names, such as that of their owner. Where a
    /// piece stands does not, be it that the place is what changes.
    fn kinds(&self, content: Vec<usize>, orders: &[Option<Order>]) -> Vec<usize> {
        let is_name =
            |place: &usize| orders[*place].is_none() && self.values(*place).len() <= NAMES;
        let names: Vec<usize> = (0..orders.len()).filter(is_name).collect();
        if names.iter().all(|name| content.contains(name)) {
            return content;
        }
        let is_kind = |place: &usize| {
            names.contains(place) || content.contains(place) && orders[*place].is_none()
        };
        (0..orders.len()).filter(is_kind).collect()
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
