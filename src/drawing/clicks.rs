//! The clicks by which a move is made on a drawn board.

use std::collections::BTreeSet;

use super::Screen;
use super::screen::terms;
use crate::info::board::{BoardView, PlacedSquare, single_contents, square_id, squares_of_moves};
use crate::play::Session;

/// Of so many moves that name no square it is found out which square they change.
const MOST_TRIED: usize = 200;

impl Screen {
    /// For each legal move of a role in the present position, in their order, the squares to be clicked one after the other:
    /// the ids that the SVG has as `data-square`.
    ///
    /// They are those that the move names. A move that names none, such as a drop into a column, is made by a click on the one
    /// square that it fills or changes. Where there is no such square, there are no clicks. Several moves may have the same.
    pub fn clicks(&self, session: &Session, role: usize) -> Vec<Vec<String>> {
        let legal = session.legal_of(role);
        let mut named = squares_of_moves(self.layout(), &terms(legal));
        let without = named.iter().filter(|squares| squares.is_empty()).count();
        if without <= MOST_TRIED && !self.layout().boards.is_empty() {
            for (place, squares) in named.iter_mut().enumerate() {
                if squares.is_empty() {
                    squares.extend(self.changed_by(session, role, place));
                }
            }
        }
        let ids = |squares: Vec<PlacedSquare>| {
            let squares = squares.iter();
            squares
                .map(|(board, square)| square_id(*board, square))
                .collect()
        };
        named.into_iter().map(ids).collect()
    }

    /// The one square that the move at this place among the legal ones fills, or else changes, if it depends on nobody else.
    fn changed_by(&self, session: &Session, role: usize, place: usize) -> Option<PlacedSquare> {
        let roles = 0..session.roles().len();
        let joint: Option<Vec<&String>> = roles
            .map(|other| match session.legal_of(other) {
                moves if other == role => moves.get(place),
                [only] => Some(only),
                _ => None,
            })
            .collect();
        let after = session.position().after(&joint?).ok()?;
        let view = |facts: &[String]| BoardView::new(self.layout(), &terms(facts), self.contents());
        let (before, after) = (view(&session.facts()), view(&after.facts()));
        let boards = 0..self.layout().boards.len();
        let changed: BTreeSet<PlacedSquare> = boards
            .flat_map(|board| {
                let changed = after.changed(&before, board).into_iter();
                changed.map(move |square| (board, square))
            })
            .collect();
        let is_filled = |(board, square): &&PlacedSquare| {
            let content = after.boards[*board].get(square);
            content.is_some_and(|content| {
                single_contents(content).any(|content| !self.contents()[*board].is_blank(content))
            })
        };
        only(changed.iter().filter(is_filled)).or_else(|| only(changed.iter()))
    }
}

/// What there is, if there is just one.
fn only<'s>(mut squares: impl Iterator<Item = &'s PlacedSquare>) -> Option<PlacedSquare> {
    let first = squares.next()?;
    squares.next().is_none().then(|| first.clone())
}
