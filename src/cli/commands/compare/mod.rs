//! `kolibri compare`: the engines of a game against each other.

mod agreement;
mod contest;
mod engines;
mod report;
mod speed;
#[cfg(test)]
mod tests;
mod thought;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::catalog::GameSource;
use crate::cli::board::BoardArgs;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::settle;
use crate::cli::number::whole;
use crate::cli::seconds::Seconds;
use crate::cli::status_line::StatusLine;
use crate::cli::threads::ThreadArgs;
use crate::engine::EngineChoice;
use crate::game::{Limits, Stopped};

use agreement::{Pair, count_paths};
use contest::{Match, Think};
use engines::{Contender, LeftOut, with_all};
use report::Report;
use speed::Measure;

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

/// How deep players think in a match at equal depth.
const MATCH_DEPTH: u32 = 3;

/// The engines, the one that others are measured by first.
const ENGINES: [EngineChoice; 3] = [
    EngineChoice::Native,
    EngineChoice::Propnet,
    EngineChoice::Reasoner,
];

pub(in crate::cli) fn run(
    args: &CompareArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let source = GameSource::find(&args.game)?;
    let stop = console.stop_flag();
    let mut status = StatusLine::new(console.quiet);
    let compared = with_all(&source, &ENGINES, &stop, &mut |engines, left_out| {
        let comparison = Comparison {
            args,
            engines,
            stop: &stop,
        };
        comparison.report(&source.name, left_out, &mut status)
    });
    status.clear();
    let (report, ended) = settle(compared, &source, console)?;
    if args.json {
        console.json(&report)?;
    } else {
        report.show(args.boards.style(console), console)?;
    }
    match ended {
        Ok(()) => Ok(Outcome::passed(report.agrees())),
        Err(Stopped::Interrupted) => Ok(Outcome::Interrupted),
        Err(why) => Err(Failure::finding(why.to_string())),
    }
}

struct Comparison<'c> {
    args: &'c CompareArgs,
    engines: &'c [&'c dyn Contender],
    stop: &'c Arc<AtomicBool>,
}

impl Comparison<'_> {
    /// Everything that was found until the end or until something stopped it.
    fn report(
        &self,
        game: &str,
        left_out: &[LeftOut],
        status: &mut StatusLine,
    ) -> Result<(Report, Result<(), Stopped>), Failure> {
        if self.engines.len() < 2 {
            let reasons = left_out.iter();
            let reasons = reasons.map(|one| format!("no {}: {}", one.engine, one.reason));
            let message = format!("{game} has one engine only, so there is nothing to compare");
            return Err(Failure::finding(message).with_help(reasons.collect::<Vec<_>>().join("; ")));
        }
        let mut report = Report::new(game, self.engines, left_out, self.args.seed);
        let ended = self.fill(&mut report, status)?;
        report.is_complete = ended.is_ok();
        report.agree = report.is_compared().then(|| report.agrees());
        Ok((report, ended))
    }

    fn fill(
        &self,
        report: &mut Report,
        status: &mut StatusLine,
    ) -> Result<Result<(), Stopped>, Failure> {
        let pool = self.args.threads.pool()?;
        let time = self.args.seconds.duration();
        let limits = Limits {
            stop: self.stop,
            deadline: None,
        };
        let mut stages = || {
            let depths = &mut report.perft;
            count_paths(self.engines, &pool, (time, limits), depths, status)?;
            self.walk(report, status)?;
            let budget = (time, self.stop);
            thought::think(self.engines, budget, &mut report.search, status)?;
            if report.agrees() {
                let measure = Measure {
                    pool: &pool,
                    time,
                    seed: self.args.seed,
                    limits,
                    depths: &report.perft,
                };
                let speeds = measure.all(self.engines, status)?;
                report.take_speeds(speeds);
                self.contests(report, status)?;
            }
            Ok(())
        };
        Ok(stages())
    }

    /// Lets the native engine and the next engine play each other.
    fn contests(&self, report: &mut Report, status: &mut StatusLine) -> Result<(), Stopped> {
        let [twin, other, ..] = self.engines else {
            return Ok(());
        };
        let is_for_two = twin.table().roles().len() == 2;
        if twin.name() != "native" || !is_for_two || self.args.games == 0 {
            return Ok(());
        }
        let equal_time = Think::Time(self.args.move_time.duration());
        for think in [Think::Depth(MATCH_DEPTH), equal_time] {
            let contest = Match {
                engines: [*twin, *other],
                think,
                games: self.args.games,
                seed: self.args.seed,
                stop: self.stop,
            };
            report.contests.push(contest.play(status)?);
        }
        Ok(())
    }

    /// Plays random games with the first engine and each of the others.
    fn walk(&self, report: &mut Report, status: &mut StatusLine) -> Result<(), Stopped> {
        let Some((first, others)) = self.engines.split_first() else {
            return Ok(());
        };
        for other in others {
            let by_time = self.args.plies.is_none();
            let pair = Pair {
                engines: [*first, *other],
                states: self.args.plies,
                seed: self.args.seed,
                limits: Limits {
                    stop: self.stop,
                    deadline: by_time.then(|| Instant::now() + self.args.seconds.duration()),
                },
            };
            match pair.walk(status)? {
                Ok(walked) => {
                    report.differential_test.push(walked);
                    thought::interrupted(self.stop)?;
                }
                Err(apart) => {
                    report.difference = Some(*apart);
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
