//! Boards of one dimension: heaps, pits, and squares in a row.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::{Axis, AxisKind};
use super::cells::{Board, BoardKind, CellRelation};
use super::relation::{FactPattern, SampledFacts, SampledRelation};

/// Shorter rows of names are labels, such as scores.
const FEWEST: usize = 3;
/// So many places hold one fact for each that holds another one.
const FEW: usize = 4;
/// Names without an order that is sure, such as pits, are places if there are so many.
const FEWEST_NAMES: usize = 6;

/// The strips in some states whose places `are_wanted`.
pub(super) fn strips(
    samples: &SampledFacts,
    orders: &[Vec<String>],
    are_wanted: fn(&Axis) -> bool,
) -> Vec<Board> {
    let relations = samples.relations.iter();
    let mut found: Vec<Board> = relations
        .filter_map(|(pattern, facts)| strip(pattern, facts, samples.states, orders))
        .filter(|board| are_wanted(&board.columns))
        .collect();
    if found.is_empty() {
        found.extend(shared_strip(samples, orders));
    }
    found
}

/// The strip on which a relation says, in every state, what each place holds.
fn strip(
    pattern: &FactPattern,
    facts: &SampledRelation,
    states: usize,
    orders: &[Vec<String>],
) -> Option<Board> {
    let arity = facts.first()?.1.len();
    (0..arity).find_map(|place| {
        let values: BTreeSet<&str> = facts.iter().map(|(_, args)| &*args[place]).collect();
        let axis = Axis::of_coordinates(&values, orders)?;
        let relation = CellRelation::of_points(pattern, &[place], arity);
        let contents = facts.iter().flat_map(|(_, args)| {
            let content = relation.content.iter();
            content.map(|&place| &*args[place])
        });
        let contents: BTreeSet<&str> = contents.collect();
        // Facts such as `(on b a)` lead from place to place.
        let is_pointer = axis.kind != AxisKind::Numbers && !contents.is_disjoint(&values);
        let fewest = if axis.is_ordered() {
            FEWEST
        } else {
            FEWEST_NAMES
        };
        let is_strip = values.len() >= fewest
            && !contents.is_empty()
            && !is_pointer
            && each_place_once(facts.iter(), values.len(), place, states);
        is_strip.then(|| Board::in_a_row(BoardKind::Strip, axis, vec![relation]))
    })
}

/// The strip whose places are in one of several sets: `(blank a)`, `(cross b)`.
fn shared_strip(samples: &SampledFacts, orders: &[Vec<String>]) -> Option<Board> {
    let sets = samples.relations.iter().filter(|(_, facts)| {
        let first = facts.first();
        first.is_some_and(|(_, args)| args.len() == 1)
    });
    let sets: BTreeMap<&FactPattern, BTreeSet<&str>> = sets
        .map(|(pattern, facts)| {
            let values = facts.iter().map(|(_, args)| &*args[0]).collect();
            (pattern, values)
        })
        .collect();
    let (_, values) = sets.iter().max_by_key(|(_, values)| values.len())?;
    let parts = sets.iter().filter(|(_, part)| part.is_subset(values));
    let parts: Vec<&FactPattern> = parts.map(|(pattern, _)| *pattern).collect();
    let axis = Axis::of_coordinates(values, orders).filter(Axis::is_ordered)?;
    let facts = parts.iter().flat_map(|part| &samples.relations[*part]);
    let is_strip = parts.len() > 1
        && values.len() >= FEWEST_NAMES
        && each_place_once(facts, values.len(), 0, samples.states);
    let relation = |pattern: &&FactPattern| CellRelation::of_points(pattern, &[0], 1);
    is_strip.then(|| {
        let relations = parts.iter().map(relation).collect();
        Board::in_a_row(BoardKind::Strip, axis, relations)
    })
}

/// Whether, in each state, each of so many places occurs exactly once, but for a few that rules without care fill twice.
fn each_place_once<'f>(
    facts: impl Iterator<Item = &'f (usize, Vec<String>)>,
    places: usize,
    place: usize,
    states: usize,
) -> bool {
    let mut seen: BTreeMap<usize, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for (state, args) in facts {
        let (count, values) = seen.entry(*state).or_default();
        *count += 1;
        values.insert(&args[place]);
    }
    let facts: usize = seen.values().map(|(count, _)| count).sum();
    seen.len() == states
        && seen.values().all(|(_, values)| values.len() == places)
        && facts * FEW <= places * states * (FEW + 1)
}
