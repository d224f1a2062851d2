//! Which facts are squares of which board, found from the facts of some states.
//!
//! A relation describes a board when two of its arguments are coordinates (see [`Axis`]) such that, in each state, a
//! square has at most one content. One or two further arguments that must be known as well to tell the content apart
//! number the *panels* of a board in several parts, such as the floors of a three-dimensional one. The relation with
//! the most squares is the board; another one lies on top of it if its coordinates fit, or is a board of its own.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;
use super::candidate::{CandidateBoard, SquareCounts, candidate, in_order, pairs};
use super::orientation::{Orientation, orientation};
use super::relation::{FactPattern, SampledFacts, SampledRelation, functor};
use crate::kif::GroundTerm;

/// The boards of a game: which facts are squares of which board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoardLayout {
    /// The boards, the largest first.
    pub boards: Vec<Board>,
    /// Per relation that has one, the argument that names a square, such as `b3`.
    pub(super) square_names: BTreeMap<FactPattern, usize>,
}

/// One board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The relations shown on it, from the bottom to the top.
    pub relations: Vec<CellRelation>,
    /// The columns, left to right.
    pub columns: Axis,
    /// The rows, top to bottom.
    pub rows: Axis,
    /// Whether every state lists all squares, so that a square without a fact is a hole.
    pub lists_every_square: bool,
    /// Every square seen.
    pub known: BTreeSet<Square>,
}

/// A square: the labels of its panel, then column and row.
pub type Square = (Vec<String>, String, String);

/// A relation of cells: what each of its arguments means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellRelation {
    /// The facts of the relation.
    pub pattern: FactPattern,
    /// The argument that is the column.
    pub column: usize,
    /// The argument that is the row.
    pub row: usize,
    /// The arguments that number the panel.
    pub panel: Vec<usize>,
    /// All other arguments: what the cell holds.
    pub content: Vec<usize>,
}

impl CellRelation {
    pub(super) fn new(
        pattern: &str,
        (column, row): (usize, usize),
        panel: &[usize],
        arity: usize,
    ) -> Self {
        let is_content =
            |place: &usize| *place != column && *place != row && !panel.contains(place);
        Self {
            pattern: pattern.to_owned(),
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

    /// What the cell holds: the remaining arguments, or the functor where there are none.
    pub(super) fn content(&self, args: &[String]) -> String {
        if self.content.is_empty() {
            return functor(&self.pattern).to_owned();
        }
        let words: Vec<&str> = self.content.iter().map(|&place| &*args[place]).collect();
        words.join(" ")
    }
}

impl Board {
    /// The functor of the facts that make the board.
    pub fn name(&self) -> &str {
        self.relations
            .first()
            .map_or("", |relation| functor(&relation.pattern))
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.columns.labels.len(), self.rows.labels.len())
    }

    /// Whether column and row of a square are on the board.
    pub(super) fn has(&self, (_, column, row): &Square) -> bool {
        self.columns.place(column).is_some() && self.rows.place(row).is_some()
    }

    fn column_first(&self) -> bool {
        self.relations[0].column < self.relations[0].row
    }
}

impl BoardLayout {
    /// Finds the boards in some states of one game. More states make it surer; one may do.
    pub fn detect(states: &[Vec<GroundTerm>]) -> Self {
        let samples = SampledFacts::new(states);
        let mut candidates: Vec<CandidateBoard<'_>> = samples
            .relations
            .iter()
            .filter_map(|(pattern, facts)| candidate(pattern, facts))
            .collect();
        candidates.sort_by_key(|candidate| Reverse(candidate.size));
        let mut boards: Vec<Board> = Vec::new();
        for candidate in &candidates {
            if !boards
                .iter_mut()
                .any(|board| add_candidate(board, candidate, &samples))
            {
                boards.extend(board(candidate, &samples));
            }
        }
        for (pattern, facts) in &samples.relations {
            add_small(&mut boards, pattern, facts);
        }
        Self {
            boards,
            square_names: samples.square_names,
        }
    }
}

/// A board of its own.
fn board(candidate: &CandidateBoard<'_>, samples: &SampledFacts) -> Option<Board> {
    let facts = samples.relations.get(candidate.pattern)?;
    let (one, other) = (&candidate.axes.0, &candidate.axes.1);
    let Orientation {
        column_first,
        rows_up,
    } = orientation(&candidate.relation(true), facts, (one, other));
    let (columns, mut rows) = in_order((one.clone(), other.clone()), column_first);
    if rows_up {
        rows.labels.reverse();
    }
    let relation = candidate.relation(column_first);
    let known: BTreeSet<Square> = facts
        .iter()
        .map(|(_, args)| relation.square(args))
        .collect();
    let mut squares =
        (0..samples.states).map(|state| facts.iter().filter(|fact| fact.0 == state).count());
    Some(Board {
        lists_every_square: squares.all(|count| count >= known.len()),
        relations: vec![relation],
        columns,
        rows,
        known,
    })
}

/// Adds a candidate to a board that it fits, unless the two describe the same squares at once.
fn add_candidate(
    board: &mut Board,
    candidate: &CandidateBoard<'_>,
    samples: &SampledFacts,
) -> bool {
    let base = &board.relations[0];
    let added = candidate.relation(board.column_first());
    let Some(facts) = samples.relations.get(candidate.pattern) else {
        return false;
    };
    let has_content = |relation: &CellRelation| !relation.content.is_empty();
    let shared = facts
        .iter()
        .filter(|(_, args)| board.known.contains(&added.square(args)))
        .count();
    let is_large = candidate.size * 2 > board.known.len();
    let is_double =
        has_content(base) && has_content(&added) && is_large && shared * 2 > facts.len();
    if !fits(board, &added, facts) || is_double {
        return false;
    }
    board
        .known
        .extend(facts.iter().map(|(_, args)| added.square(args)));
    board.relations.push(added);
    true
}

fn fits(board: &Board, relation: &CellRelation, facts: &SampledRelation) -> bool {
    relation.panel.len() == board.relations[0].panel.len()
        && facts
            .iter()
            .all(|(_, args)| board.has(&relation.square(args)))
}

/// Adds a relation with too few facts for a board to the first board whose coordinates they name.
fn add_small(boards: &mut [Board], pattern: &FactPattern, facts: &SampledRelation) {
    let shows = |board: &Board| {
        let mut relations = board.relations.iter();
        relations.any(|relation| relation.pattern == *pattern)
    };
    if boards.iter().any(shows) {
        return;
    }
    let arity = facts.first().map_or(0, |(_, args)| args.len());
    for board in boards {
        for coordinates in pairs(arity) {
            let coordinates = in_order(coordinates, board.column_first());
            let added = CellRelation::new(pattern, coordinates, &[], arity);
            let counts = SquareCounts::of(facts, coordinates, &[]);
            if fits(board, &added, facts) && counts.clashes * 4 <= facts.len() {
                board.relations.push(added);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif::read_facts;

    fn layout(states: &[String]) -> BoardLayout {
        let states: Vec<Vec<GroundTerm>> = states
            .iter()
            .map(|text| read_facts(text).unwrap())
            .collect();
        BoardLayout::detect(&states)
    }

    fn sides(layout: &BoardLayout) -> String {
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
        assert_eq!(layout.boards[0].relations[0].panel, [0]);
    }

    #[test]
    fn quarters_of_a_board_are_panels_even_when_nearly_empty() {
        let layout = layout(&[
            "(w 2 1 3 red) (w 4 1 1 blue) (w 1 2 2 red) (w 3 3 1 red) (w 1 3 1 blue) (w 2 2 2 blue)
            (w 3 1 2 red) (w 1 1 3 blue) (w 1 2 3 red) (w 1 1 1 red)"
                .to_owned(),
        ]);
        assert_eq!(layout.boards[0].relations[0].panel, [0]);
    }

    #[test]
    fn a_lone_figure_stands_on_the_board() {
        let state = grid(&NUMBERS[..4], &NUMBERS[..4], |_, _| {
            "(floor X Y v)".to_owned()
        });
        let layout = layout(&[format!("{state} (me 2 3) (score 7)")]);
        assert_eq!(layout.boards.len(), 1);
        assert_eq!(layout.boards[0].relations.len(), 2);
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
