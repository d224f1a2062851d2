//! Relations about a board that another relation makes: what lies on it, what belongs to it, what only names its squares.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use super::candidate::{CandidateBoard, SquareCounts, in_order, pairs};
use super::cells::{Board, CellRelation, Square};
use super::relation::{FactPattern, NumberedRelation, SampledFacts, SampledRelation};

/// Adds a candidate to a board that it fits, unless the two describe the same squares at once.
pub(super) fn add_candidate(
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
pub(super) fn relates_squares(board: &Board, facts: &SampledRelation) -> bool {
    let names_square = |args: &[String], one: usize| {
        let (column, row) = in_order((&args[one], &args[one + 1]), board.column_first());
        board.has(&(Vec::new(), column.clone(), row.clone()))
    };
    let names_two =
        |args: &[String]| args.len() == 4 && names_square(args, 0) && names_square(args, 2);
    board.is_grid() && facts.iter().all(|(_, args)| names_two(args))
}

/// Whether each fact numbers a piece: it names the square on which one stands in the same state, and a number, or what looks
/// like a square of its own with it. Such facts, say of a stone and its group, are no squares of another board. Where a board lists all squares, any
/// two numbers would name one.
pub(super) fn is_about_pieces(
    board: &Board,
    candidate: &CandidateBoard<'_>,
    samples: &SampledFacts,
) -> bool {
    let base = &board.relations[0];
    let found = samples.relations.get(&base.pattern);
    let (Some(pieces), Some(facts)) = (found, samples.relations.get(candidate.pattern)) else {
        return false;
    };
    if board.lists_every_square || !board.is_grid() {
        return false;
    }
    let pieces: BTreeSet<(usize, Square)> = pieces
        .iter()
        .map(|(state, args)| (*state, base.square(args)))
        .collect();
    let are_numbers = candidate.holds_numbers(facts);
    let mut ways =
        pairs(candidate.arity).filter(|way| are_numbers || *way != candidate.coordinates);
    ways.any(|coordinates| {
        let coordinates = in_order(coordinates, board.column_first());
        let about = CellRelation::new(&base.pattern, coordinates, &[], candidate.arity);
        let is_piece =
            |(state, args): &(usize, Vec<String>)| pieces.contains(&(*state, about.square(args)));
        facts.iter().all(is_piece)
    })
}

/// Adds a relation with too few facts for a board to the first board whose coordinates they name.
pub(super) fn add_small(boards: &mut [Board], pattern: &FactPattern, facts: &SampledRelation) {
    let shows = |board: &Board| {
        let mut relations = board.relations.iter();
        relations.any(|relation| relation.pattern == *pattern)
    };
    if boards.iter().any(shows) || boards.iter().any(|board| relates_squares(board, facts)) {
        return;
    }
    let arity = facts.first().map_or(0, |(_, args)| args.len());
    let numbered = LazyCell::new(|| NumberedRelation::new(facts));
    for board in boards.iter_mut().filter(|board| board.is_grid()) {
        for coordinates in pairs(arity) {
            let coordinates = in_order(coordinates, board.column_first());
            let added = CellRelation::new(pattern, coordinates, &[], arity);
            let are_rare =
                || SquareCounts::of(&numbered, coordinates, &[]).clashes * 4 <= facts.len();
            if fits(board, &added, facts) && are_rare() {
                board.relations.push(added);
                return;
            }
        }
    }
}
