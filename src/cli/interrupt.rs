//! Ctrl-C, and other polite requests to end.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use anstyle::Reset;

use crate::cli::failure::Outcome;
use crate::cli::style;
use crate::util::StopFlag;

/// What comes sooner after the first Ctrl-C is no second one: `timeout`, for one, asks a program and then all of its group.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// Ctrl-C ends the program at once, but where some work watches for it and ends by itself: then the second one does.
#[derive(Debug, Default)]
pub(super) struct Interrupt {
    is_raised: StopFlag,
    is_watched: Arc<AtomicBool>,
}

impl Interrupt {
    /// From now on Ctrl-C is ours; messages on standard error are coloured like this.
    pub(super) fn catch(color: ColorChoice) -> Self {
        let interrupt = Self::default();
        let is_raised = interrupt.is_raised.clone();
        let is_watched = Arc::clone(&interrupt.is_watched);
        let mut first = None;
        let handler = move || {
            is_raised.raise();
            let is_second = first.get_or_insert_with(Instant::now).elapsed() > ONE_PRESS;
            if is_second || !is_watched.load(Ordering::Relaxed) {
                end(color);
            }
        };
        if let Err(fault) = ctrlc::set_handler(handler) {
            tracing::debug!("Ctrl-C cannot be handled: {fault}");
        }
        interrupt
    }

    /// The flag that Ctrl-C raises, for work that looks at it again and again.
    pub(super) fn watch(&self) -> StopFlag {
        self.is_watched.store(true, Ordering::Relaxed);
        self.is_raised.clone()
    }
}

/// Leaves a terminal in order: what was written last may have ended in the midst of a line, or of bold type.
fn end(color: ColorChoice) -> ! {
    let mut stream = AutoStream::new(io::stderr(), color);
    let line_feed = match io::stderr().is_terminal() {
        true => "\n",
        false => "",
    };
    let error = style::ERROR;
    // When standard error is closed there is nobody to tell.
    let _ = writeln!(
        stream,
        "{}{line_feed}{error}error{error:#}: interrupted",
        Reset.render()
    );
    process::exit(Outcome::Interrupted.status().into())
}
