//! The board on the screen: its squares under the cursor and the mouse.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Text;
use ratatui::widgets::{Paragraph, Widget};

use super::theme::{SquareMark, Theme};
use crate::drawing::{DrawnText, SquarePlace};

/// A drawn position.
#[derive(Debug, Default)]
pub(super) struct BoardPane {
    text: Text<'static>,
    squares: Vec<SquarePlace>,
    /// The square that the keys choose.
    cursor: Option<String>,
    /// Whether the person put it there.
    is_cursor_placed: bool,
    /// Lines above the first one that is shown.
    scroll: usize,
    /// Where it stands on the screen.
    area: Rect,
}

/// Where the cursor goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CursorStep {
    Left,
    Right,
    Up,
    Down,
}

impl BoardPane {
    /// Shows this from now on. A cursor that nobody placed goes to one of `squares`.
    pub(super) fn set(&mut self, drawn: DrawnText, theme: Theme, squares: &BTreeSet<&str>) {
        self.text = theme.text(&drawn.text);
        self.squares = drawn.squares;
        let is_there = |cursor: &String| self.squares.iter().any(|square| square.id == *cursor);
        let is_placed = self.is_cursor_placed && self.cursor.as_ref().is_some_and(is_there);
        if !is_placed {
            let mut known = self.squares.iter();
            let wanted = known.find(|square| squares.contains(square.id.as_str()));
            let begin = wanted.or(self.squares.first());
            self.cursor = begin.map(|square| square.id.clone());
        }
    }

    pub(super) fn has_squares(&self) -> bool {
        !self.squares.is_empty()
    }

    pub(super) fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// The nearest square in this direction, if there is one.
    pub(super) fn move_cursor(&mut self, direction: CursorStep) {
        let here = self
            .squares
            .iter()
            .find(|square| Some(&square.id) == self.cursor.as_ref());
        let Some(here) = here else { return };
        let distance = |square: &SquarePlace| {
            let (down, right) = (
                square.line as i64 - here.line as i64,
                middle(square) - middle(here),
            );
            let (along, aside) = match direction {
                CursorStep::Left => (-right, down),
                CursorStep::Right => (right, down),
                CursorStep::Up => (-down, right),
                CursorStep::Down => (down, right),
            };
            let is_sideways = matches!(direction, CursorStep::Left | CursorStep::Right);
            let is_ahead = along > 0 && (!is_sideways || aside == 0);
            is_ahead.then_some((along, aside.abs()))
        };
        let ahead = self
            .squares
            .iter()
            .filter_map(|square| Some((distance(square)?, square)));
        if let Some((_, next)) = ahead.min_by_key(|(distance, _)| *distance) {
            let line = next.line;
            self.cursor = Some(next.id.clone());
            self.is_cursor_placed = true;
            self.follow(line);
        }
    }

    /// Scrolls so that this line is seen.
    fn follow(&mut self, line: usize) {
        let height = usize::from(self.area.height.max(1));
        self.scroll = self.scroll.clamp((line + 1).saturating_sub(height), line);
    }

    pub(super) fn scroll(&mut self, lines: isize) {
        let most = self
            .text
            .lines
            .len()
            .saturating_sub(self.area.height.into());
        self.scroll = self.scroll.saturating_add_signed(lines).min(most);
    }

    /// The square at a place of the screen, which becomes that of the cursor.
    pub(super) fn square_at(&mut self, place: Position) -> Option<String> {
        if !self.area.contains(place) {
            return None;
        }
        let line = usize::from(place.y - self.area.y) + self.scroll;
        let column = usize::from(place.x - self.area.x);
        let is_meant = |square: &&SquarePlace| {
            // The room beside a square belongs to it.
            let (from, to) = (
                square.column.saturating_sub(1),
                square.column + square.width,
            );
            square.line == line && (from..=to).contains(&column)
        };
        let middle_of = |square: &&SquarePlace| (2 * column as i64 + 1 - middle(square)).abs();
        let square = self.squares.iter().filter(is_meant).min_by_key(middle_of)?;
        self.cursor = Some(square.id.clone());
        self.is_cursor_placed = true;
        self.cursor.clone()
    }

    /// Draws the board, and on it the marks; the last mark of a square counts.
    pub(super) fn draw(
        &mut self,
        (area, buffer): (Rect, &mut Buffer),
        theme: Theme,
        marks: &[(&str, SquareMark)],
    ) {
        self.area = area;
        self.scroll(0);
        let scroll = u16::try_from(self.scroll).unwrap_or(u16::MAX);
        let text = Paragraph::new(self.text.clone()).scroll((scroll, 0));
        text.render(area, buffer);
        for (id, mark) in marks {
            for square in self.squares.iter().filter(|square| square.id == *id) {
                self.mark(square, buffer, theme.mark(*mark));
            }
        }
    }

    fn mark(
        &self,
        square: &SquarePlace,
        buffer: &mut Buffer,
        (paint, signs): (ratatui::style::Style, Option<[&'static str; 2]>),
    ) {
        let Some(line) = square.line.checked_sub(self.scroll) else {
            return;
        };
        let first = square.column.saturating_sub(1);
        let last = square.column + square.width;
        for column in first..=last {
            let place = |number: usize, from: u16| u16::try_from(number).ok()?.checked_add(from);
            let (x, y) = (place(column, self.area.x), place(line, self.area.y));
            let (Some(x), Some(y)) = (x, y) else { return };
            let place = Position { x, y };
            if !self.area.contains(place) {
                continue;
            }
            let Some(cell) = buffer.cell_mut(place) else {
                continue;
            };
            cell.set_style(paint);
            match signs {
                Some([left, _]) if column < square.column => cell.set_symbol(left),
                Some([_, right]) if column == last => cell.set_symbol(right),
                _ => cell,
            };
        }
    }
}

/// Twice the column in the middle of a square.
fn middle(square: &SquarePlace) -> i64 {
    (2 * square.column + square.width) as i64
}
