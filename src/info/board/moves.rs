//! The squares that moves name.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::{Board, CellPlace, Square};
use super::layout::BoardLayout;
use super::relation::{FlatFact, functor, split_word};
use crate::kif::GroundTerm;

/// Moves with more arguments name no squares: no game needs them, and there are very many ways to read them.
const MOST_ARGUMENTS: usize = 12;

/// A square of a layout: the number of its board, and the square.
pub type PlacedSquare = (usize, Square);

/// For each of these moves, the squares that its arguments name, in their order; none for most moves that are not about
/// squares.
///
/// Moves that differ only in their arguments are read alike: an argument that is a coordinate in one of them is one in all.
pub fn squares_of_moves(layout: &BoardLayout, moves: &[GroundTerm]) -> Vec<Vec<PlacedSquare>> {
    let flat: Vec<FlatFact> = moves.iter().map(FlatFact::of).collect();
    let mut alike: BTreeMap<(&str, usize), Vec<&[String]>> = BTreeMap::new();
    for mv in &flat {
        let group = alike.entry((&mv.pattern, mv.args.len())).or_default();
        group.push(&mv.args);
    }
    let readings: BTreeMap<(&str, usize), Reading> = alike
        .iter()
        .map(|(key, moves)| (*key, best_reading(layout, functor(key.0), moves)))
        .collect();
    let squares = |mv: &FlatFact| {
        let reading = &readings[&(&*mv.pattern, mv.args.len())];
        let parts = reading.iter();
        parts
            .filter_map(|part| part.square(layout, &mv.args))
            .collect()
    };
    flat.iter().map(squares).collect()
}

/// Which arguments of a move name squares.
type Reading = Vec<SquareArguments>;

/// Arguments that name a square together.
#[derive(Debug, Clone, Copy)]
struct SquareArguments {
    /// The first of them.
    start: usize,
    /// How many there are.
    count: usize,
    board: usize,
    order: WordOrder,
}

/// How the words of a move stand for a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordOrder {
    /// As in the facts of the board.
    AsInFacts,
    /// Row and column the other way round.
    Swapped,
    /// As one word, such as `b3`.
    Name,
}

impl SquareArguments {
    fn square(&self, layout: &BoardLayout, args: &[String]) -> Option<PlacedSquare> {
        let words = args.get(self.start..self.start + self.count)?;
        let board = &layout.boards[self.board];
        let square = square_of_words(board, words, self.order)?;
        Some((self.board, square))
    }
}

/// The square of a board that these words name.
fn square_of_words(board: &Board, words: &[String], order: WordOrder) -> Option<Square> {
    let relation = board.relations.first()?;
    let square = match &relation.place {
        CellPlace::Point(places) => {
            let is_name = order == WordOrder::AsInFacts && words.len() == places.len();
            is_name.then(|| (Vec::new(), words.join(" "), String::new()))?
        }
        CellPlace::Square { .. } if order == WordOrder::Name => {
            let [word] = words else { return None };
            let (column, row) = split_word(word);
            (Vec::new(), column, row)
        }
        CellPlace::Square { column, row } => {
            let mut places = relation.panel.clone();
            places.extend([*column, *row]);
            places.sort_unstable();
            let word = |place: &usize| {
                let at = places.iter().position(|other| other == place)?;
                words.get(at).cloned()
            };
            let panel: Option<Vec<String>> = relation.panel.iter().map(word).collect();
            let (column, row) = match order {
                WordOrder::Swapped => (word(row)?, word(column)?),
                _ => (word(column)?, word(row)?),
            };
            (panel?, column, row)
        }
    };
    let is_panel = |panel: &Vec<String>| {
        panel.is_empty() || board.known.iter().any(|(known, ..)| known == panel)
    };
    (board.has(&square) && is_panel(&square.0)).then_some(square)
}

/// The reading of moves that differ only in their arguments under which they name most, and differ most.
fn best_reading(layout: &BoardLayout, name: &str, moves: &[&[String]]) -> Reading {
    let length = moves.first().map_or(0, |args| args.len());
    if length > MOST_ARGUMENTS {
        return Reading::new();
    }
    let fitting: Vec<Vec<SquareArguments>> = (0..length)
        .map(|start| fitting_at(layout, name, moves, start))
        .collect();
    let mut all = Vec::new();
    add_readings(&fitting, 0, &mut Reading::new(), &mut all);
    let worth = |reading: &Reading| {
        let covered: usize = reading.iter().map(|part| part.count).sum();
        let squares = |args: &&[String]| -> Vec<Option<PlacedSquare>> {
            let parts = reading.iter();
            parts.map(|part| part.square(layout, args)).collect()
        };
        let different: BTreeSet<_> = moves.iter().map(squares).collect();
        (covered, different.len())
    };
    // Of several that are worth the same, the first, which reads from the left.
    let best = all.into_iter().rev().max_by_key(|reading| worth(reading));
    best.unwrap_or_default()
}

/// The ways to read a square at this argument that fit all moves of this name: one for each number of arguments. Of several
/// boards that fit alike, it is one whose name ends as that of the moves, or else the first.
fn fitting_at(
    layout: &BoardLayout,
    name: &str,
    moves: &[&[String]],
    start: usize,
) -> Vec<SquareArguments> {
    let mut fitting: Vec<SquareArguments> = Vec::new();
    let mut boards: Vec<(usize, &Board)> = layout.boards.iter().enumerate().collect();
    boards.sort_by_key(|(_, board)| {
        qualifier(name).is_none_or(|end| qualifier(board.name()) != Some(end))
    });
    for (board, plan) in boards {
        let Some(relation) = plan.relations.first() else {
            continue;
        };
        let whole = match &relation.place {
            CellPlace::Point(places) => places.len(),
            CellPlace::Square { .. } => relation.panel.len() + 2,
        };
        for (order, count) in [
            (WordOrder::AsInFacts, whole),
            (WordOrder::Swapped, whole),
            (WordOrder::Name, 1),
        ] {
            let part = SquareArguments {
                start,
                count,
                board,
                order,
            };
            let fits = |args: &&[String]| part.square(layout, args).is_some();
            if fitting.iter().all(|other| other.count != count) && moves.iter().all(fits) {
                fitting.push(part);
            }
        }
    }
    fitting
}

/// What tells a name from others that begin alike: `2` of `mark2`, `_small` of `cell_small`.
fn qualifier(name: &str) -> Option<&str> {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let end = match stem.len() < name.len() {
        true => stem.len(),
        false => name.rfind(['_', '-'])?,
    };
    (end > 0).then(|| &name[end..])
}

/// All ways to read squares from the argument `at` on, no argument twice.
fn add_readings(
    fitting: &[Vec<SquareArguments>],
    at: usize,
    before: &mut Reading,
    all: &mut Vec<Reading>,
) {
    let Some(here) = fitting.get(at) else {
        all.push(before.clone());
        return;
    };
    for part in here {
        before.push(*part);
        add_readings(fitting, at + part.count, before, all);
        before.pop();
    }
    add_readings(fitting, at + 1, before, all);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::board::BoardHints;
    use crate::kif::read_facts;

    /// The squares of moves on a board with these facts: panel, column, row. A plain grid is a table, whose rows come first.
    fn squares(facts: &str, moves: &str) -> Vec<String> {
        let layout = BoardLayout::detect(&[read_facts(facts).unwrap()], &BoardHints::default());
        let moves = read_facts(moves).unwrap();
        let shown = |squares: Vec<PlacedSquare>| {
            let squares = squares.into_iter();
            let words = squares.map(|(_, (panel, column, row))| {
                panel.into_iter().chain([column, row]).collect::<String>()
            });
            words.collect::<Vec<_>>().join(" ")
        };
        let found = squares_of_moves(&layout, &moves).into_iter();
        found.map(shown).collect()
    }

    fn grid(columns: &[&str], rows: &[&str], fact: &str) -> String {
        let squares = columns
            .iter()
            .flat_map(|x| rows.iter().map(move |y| (x, y)));
        let facts = squares.map(|(x, y)| fact.replace('X', x).replace('Y', y));
        facts.collect::<Vec<_>>().join(" ")
    }

    const NUMBERS: [&str; 4] = ["1", "2", "3", "4"];
    const LETTERS: [&str; 4] = ["a", "b", "c", "d"];

    #[test]
    fn moves_name_squares_in_their_order() {
        let board = grid(&NUMBERS, &NUMBERS, "(cell X Y b)");
        assert_eq!(
            squares(&board, "(mark 1 2) (move red 1 1 2 4) noop (roll 3)"),
            ["21", "11 42", "", ""]
        );
    }

    #[test]
    fn letters_tell_columns_from_rows() {
        let board = grid(&LETTERS, &NUMBERS, "(cell Y X b)");
        assert_eq!(
            squares(&board, "(move c 2 d 3) (move c 2 d 1)"),
            ["c2 d3", "c2 d1"]
        );
        let board = grid(&LETTERS, &NUMBERS, "(cell XY b)");
        assert_eq!(squares(&board, "(move b2 c3 queen)"), ["b2 c3"]);
    }

    #[test]
    fn what_is_a_coordinate_in_one_move_is_one_in_all() {
        // The first argument counts pieces.
        let board = grid(&NUMBERS, &NUMBERS, "(cell X Y b)");
        assert_eq!(
            squares(&board, "(jump 2 1 1 3 3) (jump 5 1 1 4 4)"),
            ["11 33", "11 44"]
        );
    }

    #[test]
    fn of_boards_alike_a_move_is_on_the_one_that_is_named_alike() {
        let boards = |names: [&str; 2], moves: &str| {
            let facts = names.map(|name| grid(&NUMBERS, &NUMBERS, &format!("({name} X Y b)")));
            let facts = read_facts(&facts.concat()).unwrap();
            let layout = BoardLayout::detect(&[facts], &BoardHints::default());
            let found = squares_of_moves(&layout, &read_facts(moves).unwrap());
            let name = |squares: &Vec<PlacedSquare>| layout.boards[squares[0].0].name().to_owned();
            found.iter().map(name).collect::<Vec<_>>()
        };
        let found = boards(["cell1", "cell2"], "(mark2 1 2) (mark1 1 2)");
        assert_eq!(found, ["cell2", "cell1"]);
        let found = boards(
            ["cell_large", "cell_small"],
            "(mark_small 1 2) (mark_large 1 2)",
        );
        assert_eq!(found, ["cell_small", "cell_large"]);
        assert_eq!(boards(["cell", "hand"], "(mark 1 2)").len(), 1);
    }

    #[test]
    fn panels_are_part_of_a_square() {
        let floors = ["1", "2"].map(|z| grid(&NUMBERS, &NUMBERS, &format!("(cell {z} X Y b)")));
        assert_eq!(squares(&floors.join(" "), "(mark 2 1 4)"), ["241"]);
    }
}
