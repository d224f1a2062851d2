//! The clicks by which a move is made on a drawn board.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use std::time::{Duration, Instant};

use super::Screen;
use super::screen::terms;
use crate::info::board::{
    BoardView, PlacedSquare, Square, single_contents, square_id, squares_of_moves,
};
use crate::play::Session;

/// How many moves are made by clicks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClickCounts {
    /// Moves that have clicks of their own.
    pub alone: usize,
    /// Moves whose clicks are those of others too, so that one of them is chosen from a list.
    pub shared: usize,
    /// Moves without clicks.
    pub without: usize,
}

impl ClickCounts {
    /// The counts of moves that have these [clicks](Screen::clicks).
    pub fn of(clicks: &[Vec<String>]) -> Self {
        let mut moves: BTreeMap<&[String], usize> = BTreeMap::new();
        for squares in clicks {
            *moves.entry(squares).or_default() += 1;
        }
        let without = moves.remove(&[][..]).unwrap_or(0);
        let alone = moves.values().filter(|count| **count == 1).count();
        Self {
            alone,
            shared: clicks.len() - without - alone,
            without,
        }
    }

    /// All moves.
    pub fn moves(&self) -> usize {
        self.alone + self.shared + self.without
    }
}

impl AddAssign for ClickCounts {
    fn add_assign(&mut self, other: Self) {
        self.alone += other.alone;
        self.shared += other.shared;
        self.without += other.without;
    }
}

/// Of so many moves of a role that name no square it is found out which squares they change.
const MOST_TRIED: usize = 200;
/// That may take so long for all roles together: a match waits meanwhile. What is not known by then is chosen from a list.
const TIME: Duration = Duration::from_secs(1);

impl Screen {
    /// For each legal move of a role in the present position, in their order, the squares to be clicked one after the other:
    /// the ids that the SVG has as `data-square`.
    ///
    /// They are those that the move names. A move that names none is made by clicks on what it changes: the square that it
    /// fills, as a drop into a column does, or the square that a piece leaves and the one that it enters. Where there are no
    /// such squares, or where one of them is not drawn, there are no clicks; nor where it takes too long to find them. Several
    /// moves may have the same.
    pub fn clicks(&self, session: &Session, role: usize) -> Vec<Vec<String>> {
        self.clicks_until(session, role, Instant::now() + TIME)
    }

    /// The same for each role; it takes no longer than for one.
    pub fn clicks_of_all(&self, session: &Session) -> Vec<Vec<Vec<String>>> {
        let end = Instant::now() + TIME;
        let roles = 0..session.roles().len();
        roles
            .map(|role| self.clicks_until(session, role, end))
            .collect()
    }

    fn clicks_until(&self, session: &Session, role: usize, end: Instant) -> Vec<Vec<String>> {
        let legal = session.legal_of(role);
        let mut named = squares_of_moves(self.layout(), &terms(legal));
        let without = named.iter().filter(|squares| squares.is_empty()).count();
        if (1..=MOST_TRIED).contains(&without) && !self.layout().boards.is_empty() {
            let changes = self.changes((session, role), &named, end);
            for (squares, changes) in named.iter_mut().zip(changes.unwrap_or_default()) {
                if squares.is_empty() {
                    squares.extend(path(&changes));
                }
            }
        }
        self.forget_hidden(session, &mut named);
        let ids = |squares: Vec<PlacedSquare>| {
            let squares = squares.iter();
            squares
                .map(|(board, square)| square_id(*board, square))
                .collect()
        };
        named.into_iter().map(ids).collect()
    }

    /// Leaves no squares to moves of which one is not drawn.
    fn forget_hidden(&self, session: &Session, named: &mut [Vec<PlacedSquare>]) {
        let view = self.view(&session.facts());
        let unchanged = vec![BTreeSet::new(); view.boards.len()];
        let picture = self.picture(self.layout(), &view, unchanged);
        let boards: Vec<_> = picture.boards().collect();
        let mut are_shown: BTreeMap<PlacedSquare, bool> = BTreeMap::new();
        for squares in named {
            let all_shown = squares.iter().all(|placed| {
                let is_shown = || boards[placed.0].shows(&placed.1);
                *are_shown.entry(placed.clone()).or_insert_with(is_shown)
            });
            if !all_shown {
                squares.clear();
            }
        }
    }

    /// What each legal move of a role that names no squares changes, whatever it does: without what all these moves change
    /// alike, such as what the others do at the same time. `None` where that is not known in time.
    fn changes(
        &self,
        (session, role): (&Session, usize),
        named: &[Vec<PlacedSquare>],
        end: Instant,
    ) -> Option<Vec<BTreeSet<SquareChange>>> {
        let before = self.view(&session.facts());
        let mut changes = vec![BTreeSet::new(); named.len()];
        let tried = named.iter().zip(&mut changes).enumerate();
        for (place, (_, changes)) in tried.filter(|(_, (squares, _))| squares.is_empty()) {
            if Instant::now() > end {
                return None;
            }
            if let Some(after) = after_move(session, role, place) {
                *changes = self.changes_between(&before, &self.view(&after));
            }
        }
        let own = named
            .iter()
            .zip(&changes)
            .filter(|(squares, _)| squares.is_empty());
        let own: Vec<&BTreeSet<SquareChange>> = own.map(|(_, changes)| changes).collect();
        if let [first, rest @ ..] = &own[..]
            && !rest.is_empty()
        {
            let alike =
                |change: &&SquareChange| rest.iter().all(|changes| changes.contains(*change));
            let alike: BTreeSet<SquareChange> = first.iter().filter(alike).cloned().collect();
            changes
                .iter_mut()
                .for_each(|changes| changes.retain(|change| !alike.contains(change)));
        }
        Some(changes)
    }

    fn view(&self, facts: &[String]) -> BoardView {
        BoardView::new(self.layout(), &terms(facts), self.contents())
    }

    fn changes_between(&self, before: &BoardView, after: &BoardView) -> BTreeSet<SquareChange> {
        let boards = self.layout().boards.iter().enumerate();
        let changes = boards.flat_map(|(board, _)| {
            let held = move |view: &BoardView, square: &Square| {
                let content = view.boards[board].get(square)?;
                let is_blank = |content: &str| self.contents()[board].is_blank(content);
                let holds = single_contents(content).any(|content| !is_blank(content));
                holds.then(|| content.clone())
            };
            let changed = after.changed(before, board).into_iter();
            changed.map(move |square| SquareChange {
                before: held(before, &square),
                after: held(after, &square),
                square: (board, square),
            })
        });
        changes.collect()
    }
}

/// A square that a move changes, and what stands on it before and after, if anything.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct SquareChange {
    square: PlacedSquare,
    before: Option<String>,
    after: Option<String>,
}

/// The facts after a move of a role, the others doing the first thing they can.
fn after_move(session: &Session, role: usize, place: usize) -> Option<Vec<String>> {
    let roles = 0..session.roles().len();
    let joint: Option<Vec<&String>> = roles
        .map(|other| {
            session
                .legal_of(other)
                .get(if other == role { place } else { 0 })
        })
        .collect();
    let after = session.position().after(&joint?).ok()?;
    Some(after.facts())
}

/// The squares to be clicked for these changes: the one that is filled, after the one from which what fills it came; or the
/// only one that changes.
fn path(changes: &BTreeSet<SquareChange>) -> Vec<PlacedSquare> {
    let filled = only(changes.iter().filter(|change| change.after.is_some()));
    let Some(filled) = filled else {
        let changed = only(changes.iter());
        return changed
            .map(|change| change.square.clone())
            .into_iter()
            .collect();
    };
    let left = changes
        .iter()
        .filter(|change| change.after.is_none() && change.before == filled.after);
    let squares = only(left).into_iter().chain([filled]);
    squares.map(|change| change.square.clone()).collect()
}

/// What there is, if there is just one.
fn only<'s>(mut changes: impl Iterator<Item = &'s SquareChange>) -> Option<&'s SquareChange> {
    let first = changes.next()?;
    changes.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Style;
    use crate::play::Game;

    #[test]
    fn moves_that_take_too_long_to_try_have_no_clicks() {
        let game = Game::load("connect-four").unwrap();
        let session = Session::new(&game);
        let screen = Screen::survey_anyway(&session, Style::UNCOLOURED);
        let in_time = screen.clicks(&session, 0);
        assert!(in_time.iter().all(|squares| squares.len() == 1));
        let late = screen.clicks_until(&session, 0, Instant::now() - Duration::from_secs(1));
        assert_eq!(late, vec![Vec::<String>::new(); in_time.len()]);
        assert_eq!(screen.clicks_of_all(&session)[0], in_time);
    }
}
