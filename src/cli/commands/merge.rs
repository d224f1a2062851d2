//! `kolibri merge`: the logs of several shards of a tournament become one.

use std::path::PathBuf;

use crate::cli::commands::standings::{ReportArgs, report, standings_of};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::number::counted;
use crate::cli::output_file::write_output;
use crate::tournament::{FinishedGame, MergeError, MergedLogs, NumberList};

const EXAMPLES: &str = "\
Examples:
  kolibri merge cup.*-of-8.games.jsonl                       the table of all shards
  kolibri merge cup.*-of-8.games.jsonl -o cup.games.jsonl    and one log, with which `tournament` goes on";

/// Put the logs of the shards of a tournament together
///
/// Everything is computed again from the games. Games that no log holds, and games that several logs hold, are told. The exit
/// status is 1 where games are missing.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct MergeArgs {
    /// Logs that `kolibri tournament` has written
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the games to one log
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

pub(in crate::cli) fn run(args: &MergeArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let [first, others @ ..] = &args.files[..] else {
        return Err(Failure::usage("there is no log to merge"));
    };
    let merged = MergedLogs::read(first, others)?;
    if let Some(path) = &args.output {
        let lines = merged.log.games.iter().map(FinishedGame::to_line);
        let text = merged.log.header.to_line() + &lines.collect::<String>();
        write_output(path, &text, args.report.replaces())?;
    }
    report(&standings_of(&merged.log)?, &args.report, console)?;
    let duplicates = merged.duplicates.len() as u64;
    if duplicates > 0 {
        let numbers: Vec<_> = merged
            .duplicates
            .iter()
            .map(|number| *number..=*number)
            .collect();
        let games = counted(duplicates, "game");
        console.hint(&format!(
            "{games} in several logs, counted once: {}",
            NumberList(&numbers)
        ))?;
    }
    let missing: u64 = merged
        .gaps
        .iter()
        .map(|gap| gap.end() - gap.start() + 1)
        .sum();
    if missing == 0 {
        return Ok(Outcome::Success);
    }
    let games = counted(missing, "game");
    let message = format!("{games} missing: {}", NumberList(&merged.gaps));
    Err(Failure::finding(message)
        .with_help("play the shards to their end, and name all of their logs"))
}

impl From<MergeError> for Failure {
    fn from(fault: MergeError) -> Self {
        let (message, help) = (fault.to_string(), fault.help());
        let failure = match fault {
            MergeError::Log(_) | MergeError::OtherPlan { .. } => Self::usage(message),
            MergeError::Contradiction { .. } => Self::finding(message),
        };
        failure.with_help(help)
    }
}
