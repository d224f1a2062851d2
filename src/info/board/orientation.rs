//! Which coordinate is the column, and which way up the rows go.
//!
//! Several signs in the facts are tried in this order:
//!
//! 1. letters against numbers, as in chess: letters are columns and row 1 is at the bottom; words such as `c1` or `y3`;
//! 2. gravity, as in connect-four: contents pile up along one coordinate, from the bottom;
//! 3. two sides facing each other, as in draughts: they are apart along the rows, and row 1 is at the bottom.
//!
//! Otherwise the first coordinate is the row, counted from the top, as in a table.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::{Axis, AxisKind};
use super::cells::CellRelation;
use super::contents::{CellContents, side_name};
use super::relation::SampledRelation;

/// Which coordinate is which, and their directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Orientation {
    /// Whether the first coordinate is the column.
    pub(super) column_first: bool,
    /// Whether rows count from the bottom.
    pub(super) rows_up: bool,
    /// Whether columns count from the right.
    pub(super) columns_left: bool,
}

/// The orientation of a board whose coordinates are the `column` (first) and `row` (second) of `relation`.
pub(super) fn orientation(
    relation: &CellRelation,
    facts: &SampledRelation,
    axes: (&Axis, &Axis),
) -> Orientation {
    let pieces = pieces(relation, facts, axes);
    by_words(axes)
        .or_else(|| by_gravity(&pieces, axes))
        .or_else(|| by_sides(&pieces, axes))
        .unwrap_or_default()
}

fn by_words((one, other): (&Axis, &Axis)) -> Option<Orientation> {
    let up = |column_first| Orientation {
        column_first,
        rows_up: true,
        columns_left: false,
    };
    match (&one.kind, &other.kind) {
        (AxisKind::Letters, AxisKind::Letters) => None,
        (AxisKind::Letters, _) => Some(up(true)),
        (_, AxisKind::Letters) => Some(up(false)),
        (AxisKind::Prefixed(one), AxisKind::Prefixed(other)) => {
            by_prefix(&one.to_lowercase(), &other.to_lowercase())
        }
        _ => None,
    }
}

/// `x1` and `c1` are columns, `y1` is a row counted from the bottom, `r1` one counted from the top.
fn by_prefix(one: &str, other: &str) -> Option<Orientation> {
    let is_column = |prefix: &str| prefix.starts_with(['x', 'c']);
    let is_row = |prefix: &str| prefix.starts_with(['y', 'r']);
    let column_first = is_column(one) && is_row(other);
    let rows_up = one.starts_with('y') || other.starts_with('y');
    let is_clear = column_first || (is_row(one) && is_column(other));
    is_clear.then_some(Orientation {
        column_first,
        rows_up,
        columns_left: false,
    })
}

/// A square that is not blank: its state, its place along both axes, and the side that its content names.
struct OccupiedSquare {
    state: usize,
    at: [usize; 2],
    side: String,
}

fn pieces(
    relation: &CellRelation,
    facts: &SampledRelation,
    (one, other): (&Axis, &Axis),
) -> Vec<OccupiedSquare> {
    let first_state = facts.first().map_or(0, |(state, _)| *state);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (state, args) in facts {
        *counts.entry(relation.content(args)).or_default() += usize::from(*state == first_state);
    }
    let contents = CellContents::new(&counts);
    let piece = |(state, args): &(usize, Vec<String>)| {
        let (_, first, second) = relation.square(args);
        let content = relation.content(args);
        let at = [one.place(&first)?, other.place(&second)?];
        let side = side_name(&content).to_owned();
        let state = *state;
        (!contents.is_blank(&content)).then_some(OccupiedSquare { state, at, side })
    };
    facts.iter().filter_map(piece).collect()
}

fn by_gravity(pieces: &[OccupiedSquare], (one, other): (&Axis, &Axis)) -> Option<Orientation> {
    let lengths = [one.labels.len(), other.labels.len()];
    for (height, column_first) in [(1, true), (0, false)] {
        for rows_up in [true, false] {
            if piles_up(pieces, height, lengths[height], rows_up) {
                return Some(Orientation {
                    column_first,
                    rows_up,
                    columns_left: false,
                });
            }
        }
    }
    None
}

/// Whether every pile stands on the ground, with enough different heights to be no accident.
fn piles_up(pieces: &[OccupiedSquare], height: usize, length: usize, up: bool) -> bool {
    let level = |piece: &OccupiedSquare| {
        let level = piece.at[height];
        if up { level } else { length - 1 - level }
    };
    let ground = pieces.iter().map(level).min().unwrap_or(0);
    let mut piles: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
    for piece in pieces {
        let pile = piles.entry((piece.state, piece.at[1 - height]));
        pile.or_default().insert(level(piece) - ground);
    }
    let stands = |pile: &BTreeSet<usize>| pile.last().is_some_and(|top| top + 1 == pile.len());
    let heights: BTreeSet<usize> = piles.values().map(BTreeSet::len).collect();
    heights.len() >= 3 && piles.values().all(stands)
}

/// The number of states that are early: two sides that enter an empty board have not mingled yet.
const EARLY: usize = 24;

fn by_sides(pieces: &[OccupiedSquare], (one, other): (&Axis, &Axis)) -> Option<Orientation> {
    let first_state = pieces.first()?.state;
    let at_first: Vec<&OccupiedSquare> = pieces
        .iter()
        .filter(|piece| piece.state == first_state)
        .collect();
    let all: Vec<&OccupiedSquare> = pieces.iter().collect();
    let lengths = [one.labels.len(), other.labels.len()];
    let from = |pieces: &[&OccupiedSquare]| {
        let apart = [0, 1].map(|axis| distance(pieces, axis, lengths[axis]));
        let is_clear = (apart[0] - apart[1]).abs() > 0.15;
        is_clear.then_some(Orientation {
            column_first: apart[1] > apart[0],
            rows_up: true,
            columns_left: false,
        })
    };
    let early: Vec<&OccupiedSquare> = all
        .iter()
        .filter(|piece| piece.state < first_state + EARLY)
        .copied()
        .collect();
    from(&at_first)
        .or_else(|| from(&early))
        .or_else(|| from(&all))
}

/// The greatest distance between the mean places of two sides along an axis, as part of its length.
#[expect(
    clippy::cast_precision_loss,
    reason = "places on a board are small numbers"
)]
fn distance(pieces: &[&OccupiedSquare], axis: usize, length: usize) -> f64 {
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    let named = |piece: &&&OccupiedSquare| piece.side.parse::<i64>().is_err();
    for piece in pieces.iter().filter(named) {
        let sum = sums.entry(&piece.side).or_default();
        *sum = (sum.0 + piece.at[axis] as f64, sum.1 + 1.0);
    }
    let means = sums.values().map(|(sum, count)| sum / count);
    let (low, high) = means.fold((f64::MAX, f64::MIN), |(low, high), mean| {
        (low.min(mean), high.max(mean))
    });
    let are_sides = (2..=4).contains(&sums.len());
    if are_sides {
        (high - low) / length as f64
    } else {
        0.0
    }
}
