//! Colours and signs of the screen, as many as the terminal has.

use ansi_to_tui::IntoText;
use ratatui::style::{Color, Modifier, Style as Paint};
use ratatui::symbols::border;
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, Borders};

use crate::drawing::Style;

/// How everything is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Theme {
    pub(super) has_colors: bool,
    pub(super) has_unicode: bool,
}

/// What stands out on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SquareMark {
    /// The best move leads here.
    Advised,
    /// It may be chosen next.
    Next,
    /// It was chosen.
    Chosen,
    /// The keys choose it.
    Cursor,
}

const ASCII: border::Set<'_> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

impl Theme {
    pub(super) fn of(style: Style) -> Self {
        Self {
            has_colors: style.color,
            has_unicode: style.unicode,
        }
    }

    /// Text with escape sequences; its colours are dropped where none are wanted.
    pub(super) fn text(self, ansi: &str) -> Text<'static> {
        let text = ansi.into_text();
        let mut text = text.unwrap_or_else(|_| Text::raw(ansi.to_owned()));
        if !self.has_colors {
            let spans = text.lines.iter_mut().flat_map(|line| &mut line.spans);
            spans.for_each(|span| span.style = without_colors(span.style));
        }
        text
    }

    pub(super) fn frame(self, title: impl Into<Line<'static>>, borders: Borders) -> Block<'static> {
        let set = if self.has_unicode {
            border::PLAIN
        } else {
            ASCII
        };
        let block = Block::new().borders(borders).border_set(set);
        block.border_style(self.faint()).title(title)
    }

    pub(super) fn strong(self) -> Paint {
        Paint::new().add_modifier(Modifier::BOLD)
    }

    pub(super) fn faint(self) -> Paint {
        Paint::new().add_modifier(Modifier::DIM)
    }

    pub(super) fn selected(self) -> Paint {
        Paint::new().add_modifier(Modifier::REVERSED)
    }

    /// How a marked square is painted, and what stands beside it where colours do not tell.
    pub(super) fn mark(self, mark: SquareMark) -> (Paint, Option<[&'static str; 2]>) {
        let on = |color| Paint::new().fg(Color::Black).bg(color);
        match (mark, self.has_colors) {
            (SquareMark::Cursor, true) => (self.selected(), None),
            (SquareMark::Chosen, true) => (on(Color::Yellow), None),
            (SquareMark::Next, true) => (on(Color::Green), None),
            (SquareMark::Advised, true) => (on(Color::Cyan), None),
            (SquareMark::Cursor, false) => (self.selected(), Some([">", "<"])),
            (SquareMark::Chosen, false) => (self.strong(), Some(["*", "*"])),
            (SquareMark::Next, false) => (self.strong(), Some(["(", ")"])),
            (SquareMark::Advised, false) => (self.strong(), Some(["!", "!"])),
        }
    }

    /// A bar of `width` columns, of which this share is full.
    pub(super) fn bar(self, share: f64, width: usize) -> String {
        let (full, empty) = if self.has_unicode {
            ("█", "░")
        } else {
            ("#", ".")
        };
        let filled = (share.clamp(0.0, 1.0) * width as f64).round() as usize;
        full.repeat(filled) + &empty.repeat(width - filled)
    }
}

fn without_colors(paint: Paint) -> Paint {
    Paint {
        fg: None,
        bg: None,
        ..paint
    }
}
