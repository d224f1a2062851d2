//! How boards are drawn.

use std::io;

use anstream::ColorChoice;
use terminal_size::{Width, terminal_size_of};

use crate::cli::console::Console;
use crate::drawing::Style;

/// Options about boards.
#[derive(Debug, Default, clap::Args)]
pub(super) struct BoardArgs {
    /// Draw boards with ASCII characters alone
    #[arg(long)]
    ascii: bool,
    /// Number the squares of boards, row by row from the top: in checkers 1 to 32
    #[arg(long)]
    numbers: bool,
}

impl BoardArgs {
    /// How to draw on the standard output of this console.
    pub(super) fn style(&self, console: &Console<'_>) -> Style {
        const WIDTH: usize = 100;
        Style {
            unicode: !self.ascii && !is_plain_locale(),
            color: console.out.current_choice() != ColorChoice::Never,
            width: terminal_width().unwrap_or(WIDTH),
            numbers: self.numbers,
        }
    }
}

/// Columns of the terminal: as the environment variable `COLUMNS` says, or as standard output is wide.
pub(super) fn terminal_width() -> Option<usize> {
    let named = std::env::var("COLUMNS").ok();
    let named = named.and_then(|text| text.parse().ok());
    let measured = || terminal_size_of(io::stdout()).map(|(Width(columns), _)| columns.into());
    let columns: Option<usize> = named.or_else(measured);
    columns.map(|columns| columns.clamp(20, 1000))
}

/// Whether the environment names a character set without box-drawing characters; without one, terminals are assumed to
/// have them.
fn is_plain_locale() -> bool {
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    locale.is_some_and(|locale| {
        let locale = locale.to_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}
