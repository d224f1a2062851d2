//! Ctrl-C and other signals that ask the program to end.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use anstyle::Reset;

use crate::cli::failure::Outcome;
use crate::cli::style;
use crate::cli::terminal_modes::TerminalModes;
use crate::terminal::Interrupts;
use crate::util::StopFlag;

/// Signals within this time count as one Ctrl-C: `timeout`, for example, signals a program and then its whole group.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// Ctrl-C ends the program at once, unless some work polls the flag and ends by itself; then a second Ctrl-C does. While the
/// machine thinks in a game with a person, Ctrl-C makes it move.
#[derive(Debug, Default)]
pub(super) struct Interrupt {
    is_raised: StopFlag,
    is_watched: Arc<AtomicBool>,
    of_play: Interrupts,
}

impl Interrupt {
    /// Installs the handler; `color` is for its message on standard error.
    pub(super) fn catch(color: ColorChoice) -> Self {
        let interrupt = Self::default();
        let is_raised = interrupt.is_raised.clone();
        let is_watched = Arc::clone(&interrupt.is_watched);
        let of_play = interrupt.of_play.clone();
        let modes = TerminalModes::now();
        let mut first = None;
        let mut last: Option<Instant> = None;
        let handler = move || {
            let before = last.replace(Instant::now());
            let is_press = before.is_none_or(|before| before.elapsed() > ONE_PRESS);
            if of_play.is_thinking() && (!is_press || of_play.press()) {
                return;
            }
            is_raised.raise();
            let is_second = first.get_or_insert_with(Instant::now).elapsed() > ONE_PRESS;
            if is_second || !is_watched.load(Ordering::Relaxed) {
                modes.restore();
                end(color);
            }
        };
        if let Err(fault) = ctrlc::set_handler(handler) {
            tracing::debug!("Ctrl-C cannot be handled: {fault}");
        }
        interrupt
    }

    /// What Ctrl-C means while the machine thinks.
    pub(super) fn of_play(&self) -> Interrupts {
        self.of_play.clone()
    }

    /// The flag that Ctrl-C raises, for work that polls it.
    pub(super) fn watch(&self) -> StopFlag {
        self.is_watched.store(true, Ordering::Relaxed);
        self.is_raised.clone()
    }
}

/// Ends the program and resets the terminal: the last output may have ended within a line, or in bold type.
fn end(color: ColorChoice) -> ! {
    let mut stream = AutoStream::new(io::stderr(), color);
    let line_feed = match io::stderr().is_terminal() {
        true => "\n",
        false => "",
    };
    let error = style::ERROR;
    // A closed standard error is no reason not to end.
    let _ = writeln!(
        stream,
        "{}{line_feed}{error}error{error:#}: interrupted",
        Reset.render()
    );
    process::exit(Outcome::Interrupted.status().into())
}
