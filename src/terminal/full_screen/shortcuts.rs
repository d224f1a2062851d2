//! Keys that stand for a command each.

use ratatui::crossterm::event::KeyCode;

use super::theme::Theme;
use crate::terminal::request::{help, section};

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

impl Shortcut {
    pub(super) fn has(&self, key: KeyCode) -> bool {
        // Many programs have their help there; some terminals keep the key to themselves.
        let is_help = matches!(self.does, ShortcutDoes::Help);
        self.key == key || is_help && key == KeyCode::F(1)
    }
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

/// What keys and the mouse do, then the commands, in lines of at most so many columns.
pub(super) fn help_text(theme: Theme, width: usize) -> String {
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
        ("? F1", "show this list"),
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
    let shortcuts = SHORTCUTS.iter().map(|shortcut| shortcut.label.into());
    let shortcuts = shortcuts.filter(|(key, _)| *key != "?");
    let mut text = String::new();
    section(&mut text, "keys", keys.into_iter().chain(shortcuts), width);
    text + &help(width)
}
