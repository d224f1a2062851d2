//! What every command works with: the two streams, colour, the log and Ctrl-C.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;

use crate::cli::failure::Failure;
use crate::cli::full_screen::WholeScreen;
use crate::cli::global::{ColorWhen, GlobalArgs};
use crate::cli::interrupt::Interrupt;
use crate::cli::style;
use crate::terminal::Interrupts;
use crate::util::{Deadline, StopFlag};

/// An output that drops colour where none is wanted, so that commands always write it.
pub(super) type Stream<'s> = AutoStream<&'s mut (dyn Write + 'static)>;

/// The streams and settings of one run of the program.
pub(super) struct Console<'s> {
    /// Data.
    pub(super) out: Stream<'s>,
    /// Everything else.
    pub(super) err: Stream<'s>,
    /// Whether hints and progress are unwanted.
    pub(super) quiet: bool,
    /// Whether more is printed than usual.
    pub(super) verbose: bool,
    /// When the program began.
    started: Instant,
    interrupt: Interrupt,
}

impl<'s> Console<'s> {
    /// A console as the global options ask for it.
    pub(super) fn new(
        global: &GlobalArgs,
        stdout: &'s mut (dyn Write + 'static),
        stderr: &'s mut (dyn Write + 'static),
    ) -> Self {
        start_log(global);
        let (out, err) = colors(global.color);
        Self {
            out: AutoStream::new(stdout, out),
            err: AutoStream::new(stderr, err),
            quiet: global.quiet,
            verbose: global.verbose > 0,
            started: Instant::now(),
            interrupt: Interrupt::catch(err),
        }
    }

    /// The console for messages about an invalid command line.
    pub(super) fn plain(
        stdout: &'s mut (dyn Write + 'static),
        stderr: &'s mut (dyn Write + 'static),
    ) -> Self {
        let (out, err) = colors(ColorWhen::Auto);
        Self {
            out: AutoStream::new(stdout, out),
            err: AutoStream::new(stderr, err),
            quiet: false,
            verbose: false,
            started: Instant::now(),
            interrupt: Interrupt::default(),
        }
    }

    /// Writes one JSON object on a line of its own.
    pub(super) fn json(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        // In one piece: each write is searched for escape sequences.
        let mut line = serde_json::to_vec(object)?;
        line.push(b'\n');
        Ok(self.out.write_all(&line)?)
    }

    /// Writes what is wrong and how to correct it.
    pub(super) fn error(&mut self, message: &str, help: Option<&str>) -> io::Result<()> {
        let (error, advice) = (style::ERROR, style::HELP);
        writeln!(self.err, "{error}error{error:#}: {message}")?;
        match help {
            Some(help) => writeln!(self.err, " {advice}help{advice:#}: {help}"),
            None => Ok(()),
        }
    }

    /// Writes why a command failed where it belongs: help that was asked for is data.
    pub(super) fn failure(&mut self, failure: Failure) -> io::Result<()> {
        match failure {
            Failure::PipeClosed => Ok(()),
            Failure::Clap(fault) if fault.use_stderr() => {
                write!(self.err, "{}", fault.render().ansi())
            }
            Failure::Clap(help) => write!(self.out, "{}", help.render().ansi()),
            Failure::Message { message, help, .. } => self.error(&message, help.as_deref()),
        }
    }

    /// Writes a remark that `--quiet` silences.
    pub(super) fn hint(&mut self, remark: &str) -> Result<(), Failure> {
        if !self.quiet {
            let faint = style::FAINT;
            writeln!(self.err, "{faint}{remark}{faint:#}")?;
        }
        Ok(())
    }

    /// The exit status of a command that was interrupted.
    pub(super) fn interrupted_status(&self) -> u8 {
        self.interrupt.status()
    }

    /// What Ctrl-C means while a person plays.
    pub(super) fn interrupts_of_play(&self) -> Interrupts {
        self.interrupt.of_play()
    }

    /// The whole screen of the terminal.
    pub(super) fn whole_screen(&self) -> WholeScreen {
        self.interrupt.screen()
    }

    /// A flag that Ctrl-C raises, for work that may take long. A second Ctrl-C ends the program at once, and so does the
    /// first one where this flag was not requested.
    pub(super) fn stop_flag(&self) -> StopFlag {
        self.interrupt.watch()
    }

    /// A deadline that Ctrl-C brings forward; with `time`, it is so long after the program began.
    pub(super) fn deadline(&self, time: Option<Duration>) -> Deadline {
        Deadline::new(time.map(|time| self.started + time), &self.stop_flag())
    }
}

/// The choice for standard output and standard error.
fn colors(when: ColorWhen) -> (ColorChoice, ColorChoice) {
    match when {
        ColorWhen::Always => (ColorChoice::AlwaysAnsi, ColorChoice::AlwaysAnsi),
        ColorWhen::Never => (ColorChoice::Never, ColorChoice::Never),
        ColorWhen::Auto => (
            AutoStream::choice(&io::stdout()),
            AutoStream::choice(&io::stderr()),
        ),
    }
}

/// Log lines go to standard error; `KOLIBRI_LOG` overrides `-v` and `-q` with a filter such as `kolibri::engine=debug`.
fn start_log(global: &GlobalArgs) {
    let level = match (global.quiet, global.verbose) {
        (true, _) => LevelFilter::ERROR,
        (false, 0) => LevelFilter::WARN,
        (false, 1) => LevelFilter::INFO,
        (false, 2) => LevelFilter::DEBUG,
        (false, _) => LevelFilter::TRACE,
    };
    let filter = EnvFilter::try_from_env("KOLIBRI_LOG")
        .unwrap_or_else(|_| EnvFilter::default().add_directive(level.into()));
    let ansi = colors(global.color).1 != ColorChoice::Never;
    // A log that is already there (in tests of the library) stays.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(ansi)
        .with_target(false)
        .without_time()
        .try_init();
}
