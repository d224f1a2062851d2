//! Features of the facts of one relation: piece counts, progress, and numbers.

use indexmap::IndexMap;

use super::features::{Feature, FeatureMeasure};
use crate::info::board::{Axis, AxisKind, FactRelation};

/// Counters at more places than this are summed.
const PLACES: usize = 8;

/// Adds the features of a relation.
pub(super) fn add_features(relation: &FactRelation<'_>, features: &mut Vec<Feature>) {
    match relation.content[..] {
        [only] if is_number(relation, only) => add_numbers(relation, only, features),
        _ => add_pieces(relation, features),
    }
}

/// Whether an argument is a number. Single letters are ordered where they name places, and otherwise stand for pieces.
fn is_number(relation: &FactRelation<'_>, argument: usize) -> bool {
    let kind = relation.axes[argument].as_ref().map(|axis| &axis.kind);
    matches!(kind, Some(AxisKind::Numbers | AxisKind::Successors))
}

/// A relation that holds a number: the feature grows with it.
fn add_numbers(relation: &FactRelation<'_>, content: usize, features: &mut Vec<Feature>) {
    let Some(axis) = &relation.axes[content] else {
        return;
    };
    let mut by_place: IndexMap<Vec<&str>, Vec<(u32, f32)>> = IndexMap::new();
    for (&fact, args) in &relation.facts {
        let mut place = args.clone();
        place[content] = "?";
        by_place
            .entry(place)
            .or_default()
            .push((fact, axis.height(args[content])));
    }
    if by_place.len() > PLACES {
        let all = by_place.into_values().flatten().collect();
        by_place = IndexMap::from([(vec!["?"], all)]);
    }
    features.extend(by_place.into_iter().map(|(place, facts)| Feature {
        heuristic: "progress",
        about: pattern(relation.name, &place),
        measure: FeatureMeasure::Facts(facts),
    }));
}

/// A relation that places pieces: the number of each kind, their progress along the board, and their closeness to its
/// centre.
fn add_pieces(relation: &FactRelation<'_>, features: &mut Vec<Feature>) {
    let kind_arguments = relation.kind_arguments();
    let mut kinds: IndexMap<Vec<&str>, Vec<(u32, &Vec<&str>)>> = IndexMap::new();
    for (&fact, args) in &relation.facts {
        let shown = |place: usize| {
            if kind_arguments.contains(&place) {
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
    let ordered: Vec<(usize, &Axis)> = (0..relation.axes.len())
        .filter(|place| !kind_arguments.contains(place))
        .filter_map(|place| Some((place, relation.axes[place].as_ref()?)))
        .collect();
    for (kind, facts) in kinds {
        let about = pattern(relation.name, &kind);
        let count = facts.iter().map(|(fact, _)| (*fact, 1.0)).collect();
        features.push(Feature {
            heuristic: "pieces",
            about: about.clone(),
            measure: FeatureMeasure::Facts(count),
        });
        if facts.len() > 2 {
            features.extend(progress(&about, &facts, &ordered));
        }
    }
}

/// The positions of a kind of pieces along each ordered argument, and their closeness to the centre.
fn progress(about: &str, facts: &[(u32, &Vec<&str>)], ordered: &[(usize, &Axis)]) -> Vec<Feature> {
    let feature = |how: String, weight: &dyn Fn(&[&str]) -> f32| Feature {
        heuristic: "progress",
        about: format!("{about} {how}"),
        measure: FeatureMeasure::Facts(
            facts
                .iter()
                .map(|(fact, args)| (*fact, weight(args)))
                .collect(),
        ),
    };
    let mut features = Vec::new();
    for (place, axis) in ordered {
        let along = |args: &[&str]| 2.0 * axis.height(args[*place]) - 1.0;
        features.push(feature(format!("along argument {}", place + 1), &along));
    }
    if !ordered.is_empty() {
        let central = |args: &[&str]| {
            let off = ordered
                .iter()
                .map(|(place, axis)| (2.0 * axis.height(args[*place]) - 1.0).abs());
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
