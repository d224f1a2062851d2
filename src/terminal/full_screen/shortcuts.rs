//! Keys that stand for a command each.

use std::fmt::Write;

use ratatui::crossterm::event::KeyCode;

use super::theme::Theme;
use crate::terminal::request::help;

/// A key, or a click on its name.
#[derive(Debug)]
pub(super) struct Shortcut {
    pub(super) key: KeyCode,
    /// The key and what it does, as the last line of the screen has it.
    pub(super) label: [&'static str; 2],
    pub(super) does: ShortcutDoes,
}

/// What a shortcut does.
#[derive(Debug)]
pub(super) enum ShortcutDoes {
    Help,
    /// Begins or ends the analysis.
    Analyse,
    /// The same as this line when it is typed. The `/` keeps it from a move that is called so.
    Command(&'static str),
}

const fn command(number: u8, label: [&'static str; 2], line: &'static str) -> Shortcut {
    Shortcut {
        key: KeyCode::F(number),
        label,
        does: ShortcutDoes::Command(line),
    }
}

pub(super) const SHORTCUTS: &[Shortcut] = &[
    Shortcut {
        key: KeyCode::Char('?'),
        label: ["?", "help"],
        does: ShortcutDoes::Help,
    },
    command(2, ["F2", "hint"], "/hint"),
    Shortcut {
        key: KeyCode::F(3),
        label: ["F3", "analysis"],
        does: ShortcutDoes::Analyse,
    },
    command(4, ["F4", "flip"], "/flip"),
    command(5, ["F5", "undo"], "/undo"),
    command(6, ["F6", "redo"], "/redo"),
    command(8, ["F8", "new"], "/new"),
    command(9, ["F9", "quit"], "/quit"),
];

/// The columns that the help takes.
const WIDTH: usize = 72;

/// What keys and the mouse do, then the commands.
pub(super) fn help_text(theme: Theme) -> String {
    let arrows = if theme.has_unicode {
        "← → ↑ ↓"
    } else {
        "arrows"
    };
    let keys = [
        (
            arrows,
            "move the cursor on the board, in the moves or the history",
        ),
        (
            "Enter",
            "chooses the square, plays the move, goes to the ply",
        ),
        (
            "Tab",
            "goes to the moves, the history, the board; completes what was typed",
        ),
        (
            "letters",
            "name a move or a command; the moves that go on so are listed",
        ),
        (
            "Esc",
            "takes back squares, a look back or letters; while a machine thinks: move now",
        ),
        (
            "PgUp PgDn",
            "look at the positions before and after; Enter goes there",
        ),
        ("Ctrl-C", "leaves; while a machine thinks: move now"),
        (
            "mouse",
            "chooses squares, moves, plies and the words in the last line",
        ),
    ];
    let mut text = String::from("keys\n");
    for (key, meaning) in keys {
        let _ = writeln!(text, "  {key:<10} {meaning}");
    }
    for shortcut in SHORTCUTS.iter().filter(|shortcut| shortcut.label[0] != "?") {
        let [key, name] = shortcut.label;
        let _ = writeln!(text, "  {key:<10} {name}");
    }
    text + &help(WIDTH)
}
