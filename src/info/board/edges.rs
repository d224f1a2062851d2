//! Boards of lines: moves draw the lines between neighbouring points of a grid, as in dots and boxes.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;
use super::candidate::in_order;
use super::cells::{Board, BoardKind, CellRelation, EdgeGrid};
use super::hints::BoardHints;
use super::orientation::Orientation;
use super::relation::{FactPattern, SampledFacts, SampledRelation};

/// Fewer lines make no board.
const FEWEST: usize = 8;
/// The words that name a line: two coordinates of each end.
const WORDS: usize = 4;

/// A line as it is named: the coordinates of one end, then those of the other.
type Line<'a> = &'a [String];

/// The board whose cells are lines that `moves` draw one by one. Its relation is taken out of the samples.
pub(super) fn drawn_lines(
    samples: &mut SampledFacts,
    moves: &SampledFacts,
    hints: &BoardHints,
) -> Option<Board> {
    let (pattern, board) = samples.relations.iter().find_map(|(pattern, facts)| {
        let drawn = lines_of(facts)?;
        let mut drawing = moves.relations.values().filter_map(|moves| lines_of(moves));
        let all = drawing.find(|all| drawn.is_subset(all))?;
        Some((pattern.clone(), board(pattern, facts, &all, hints)?))
    })?;
    samples.relations.remove(&pattern);
    Some(board)
}

/// The lines that the first arguments of some facts or moves name, if all do, and if none is named in both directions, as
/// steps are.
fn lines_of(facts: &SampledRelation) -> Option<BTreeSet<Line<'_>>> {
    let lines: Option<BTreeSet<Line<'_>>> =
        facts.iter().map(|(_, args)| args.get(..WORDS)).collect();
    let lines = lines?;
    let is_step = |line: &Line<'_>| lines.contains(&[&line[2..], &line[..2]].concat()[..]);
    (lines.len() >= FEWEST && !lines.iter().any(is_step)).then_some(lines)
}

fn board(
    pattern: &FactPattern,
    facts: &SampledRelation,
    lines: &BTreeSet<Line<'_>>,
    hints: &BoardHints,
) -> Option<Board> {
    let orientation = hints.file.orientation.unwrap_or(Orientation {
        column_first: true,
        rows_up: true,
        columns_left: false,
    });
    let axis = |place: usize| {
        let values = lines
            .iter()
            .flat_map(|line| [&*line[place], &*line[place + 2]]);
        Axis::of_coordinates(&values.collect(), &hints.orders).filter(Axis::is_ordered)
    };
    let (mut columns, mut rows) = in_order((axis(0)?, axis(1)?), orientation.column_first);
    if orientation.columns_left {
        columns.labels.reverse();
    }
    if orientation.rows_up {
        rows.labels.reverse();
    }
    let point = |end: &[String]| {
        let (column, row) = in_order((&end[0], &end[1]), orientation.column_first);
        Some((columns.place(column)?, rows.place(row)?))
    };
    let ends = |line: &Line<'_>| {
        let ends = [point(&line[..2])?, point(&line[2..])?];
        are_beside(ends).then(|| (line.join(" "), ends))
    };
    let ends: BTreeMap<String, [(usize, usize); 2]> =
        lines.iter().map(ends).collect::<Option<_>>()?;
    let runs = |across: bool| ends.values().any(|[from, to]| (from.1 == to.1) == across);
    if !runs(true) || !runs(false) {
        return None;
    }
    let places: Vec<usize> = (0..WORDS).collect();
    let arity = facts.first()?.1.len();
    let names = Axis::of_points(&ends.keys().map(String::as_str).collect());
    let grid = EdgeGrid {
        columns,
        rows,
        ends,
    };
    let relation = CellRelation::of_points(pattern, &places, arity);
    Some(Board::in_a_row(
        BoardKind::Edges(grid),
        names,
        vec![relation],
    ))
}

/// Whether two points are neighbours in a row or in a column.
fn are_beside([from, to]: [(usize, usize); 2]) -> bool {
    from.0.abs_diff(to.0) + from.1.abs_diff(to.1) == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::board::BoardLayout;
    use crate::kif::{GroundTerm, read_facts};

    /// The lines of a grid of points, three wide and three high.
    fn all(draw: &str) -> Vec<GroundTerm> {
        let across =
            (1..=2).flat_map(|x| (1..=3).map(move |y| format!("({draw} {x} {y} {} {y})", x + 1)));
        let upright =
            (1..=3).flat_map(|x| (1..=2).map(move |y| format!("({draw} {x} {y} {x} {})", y + 1)));
        let lines: String = across.chain(upright).collect();
        read_facts(&lines).unwrap()
    }

    fn kinds(facts: Vec<GroundTerm>, moves: Vec<GroundTerm>) -> Vec<&'static str> {
        let hints = BoardHints {
            moves,
            ..BoardHints::default()
        };
        let layout = BoardLayout::detect(&[facts], &hints);
        layout
            .boards
            .iter()
            .map(|board| board.kind.name())
            .collect()
    }

    #[test]
    fn lines_that_moves_draw_are_a_board() {
        let drawn = all("line").split_off(3);
        assert_eq!(kinds(drawn.clone(), all("draw")), ["edges"]);
        let both_ways: Vec<GroundTerm> = all("draw")
            .into_iter()
            .chain(read_facts("(draw 2 1 1 1)").unwrap())
            .collect();
        assert!(!kinds(drawn, both_ways).contains(&"edges"));
    }

    #[test]
    fn lines_turn_round_with_their_board() {
        let hints = BoardHints {
            moves: all("draw"),
            ..BoardHints::default()
        };
        let layout = BoardLayout::detect(&[all("line")], &hints);
        let ends = |board: &Board| match &board.kind {
            BoardKind::Edges(grid) => grid.ends["1 1 2 1"],
            _ => unreachable!("lines were drawn"),
        };
        let board = layout.boards[0].clone();
        assert_eq!(ends(&board), [(0, 2), (1, 2)]);
        assert_eq!(ends(&board.turned_round()), [(2, 0), (1, 0)]);
    }
}
