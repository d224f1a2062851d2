//! Lines of which one may be selected.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Paragraph, Widget};

use super::theme::Theme;

/// What is selected of a list, and which part of it is shown.
#[derive(Debug, Default)]
pub(super) struct Listing {
    selected: Option<usize>,
    scroll: usize,
    area: Rect,
}

impl Listing {
    pub(super) fn selected(&self) -> Option<usize> {
        self.selected
    }

    pub(super) fn select(&mut self, place: Option<usize>) {
        self.selected = place;
    }

    /// Selects another line of so many.
    pub(super) fn step(&mut self, by: isize, lines: usize) {
        let last = lines.checked_sub(1);
        self.selected = last.map(|last| match self.selected {
            None if by < 0 => last,
            None => 0,
            Some(place) => place.saturating_add_signed(by).min(last),
        });
    }

    /// The line at a place of the screen.
    pub(super) fn at(&self, place: Position) -> Option<usize> {
        let is_inside = self.area.contains(place);
        is_inside.then(|| usize::from(place.y - self.area.y) + self.scroll)
    }

    pub(super) fn contains(&self, place: Position) -> bool {
        self.area.contains(place)
    }

    /// Draws the lines that fit, among them the selected one.
    pub(super) fn draw(
        &mut self,
        (area, buffer): (Rect, &mut Buffer),
        mut lines: Vec<Line<'_>>,
        theme: Theme,
    ) {
        self.area = area;
        let height = usize::from(area.height);
        if height == 0 {
            return;
        }
        let seen = self.selected.unwrap_or(0);
        // With the line after it, where there is room: what follows belongs to it.
        let end = (seen + 2).min(lines.len());
        let least = end.saturating_sub(height).min(seen);
        self.scroll = self.scroll.clamp(least, seen);
        self.scroll = self.scroll.min(lines.len().saturating_sub(height));
        if let Some(line) = self.selected.and_then(|place| lines.get_mut(place)) {
            *line = std::mem::take(line).style(theme.selected());
        }
        let shown = lines.into_iter().skip(self.scroll).take(height);
        Paragraph::new(Text::from(shown.collect::<Vec<_>>())).render(area, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Style;

    #[test]
    fn a_list_without_room_draws_nothing() {
        let mut listing = Listing::default();
        listing.select(Some(3));
        for height in [0, 1, 2, 9] {
            let area = Rect::new(0, 0, 10, height);
            let mut buffer = Buffer::empty(area);
            let lines = ["a", "b", "c", "d"].map(Line::raw).to_vec();
            listing.draw((area, &mut buffer), lines, Theme::of(Style::UNCOLOURED));
            let shown: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
            assert_eq!(shown.contains('d'), height > 0, "{shown}");
        }
    }
}
