//! `kolibri bench`: how fast random games go.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::by_role::ByRole;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::cli::faulty_game::{faulty_game, hint_at_faulty_game};
use crate::cli::game::{self, GameArgs, NamedGame};
use crate::cli::memory::peak_memory;
use crate::cli::number::{rounded, whole};
use crate::cli::position::{self, StartPosition, StateArgs};
use crate::cli::seconds::Seconds;
use crate::cli::style;
use crate::cli::threads::ThreadArgs;
use crate::engine::{EngineKind, LoadOptions};
use crate::game::{PlayoutOptions, PlayoutTotals, Stopped, is_chance};
use crate::playtest::FaultyGame;
use crate::session::{Game, Position};
use crate::util::{Deadline, Expired, StopFlag};

const EXAMPLES: &str = "\
Examples:
  kolibri bench connect-four
  kolibri bench breakthrough --seconds 10 --threads 2 --json
  kolibri bench mygame.kif --playouts 1000 --seed 7    the same games every time";

/// Play random games and measure the speed
///
/// A state is a joint move made; waiting roles count as moving. `kolibri info --games N` says what such games are like: branching,
/// lengths, ends, who wins.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct BenchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Play for S seconds
    #[arg(
        long,
        value_name = "S",
        default_value = "5",
        allow_negative_numbers = true
    )]
    seconds: Seconds,
    /// Play N games instead
    #[arg(long, visible_alias = "games", value_name = "N", conflicts_with = "seconds", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    playouts: Option<u64>,
    /// Seed of the random number generator
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Give up a game that is longer
    #[arg(long, value_name = "N", default_value_t = 100_000, allow_negative_numbers = true, value_parser = whole::<u32>(1, u64::MAX))]
    max_plies: u32,
    #[command(flatten)]
    start: StateArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &BenchArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let NamedGame { source, record } = args.game.find()?;
    let start = args.start.start(record)?;
    let stop = console.stop_flag();
    let options = LoadOptions {
        stop: stop.clone(),
        ..args.game.options()
    };
    let game = game::open(source, &options, console)?;
    let begin = Instant::now();
    let session = position::begin(&game, &start)?;
    let startup = game.report().startup() + begin.elapsed();
    let bench = Bench {
        args,
        game: &game,
        stop,
    };
    let (mut report, ended) = bench.run(session.position(), startup);
    if report.is_faulty() && matches!(start, StartPosition::Initial) {
        let max_plies = args.max_plies as usize;
        report.faulty_game = faulty_game(&game, args.seed, max_plies, &console.stop_flag());
    }
    if args.json {
        console.json(&report)?;
    } else {
        show(&report, console)?;
    }
    match ended {
        Ok(()) | Err(Stopped::Expired(Expired::OutOfTime)) => Ok(Outcome::Success),
        Err(Stopped::Expired(Expired::Interrupted)) => Ok(Outcome::Interrupted),
        Err(why) => Err(Failure::finding(why.to_string())),
    }
}

#[derive(Serialize)]
struct BenchReport {
    game: String,
    engine: EngineKind,
    /// How many games advance together in one thread.
    lanes: usize,
    threads: usize,
    seed: u64,
    seconds: f64,
    states: u64,
    playouts: u64,
    states_per_second: f64,
    playouts_per_second: f64,
    mean_length: Option<f64>,
    mean_goals: ByRole<Option<f64>>,
    /// Games in which a role had no move before the end.
    stuck: u64,
    /// Games given up because they were too long.
    too_long: u64,
    /// Per role, games that the rules ended without a goal for it, or with several.
    without_goal: ByRole<u64>,
    /// The first such game from the seed on, if there are any and one was found in time.
    faulty_game: Option<FaultyGame>,
    startup_seconds: f64,
    peak_memory_bytes: Option<u64>,
    /// Whether Ctrl-C ended it.
    interrupted: bool,
}

struct Bench<'b> {
    args: &'b BenchArgs,
    game: &'b Game,
    stop: StopFlag,
}

impl Bench<'_> {
    fn run(&self, start: &Position, startup: Duration) -> (BenchReport, Result<(), Stopped>) {
        // What every engine does when it is asked first is no part of the measurement.
        start.is_terminal();
        let _no_time = self.playouts(start, Some(Instant::now()));
        let begin = Instant::now();
        let time = self.args.seconds.duration();
        let deadline = self.args.playouts.is_none().then(|| begin + time);
        let (totals, ended) = self.playouts(start, deadline);
        let interrupted = matches!(ended, Err(Stopped::Expired(Expired::Interrupted)));
        let report = BenchReport {
            interrupted,
            ..self.report(&totals, begin.elapsed(), startup)
        };
        (report, ended)
    }

    fn playouts(
        &self,
        start: &Position,
        deadline: Option<Instant>,
    ) -> (PlayoutTotals, Result<(), Stopped>) {
        start.playouts_with(PlayoutOptions {
            seed: self.args.seed,
            count: self.args.playouts.unwrap_or(u64::MAX),
            max_plies: self.args.max_plies,
            threads: self.args.threads.count(),
            deadline: &Deadline::new(deadline, &self.stop),
        })
    }

    fn report(&self, totals: &PlayoutTotals, time: Duration, startup: Duration) -> BenchReport {
        let (playouts, threads) = (self.args.playouts, self.args.threads.count());
        let seconds = time.as_secs_f64().max(1e-9);
        BenchReport {
            game: self.game.name().to_owned(),
            engine: self.game.report().engine,
            lanes: self.game.lanes_for(playouts.unwrap_or(u64::MAX), threads),
            threads,
            seed: self.args.seed,
            seconds,
            states: totals.plies,
            playouts: totals.playouts,
            states_per_second: totals.plies as f64 / seconds,
            playouts_per_second: totals.playouts as f64 / seconds,
            mean_length: totals.mean_length(),
            mean_goals: ByRole::new(self.game.roles(), totals.mean_goals()),
            stuck: totals.stuck,
            too_long: totals.too_long,
            without_goal: ByRole::new(self.game.roles(), totals.without_goal()),
            faulty_game: None,
            startup_seconds: startup.as_secs_f64(),
            peak_memory_bytes: peak_memory(),
            interrupted: false,
        }
    }
}

fn show(report: &BenchReport, console: &mut Console<'_>) -> Result<(), Failure> {
    let strong = style::STRONG;
    let out = &mut console.out;
    let BenchReport { game, engine, .. } = report;
    let lanes = match report.lanes {
        1 => String::new(),
        many => format!(" with {many} games at a time"),
    };
    writeln!(
        out,
        "{strong}{game}{strong:#}, engine {engine}{lanes}, seed {}",
        report.seed
    )?;
    writeln!(
        out,
        "  {} states in {:.2} s: {strong}{} states/s{strong:#}, {} playouts/s",
        report.states,
        report.seconds,
        rounded(report.states_per_second),
        rounded(report.playouts_per_second)
    )?;
    if report.interrupted {
        writeln!(out, "  {INTERRUPTED}")?;
    }
    if let Some(length) = report.mean_length {
        writeln!(
            out,
            "  {} playouts of {length:.1} plies on average",
            report.playouts - report.too_long
        )?;
    }
    let ended = report.playouts - report.stuck - report.too_long;
    for ((role, goal), (_, without)) in report.mean_goals.0.iter().zip(&report.without_goal.0) {
        if let Some(goal) = goal {
            let games = ended - without;
            writeln!(out, "  {role} scores {goal:.1} on average in {games} games")?;
        }
    }
    show_faults(report, out)?;
    let memory = report.peak_memory_bytes.map_or(String::new(), |bytes| {
        format!(", peak memory {:.1} MiB", bytes as f64 / (1 << 20) as f64)
    });
    writeln!(out, "  ready after {:.3} s{memory}", report.startup_seconds)?;
    if report.is_faulty() {
        hint_at_faulty_game(report.faulty_game.as_ref(), console)?;
    }
    Ok(())
}

impl BenchReport {
    /// Whether some game did not end with a score.
    fn is_faulty(&self) -> bool {
        self.stuck + self.too_long > 0 || self.without_score().next().is_some()
    }

    /// The roles but chance that some games ended without a score for, and how many.
    fn without_score(&self) -> impl Iterator<Item = (&String, u64)> {
        let roles = self.without_goal.0.iter();
        let roles = roles.filter(|(role, games)| *games > 0 && !is_chance(role));
        roles.map(|(role, games)| (role, *games))
    }
}

/// Games that did not end with a score.
fn show_faults(report: &BenchReport, out: &mut impl Write) -> io::Result<()> {
    let BenchReport {
        playouts,
        stuck,
        too_long,
        ..
    } = report;
    if *stuck > 0 {
        writeln!(
            out,
            "  {stuck} of {playouts} games got stuck: a role had no move"
        )?;
    }
    if *too_long > 0 {
        writeln!(
            out,
            "  {too_long} of {playouts} games were given up as too long, and count in no mean"
        )?;
    }
    for (role, games) in report.without_score() {
        writeln!(
            out,
            "  {games} of {playouts} games ended without a score for {role}"
        )?;
    }
    Ok(())
}
