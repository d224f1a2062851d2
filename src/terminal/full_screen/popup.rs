//! What is shown in front of the board for a moment.

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Borders, Clear, Paragraph, Wrap};

use super::list::Listing;
use super::theme::Theme;

/// A text to read, or moves to choose from.
pub(super) enum Popup {
    Text {
        title: &'static str,
        text: Text<'static>,
        scroll: u16,
        area: Rect,
    },
    Moves {
        moves: Vec<String>,
        listing: Listing,
    },
}

/// What becomes of a popup.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PopupAnswer {
    Stays,
    Closes,
    Move(String),
}

impl Popup {
    pub(super) fn text(title: &'static str, text: Text<'static>) -> Self {
        Self::Text {
            title,
            text,
            scroll: 0,
            area: Rect::ZERO,
        }
    }

    pub(super) fn moves(moves: Vec<String>) -> Self {
        let mut listing = Listing::default();
        listing.select(Some(0));
        Self::Moves { moves, listing }
    }

    pub(super) fn key(&mut self, key: KeyCode) -> PopupAnswer {
        match self {
            Self::Text { scroll, area, .. } => {
                let page = area.height.saturating_sub(3);
                *scroll = match key {
                    KeyCode::Down => scroll.saturating_add(1),
                    KeyCode::Up => scroll.saturating_sub(1),
                    KeyCode::PageDown | KeyCode::Char(' ') => scroll.saturating_add(page),
                    KeyCode::PageUp => scroll.saturating_sub(page),
                    KeyCode::Home => 0,
                    _ => return PopupAnswer::Closes,
                };
                PopupAnswer::Stays
            }
            Self::Moves { moves, listing } => {
                match key {
                    KeyCode::Down => listing.step(1, moves.len()),
                    KeyCode::Up => listing.step(-1, moves.len()),
                    KeyCode::Enter => return chosen(moves, listing.selected()),
                    _ => return PopupAnswer::Closes,
                }
                PopupAnswer::Stays
            }
        }
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> PopupAnswer {
        let place = Position::new(mouse.column, mouse.row);
        match (self, mouse.kind) {
            (Self::Text { scroll, .. }, MouseEventKind::ScrollDown) => {
                *scroll = scroll.saturating_add(3);
            }
            (Self::Text { scroll, .. }, MouseEventKind::ScrollUp) => {
                *scroll = scroll.saturating_sub(3);
            }
            (Self::Text { .. }, MouseEventKind::Down(_)) => return PopupAnswer::Closes,
            (Self::Moves { moves, listing }, MouseEventKind::Down(_)) => {
                return chosen(moves, listing.at(place));
            }
            _ => {}
        }
        PopupAnswer::Stays
    }

    pub(super) fn draw(&mut self, frame: &mut Frame<'_>, theme: Theme) {
        let screen = frame.area();
        match self {
            Self::Text {
                title,
                text,
                scroll,
                area,
            } => {
                let widest = text.lines.iter().map(Line::width).max().unwrap_or(0);
                let width = fitting(widest + 4).clamp(30, screen.width.saturating_sub(4).max(30));
                // Lines that are wrapped take more.
                let inner = usize::from(width.saturating_sub(4)).max(1);
                let lines = text
                    .lines
                    .iter()
                    .map(|line| line.width().max(1).div_ceil(inner));
                let height = fitting(lines.sum::<usize>() + 2);
                *area = centered(screen, (width, height));
                *scroll = (*scroll).min(height.saturating_sub(area.height));
                let is_whole = height <= area.height;
                let keys = if is_whole {
                    "Esc closes"
                } else {
                    "arrows scroll, Esc closes"
                };
                let block = theme.frame(format!(" {title} "), Borders::ALL);
                let block = block.title_bottom(Line::from(format!(" {keys} ")).right_aligned());
                let inner = block.inner(*area);
                frame.render_widget(Clear, *area);
                frame.render_widget(block, *area);
                let text = Paragraph::new(text.clone()).wrap(Wrap { trim: false });
                frame.render_widget(text.scroll((*scroll, 0)), inner);
            }
            Self::Moves { moves, listing } => {
                let widest = moves.iter().map(|mv| mv.chars().count()).max().unwrap_or(0);
                let height = fitting(moves.len() + 2);
                let area = centered(screen, (fitting(widest + 4).max(24), height));
                let block = theme.frame(" which move? ", Borders::ALL);
                let inner = block.inner(area);
                frame.render_widget(Clear, area);
                frame.render_widget(block, area);
                let lines: Vec<Line<'_>> = moves.iter().map(|mv| format!(" {mv}").into()).collect();
                listing.draw((inner, frame.buffer_mut()), lines, theme);
            }
        }
    }
}

/// The most columns of a text that is easy to read, and that are shown in front of a screen.
pub(super) fn widest_text(screen: Rect) -> usize {
    const WIDEST: u16 = 100;
    usize::from(screen.width.saturating_sub(8).min(WIDEST))
}

/// The move at this place, if there is one.
fn chosen(moves: &[String], place: Option<usize>) -> PopupAnswer {
    let mv = place.and_then(|place| moves.get(place));
    mv.map_or(PopupAnswer::Closes, |mv| PopupAnswer::Move(mv.clone()))
}

/// A size on the screen: as much as it can be, where it is more.
fn fitting(size: usize) -> u16 {
    u16::try_from(size).unwrap_or(u16::MAX)
}

fn centered(screen: Rect, (width, height): (u16, u16)) -> Rect {
    let (width, height) = (width.min(screen.width), height.min(screen.height));
    Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    }
}
