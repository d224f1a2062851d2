//! Boards that are graphs: points that the rules connect, or that a board file gives a position.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;
use super::cells::{Board, BoardKind, CellRelation, PointGraph, joined};
use super::file::BoardFile;
use super::neighbours::{NeighbourRelation, names_neighbours, symmetric};
use super::relation::{SampledFacts, SampledRelation};

/// Points are named by so many words at most.
const MOST_WORDS: usize = 3;

/// The board whose points a board file lists. Its relations are taken out of the samples.
pub(super) fn laid_out(
    samples: &mut SampledFacts,
    file: &BoardFile,
    neighbours: &[NeighbourRelation],
) -> Option<Board> {
    if file.points.is_empty() {
        return None;
    }
    let names: BTreeSet<&str> = file.points.keys().map(String::as_str).collect();
    let relations: Vec<CellRelation> = samples
        .relations
        .iter()
        .filter_map(|(pattern, facts)| on_points(pattern, facts, &names))
        .map(|(relation, _)| relation)
        .collect();
    if relations.is_empty() {
        return None;
    }
    for relation in &relations {
        samples.relations.remove(&relation.pattern);
    }
    let graph = PointGraph {
        neighbours: among(&names, neighbours),
        positions: Some(file.points.clone()),
    };
    Some(board(graph, &names, relations))
}

/// The board whose points are the constants that a relation of the rules connects.
pub(super) fn connected(samples: &SampledFacts, neighbours: &[NeighbourRelation]) -> Option<Board> {
    let mut graphs = neighbours.iter().filter(|relation| {
        let is_named_so = names_neighbours(&relation.name);
        is_named_so || relation.is_symmetric() && !relation.is_function()
    });
    graphs.find_map(|relation| {
        let pairs = relation.pairs.iter();
        let pairs: BTreeSet<(String, String)> = pairs
            .map(|(from, to)| (from.join(" "), to.join(" ")))
            .collect();
        let neighbours = symmetric(&pairs);
        let names: BTreeSet<&str> = neighbours.keys().map(String::as_str).collect();
        let numbers = names.iter().filter(|name| name.parse::<i64>().is_ok());
        let numbers = numbers.count();
        let are_numbers = numbers == names.len();
        if numbers > 0 && !are_numbers {
            return None;
        }
        let relations: Vec<CellRelation> = samples
            .relations
            .iter()
            .filter(|(_, facts)| !are_numbers || !is_counter(facts))
            .filter_map(|(pattern, facts)| {
                let (relation, strangers) = on_points(pattern, facts, &names)?;
                (strangers <= 1).then_some(relation)
            })
            .collect();
        (!relations.is_empty()).then(|| {
            let graph = PointGraph {
                neighbours: neighbours.clone(),
                positions: None,
            };
            board(graph, &names, relations)
        })
    })
}

/// The board whose squares are numbered as those of draughts, if the rules connect them so: 32 or 50 squares, number 1 at
/// the top.
pub(super) fn numbered(samples: &SampledFacts, neighbours: &[NeighbourRelation]) -> Option<Board> {
    [4, 5].into_iter().find_map(|in_row| {
        let numbers: Vec<String> = (1..=draughts_squares(in_row))
            .map(|n| n.to_string())
            .collect();
        let names: BTreeSet<&str> = numbers.iter().map(String::as_str).collect();
        let neighbours = among(&names, neighbours);
        let squares = numbers.iter().zip(0..);
        let positions: BTreeMap<String, (usize, usize)> = squares
            .map(|(name, number)| (name.clone(), draughts_square(number, in_row)))
            .collect();
        let touch = |from: &String, to: &String| {
            let ((x, y), (to_x, to_y)) = (positions[from], positions[to]);
            x.abs_diff(to_x) == 1 && y.abs_diff(to_y) == 1
        };
        let mut around = neighbours.iter();
        let are_diagonal = around.all(|(from, around)| around.iter().all(|to| touch(from, to)));
        if neighbours.len() < names.len() || !are_diagonal {
            return None;
        }
        let on_all = |(pattern, facts): (&String, &Vec<_>)| {
            let (relation, strangers) = on_points(pattern, facts, &names)?;
            (strangers == 0 && !is_counter(facts)).then_some(relation)
        };
        let relations: Vec<CellRelation> = samples.relations.iter().filter_map(on_all).collect();
        (!relations.is_empty()).then(|| {
            let graph = PointGraph {
                neighbours,
                positions: Some(positions),
            };
            board(graph, &names, relations)
        })
    })
}

/// How many squares a board of draughts has, by how many there are in a row.
fn draughts_squares(in_row: usize) -> usize {
    2 * in_row * in_row
}

/// Column and height of the square with this number, counted from 0.
fn draughts_square(number: usize, in_row: usize) -> (usize, usize) {
    let (row, place) = (number / in_row, number % in_row);
    let column = 2 * place + usize::from(row.is_multiple_of(2));
    (column, 2 * in_row - 1 - row)
}

fn board(graph: PointGraph, names: &BTreeSet<&str>, mut relations: Vec<CellRelation>) -> Board {
    let with_content = relations.iter().filter(|one| !one.content.is_empty());
    let is_named = with_content.count() > 1;
    relations.iter_mut().for_each(|one| one.is_named = is_named);
    Board::in_a_row(BoardKind::Points(graph), Axis::of_points(names), relations)
}

/// Whether a relation says one thing in each state, and nothing of it.
fn is_counter(facts: &SampledRelation) -> bool {
    let mut states = BTreeSet::new();
    facts
        .iter()
        .all(|(state, args)| args.len() == 1 && states.insert(*state))
}

/// The relation read as one of points, and how many places it names that are none; `None` if these are as many.
fn on_points(
    pattern: &str,
    facts: &SampledRelation,
    names: &BTreeSet<&str>,
) -> Option<(CellRelation, usize)> {
    let arity = facts.first()?.1.len();
    let ways = (1..=MOST_WORDS).flat_map(|words| {
        (0..(arity + 1).saturating_sub(words)).map(move |first| first..first + words)
    });
    let ways = ways.filter_map(|places| {
        let places: Vec<usize> = places.collect();
        let values: BTreeSet<String> = facts
            .iter()
            .map(|(_, args)| joined(&places, args))
            .collect();
        let known = values
            .iter()
            .filter(|value| names.contains(value.as_str()))
            .count();
        let strangers = values.len() - known;
        let relation = CellRelation::of_points(pattern, &places, arity);
        (known > strangers).then_some((relation, strangers))
    });
    ways.min_by_key(|(_, strangers)| *strangers)
}

/// The neighbours among some points, from all relations that are mostly about them.
fn among(
    names: &BTreeSet<&str>,
    relations: &[NeighbourRelation],
) -> BTreeMap<String, BTreeSet<String>> {
    let mut pairs: BTreeSet<(String, String)> = BTreeSet::new();
    for relation in relations {
        let named = relation.pairs.iter();
        let named = named.map(|(from, to)| (from.join(" "), to.join(" ")));
        let inside: BTreeSet<(String, String)> = named
            .filter(|(from, to)| names.contains(from.as_str()) && names.contains(to.as_str()))
            .collect();
        if inside.len() * 2 > relation.pairs.len() {
            pairs.extend(inside);
        }
    }
    symmetric(&pairs)
}
