//! `kolibri tune`: weights of a published evaluation, or of the features of any game, tuned by games between them.

mod features;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;
use serde::Serialize;

use self::features::FeatureArgs;
use crate::cli::console::{Console, Stream};
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::cli::game::GameArgs;
use crate::cli::number::{counted, whole};
use crate::cli::output_file::{check_output, write_output};
use crate::cli::seconds::Seconds;
use crate::cli::status_line::StatusLine;
use crate::cli::style;
use crate::cli::threads::ThreadArgs;
use crate::engine::EngineChoice;
use crate::session::Game;
use crate::tuning::{AnnealingLog, AnnealingPlan, AnnealingSetup};
use crate::util::StopFlag;

/// What `--resume` needs.
const LOG_WANTED: &str = "give a file that `kolibri tune kolibrat --log FILE` has written";

const EXAMPLES: &str = "\
Examples:
  kolibri tune kolibrat --nodes 200 --threads 2
  kolibri tune kolibrat --setup listing --log listing.log        Ctrl-C ends it; then:
  kolibri tune kolibrat --resume listing.log
  kolibri tune kolibrat --nodes 200 --repeat 5                   how much do the weights differ from run to run?
  kolibri tune kolibrat --opponent 1/2/1/2/1/0/10/2/2/1/1 --crossover 50
  kolibri tune breakthrough --method spsa --out b.weights        the features that are found in any rules

No player changes by this. What comes out is an option of players:
  kolibri match kolibrat --engine native --player red=minimax:evaluation=W1/W2/.../W11 --player black=minimax:evaluation=annealed";

/// Tune the weights of Kolibrat's published evaluation, or of the features of any game, by games between them
///
/// Kolibrat's are tuned as in the thesis: a population of weights plays in pairs. Winners survive, and each yields a copy with random changes, which become smaller from
/// generation to generation. The same seed gives the same weights, whatever the number of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct TuneArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Which of the two published descriptions is followed: that of the text, or that of the program
    #[arg(
        long,
        value_enum,
        value_name = "SETUP",
        default_value_t,
        conflicts_with = "resume"
    )]
    setup: SetupAsked,
    /// Columns of the board [default: 3, with `listing` 6]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<u8>(1, 30))]
    width: Option<u8>,
    /// Rows of the board [default: 4]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<u8>(2, 30))]
    height: Option<u8>,
    /// Pieces of a side on the board at most [default: 3, with `listing` 6]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<u8>(1, 100))]
    pieces: Option<u8>,
    /// Points needed to win [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<u8>(1, 30))]
    goals: Option<u8>,
    /// Weights in each generation: an even number [default: 60]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<usize>(2, 10_000))]
    population: Option<usize>,
    /// How many of them survive, at most half [default: half]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<usize>(1, 5_000))]
    survivors: Option<usize>,
    /// The greatest change of a weight at temperature 1 [default: 500]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<i32>(0, 50_000))]
    amplitude: Option<i32>,
    /// The temperature of the first generation, up to 1 [default: 1]
    #[arg(long, value_name = "T", conflicts_with = "resume", allow_negative_numbers = true, value_parser = number)]
    temperature: Option<f32>,
    /// What the temperature falls by, from 0.0001 to 1 [default: 0.02]
    #[arg(long, value_name = "T", conflicts_with = "resume", allow_negative_numbers = true, value_parser = number)]
    step: Option<f32>,
    /// Keep the temperature of the first generation in all of them
    #[arg(long, conflicts_with = "resume")]
    no_cooling: bool,
    /// States searched per move [default: 1000]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    nodes: Option<u64>,
    /// Time per move instead, such as 0.01; then the same seed does not give the same weights
    #[arg(long, value_name = "TIME", conflicts_with_all = ["nodes", "resume"], allow_negative_numbers = true)]
    time: Option<Seconds>,
    /// Let two weights play each game a second time, with colours swapped; who wins sooner is ahead
    #[arg(long, conflicts_with = "resume")]
    swap: bool,
    /// Plies after which a game is undecided, and its winner is drawn [default: 240]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<usize>(1, 100_000))]
    plies: Option<usize>,
    /// How many of 100 new weights are mixed from two parents [default: 0]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<u8>(0, 100))]
    crossover: Option<u8>,
    /// Let all play against these weights, `W1/W2/…/W11`; those survive that win soonest or lose latest
    #[arg(long, value_name = "WEIGHTS", conflicts_with = "resume")]
    opponent: Option<String>,
    /// Evaluate as the program of the thesis does, errors included
    #[arg(long, conflicts_with = "resume")]
    as_published: bool,
    /// Seed of all that is random [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    /// Tune N times, with the seeds that follow, and tell how much the weights differ
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(1, 1000), conflicts_with_all = ["log", "resume"])]
    repeat: u64,
    /// Write games and weights to FILE, generation by generation
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Go on with the log in FILE, and write it there unless --log names another file
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Replace a log that exists; without --force, it is kept, and the command fails
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    features: FeatureArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The game with a published evaluation of weighted properties: eleven.
const KOLIBRAT: &str = "kolibrat";

/// The published descriptions.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum SetupAsked {
    /// As the text says
    #[default]
    Prose,
    /// As the program does
    Listing,
}

/// What the eleven weights are for.
const PROPERTIES: [&str; 11] = [
    "a piece",
    "each row it has advanced",
    "a piece off the edge columns",
    "a piece in front of an enemy who is to move",
    "a piece behind another one",
    "each legal move",
    "each point",
    "having the turn",
    "being able to insert",
    "a piece on the goal row",
    "having more pieces",
];

/// Table 3.3 of the thesis: boards of 3x4 and 4x6 squares.
const PUBLISHED: [(&str, [i32; 11]); 2] = [
    (
        "3x4",
        [500, 260, 520, 750, 520, 330, 1000, 90, 530, 30, 170],
    ),
    (
        "4x6",
        [580, 170, 730, 960, 410, 160, 1000, 240, 220, 220, 0],
    ),
];

#[derive(Serialize)]
struct TuneReport {
    game: &'static str,
    plan: AnnealingPlan,
    /// How often it was tuned.
    runs: u64,
    /// Of all runs together.
    generations: usize,
    games: usize,
    properties: Vec<TunedProperty>,
    /// What a player takes as its `evaluation`.
    evaluation: String,
    log: Option<String>,
    seconds: f64,
    interrupted: bool,
}

#[derive(Serialize)]
struct TunedProperty {
    property: &'static str,
    /// The mean over the last population, or over runs.
    weight: i32,
    /// The standard deviation in the last population, or between runs.
    deviation: f64,
    /// What the thesis found.
    published_3x4: i32,
    published_4x6: i32,
}

pub(in crate::cli) fn run(args: &TuneArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    if let Some(method) = args.features.method {
        return features::run(args, method, console);
    }
    args.check_game()?;
    let begin = Instant::now();
    let first = args.start()?;
    let path = args.log.as_deref().or(args.resume.as_deref());
    if let Some(path) = path {
        // The log that is gone on with is in the new one.
        let is_resumed = args.resume.as_deref() == Some(path);
        check_output(path, args.force || is_resumed)?;
    }
    let game = first.plan.game();
    let game = game.map_err(|fault| Failure::usage(fault.to_string()))?;
    let stop = console.stop_flag();
    let (plan, pool) = (first.plan.clone(), args.threads.pool()?);
    let mut logs = vec![first];
    for number in 1..args.repeat {
        logs.push(AnnealingLog::new(AnnealingPlan {
            seed: plan.seed.wrapping_add(number),
            ..plan.clone()
        }));
    }
    for (number, log) in logs.iter_mut().enumerate() {
        let mut status = StatusLine::new(console.quiet);
        let said = match args.repeat {
            1 => String::new(),
            repeat => format!("run {} of {repeat}, ", number + 1),
        };
        let annealing = Annealing {
            game: &game,
            stop: &stop,
            path,
        };
        pool.install(|| annealing.run(log, &said, &mut status))?;
    }
    let begun = logs.iter().filter(|log| !log.generations.is_empty());
    let begun: Vec<&AnnealingLog> = begun.collect();
    let report = TuneReport {
        game: KOLIBRAT,
        runs: begun.len() as u64,
        generations: begun.iter().map(|log| log.generations.len()).sum(),
        games: begun.iter().map(|log| log.games_played()).sum(),
        properties: properties(&logs[0], &begun),
        evaluation: AnnealingLog::evaluation_of_all(&logs[0], &begun),
        log: path.map(|path| path.display().to_string()),
        seconds: begin.elapsed().as_secs_f64(),
        interrupted: stop.is_raised(),
        plan,
    };
    match args.json {
        true => console.json(&report)?,
        false => report.show(&mut console.out)?,
    }
    Ok(Outcome::of_work(report.interrupted))
}

/// Mean and spread beside what was published.
fn properties(first: &AnnealingLog, runs: &[&AnnealingLog]) -> Vec<TunedProperty> {
    let (weights, deviations) = AnnealingLog::mean_of_all(first, runs);
    let property = |index: usize| TunedProperty {
        property: PROPERTIES[index],
        weight: weights.0[index],
        deviation: deviations[index],
        published_3x4: PUBLISHED[0].1[index],
        published_4x6: PUBLISHED[1].1[index],
    };
    (0..PROPERTIES.len()).map(property).collect()
}

/// An annealing under way.
struct Annealing<'a> {
    game: &'a Game,
    stop: &'a StopFlag,
    path: Option<&'a Path>,
}

impl Annealing<'_> {
    /// Plays all generations that are left, and writes the log after each.
    fn run(
        &self,
        log: &mut AnnealingLog,
        said: &str,
        status: &mut StatusLine,
    ) -> Result<(), Failure> {
        let all = log.plan.temperatures().len();
        self.write(log)?;
        while log.advance(self.game, self.stop) {
            self.write(log)?;
            let done = log.generations.len();
            let share = done as f64 / all.max(1) as f64;
            status.progress(share, &format!("{said}generation {done} of {all}"));
        }
        status.clear();
        Ok(())
    }

    fn write(&self, log: &AnnealingLog) -> Result<(), Failure> {
        match self.path {
            Some(path) => write_output(path, log.to_string().as_bytes(), true),
            None => Ok(()),
        }
    }
}

impl TuneArgs {
    /// Refuses games without a published evaluation of weighted properties.
    fn check_game(&self) -> Result<(), Failure> {
        let name = self.game.name();
        if self.game.options().engine != EngineChoice::Auto {
            return Err(
                Failure::usage("`--engine` is for `--method` only").with_help(
                    "leave out `--engine`: the published evaluation belongs to the native engine",
                ),
            );
        }
        match name == KOLIBRAT {
            true => Ok(()),
            false => Err(Failure::usage(format!("`{name}` has no published evaluation to tune")).with_help(format!(
                "give `--method spsa`, `annealing` or `regression` to tune the features of its rules; the published evaluation is that of `{KOLIBRAT}`"
            ))),
        }
    }

    /// The annealing to go on with, or a new one.
    fn start(&self) -> Result<AnnealingLog, Failure> {
        let Some(path) = &self.resume else {
            return self.plan().map(AnnealingLog::new);
        };
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|fault| {
            Failure::usage(format!("cannot read `{shown}`: {fault}")).with_help(LOG_WANTED)
        })?;
        text.parse::<AnnealingLog>().map_err(|fault| {
            Failure::usage(format!("`{shown}` is no log to go on with: {fault}"))
                .with_help(LOG_WANTED)
        })
    }

    fn plan(&self) -> Result<AnnealingPlan, Failure> {
        let published = AnnealingPlan::published(match self.setup {
            SetupAsked::Prose => AnnealingSetup::Prose,
            SetupAsked::Listing => AnnealingSetup::Listing,
        });
        let population = self.population.unwrap_or(published.population);
        let plan = AnnealingPlan {
            columns: self.width.unwrap_or(published.columns),
            rows: self.height.unwrap_or(published.rows),
            pieces: self.pieces.unwrap_or(published.pieces),
            points: self.goals.unwrap_or(published.points),
            as_published: self.as_published,
            population,
            survivors: self.survivors.unwrap_or(population / 2),
            amplitude: self.amplitude.unwrap_or(published.amplitude),
            temperature: self.temperature.unwrap_or(published.temperature),
            step: self.step.unwrap_or(published.step),
            constant: self.no_cooling,
            nodes: self.nodes.unwrap_or(published.nodes),
            time: self.time.map(|time| time.duration().as_secs_f64()),
            swap: self.swap,
            plies: self.plies.unwrap_or(published.plies),
            crossover: self.crossover.unwrap_or(published.crossover),
            opponent: self.opponent.clone(),
            seed: self.seed.unwrap_or(published.seed),
            ..published
        };
        match plan.fault() {
            None => Ok(plan),
            Some(fault) => Err(Failure::usage(format!("give {fault}"))),
        }
    }
}

/// Reads a number with a decimal point.
fn number(text: &str) -> Result<f32, String> {
    text.parse()
        .map_err(|_| "give a number, such as 0.02".to_owned())
}

impl TuneReport {
    fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        let (strong, faint) = (style::STRONG, style::FAINT);
        let spread = if self.runs > 1 { "runs" } else { "population" };
        let [small, large] = PUBLISHED.map(|(board, _)| board);
        writeln!(
            out,
            "{strong}{:<44} {:>6} {:>11} {small:>10} {large:>10}{strong:#}",
            "", "weight", spread
        )?;
        for of in &self.properties {
            let deviation = format!("± {:.0}", of.deviation);
            writeln!(
                out,
                "{:<44} {:>6} {deviation:>11} {:>10} {:>10}",
                of.property, of.weight, of.published_3x4, of.published_4x6
            )?;
        }
        let (generations, games) = (
            counted(self.generations as u64, "generation"),
            counted(self.games as u64, "game"),
        );
        writeln!(
            out,
            "{faint}{generations}, {games} in {:.1} s, seed {}; the last two columns are those of the thesis, table 3.3{faint:#}",
            self.seconds, self.plan.seed
        )?;
        if self.interrupted {
            writeln!(out, "{INTERRUPTED}")?;
        }
        if let (true, Some(log)) = (self.interrupted, &self.log) {
            writeln!(out, "go on with `kolibri tune kolibrat --resume {log}`")?;
        }
        writeln!(out, "evaluation={}", self.evaluation)
    }
}
