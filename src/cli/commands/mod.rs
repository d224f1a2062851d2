//! The commands, one file each: `Args` is what was typed, `run` plans and does it.

pub(super) mod bench;
pub(super) mod check;
pub(super) mod compare;
pub(super) mod completions;
pub(super) mod fmt;
pub(super) mod games;
pub(super) mod generate;
pub(super) mod info;
pub(super) mod man;
pub(super) mod matches;
pub(super) mod moves;
pub(super) mod perft;
pub(super) mod play;
pub(super) mod search;
pub(super) mod show;
pub(super) mod verify;

use crate::cli::args::Command;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::session::Session;

/// Carries out the command.
pub(super) fn run(command: Command, session: &mut Session<'_>) -> Result<Outcome, Failure> {
    match command {
        Command::Check(args) => check::run(&args, session),
        Command::Fmt(args) => fmt::run(&args, session),
        Command::Compare(args) => compare::run(&args, session),
        Command::Info(args) => info::run(&args, session),
        Command::Show(args) => show::run(&args, session),
        Command::Moves(args) => moves::run(&args, session),
        Command::Perft(args) => perft::run(&args, session),
        Command::Bench(args) => bench::run(&args, session),
        Command::Match(args) => matches::run(&args, session),
        Command::Play(args) => play::run(&args, session),
        Command::Search(args) => search::run(&args, session),
        Command::Verify(args) => verify::run(&args, session),
        Command::Games(args) => games::run(&args, session),
        Command::Generate(args) => generate::run(&args, session),
        Command::Completions(args) => completions::run(&args, session),
        Command::Man(args) => man::run(&args, session),
    }
}
