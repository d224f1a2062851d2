//! What is being done just now, on a line that is written over.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A line on standard error, where that is a terminal.
pub(in crate::cli) struct StatusLine {
    is_shown: bool,
    last: Option<Instant>,
}

impl StatusLine {
    /// A line, unless it is unwanted.
    pub(in crate::cli) fn new(quiet: bool) -> Self {
        Self {
            is_shown: !quiet && io::stderr().is_terminal(),
            last: None,
        }
    }

    /// Shows what is being done, a few times per second at most.
    pub(in crate::cli) fn show(&mut self, doing: &str) {
        const PAUSE: Duration = Duration::from_millis(100);
        let is_due = self.last.is_none_or(|last| last.elapsed() >= PAUSE);
        if self.is_shown && is_due {
            self.last = Some(Instant::now());
            // Whoever closed the terminal does not read it.
            let _ = write!(io::stderr(), "\r\x1b[K{doing}");
        }
    }

    /// Clears the line.
    pub(in crate::cli) fn clear(&mut self) {
        if self.is_shown && self.last.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
