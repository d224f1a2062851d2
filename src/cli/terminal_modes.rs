//! The modes of the terminal, and what was typed there and not read yet.

use std::io;

#[cfg(unix)]
use rustix::termios::{self, OptionalActions, QueueSelector, Termios};

/// The modes that the terminal had, if standard input is one. Elsewhere than on Unix, the editor of lines leaves them as
/// they are.
#[derive(Debug, Clone)]
pub(super) struct TerminalModes(#[cfg(unix)] Option<Termios>);

impl TerminalModes {
    /// The modes at this time.
    pub(super) fn now() -> Self {
        Self(
            #[cfg(unix)]
            termios::tcgetattr(io::stdin()).ok(),
        )
    }

    /// Makes them those of the terminal again.
    pub(super) fn restore(&self) {
        #[cfg(unix)]
        if let Some(modes) = &self.0 {
            // There is nobody left to be told.
            let _ = termios::tcsetattr(io::stdin(), OptionalActions::Now, modes);
        }
    }
}

/// Shows no longer what is typed, where the system can be told so; the modes that were.
pub(super) fn hide_typing() -> TerminalModes {
    let before = TerminalModes::now();
    #[cfg(unix)]
    if let Some(modes) = &before.0 {
        let mut hidden = modes.clone();
        hidden
            .local_modes
            .remove(termios::LocalModes::ECHO | termios::LocalModes::ECHONL);
        // Where that fails, the letters are seen.
        let _ = termios::tcsetattr(io::stdin(), OptionalActions::Now, &hidden);
    }
    before
}

/// Drops what was typed and not read yet, where the system can be told so.
pub(super) fn discard_input() -> io::Result<()> {
    #[cfg(unix)]
    termios::tcflush(io::stdin(), QueueSelector::IFlush)?;
    Ok(())
}
