//! `kolibri report`: published figures beside those that the program works out.

mod checkers;
mod kolibrat;
mod kolibrat_states;
mod kolibrat_values;
mod page;
mod threads;
mod tictactoe;
mod work;

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;

use self::page::ReportPage;
use self::work::Work;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::cli::number::whole;
use crate::cli::output_file::{check_output, write_output};
use crate::cli::status_line::StatusLine;
use crate::cli::threads::ThreadArgs;

const EXAMPLES: &str = "\
Examples:
  kolibri report tictactoe
  kolibri report kolibrat --threads 2 --html kolibrat.html > kolibrat.md
  kolibri report kolibrat --goals 5 --max-states 30000000    everything, which takes long";

/// Tables of published figures beside those of the program
///
/// Prints Markdown: row by row the published figure, ours, and whether they agree. Where the published one is known to be wrong, the
/// page says why; the exit status is 1 if a figure differs for no known reason. Ctrl-C ends it with what is known by then.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct PublishedTablesArgs {
    /// What the tables are about
    #[arg(value_enum, value_name = "NAME")]
    name: ReportName,
    /// Write the page to FILE as HTML, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace files that exist; without --force, they are kept, and the command fails
    #[arg(long)]
    force: bool,
    /// Leave out games of more than N states
    #[arg(long, value_name = "N", default_value_t = 10_000_000, allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    max_states: u64,
    /// Of kolibrat, solve games to up to N points
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u8>(1, 5))]
    goals: u8,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// The reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportName {
    /// State spaces, solutions, endless games and branching of Kolibrat, from a bachelor thesis.
    Kolibrat,
    /// Known counts of tic-tac-toe.
    Tictactoe,
    /// The 72 games of a project report, and counts of paths.
    Checkers,
    /// Searches on one thread and more.
    Threads,
}

pub(in crate::cli) fn run(
    args: &PublishedTablesArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    if let Some(file) = &args.html {
        check_output(file, args.force)?;
    }
    let stop = console.stop_flag();
    let mut work = Work {
        pool: args.threads.pool()?,
        threads: args.threads.count(),
        stop: stop.clone(),
        most_states: args.max_states,
        status: StatusLine::new(console.quiet),
    };
    let page: ReportPage = match args.name {
        ReportName::Kolibrat => kolibrat::page(&mut work, args.goals)?,
        ReportName::Tictactoe => tictactoe::page(&mut work)?,
        ReportName::Checkers => checkers::page(&mut work)?,
        ReportName::Threads => threads::page(&mut work)?,
    };
    work.status.clear();
    if let Some(file) = &args.html {
        write_output(file, &page.to_html(), args.force)?;
    }
    write!(console.out, "{}", page.to_markdown())?;
    if stop.is_raised() {
        console.hint(INTERRUPTED)?;
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::passed(!page.differs()))
}
