//! The colours of a terminal.

use anstyle::{AnsiColor, Color, Style as Paint};

use super::Style;
use crate::drawing::legend::SideColour;

/// The colours of sides that name none, in the order in which they are given out.
const OTHERS: [AnsiColor; SideColour::OTHERS] = [
    AnsiColor::BrightYellow,
    AnsiColor::BrightCyan,
    AnsiColor::BrightMagenta,
    AnsiColor::BrightGreen,
    AnsiColor::BrightRed,
    AnsiColor::BrightBlue,
];

impl SideColour {
    /// How things of this colour are written.
    pub(super) fn paint(self) -> Paint {
        let colour = match self {
            Self::Named(name) => named(name),
            Self::Other(number) => OTHERS[number % OTHERS.len()],
            Self::Neutral => AnsiColor::BrightWhite,
        };
        Paint::new().bold().fg_color(Some(Color::Ansi(colour)))
    }
}

fn named(colour: &str) -> AnsiColor {
    match colour {
        "black" | "dark" | "blue" => AnsiColor::BrightBlue,
        "red" => AnsiColor::BrightRed,
        "green" => AnsiColor::BrightGreen,
        "yellow" | "gold" => AnsiColor::BrightYellow,
        "orange" => AnsiColor::Yellow,
        "pink" | "magenta" => AnsiColor::BrightMagenta,
        "purple" => AnsiColor::Magenta,
        "teal" => AnsiColor::BrightCyan,
        _ => AnsiColor::BrightWhite,
    }
}

/// The text in its colour, what has changed on another background.
pub(super) fn painted(text: &str, paint: Paint, is_changed: bool, style: Style) -> String {
    if !style.color {
        return text.to_owned();
    }
    let paint = if is_changed {
        paint.bg_color(Some(AnsiColor::BrightBlack.into()))
    } else {
        paint
    };
    format!("{paint}{text}{paint:#}")
}
