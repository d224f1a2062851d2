//! The command line: what was typed → a plan → a command.
//!
//! `CommandLine` is exactly what was typed and has no effects. Each module of `commands` turns its part of it into work
//! for the library, and prints what comes of it. The only module of the crate that prints, reads the environment or sets up
//! logging.

mod board;
mod by_role;
mod cache_args;
#[cfg(feature = "cluster")]
mod cluster_args;
mod command_line;
mod commands;
mod console;
mod failure;
mod faulty_game;
mod file_names;
mod full_screen;
mod game;
mod global;
mod hamming;
mod interrupt;
mod line_editor;
mod listen;
mod memory;
mod move_text;
mod number;
mod output_file;
mod page;
mod position;
mod record_args;
mod rule_file;
mod seconds;
mod space_args;
mod state_folder;
mod status_line;
mod style;
mod terminal_modes;
mod thinking;
mod thread_curve;
mod threads;
mod watch;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use command_line::{CommandLine, misread};
use console::Console;
use failure::{Failure, Outcome};

use crate::play::set_player_folders;

/// Does what the words of a command line ask for and says how it went: 0 done, 1 the thing checked failed, 2 wrong
/// usage, 130 interrupted by Ctrl-C, 143 or 129 by another signal that asks the program to end.
///
/// `args` begins with the name of the program. Data goes to `stdout`, everything else to `stderr`.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    stdout: &mut (dyn Write + 'static),
    stderr: &mut (dyn Write + 'static),
) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    set_player_folders(state_folder::player_folders());
    let (console, ended) = match CommandLine::try_parse_from(&args) {
        Ok(typed) => {
            let mut console = Console::new(&typed.global, stdout, stderr);
            let ended = typed.command.run(&CommandLine::command, &mut console);
            (console, ended)
        }
        Err(fault) => (Console::plain(stdout, stderr), Err(misread(fault, &args))),
    };
    ExitCode::from(close(console, ended))
}

/// Tells what went wrong, and gives the exit status.
fn close(mut console: Console<'_>, ended: Result<Outcome, Failure>) -> u8 {
    let ended = ended.and_then(|outcome| {
        console.out.flush()?;
        Ok(outcome)
    });
    let status = match ended {
        Ok(outcome) => outcome.status(),
        Err(failure) => {
            let status = failure.status();
            match console.failure(failure).and_then(|()| console.out.flush()) {
                // Help that was asked for and did not arrive.
                Err(fault) if status == 0 => {
                    let failure = Failure::from(fault);
                    let status = failure.status();
                    let _ = console.failure(failure);
                    status
                }
                // If standard error is closed as well, the exit status has to do.
                _ => status,
            }
        }
    };
    match status == Outcome::Interrupted.status() {
        true => console.interrupted_status(),
        false => status,
    }
}
