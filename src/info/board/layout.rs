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

use serde::{Deserialize, Serialize};

use super::axis::Axis;
use super::candidate::{CandidateBoard, candidate, in_order};
use super::cells::{Board, BoardKind, Square};
use super::edges::drawn_lines;
use super::hexagons::as_hexagons;
use super::hints::BoardHints;
use super::orientation::{Orientation, orientation};
use super::overlay::{add_candidate, add_small, is_about_pieces, relates_squares};
use super::points;
use super::relation::{FactPattern, SampledFacts, SampledRelation};
use super::strip::strips;
use super::unseen::UnseenSquares;
use crate::kif::GroundTerm;

/// The boards of a game: which facts are squares of which board.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BoardLayout {
    /// The boards, the largest first.
    pub boards: Vec<Board>,
    /// Per relation that has one, the argument that names a square, such as `b3`.
    pub(super) square_names: BTreeMap<FactPattern, usize>,
}

impl BoardLayout {
    /// Finds the boards in some states of one game. More states make it surer; one may do.
    pub fn detect(states: &[Vec<GroundTerm>], hints: &BoardHints) -> Self {
        let mut samples = SampledFacts::new(states);
        let unseen = UnseenSquares::new(hints);
        let neighbours = &hints.neighbours;
        let laid_out = points::laid_out(&mut samples, &hints.file, neighbours);
        samples.split_square_names();
        let mut boards: Vec<Board> = laid_out.into_iter().collect();
        boards.extend(drawn_lines(&mut samples, &unseen.moves, hints));
        boards.extend(grids(&samples, &unseen, hints));
        if boards.is_empty() {
            boards.extend(points::numbered(&samples, neighbours));
        }
        if boards.is_empty() {
            boards = strips(&samples, &hints.orders, Axis::is_ordered);
        }
        if boards.is_empty() {
            boards.extend(points::connected(&samples, neighbours));
        }
        if boards.is_empty() {
            boards = strips(&samples, &hints.orders, |_| true);
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
fn grids(samples: &SampledFacts, unseen: &UnseenSquares<'_>, hints: &BoardHints) -> Vec<Board> {
    let mut candidates: Vec<CandidateBoard<'_>> = samples
        .relations
        .iter()
        .filter_map(|(pattern, facts)| candidate(pattern, facts, &hints.orders))
        .collect();
    candidates.sort_by_key(|candidate| {
        let is_ordered = candidate.is_ordered();
        let holds_numbers = candidate.holds_numbers(&samples.relations[candidate.pattern]);
        let largest = Reverse((is_ordered, candidate.size));
        (largest, holds_numbers, candidate.arity)
    });
    let mut boards: Vec<Board> = Vec::new();
    for candidate in &candidates {
        let facts = &samples.relations[candidate.pattern];
        let is_placed = boards.iter().any(|board| relates_squares(board, facts))
            || boards
                .iter()
                .any(|board| is_about_pieces(board, candidate, samples))
            || boards
                .iter_mut()
                .any(|board| add_candidate(board, candidate, samples));
        if !is_placed {
            boards.extend(board(candidate, samples, unseen, hints));
        }
    }
    boards
}

/// A board of its own.
fn board(
    candidate: &CandidateBoard<'_>,
    samples: &SampledFacts,
    unseen: &UnseenSquares<'_>,
    hints: &BoardHints,
) -> Option<Board> {
    let facts = samples.relations.get(candidate.pattern)?;
    let lists_every_square = lists_every_square(candidate, facts, samples.states);
    let (one, other) = match lists_every_square {
        true => candidate.axes.clone(),
        false => unseen.axes(candidate),
    };
    let wanted = hints.file.orientation;
    let Orientation {
        column_first,
        rows_up,
        columns_left,
    } = wanted.unwrap_or_else(|| orientation(&candidate.relation(true), facts, (&one, &other)));
    let (mut columns, mut rows) = in_order((one, other), column_first);
    if rows_up {
        rows.labels.reverse();
    }
    if columns_left {
        columns.labels.reverse();
    }
    let relation = candidate.relation(column_first);
    let mut known: BTreeSet<Square> = facts
        .iter()
        .map(|(_, args)| relation.square(args))
        .collect();
    let possible = Some(&relation).filter(|_| !lists_every_square);
    let possible = possible.and_then(|relation| unseen.possible(relation));
    let has_named_squares = possible.is_some();
    known.extend(possible.into_iter().flatten());
    let board = Board {
        kind: BoardKind::Grid,
        lists_every_square,
        has_named_squares,
        relations: vec![relation],
        columns,
        rows,
        known,
    };
    let are_names = samples.square_names.contains_key(candidate.pattern);
    Some(as_hexagons(&board, are_names, &hints.neighbours).unwrap_or(board))
}

/// Whether each state has as many facts as there are squares.
fn lists_every_square(
    candidate: &CandidateBoard<'_>,
    facts: &SampledRelation,
    states: usize,
) -> bool {
    let relation = candidate.relation(true);
    let known: BTreeSet<Square> = facts
        .iter()
        .map(|(_, args)| relation.square(args))
        .collect();
    let mut counts = vec![0; states];
    facts.iter().for_each(|(state, _)| counts[*state] += 1);
    counts.into_iter().all(|count| count >= known.len())
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
    fn owners_of_a_few_stones_are_no_coordinates() {
        for owners in [["w", "b"], ["white", "black"], ["x", "o"]] {
            let [mine, yours] = owners;
            let state = |x: usize| {
                let (y, other) = (1 + x % 3, 5 - x);
                format!("(cell {x} {y} {mine}) (cell {other} {y} {yours})")
            };
            let states: Vec<String> = (1..=4).map(state).collect();
            let board = &layout(&states).boards[0];
            let lens = [&board.columns, &board.rows].map(|axis| axis.labels.len());
            assert_eq!(lens.iter().sum::<usize>(), 7, "{owners:?}: {lens:?}");
        }
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
