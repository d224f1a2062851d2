//! `kolibri playtest`: what is wrong with a game, and what it is like.

mod html;
mod show;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::catalog::Origin;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::{GameArgs, open_within};
use crate::cli::number::whole;
use crate::cli::output_file::{check_output, write_output};
use crate::cli::seconds::Seconds;
use crate::cli::status_line::StatusLine;
use crate::cli::watch::again_at_every_save;
use crate::engine::LoadOptions;
use crate::info::board::BoardFile;
use crate::playtest::{Playtest, PlaytestReport};
use crate::session::Game;
use crate::util::StopFlag;

const EXAMPLES: &str = "\
Examples:
  kolibri playtest mygame.kif
  kolibri playtest mygame.kif --seconds 60 --games 10000 --html report.html
  kolibri playtest mygame.kif --watch            again at every save
  kolibri playtest mygame.kif --strict --json    for a script: exit status 1 where something is wrong";

/// Playtest the rules of a game: faults with their lines, balance, length, skill
///
/// Random games, games between players that look further and further ahead, and proofs on the rules show games without an
/// end or a score, roles without a move, facts that are lost or doubled, and rules that never apply. Each fault comes with
/// its line, a position, and a command that plays the game in which it was seen.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct PlaytestArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Take S seconds in all
    #[arg(
        long,
        value_name = "S",
        default_value = "8",
        allow_negative_numbers = true
    )]
    seconds: Seconds,
    /// Play at most N random games
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    games: u64,
    /// Play at most N rounds of games between players that look one, two and four plies ahead
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, value_parser = whole::<usize>(0, u64::MAX))]
    rounds: usize,
    /// Seed of the first random game; each further game adds one
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Give up a game that is longer
    #[arg(long, value_name = "N", default_value_t = 2000, allow_negative_numbers = true, value_parser = whole::<usize>(1, u64::MAX))]
    max_plies: usize,
    /// Exit with status 1 where there is an error or a warning
    #[arg(long)]
    strict: bool,
    /// Write the report as a page with pictures, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace FILE if it exists; without --force, it is kept, and the command fails
    #[arg(long, requires = "html")]
    force: bool,
    /// Playtest again at every save
    #[arg(long)]
    watch: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The share of the time in which a propnet must be ready.
const START_UP: f64 = 0.3;

pub(in crate::cli) fn run(
    args: &PlaytestArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    if let Some(path) = &args.html {
        check_output(path, args.force)?;
    }
    if !args.watch {
        let stop = console.stop_flag();
        return playtest(args, args.force, &stop, console);
    }
    let mut force = args.force;
    let named = [args.game.name().to_owned()];
    again_at_every_save(&named, console, |_, outdated, console| {
        let ended = playtest(args, force, outdated, console);
        force |= ended.is_ok();
        match ended {
            Err(Failure::PipeClosed) => Err(Failure::PipeClosed),
            Err(_) if outdated.is_raised() => Ok(()),
            Err(fault) => Ok(console.failure(fault)?),
            Ok(_) => Ok(()),
        }
    })
}

/// One report; `force` replaces the page.
fn playtest(
    args: &PlaytestArgs,
    force: bool,
    stop: &StopFlag,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let time = args.seconds.duration();
    let mut line = StatusLine::new(console.quiet);
    line.show("getting ready");
    let game = open(args, time.mul_f64(START_UP), stop, console)?;
    line.show("playing");
    let report = Playtest::new(&game)
        .seed(args.seed)
        .games(args.games)
        .rounds(args.rounds)
        .max_plies(args.max_plies)
        .time(time.saturating_sub(begin.elapsed()))
        .stop(stop)
        .run();
    line.clear();
    if args.json {
        console.json(&report)?;
    } else {
        show::show(&report, (game.source(), args.strict), console)?;
    }
    // Last: a page that cannot be written does not cost the report.
    if let Some(path) = &args.html {
        write_output(path, &html::page(&report, &game), force)?;
    }
    Ok(outcome(&report, args.strict))
}

fn open(
    args: &PlaytestArgs,
    time: Duration,
    stop: &StopFlag,
    console: &mut Console<'_>,
) -> Result<Game, Failure> {
    let source = args.game.source()?;
    if let Origin::File(path) = &source.origin {
        BoardFile::beside(path)?;
    }
    let options = LoadOptions {
        stop: stop.clone(),
        ..args.game.options()
    };
    open_within(source, &options, time, console)
}

fn outcome(report: &PlaytestReport, strict: bool) -> Outcome {
    if report.samples.stopped {
        return Outcome::Interrupted;
    }
    Outcome::passed(!strict || report.faults().next().is_none())
}
