//! `kolibri train`: weights of the evaluation, learned for long.

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use rayon::ThreadPool;
use serde::Serialize;

use crate::cli::console::Console;
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::cli::game::GameArgs;
use crate::cli::number::whole;
use crate::cli::output_file::{check_output, write_output};
use crate::cli::page::{curve_chart, drawing};
use crate::cli::seconds::Seconds;
use crate::cli::style;
use crate::cli::threads::AllThreadsArgs;
use crate::files::file_stem;
use crate::gdl::rules_digest;
use crate::play::role_number;
use crate::search::{
    CalibrationDecile, CoursePoint, CourseResult, MOST_HIDDEN_UNITS, SavedWeights, THREADS_OF_RUN,
    Teacher, TrainingCourse, TupleSize,
};
use crate::session::{Game, read_weights};
use crate::solved::SolvedGame;
use crate::util::StopFlag;

const EXAMPLES: &str = "\
Examples:
  kolibri train breakthrough --time 10min --out b.weights
  kolibri train breakthrough --time 1h --resume b.weights --svg curve.svg    go on, and draw the learning curve
  kolibri train small.kif --solution small.solution --hidden 32              learn from solved positions, with a small network
  kolibri match breakthrough --player white=minimax:weights=b.weights --player black=minimax

It takes all cores. A run of self-play plays four groups of games at a time; on more threads, several runs learn apart from each other. On the way, the mean over all runs is compared with the weights that players learn by themselves, in 208 games \
with one ply of look-ahead; at the end the best of all runs and their mean is taken, by 800 games of each.";

/// Learn the weights of the evaluation for long, and keep them in a file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct TrainArgs {
    #[command(flatten)]
    game: GameArgs,
    /// How long to learn, such as 90, 10min or 1h [default: 10min, if no states are given]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    time: Option<Seconds>,
    /// States of self-play of each run; up to some ten thousand more are played, since games go on by several moves at a time. Where no time is given, the same weights come out each time
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    states: Option<u64>,
    /// The role to learn for, where what one role wins the other does not lose [default: the first]
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// How large tuples of cells may be: as large as players have them, or larger ones beside those
    #[arg(
        long,
        value_enum,
        value_name = "SIZE",
        default_value_t,
        conflicts_with = "resume"
    )]
    tuples: TuplesAsked,
    /// Put N hidden units, a small neural network over all facts, beside what players weigh; weights that are gone on with keep theirs
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "resume", allow_negative_numbers = true, value_parser = whole::<usize>(0, MOST_HIDDEN_UNITS as u64))]
    hidden: usize,
    /// Learn what positions are worth from the solution in FILE, as `solve --out` writes it, in place of the ends of games
    #[arg(long, value_name = "FILE")]
    solution: Option<PathBuf>,
    /// Write the weights to FILE [default: that of --resume, otherwise GAME.weights]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that exists; without --force, it is kept, and the command fails
    #[arg(long)]
    force: bool,
    /// Go on with the weights in FILE
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Write a picture of the learning curve to FILE
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Seed of the games of the first run; the others have the numbers after it
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, 1 << 20))]
    seed: u64,
    /// How many runs learn apart from each other [default: one for up to four threads, two for up to eight, and so on, a single one with --states]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1, MOST_RUNS))]
    runs: Option<u16>,
    #[command(flatten)]
    threads: AllThreadsArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How large tuples of cells may be.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum TuplesAsked {
    /// As large as players have them
    Usual,
    /// Larger ones beside those
    #[default]
    Large,
}

impl From<TuplesAsked> for TupleSize {
    fn from(asked: TuplesAsked) -> Self {
        match asked {
            TuplesAsked::Usual => Self::Usual,
            TuplesAsked::Large => Self::Large,
        }
    }
}

/// Each run keeps all its games in memory.
const MOST_RUNS: u64 = 256;
/// The time without --time and --states.
const DEFAULT_TIME: Duration = Duration::from_secs(600);

#[derive(Serialize)]
struct TrainReport {
    game: String,
    role: String,
    shares_points: bool,
    /// All that the weights have seen, before this command, too.
    states: u64,
    games: u64,
    seconds: f64,
    curve: Vec<LearningPoint>,
    /// Points of 100 against the usual weights, by run.
    runs: Vec<Option<f64>>,
    mean: Option<f64>,
    best: Option<usize>,
    /// By tenths of the values.
    calibration: Vec<DecileReport>,
    seed: u64,
    file: String,
    bytes: usize,
    interrupted: bool,
}

#[derive(Serialize)]
struct DecileReport {
    states: u64,
    value: f64,
    points: f64,
}

#[derive(Serialize)]
struct LearningPoint {
    seconds: f64,
    states: u64,
    games: u64,
    score: Option<f64>,
}

pub(in crate::cli) fn run(args: &TrainArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let game = args.game.open(console)?;
    let role = match &args.role {
        Some(name) => role_number(name, game.roles())?,
        None => 0,
    };
    let out = args.out(&game)?;
    if let Some(path) = &args.svg {
        check_output(path, args.force)?;
    }
    let start = args.resume.as_deref();
    let start = start.map(|file| read_weights(&game, file, role));
    let start = start.transpose()?;
    let solved = args.solution.as_deref();
    let solved = solved.map(|file| SolvedGame::read_for(game.clone(), file, role));
    let solved = solved.transpose()?;
    let stop = console.stop_flag();
    let curve = RefCell::new(Vec::new());
    let course = AskedTraining {
        game: &game,
        role,
        start: start.as_deref(),
        solved: solved.as_ref(),
        out: &out,
        stop: &stop,
    };
    let result = course.learn(args, &curve, console)?;
    let bytes = result.weights.to_bytes();
    write_output(&out, &bytes, true)?;
    let curve = curve.into_inner();
    if let Some(path) = &args.svg {
        write_output(path, &picture(&game, &curve), args.force)?;
    }
    let training = result.weights.training();
    let subject = result.weights.subject();
    let report = TrainReport {
        game: game.name().to_owned(),
        role: game.roles()[subject.role].clone(),
        shares_points: subject.shares_points,
        states: training.states,
        games: training.games,
        seconds: training.seconds,
        curve: curve.iter().map(LearningPoint::of).collect(),
        runs: result.runs,
        mean: result.mean,
        best: result.best,
        calibration: result.calibration.iter().map(DecileReport::of).collect(),
        seed: args.seed,
        file: out.display().to_string(),
        bytes: bytes.len(),
        interrupted: stop.is_raised(),
    };
    match args.json {
        true => console.json(&report)?,
        false => report.show(console)?,
    }
    Ok(Outcome::of_work(report.interrupted))
}

impl TrainArgs {
    /// Where the weights go: to a file that may be replaced.
    fn out(&self, game: &Game) -> Result<PathBuf, Failure> {
        let named = self.out.clone().or_else(|| self.resume.clone());
        let named = named.unwrap_or_else(|| format!("{}.weights", file_stem(game.name())).into());
        // Weights that are gone on with are in the new ones.
        let is_resumed = self.resume.as_ref() == Some(&named);
        check_output(&named, self.force || is_resumed)?;
        Ok(named)
    }

    /// How many runs there are. Where a number of states is asked for, the weights must not depend on the machine.
    fn runs(&self, pool: &ThreadPool) -> usize {
        let usual = match self.states {
            Some(_) => 1,
            None => pool.current_num_threads().div_ceil(THREADS_OF_RUN),
        };
        self.runs.map_or(usual, usize::from)
    }

    fn time(&self) -> Option<Duration> {
        let typed = self.time.map(Seconds::duration);
        typed.or((self.states.is_none()).then_some(DEFAULT_TIME))
    }
}

/// What is to be learned, and where the weights go on the way.
struct AskedTraining<'a> {
    game: &'a Game,
    role: usize,
    start: Option<&'a SavedWeights>,
    solved: Option<&'a SolvedGame>,
    out: &'a Path,
    stop: &'a StopFlag,
}

impl AskedTraining<'_> {
    /// Learns, and keeps the weights of each point of the curve, so that little is lost when the program is killed.
    fn learn(
        &self,
        args: &TrainArgs,
        curve: &RefCell<Vec<CoursePoint>>,
        console: &mut Console<'_>,
    ) -> Result<CourseResult, Failure> {
        let pool = args.threads.pool()?;
        let (quiet, written) = (console.quiet, RefCell::new(Ok(())));
        let err = RefCell::new(&mut console.err);
        let report = |point: &CoursePoint, weights: &SavedWeights| {
            curve.borrow_mut().push(*point);
            // What was not learned is no file.
            if point.training.games == 0 {
                return;
            }
            if let fault @ Err(_) = write_output(self.out, &weights.to_bytes(), true) {
                *written.borrow_mut() = fault;
                self.stop.raise();
            }
            if !quiet {
                let (faint, words) = (style::FAINT, words(point));
                // A closed standard error is no reason to stop.
                let _ = writeln!(err.borrow_mut(), "{faint}{words}{faint:#}");
            }
        };
        let teacher = self.solved.map(|solved| {
            move |facts: &[&str], role: usize| {
                solved.check_role(role).ok()?;
                let value = solved.solution().value(facts)?;
                Some(solved.points(value, role) as f64)
            }
        });
        let rules = rules_digest(&self.game.source().text);
        let result = self.game.train(&TrainingCourse {
            role: self.role,
            time: args.time(),
            states: args.states,
            runs: args.runs(&pool),
            pool: &pool,
            seed: args.seed,
            size: args.tuples.into(),
            hidden: args.hidden,
            teacher: teacher.as_ref().map(|teacher| teacher as &Teacher<'_>),
            start: self.start,
            subject: (self.game.name().to_owned(), rules),
            stop: self.stop,
            report: &report,
        });
        written.into_inner()?;
        result.ok_or_else(|| self.nothing_learned())
    }

    fn nothing_learned(&self) -> Failure {
        if self.stop.is_raised() {
            return Failure::interrupted();
        }
        match self.solved {
            Some(_) => Failure::finding(
                "nothing was learned: no game ended, or the solution tells nothing of the role, or the engine does not know all facts",
            )
            .with_help("give more time, solve the game for the first role, or take `--engine propnet`"),
            None => Failure::finding(
                "nothing was learned of this game: no game ended, or there is nothing to weigh",
            )
            .with_help("give more time than its first games take; players do without weights by `--heuristic none`"),
        }
    }
}

/// A point of the curve, for people.
fn words(point: &CoursePoint) -> String {
    let training = &point.training;
    let score = point.score.map_or(String::new(), |score| {
        format!(", {score:.1} of 100 against the usual weights")
    });
    format!(
        "{:.0} s, {} games, {} states{score}",
        training.seconds, training.games, training.states
    )
}

/// The learning curve.
fn picture(game: &Game, curve: &[CoursePoint]) -> String {
    let scores = curve.iter().enumerate();
    let scores: Vec<(usize, f64)> = scores
        .filter_map(|(number, point)| Some((number + 1, point.score?)))
        .collect();
    let chart = curve_chart(&scores, None, &|score| format!("{score:.0}"));
    let title = "Points of 100 against the usual weights, along the training";
    drawing(game.name(), vec![(title, chart)])
}

impl DecileReport {
    fn of(decile: &CalibrationDecile) -> Self {
        let CalibrationDecile {
            states,
            value,
            points,
        } = *decile;
        Self {
            states,
            value,
            points,
        }
    }
}

impl LearningPoint {
    fn of(point: &CoursePoint) -> Self {
        Self {
            seconds: point.training.seconds,
            states: point.training.states,
            games: point.training.games,
            score: point.score,
        }
    }
}

impl TrainReport {
    fn show(&self, console: &mut Console<'_>) -> Result<(), Failure> {
        let out = &mut console.out;
        let score = |score: &Option<f64>| {
            score.map_or("not compared".to_owned(), |score| format!("{score:.1}"))
        };
        let strong = style::STRONG;
        writeln!(
            out,
            "{strong}{}{strong:#}  {} bytes: {} games, {} states, {:.0} s, seed {}",
            self.file, self.bytes, self.games, self.states, self.seconds, self.seed
        )?;
        let runs: Vec<String> = self.runs.iter().map(score).collect();
        let taken = match (self.best, self.runs.len()) {
            (_, 1) => String::new(),
            (Some(best), _) => format!("; run {} is taken", best + 1),
            (None, _) => format!("; their mean gets {}, and is taken", score(&self.mean)),
        };
        writeln!(
            out,
            "points of 100 against the weights that players learn by themselves, one ply deep: {}{taken}",
            runs.join(", ")
        )?;
        if console.verbose && !self.calibration.is_empty() {
            writeln!(
                out,
                "values of states in games of these weights against themselves, and the points that came of them:"
            )?;
            for decile in self.calibration.iter().filter(|decile| decile.states > 0) {
                writeln!(
                    out,
                    "  value {:>5.1} on average  {:>5.1} points  {} states",
                    decile.value, decile.points, decile.states
                )?;
            }
        }
        if self.interrupted {
            writeln!(out, "{INTERRUPTED}")?;
        }
        Ok(())
    }
}
