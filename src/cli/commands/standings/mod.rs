//! `kolibri standings`: what the log of a tournament says of its players.

mod csv;
mod games;
mod html;
mod markdown;
mod tables;
pub(super) mod text;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::cli::board::terminal_width;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::output_file::{check_output, write_output};
use crate::tournament::{Standings, TournamentLog};
use crate::util::system_said;

const EXAMPLES: &str = "\
Examples:
  kolibri standings games.jsonl                    tables in the terminal
  kolibri standings games.jsonl --html table.html  a page with pictures, too
  kolibri standings games.jsonl --markdown         tables for a document
  kolibri standings games.jsonl --csv | column -ts,
  kolibri standings games.jsonl --games            each game: players, goals, end

The log may still be written: what is finished counts.";

/// Show what the log of a tournament says of its players
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct StandingsArgs {
    /// The log of a tournament, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Show each game instead: its players, goals, end, plies and the facts kept of its last state
    #[arg(long, conflicts_with = "html")]
    games: bool,
    #[command(flatten)]
    report: ReportArgs,
}

/// Options about the form of results.
#[derive(Debug, clap::Args)]
pub(super) struct ReportArgs {
    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["csv", "markdown"])]
    json: bool,
    /// Print a line of comma-separated values for each player, of all games and of each game
    #[arg(long, conflicts_with = "markdown")]
    csv: bool,
    /// Print the tables in Markdown
    #[arg(long)]
    markdown: bool,
    /// Write a page with pictures, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace FILE if it exists; without --force, it is kept, and the command fails
    #[arg(long)]
    force: bool,
}

impl ReportArgs {
    /// Whether files that exist are replaced.
    pub(super) fn replaces(&self) -> bool {
        self.force
    }

    /// Whether a page is asked for that cannot be written.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match &self.html {
            Some(path) => check_output(path, self.force),
            None => Ok(()),
        }
    }
}

pub(in crate::cli) fn run(
    args: &StandingsArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let log = read(&args.log)?;
    if let Some(torn) = log.torn {
        console.hint(&format!("{}: {torn}", shown(&args.log)))?;
    }
    let standings = standings_of(&log)?;
    match args.games {
        true => games::report(&log, &args.report, console)?,
        false => report(&standings, &args.report, console)?,
    }
    Ok(Outcome::Success)
}

/// What a log says.
pub(super) fn standings_of(log: &TournamentLog) -> Result<Standings, Failure> {
    let standings = Standings::of(&log.header, &log.counted_games());
    standings.map_err(|fault| Failure::finding(fault.to_string()))
}

/// Prints results in the form that was asked for.
pub(super) fn report(
    standings: &Standings,
    args: &ReportArgs,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    match args {
        ReportArgs { json: true, .. } => console.json(standings)?,
        ReportArgs { csv: true, .. } => csv::print(standings, &mut console.out)?,
        ReportArgs { markdown: true, .. } => markdown::print(standings, &mut console.out)?,
        _ => text::print(standings, terminal_width(), &mut console.out)?,
    }
    // Last: a page that cannot be written does not cost the tables.
    match &args.html {
        Some(path) => write_output(path, &html::page(standings), args.force),
        None => Ok(()),
    }
}

fn read(path: &Path) -> Result<TournamentLog, Failure> {
    let input: Box<dyn BufRead> = match path.as_os_str().as_encoded_bytes() {
        b"-" => Box::new(io::stdin().lock()),
        _ => Box::new(BufReader::new(File::open(path).map_err(|cause| {
            let why = system_said(&cause);
            Failure::usage(format!("cannot read {}: {why}", path.display()))
                .with_help("name the log that `kolibri tournament` writes")
        })?)),
    };
    TournamentLog::read(input).map_err(|fault| Failure::usage(format!("{}:{fault}", shown(path))))
}

fn shown(path: &Path) -> String {
    match path.as_os_str().as_encoded_bytes() {
        b"-" => "<stdin>".to_owned(),
        _ => path.display().to_string(),
    }
}
