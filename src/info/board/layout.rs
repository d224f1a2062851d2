//! Which facts are squares of which board, found from the facts of some states.
//!
//! A relation describes a board when two of its arguments are coordinates (see [`Axis`]) such that, in each state, a
//! square has at most one content. One or two further arguments that must be known as well to tell the content apart
//! number the *panels* of a board in several parts, such as the floors of a three-dimensional one. The relation with
//! the most squares is the board; another one lies on top of it if its coordinates fit, or is a board of its own.
//!
//! Where no relation is such a board, one whose facts name each place once may be a strip, and constants that a relation
//! of the rules connects may be the points of a graph. A board file goes before all of this.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;
use super::candidate::{CandidateBoard, SquareCounts, candidate, in_order, pairs};
use super::cells::{Board, BoardKind, CellRelation, Square};
use super::file::BoardFile;
use super::hexagons::as_hexagons;
use super::neighbours::NeighbourRelation;
use super::orientation::{Orientation, orientation};
use super::points;
use super::relation::{FactPattern, SampledFacts, SampledRelation};
use super::strip::strips;
use crate::kif::GroundTerm;

/// The boards of a game: which facts are squares of which board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoardLayout {
    /// The boards, the largest first.
    pub boards: Vec<Board>,
    /// Per relation that has one, the argument that names a square, such as `b3`.
    pub(super) square_names: BTreeMap<FactPattern, usize>,
}

/// What is known besides the facts of some states.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoardHints {
    /// The relations of the rules that may list neighbours, see [`neighbour_relations`](super::neighbour_relations).
    pub neighbours: Vec<NeighbourRelation>,
    /// The board file, if there is one.
    pub file: BoardFile,
}

impl BoardLayout {
    /// Finds the boards in some states of one game. More states make it surer; one may do.
    pub fn detect(states: &[Vec<GroundTerm>], hints: &BoardHints) -> Self {
        let mut samples = SampledFacts::new(states);
        let neighbours = &hints.neighbours;
        let laid_out = points::laid_out(&mut samples, &hints.file, neighbours);
        samples.split_square_names();
        let mut boards: Vec<Board> = laid_out.into_iter().collect();
        boards.extend(grids(&samples, hints));
        if boards.is_empty() {
            boards.extend(points::numbered(&samples, neighbours));
        }
        if boards.is_empty() {
            boards = strips(&samples, Axis::is_ordered);
        }
        if boards.is_empty() {
            boards.extend(points::connected(&samples, neighbours));
        }
        if boards.is_empty() {
            boards = strips(&samples, |_| true);
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

/// The boards with columns and rows.
fn grids(samples: &SampledFacts, hints: &BoardHints) -> Vec<Board> {
    let mut candidates: Vec<CandidateBoard<'_>> = samples
        .relations
        .iter()
        .filter_map(|(pattern, facts)| candidate(pattern, facts))
        .collect();
    candidates.sort_by_key(|candidate| {
        let is_ordered = candidate.is_ordered();
        (Reverse((is_ordered, candidate.size)), candidate.arity)
    });
    let mut boards: Vec<Board> = Vec::new();
    for candidate in &candidates {
        let facts = &samples.relations[candidate.pattern];
        let is_placed = boards.iter().any(|board| relates_squares(board, facts))
            || boards
                .iter_mut()
                .any(|board| add_candidate(board, candidate, samples));
        if !is_placed {
            boards.extend(board(candidate, samples, hints));
        }
    }
    boards
}

/// A board of its own.
fn board(
    candidate: &CandidateBoard<'_>,
    samples: &SampledFacts,
    hints: &BoardHints,
) -> Option<Board> {
    let facts = samples.relations.get(candidate.pattern)?;
    let (one, other) = (&candidate.axes.0, &candidate.axes.1);
    let wanted = hints.file.orientation;
    let Orientation {
        column_first,
        rows_up,
        columns_left,
    } = wanted.unwrap_or_else(|| orientation(&candidate.relation(true), facts, (one, other)));
    let (mut columns, mut rows) = in_order((one.clone(), other.clone()), column_first);
    if rows_up {
        rows.labels.reverse();
    }
    if columns_left {
        columns.labels.reverse();
    }
    let relation = candidate.relation(column_first);
    let known: BTreeSet<Square> = facts
        .iter()
        .map(|(_, args)| relation.square(args))
        .collect();
    let mut squares =
        (0..samples.states).map(|state| facts.iter().filter(|fact| fact.0 == state).count());
    let board = Board {
        kind: BoardKind::Grid,
        lists_every_square: squares.all(|count| count >= known.len()),
        relations: vec![relation],
        columns,
        rows,
        known,
    };
    let are_names = samples.square_names.contains_key(candidate.pattern);
    Some(as_hexagons(&board, are_names, &hints.neighbours).unwrap_or(board))
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

/// Whether facts name two squares of a board and nothing else, such as a stone and the first one of its group: they are no
/// squares of another board.
fn relates_squares(board: &Board, facts: &SampledRelation) -> bool {
    let names_square = |args: &[String], one: usize| {
        let (column, row) = in_order((&args[one], &args[one + 1]), board.column_first());
        board.has(&(Vec::new(), column.clone(), row.clone()))
    };
    let names_two =
        |args: &[String]| args.len() == 4 && names_square(args, 0) && names_square(args, 2);
    board.is_grid() && facts.iter().all(|(_, args)| names_two(args))
}

/// Adds a relation with too few facts for a board to the first board whose coordinates they name.
fn add_small(boards: &mut [Board], pattern: &FactPattern, facts: &SampledRelation) {
    let shows = |board: &Board| {
        let mut relations = board.relations.iter();
        relations.any(|relation| relation.pattern == *pattern)
    };
    if boards.iter().any(shows) || boards.iter().any(|board| relates_squares(board, facts)) {
        return;
    }
    let arity = facts.first().map_or(0, |(_, args)| args.len());
    for board in boards.iter_mut().filter(|board| board.is_grid()) {
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
        BoardLayout::detect(&states, &BoardHints::default())
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
    fn a_board_that_is_clear_at_first_stays_one() {
        let first = grid(&NUMBERS[..4], &NUMBERS[..3], |_, _| {
            "(w X Y red)".to_owned()
        });
        let doubled = format!("{first} {}", first.replace("red", "blank"));
        let states = [first, doubled.clone(), doubled.clone(), doubled.clone()];
        assert_eq!(layout(&states).boards[0].kind.name(), "grid");
        assert!(layout(&[doubled]).boards.is_empty());
    }

    #[test]
    fn panels_stand_in_the_order_of_their_labels() {
        let floor = |label: &str| {
            grid(&NUMBERS[..3], &NUMBERS[..3], |_, _| {
                format!("(w {label} X Y v)")
            })
        };
        let panels = |labels: &[&str]| {
            let state: Vec<String> = labels.iter().map(|label| floor(label)).collect();
            let layout = layout(&[state.join(" ")]);
            layout.boards[0]
                .panels()
                .into_iter()
                .flatten()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(panels(&["10", "9", "2"]), ["2", "9", "10"]);
        assert_eq!(panels(&["three", "one", "two"]), ["one", "two", "three"]);
    }

    #[test]
    fn pairs_of_squares_are_no_board() {
        let cells = grid(&NUMBERS, &NUMBERS, |_, _| "(cell X Y v)".to_owned());
        let pairs = grid(&NUMBERS, &NUMBERS, |_, _| "(at X Y 1 Y)".to_owned());
        let both = layout(&[format!("{cells} {pairs}")]);
        assert_eq!(both, layout(&[cells]));
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
            "(score red 3) (score blue 4) (round 2)",
            "over",
            "",
            "(on a b) (on b c) (clear a) (table c)",
        ] {
            assert!(layout(&[state.to_owned()]).boards.is_empty(), "{state}");
        }
    }
}
