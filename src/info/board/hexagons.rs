//! Grids whose cells have six neighbours each: which rows are shifted, and how far.
//!
//! Where a cell of one row touches the cells of the same and of the next number in the row below, that row begins half
//! a cell further left, and so on: coordinates along two axes of the hexagons, rows shifted in turn, and boards in the
//! shape of a hexagon all follow from this.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;
use super::cells::{Board, BoardKind, CellPlace};
use super::neighbours::{NeighbourRelation, symmetric};
use super::relation::split_word;
use crate::util::natural_order;

/// The board as one of hexagons, if some relation gives its cells six neighbours. Rows and columns may change places.
pub(super) fn as_hexagons(
    board: &Board,
    are_names: bool,
    relations: &[NeighbourRelation],
) -> Option<Board> {
    let turned = transposed(board);
    let alone = relations
        .iter()
        .map(|relation| pairs_of_words(relation, are_names));
    // Some rules list the neighbours of each direction in a relation of its own.
    let directions = relations.iter().filter(|relation| relation.is_function());
    let directions = directions
        .map(|relation| pairs_of_words(relation, are_names))
        .filter(|pairs| are_on_board(board, pairs));
    let together: Vec<(Words, Words)> = directions.flatten().collect();
    alone.chain([together]).find_map(|pairs| {
        [board, &turned].into_iter().find_map(|board| {
            let shifts = shifts(board, &pairs)?;
            Some(Board {
                kind: BoardKind::Hexagons(shifts),
                ..board.clone()
            })
        })
    })
}

/// The pairs of a relation whose cells may be those of a board.
fn pairs_of_words(relation: &NeighbourRelation, are_names: bool) -> Vec<(Words, Words)> {
    let pairs = relation.pairs.iter();
    let words =
        pairs.filter_map(|(from, to)| Some((words(from, are_names)?, words(to, are_names)?)));
    words.collect()
}

/// Whether at least half of some pairs are cells of a board.
fn are_on_board(board: &Board, pairs: &[(Words, Words)]) -> bool {
    places(board, pairs).len() * 2 >= pairs.len()
}

type Words = (String, String);

/// The two coordinates of a cell, in the order in which the rules write them.
fn words(cell: &[String], are_names: bool) -> Option<Words> {
    match cell {
        [one, other] => Some((one.clone(), other.clone())),
        [name] if are_names => Some(split_word(name)),
        _ => None,
    }
}

/// A place: column and row, counted from the left and from the top.
type Place = (i64, i64);

/// Per row, from the top, by how many halves of a cell it is shifted to the right; `None` if the cells are no hexagons.
fn shifts(board: &Board, pairs: &[(Words, Words)]) -> Option<Vec<usize>> {
    if !are_on_board(board, pairs) {
        return None;
    }
    let on_board = places(board, pairs);
    let neighbours = symmetric(&on_board);
    let offsets = Offsets::of(&neighbours).filter(|_| have_six(&neighbours))?;
    let rows = i64::try_from(board.rows.labels.len()).ok()?;
    let mut shifts = vec![0];
    let mut at = 0;
    for row in 0..rows - 1 {
        at += offsets.step_below(row)?;
        shifts.push(at);
    }
    let least = shifts.iter().min().copied().unwrap_or(0);
    let from_least = shifts.iter().map(|shift| usize::try_from(shift - least));
    from_least.collect::<Result<_, _>>().ok()
}

/// The pairs of which both cells are on the board, as places.
fn places(board: &Board, pairs: &[(Words, Words)]) -> BTreeSet<(Place, Place)> {
    let place = |(one, other): &Words| -> Option<Place> {
        let (column, row) = match board.column_first() {
            true => (one, other),
            false => (other, one),
        };
        let (column, row) = (board.columns.place(column)?, board.rows.place(row)?);
        Some((i64::try_from(column).ok()?, i64::try_from(row).ok()?))
    };
    let both = |(from, to): &(Words, Words)| Some((place(from)?, place(to)?));
    pairs.iter().filter_map(both).collect()
}

/// Whether some cells have six neighbours, and hardly any more.
fn have_six(neighbours: &BTreeMap<Place, BTreeSet<Place>>) -> bool {
    let counts = || neighbours.values().map(BTreeSet::len);
    let more = counts().filter(|count| *count > 6).count();
    counts().any(|count| count == 6) && more * 10 <= neighbours.len()
}

/// By how many columns neighbours lie apart.
struct Offsets {
    /// Within a row.
    beside: i64,
    /// Per row, from its cells to those of the row below: each offset with its number of pairs.
    below: BTreeMap<i64, BTreeMap<i64, usize>>,
}

impl Offsets {
    /// `None` if neighbours lie several rows apart, or at several distances within a row.
    fn of(neighbours: &BTreeMap<Place, BTreeSet<Place>>) -> Option<Self> {
        let mut beside: BTreeSet<i64> = BTreeSet::new();
        let mut below: BTreeMap<i64, BTreeMap<i64, usize>> = BTreeMap::new();
        let pairs = neighbours.iter();
        for (from, to) in pairs.flat_map(|(from, around)| around.iter().map(move |to| (from, to))) {
            let across = to.0 - from.0;
            match to.1 - from.1 {
                0 => drop(beside.insert(across.abs())),
                1 => *below.entry(from.1).or_default().entry(across).or_default() += 1,
                -1 => {}
                _ => return None,
            }
        }
        let mut beside = beside.into_iter();
        match (beside.next(), beside.next()) {
            (Some(beside), None) => Some(Self { beside, below }),
            _ => None,
        }
    }

    /// By how many halves of a cell the row below this one lies further to the right.
    fn step_below(&self, row: i64) -> Option<i64> {
        let counts = self.below.get(&row)?;
        // A slip of the author's in one pair is no other shape.
        let most = counts.values().max().copied().unwrap_or(0);
        let usual = counts.iter().filter(|(_, count)| **count * 3 >= most);
        let columns: Vec<i64> = usual.map(|(columns, _)| *columns).collect();
        let is_doubled = self.beside == 2;
        match (&columns[..], is_doubled) {
            ([-1, 1], true) => Some(0),
            ([one, next], false) if one + 1 == *next => Some(-(one + next)),
            _ => None,
        }
    }
}

/// The board with its columns as rows.
fn transposed(board: &Board) -> Board {
    let mut turned = board.clone();
    turned.rows = board.columns.clone();
    turned.columns = ascending(board.rows.clone());
    for relation in &mut turned.relations {
        if let CellPlace::Square { column, row } = &mut relation.place {
            std::mem::swap(column, row);
        }
    }
    let known = board.known.iter().cloned();
    turned.known = known
        .map(|(panel, column, row)| (panel, row, column))
        .collect();
    turned
}

fn ascending(mut axis: Axis) -> Axis {
    if let (Some(first), Some(last)) = (axis.labels.first(), axis.labels.last())
        && natural_order(first, last).is_gt()
    {
        axis.labels.reverse();
    }
    axis
}
