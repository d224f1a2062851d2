//! Ctrl-C and other signals that ask the program to end.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use anstyle::Reset;

use crate::cli::failure::Outcome;
use crate::cli::full_screen::WholeScreen;
use crate::cli::style;
use crate::cli::terminal_modes::TerminalModes;
use crate::play::end_programs;
use crate::terminal::Interrupts;
use crate::util::StopFlag;

/// Signals within this time count as one Ctrl-C: `timeout`, for example, signals a program and then its whole group.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// Signals that ask the program to end do so at once, unless some work polls the flag and ends by itself; then a second
/// one does. While a person plays, Ctrl-C makes the machine move, or asks the person first.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupt {
    is_raised: StopFlag,
    is_watched: Arc<AtomicBool>,
    first: Arc<Mutex<Option<Instant>>>,
    /// The exit status of a program that was ended by the signal that came last; 0 if none came.
    status: Arc<AtomicU8>,
    of_play: Interrupts,
    screen: WholeScreen,
}

/// How a program ends that got a signal: the message, and the exit status by which shells know the signal.
#[derive(Debug, Clone, Copy)]
struct Ending {
    message: &'static str,
    status: u8,
}

const INTERRUPTED: Ending = Ending {
    message: "interrupted",
    status: 130,
};

impl Interrupt {
    /// Installs the handlers; `color` is for the message on standard error.
    pub(super) fn catch(color: ColorChoice) -> Self {
        let interrupt = Self::default();
        let modes = TerminalModes::now();
        interrupt.catch_end_signals(modes.clone(), color);
        let caught = interrupt.clone();
        let handler = move || {
            if !caught.of_play.press() {
                caught.end(INTERRUPTED, &modes, color);
            }
        };
        if let Err(fault) = ctrlc::set_handler(handler) {
            tracing::debug!("Ctrl-C cannot be handled: {fault}");
        }
        interrupt
    }

    /// Other signals end the program, whoever plays.
    #[cfg(unix)]
    fn catch_end_signals(&self, modes: TerminalModes, color: ColorChoice) {
        use signal_hook::consts::{SIGHUP, SIGTERM, SIGXFSZ};
        use signal_hook::iterator::Signals;
        // A file that may not grow is told by an error, and not by the end of the program.
        let mut caught = vec![SIGTERM, SIGXFSZ];
        // `nohup` lets programs live on when their terminal is closed.
        if !is_ignored(SIGHUP) {
            caught.push(SIGHUP);
        }
        let mut signals = match Signals::new(caught) {
            Ok(signals) => signals,
            Err(fault) => return tracing::debug!("signals cannot be handled: {fault}"),
        };
        let interrupt = self.clone();
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let ending = match signal {
                    SIGXFSZ => continue,
                    SIGHUP => Ending {
                        message: "the terminal was closed",
                        status: 129,
                    },
                    _ => Ending {
                        message: "terminated",
                        status: 143,
                    },
                };
                interrupt.end(ending, &modes, color);
            }
        });
    }

    #[cfg(not(unix))]
    fn catch_end_signals(&self, _: TerminalModes, _: ColorChoice) {}

    /// Ends the program, or the work that polls the flag.
    fn end(&self, ending: Ending, modes: &TerminalModes, color: ColorChoice) {
        self.status.store(ending.status, Ordering::Relaxed);
        self.is_raised.raise();
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let is_second = first.get_or_insert_with(Instant::now).elapsed() > ONE_PRESS;
        if is_second || !self.is_watched.load(Ordering::Relaxed) {
            self.of_play.wait_for_writing();
            self.screen.close();
            modes.restore();
            exit(ending, color);
        }
    }

    /// What Ctrl-C means while a person plays.
    pub(super) fn of_play(&self) -> Interrupts {
        self.of_play.clone()
    }

    /// The whole screen of the terminal, which is given back before the program ends.
    pub(super) fn screen(&self) -> WholeScreen {
        self.screen.clone()
    }

    /// The flag that these signals raise, for work that polls it.
    pub(super) fn watch(&self) -> StopFlag {
        if !self.is_watched.swap(true, Ordering::Relaxed) {
            tracing::debug!("from now on, Ctrl-C lets the work in progress end by itself");
        }
        self.is_raised.clone()
    }

    /// The exit status of a program that was interrupted.
    pub(super) fn status(&self) -> u8 {
        match self.status.load(Ordering::Relaxed) {
            0 => Outcome::Interrupted.status(),
            status => status,
        }
    }
}

/// Whether the program was started with this signal ignored, where the system tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Ends the program and resets the terminal: the last output may have ended within a line, or in bold type.
fn exit(ending: Ending, color: ColorChoice) -> ! {
    end_programs();
    let mut stream = AutoStream::new(io::stderr(), color);
    let line_feed = match io::stderr().is_terminal() {
        true => "\n",
        false => "",
    };
    let (error, message) = (style::ERROR, ending.message);
    // A closed standard error is no reason not to end.
    let _ = writeln!(
        stream,
        "{}{line_feed}{error}error{error:#}: {message}",
        Reset.render()
    );
    process::exit(ending.status.into())
}
