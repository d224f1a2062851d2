//! `kolibri compare`: the engines of a game against each other.

mod print;
#[cfg(test)]
mod tests;

use crate::cli::board::BoardArgs;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::NamedGame;
use crate::cli::game::refused;
use crate::cli::number::whole;
use crate::cli::seconds::Seconds;
use crate::cli::status_line::StatusLine;
use crate::cli::threads::ThreadArgs;
use crate::game::Stopped;
use crate::play::{Comparison, open_engines};
use crate::util::Expired;

const EXAMPLES: &str = "\
Examples:
  kolibri compare kolibrat
  kolibri compare checkers --plies 1000000      compare a million plies
  kolibri compare mygame.kif --seconds 0.5 --json";

/// Compare the engines that can run a game: do they agree, and how fast are they?
///
/// All engines that can run the game (native, propnet, reasoner) count paths, search to the same depths and play the
/// same random games; states, legal moves, ends and goals of these are compared fact by fact, with either engine choosing
/// the moves. Then random games, path counts and searches are timed in turns, and the same player plays against itself
/// on the native engine and the next one. The exit status is 1 where two engines differ; the first difference is shown as
/// two boards.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct CompareArgs {
    /// A shipped game, the path of a rule file, or - for standard input
    #[arg(value_name = "GAME")]
    game: String,
    /// Time for each measurement of each engine, in seconds
    #[arg(
        long,
        value_name = "S",
        default_value = "2",
        allow_negative_numbers = true
    )]
    seconds: Seconds,
    /// Compare at least N plies of random games per pair of engines, however long it takes
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    plies: Option<u64>,
    /// Play N games between the native engine and the next one, with equal depth and with equal time
    #[arg(long, value_name = "N", default_value_t = 4, allow_negative_numbers = true, value_parser = whole::<u32>(0, u64::MAX))]
    games: u32,
    /// Time per move in these games, in seconds
    #[arg(
        long,
        value_name = "S",
        default_value = "0.02",
        allow_negative_numbers = true
    )]
    move_time: Seconds,
    /// Seed of the random number generator
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    boards: BoardArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(
    args: &CompareArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let source = NamedGame::find(&args.game)?.source;
    let pool = args.threads.pool()?;
    let stop = console.stop_flag();
    let opened = open_engines(&source, &stop);
    let (engines, left_out) = opened.or_else(|why| Err(refused(&source, &why, console)?))?;
    let mut status = StatusLine::new(console.quiet);
    let comparison = Comparison {
        game: &source.name,
        engines: &engines,
        left_out: &left_out,
        time: args.seconds.duration(),
        plies: args.plies,
        games: args.games,
        move_time: args.move_time.duration(),
        seed: args.seed,
        pool: &pool,
        stop: &stop,
    };
    let found = comparison.run(&mut |share, doing| status.progress(share, doing));
    status.clear();
    let found = found.map_err(|alone| Failure::finding(alone.to_string()).with_help(alone.reasons));
    let (report, ended) = found?;
    if args.json {
        console.json(&report)?;
    } else {
        print::print(&report, args.boards.style(console), console)?;
    }
    match ended {
        Ok(()) => Ok(Outcome::passed(report.agrees())),
        Err(Stopped::Expired(Expired::Interrupted)) => Ok(Outcome::Interrupted),
        Err(why) => Err(Failure::finding(why.to_string())),
    }
}
