//! What all kinds of cells have in common.

use maud::{Markup, html};

use crate::drawing::legend::{SideColour, Symbol};

/// The room that a letter of a symbol takes.
const LETTER: usize = 9;
/// The height of what stands on a cell.
const HEIGHT: usize = 30;

/// The width of what stands on a cell: as wide as high, or wider for long symbols.
pub(super) fn piece_width(letters: usize) -> usize {
    HEIGHT.max(letters * LETTER + 12)
}

/// What stands on a cell, around a point.
pub(super) fn piece(symbol: &Symbol, content: &str, (x, y): (usize, usize)) -> Markup {
    let width = piece_width(symbol.text.chars().count());
    html! {
        g class={ "piece " (symbol.colour.class()) } {
            title { (content) }
            rect x=(x - width / 2) y=(y - HEIGHT / 2) width=(width) height=(HEIGHT) rx=(HEIGHT / 2) {}
            text x=(x) y=(y + 5) text-anchor="middle" { (symbol.text) }
        }
    }
}

/// A picture of this size.
pub(super) fn picture((width, height): (usize, usize), title: &str, inside: &Markup) -> Markup {
    html! {
        svg.board width=(width) height=(height)
            viewBox={ "0 0 " (width) " " (height) } role="img" {
            title { (title) }
            (inside)
        }
    }
}

impl SideColour {
    /// The class of things of this colour in the style sheet.
    pub(super) fn class(self) -> &'static str {
        const OTHERS: [&str; SideColour::OTHERS] =
            ["side0", "side1", "side2", "side3", "side4", "side5"];
        match self {
            Self::Named(name) => name,
            Self::Other(number) => OTHERS[number % OTHERS.len()],
            Self::Neutral => "",
        }
    }
}
