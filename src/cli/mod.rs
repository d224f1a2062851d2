//! The command line: what was typed → a plan → a command.
//!
//! `Args` is exactly what was typed and has no effects. Each command in `commands` turns its part of it into a plan
//! (files read, engines chosen) and carries it out. The only room that prints, reads the environment or sets up logging.

mod args;
mod by_role;
mod commands;
mod failure;
mod game;
mod glob;
mod interrupt;
mod move_text;
mod number;
mod position;
mod seconds;
mod session;
mod status_line;
mod table;
mod thinking;
mod threads;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use args::Args;
use failure::{Failure, Outcome};
use session::Session;

/// Does what the words of a command line ask for and says how it went: 0 done, 1 the thing checked failed, 2 wrong
/// usage, 130 interrupted.
///
/// `args` begins with the name of the program. Data goes to `stdout`, everything else to `stderr`.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    stdout: &mut (dyn Write + 'static),
    stderr: &mut (dyn Write + 'static),
) -> ExitCode {
    let (session, ended) = match Args::try_parse_from(args) {
        Ok(args) => {
            let mut session = Session::new(&args.global, stdout, stderr);
            let ended = commands::run(args.command, &mut session);
            (session, ended)
        }
        Err(fault) => (Session::plain(stdout, stderr), Err(Failure::Clap(fault))),
    };
    ExitCode::from(close(session, ended))
}

/// Tells what went wrong, and gives the exit status.
fn close(mut session: Session<'_>, ended: Result<Outcome, Failure>) -> u8 {
    let ended = ended.and_then(|outcome| {
        session.out.flush()?;
        Ok(outcome)
    });
    match ended {
        Ok(outcome) => outcome.status(),
        Err(failure) => {
            let status = failure.status();
            // When even standard error is closed there is nobody left to tell.
            let _ = failure.tell(&mut session);
            status
        }
    }
}
