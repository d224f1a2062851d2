//! Squares that no sampled state has shown, told by the facts that are possible and by the moves that name them: of an
//! empty board, random games may never fill the last column.

use std::collections::BTreeSet;

use super::axis::Axis;
use super::candidate::CandidateBoard;
use super::cells::{CellRelation, Square};
use super::hints::BoardHints;
use super::relation::{SampledFacts, SampledRelation};

/// What names squares besides the facts of states.
pub(super) struct UnseenSquares<'h> {
    pub(super) moves: SampledFacts,
    possible: SampledFacts,
    orders: &'h [Vec<String>],
}

impl<'h> UnseenSquares<'h> {
    /// Square names are those of the facts, see [`SampledFacts::split_square_names`].
    pub(super) fn new(hints: &'h BoardHints) -> Self {
        let split = |terms: &Vec<_>| {
            let mut facts = SampledFacts::new(std::slice::from_ref(terms));
            facts.split_square_names();
            facts
        };
        Self {
            moves: split(&hints.moves),
            possible: split(&hints.possible),
            orders: &hints.orders,
        }
    }

    /// The two axes of a board, with all coordinates.
    pub(super) fn axes(&self, candidate: &CandidateBoard<'_>) -> (Axis, Axis) {
        let seen = &candidate.axes;
        if let Some(possible) = self.possible.relations.get(candidate.pattern) {
            let (first, second) = candidate.coordinates;
            let wider = |axis: &Axis, place| self.wider(axis, possible, place);
            let (one, other) = (wider(&seen.0, first), wider(&seen.1, second));
            return (
                one.unwrap_or_else(|| seen.0.clone()),
                other.unwrap_or_else(|| seen.1.clone()),
            );
        }
        let moves = self.moves.relations.values();
        let wider = moves.filter_map(|moves| self.named_by(seen, moves));
        wider.max_by_key(area).unwrap_or_else(|| seen.clone())
    }

    /// The squares that facts of this relation may name, if the rules list them.
    pub(super) fn possible(&self, relation: &CellRelation) -> Option<BTreeSet<Square>> {
        let facts = self.possible.relations.get(&relation.pattern)?;
        Some(
            facts
                .iter()
                .map(|(_, args)| relation.square(args))
                .collect(),
        )
    }

    /// The axes if two arguments of some moves, one after the other, name all coordinates and further ones of the same
    /// kind; or if their only argument does so for one of the axes.
    fn named_by(
        &self,
        (one, other): &(Axis, Axis),
        moves: &SampledRelation,
    ) -> Option<(Axis, Axis)> {
        let arity = moves.first()?.1.len();
        if arity == 1 {
            return match (self.wider(one, moves, 0), self.wider(other, moves, 0)) {
                (Some(one), None) => Some((one, other.clone())),
                (None, Some(other)) => Some((one.clone(), other)),
                _ => None,
            };
        }
        let pairs = (1..arity).filter_map(|second| {
            let one = self.wider(one, moves, second - 1)?;
            Some((one, self.wider(other, moves, second)?))
        });
        // A larger one takes the number of a part for a coordinate.
        pairs.min_by_key(area)
    }

    /// The values of this argument, if they are all coordinates of an axis and not many more.
    fn wider(&self, axis: &Axis, facts: &SampledRelation, place: usize) -> Option<Axis> {
        let values: BTreeSet<&str> = facts.iter().map(|(_, args)| &*args[place]).collect();
        let found = Axis::of_coordinates(&values, self.orders)?;
        let holds_all = axis.labels.iter().all(|label| found.place(label).is_some());
        let is_near = found.labels.len() <= axis.labels.len() * 2;
        (found.is_ordered() && found.kind == axis.kind && holds_all && is_near).then_some(found)
    }
}

fn area((one, other): &(Axis, Axis)) -> usize {
    one.labels.len() * other.labels.len()
}

#[cfg(test)]
mod tests {
    use crate::info::board::{BoardHints, BoardLayout};
    use crate::kif::{GroundTerm, read_facts};

    fn squares(
        columns: &[&str],
        rows: std::ops::RangeInclusive<u8>,
        fact: &str,
    ) -> Vec<GroundTerm> {
        let squares = columns
            .iter()
            .flat_map(|x| rows.clone().map(move |y| (x, y)));
        let facts = squares.map(|(x, y)| fact.replace('X', x).replace('Y', &y.to_string()));
        read_facts(&facts.collect::<String>()).unwrap()
    }

    /// The columns and the number of rows of a board, a part of which was seen.
    fn sides(hints: &BoardHints) -> (String, usize) {
        let samples = [
            squares(&["a", "b", "c"], 1..=4, "(cell X Y red)"),
            squares(&["a", "b"], 1..=4, "(cell X Y red)"),
        ];
        let layout = BoardLayout::detect(&samples, hints);
        let board = &layout.boards[0];
        (board.columns.labels.concat(), board.rows.labels.len())
    }

    #[test]
    fn moves_name_squares_that_were_never_seen() {
        let sides = |moves: Vec<GroundTerm>| {
            sides(&BoardHints {
                moves,
                ..BoardHints::default()
            })
        };
        let wide = ["a", "b", "c", "d"];
        let all = |columns, rows| (String::from(columns), rows);
        assert_eq!(sides(squares(&wide, 1..=5, "(place X Y)")), all("abcd", 5));
        assert_eq!(sides(squares(&wide, 1..=1, "(drop X)")), all("abcd", 4));
        assert_eq!(sides(squares(&wide, 1..=9, "(place X Y)")), all("abc", 4));
        assert_eq!(sides(squares(&wide, 2..=5, "(place X Y)")), all("abc", 4));
        let in_parts = squares(&wide[..3], 1..=4, "(place 5 X Y) (place a 1 1)");
        assert_eq!(sides(in_parts), all("abc", 4));
        assert_eq!(sides(Vec::new()), all("abc", 4));
    }

    #[test]
    fn possible_facts_name_all_squares() {
        let wide = ["a", "b", "c", "d", "e"];
        let hints = BoardHints {
            possible: squares(&wide, 1..=6, "(cell X Y red)"),
            moves: squares(&wide[..4], 1..=5, "(place X Y)"),
            ..BoardHints::default()
        };
        assert_eq!(sides(&hints), ("abcde".to_owned(), 6));
    }
}
