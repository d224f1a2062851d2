//! Finding the boards in the facts of a game.
//!
//! A kind of fact describes a board when two of its arguments are coordinates (see [`Scale`]) such that, in each state,
//! a square has at most one content. A further argument or two that must be known as well to tell the content apart
//! number the *panels* of a board in several parts, such as the floors of a three-dimensional one. The kind with the
//! most squares is the board; another kind lies on top of it as a layer if its coordinates fit, or is a board of
//! its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::kif::GroundTerm;
use crate::terminal::candidate::{Candidate, Rows, Tally, candidate, pairs};
use crate::terminal::facts::{Row, Samples, Shape};
use crate::terminal::orient::{Orientation, orientation};
use crate::terminal::scale::Scale;

/// How the states of a game are drawn: which facts are squares of which board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// The boards, the largest first.
    pub boards: Vec<BoardPlan>,
    pub(super) squares: BTreeMap<Shape, usize>,
}

/// One board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPlan {
    /// The kinds of facts drawn on it, from the bottom to the top.
    pub(super) layers: Vec<Layer>,
    /// Labels of the columns, left to right.
    pub(super) columns: Scale,
    /// Labels of the rows, top to bottom.
    pub(super) rows: Scale,
    /// Squares that never occur, though all others are there in every state: holes, by panel, column and row.
    pub(super) lists_every_square: bool,
    /// Every square known: panel labels, column, row.
    pub(super) known: BTreeSet<Square>,
}

/// A square: the labels of its panel, then column and row.
pub(super) type Square = (Vec<String>, String, String);

/// A kind of fact, and what its arguments mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) shape: Shape,
    pub(super) column: usize,
    pub(super) row: usize,
    pub(super) panel: Vec<usize>,
    /// All other arguments.
    pub(super) content: Vec<usize>,
}

impl Layer {
    /// The kind of fact read with these places of coordinates and panels; all other arguments are content.
    pub(super) fn of(
        shape: &str,
        (column, row): (usize, usize),
        panel: &[usize],
        arity: usize,
    ) -> Self {
        let is_content =
            |place: &usize| *place != column && *place != row && !panel.contains(place);
        Self {
            shape: shape.to_owned(),
            column,
            row,
            panel: panel.to_vec(),
            content: (0..arity).filter(is_content).collect(),
        }
    }

    pub(super) fn square(&self, args: &[String]) -> Square {
        let panel = self.panel.iter().map(|&place| args[place].clone());
        (
            panel.collect(),
            args[self.column].clone(),
            args[self.row].clone(),
        )
    }

    /// What stands on the square: the remaining arguments, or the name of the fact where there are none.
    pub(super) fn content(&self, args: &[String]) -> String {
        if self.content.is_empty() {
            return Row::name(&self.shape).to_owned();
        }
        let words: Vec<&str> = self.content.iter().map(|&place| &*args[place]).collect();
        words.join(" ")
    }
}

impl BoardPlan {
    /// The functor of the facts that make the board.
    pub fn name(&self) -> &str {
        self.layers
            .first()
            .map_or("", |layer| Row::name(&layer.shape))
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.columns.labels.len(), self.rows.labels.len())
    }
}

impl Layout {
    /// Finds the boards in some states of one game. The more states there are, the surer it is: one may do.
    pub fn detect(states: &[Vec<GroundTerm>]) -> Self {
        let samples = Samples::new(states);
        let mut candidates: Vec<Candidate<'_>> = samples
            .rows
            .iter()
            .filter_map(|(shape, rows)| candidate(shape, rows))
            .collect();
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.size));
        let mut boards: Vec<BoardPlan> = Vec::new();
        for candidate in &candidates {
            if !boards
                .iter_mut()
                .any(|board| lay_on(board, candidate, &samples))
            {
                boards.extend(board(candidate, &samples));
            }
        }
        for shape in samples.rows.keys() {
            lay_small(&mut boards, shape, &samples);
        }
        Self {
            boards,
            squares: samples.squares,
        }
    }
}

/// A board of its own.
fn board(candidate: &Candidate<'_>, samples: &Samples) -> Option<BoardPlan> {
    let rows = samples.rows.get(candidate.shape)?;
    let (one, other) = (&candidate.scales.0, &candidate.scales.1);
    let first = Layer::of(
        candidate.shape,
        candidate.axes,
        &candidate.panel,
        candidate.arity,
    );
    let Orientation {
        column_first,
        rows_up,
    } = orientation(&first, rows, (one, other));
    let (axes, columns, mut scale) = if column_first {
        (candidate.axes, one.clone(), other.clone())
    } else {
        (
            (candidate.axes.1, candidate.axes.0),
            other.clone(),
            one.clone(),
        )
    };
    if rows_up {
        scale.labels.reverse();
    }
    let layer = Layer::of(candidate.shape, axes, &candidate.panel, candidate.arity);
    let known: BTreeSet<Square> = rows.iter().map(|(_, args)| layer.square(args)).collect();
    let squares = (0..samples.states).map(|state| rows.iter().filter(|row| row.0 == state).count());
    Some(BoardPlan {
        lists_every_square: squares.into_iter().all(|count| count >= known.len()),
        layers: vec![layer],
        columns,
        rows: scale,
        known,
    })
}

/// Lays a candidate on a board that it fits, unless the two describe the same squares at once.
fn lay_on(board: &mut BoardPlan, candidate: &Candidate<'_>, samples: &Samples) -> bool {
    let base = &board.layers[0];
    let axes = if base.column < base.row {
        candidate.axes
    } else {
        (candidate.axes.1, candidate.axes.0)
    };
    let added = Layer::of(candidate.shape, axes, &candidate.panel, candidate.arity);
    let Some(rows) = samples.rows.get(candidate.shape) else {
        return false;
    };
    let has_content = |layer: &Layer| !layer.content.is_empty();
    let shared = rows
        .iter()
        .filter(|(_, args)| board.known.contains(&added.square(args)))
        .count();
    let is_large = candidate.size * 2 > board.known.len();
    let is_double = has_content(base) && has_content(&added) && is_large && shared * 2 > rows.len();
    if !fits(board, &added, rows) || is_double {
        return false;
    }
    board
        .known
        .extend(rows.iter().map(|(_, args)| added.square(args)));
    board.layers.push(added);
    true
}

fn fits(board: &BoardPlan, layer: &Layer, rows: &Rows) -> bool {
    layer.panel.len() == board.layers[0].panel.len()
        && rows.iter().all(|(_, args)| {
            let (_, column, row) = layer.square(args);
            board.columns.place(&column).is_some() && board.rows.place(&row).is_some()
        })
}

/// Lays the facts of a kind too rare to make a board on the first board whose coordinates they name.
fn lay_small(boards: &mut [BoardPlan], shape: &Shape, samples: &Samples) {
    let is_used = |board: &BoardPlan| board.layers.iter().any(|layer| layer.shape == *shape);
    if boards.iter().any(is_used) {
        return;
    }
    let rows = &samples.rows[shape];
    let arity = rows.first().map_or(0, |(_, args)| args.len());
    for board in boards {
        let base = &board.layers[0];
        let column_first = base.column < base.row;
        for (one, other) in pairs(arity) {
            let axes = if column_first {
                (one, other)
            } else {
                (other, one)
            };
            let added = Layer::of(shape, axes, &[], arity);
            let tally = Tally::of(rows, axes, &[]);
            if fits(board, &added, rows) && tally.clashes * 4 <= rows.len() {
                board.layers.push(added);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif::read_facts;

    fn layout(states: &[String]) -> Layout {
        let states: Vec<Vec<GroundTerm>> = states
            .iter()
            .map(|text| read_facts(text).unwrap())
            .collect();
        Layout::detect(&states)
    }

    fn sides(layout: &Layout) -> String {
        let board = &layout.boards[0];
        format!(
            "{} / {}",
            board.columns.labels.join(" "),
            board.rows.labels.join(" ")
        )
    }

    /// A fact for each square of a grid.
    fn grid(columns: &[&str], rows: &[&str], fact: impl Fn(usize, usize) -> String) -> String {
        let squares = (0..columns.len()).flat_map(|x| (0..rows.len()).map(move |y| (x, y)));
        let facts = squares.map(|(x, y)| {
            let fact = fact(x, y);
            fact.replace('X', columns[x]).replace('Y', rows[y])
        });
        facts.collect::<Vec<_>>().join(" ")
    }

    const NUMBERS: [&str; 6] = ["1", "2", "3", "4", "5", "6"];

    #[test]
    fn a_plain_grid_is_a_table() {
        let state = grid(&NUMBERS[..3], &NUMBERS[..3], |_, _| "(w X Y v)".to_owned());
        let layout = layout(&[format!("{state} (turn x)")]);
        assert_eq!(layout.boards.len(), 1);
        assert_eq!(
            (layout.boards[0].name(), sides(&layout)),
            ("w", "1 2 3 / 1 2 3".to_owned())
        );
    }

    #[test]
    fn letters_are_columns_and_row_one_is_at_the_bottom() {
        let letters = ["a", "b", "c", "d"];
        let state = grid(&letters, &NUMBERS[..4], |x, y| {
            format!("(w Y X {})", (x + y) % 3)
        });
        assert_eq!(sides(&layout(&[state])), "a b c d / 4 3 2 1");
        let state = grid(&letters, &NUMBERS[..4], |x, y| {
            format!("(w XY p{})", (x + y) % 3)
        });
        assert_eq!(sides(&layout(&[state])), "a b c d / 4 3 2 1");
    }

    #[test]
    fn two_sides_face_each_other_along_the_rows() {
        let piece = |y: usize| ["red", "blank", "blank", "blue"][y];
        let state = grid(&NUMBERS[..5], &NUMBERS[..4], |_, y| {
            format!("(w X Y {})", piece(y))
        });
        assert_eq!(sides(&layout(&[state])), "1 2 3 4 5 / 4 3 2 1");
        let state = grid(&NUMBERS[..5], &NUMBERS[..4], |_, y| {
            format!("(w Y X {})", piece(y))
        });
        assert_eq!(sides(&layout(&[state])), "1 2 3 4 5 / 4 3 2 1");
    }

    #[test]
    fn discs_fall_down_the_columns() {
        // Heights of the piles; every third disc is red.
        let heights = [0, 3, 1, 4, 2, 0];
        let fact = |x: usize, y: usize| match heights[x] > y {
            true => format!("(w X Y {})", ["red", "blue", "blue"][(x + y) % 3]),
            false => "(w X Y blank)".to_owned(),
        };
        assert_eq!(
            sides(&layout(&[grid(&NUMBERS, &NUMBERS[..5], fact)])),
            "1 2 3 4 5 6 / 5 4 3 2 1"
        );
    }

    #[test]
    fn floors_of_a_cube_are_panels() {
        let floor = |z: &str| {
            grid(&NUMBERS[..3], &NUMBERS[..3], |_, _| {
                format!("(w {z} X Y v)")
            })
        };
        let layout = layout(&[format!("{} {}", floor("1"), floor("2"))]);
        assert_eq!(layout.boards.len(), 1);
        assert_eq!(layout.boards[0].layers[0].panel, [0]);
    }

    #[test]
    fn quarters_of_a_board_are_panels_even_when_nearly_empty() {
        let layout = layout(&[
            "(w 2 1 3 red) (w 4 1 1 blue) (w 1 2 2 red) (w 3 3 1 red) (w 1 3 1 blue) (w 2 2 2 blue)
            (w 3 1 2 red) (w 1 1 3 blue) (w 1 2 3 red) (w 1 1 1 red)"
                .to_owned(),
        ]);
        assert_eq!(layout.boards[0].layers[0].panel, [0]);
    }

    #[test]
    fn a_lone_figure_stands_on_the_board() {
        let state = grid(&NUMBERS[..4], &NUMBERS[..4], |_, _| {
            "(floor X Y v)".to_owned()
        });
        let layout = layout(&[format!("{state} (me 2 3) (score 7)")]);
        assert_eq!(layout.boards.len(), 1);
        assert_eq!(layout.boards[0].layers.len(), 2);
    }

    #[test]
    fn facts_of_very_many_arguments_are_no_board() {
        let square = |more: usize| {
            let fact = format!("(w X Y{})", " v".repeat(more));
            grid(&NUMBERS, &NUMBERS, |_, _| fact.clone())
        };
        assert_eq!(layout(&[square(10)]).boards.len(), 1);
        let plain = square(1);
        let both = layout(&[format!("{} {plain}", square(300))]);
        assert_eq!(both, layout(&[plain]));
    }

    #[test]
    fn counters_are_no_board() {
        for state in [
            "(heap 1 5) (heap 2 3) (heap 3 7)",
            "(score red 3) (score blue 4) (round 2)",
            "over",
            "",
            "(on a b) (on b c) (clear a) (table c)",
        ] {
            assert!(layout(&[state.to_owned()]).boards.is_empty(), "{state}");
        }
    }
}
