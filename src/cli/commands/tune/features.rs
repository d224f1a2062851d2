//! `kolibri tune GAME --method METHOD`: weights of features of any game, tuned by games between them.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

use clap::ValueEnum;
use serde::Serialize;

use super::TuneArgs;
use crate::cli::console::{Console, Stream};
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::cli::number::{counted, whole};
use crate::cli::output_file::{check_output, write_output};
use crate::cli::status_line::StatusLine;
use crate::cli::style;
use crate::files::file_stem;
use crate::gdl::rules_digest;
use crate::play::role_number;
use crate::search::{FeatureTuning, Heuristics, TunedFeatures, TuningMethod};
use crate::session::Game;

/// The rounds and the games of each where none are given.
const MATCHES: u64 = 1000;
const GENERATIONS: u64 = 50;
const GAMES: u64 = 32;
/// The heuristics that are features.
const FEATURES: &str = "mobility+pieces+progress";

/// The options that are for the published evaluation alone.
const OF_KOLIBRAT: [&str; 21] = [
    "setup",
    "width",
    "height",
    "pieces",
    "goals",
    "population",
    "survivors",
    "amplitude",
    "temperature",
    "step",
    "no_cooling",
    "nodes",
    "time",
    "swap",
    "plies",
    "crossover",
    "opponent",
    "as_published",
    "repeat",
    "log",
    "resume",
];

/// Options for the features of any game.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Features of any game")]
pub(super) struct FeatureArgs {
    /// Tune the weights of the features that are found in the rules of GAME, and how
    #[arg(long, value_enum, value_name = "METHOD", conflicts_with_all = OF_KOLIBRAT)]
    pub(super) method: Option<MethodAsked>,
    /// Rounds: matches with `spsa`, where 1000 are usual, and generations with `annealing`, where 50 are
    #[arg(long, value_name = "N", requires = "method", allow_negative_numbers = true, value_parser = whole::<u64>(1, 1_000_000))]
    rounds: Option<u64>,
    /// Games of a match at least [default: 32]
    #[arg(long, value_name = "N", requires = "method", allow_negative_numbers = true, value_parser = whole::<u64>(2, 100_000))]
    games: Option<u64>,
    /// The heuristics whose features are tuned: mobility, pieces and progress, or some of them [default: mobility+pieces+progress]
    #[arg(long, value_name = "NAMES", requires = "method")]
    heuristic: Option<Heuristics>,
    /// The role to tune for, where what one role wins the other does not lose [default: the first]
    #[arg(long, value_name = "ROLE", requires = "method")]
    role: Option<String>,
    /// States of self-play of the regression at most [default: 4000000]
    #[arg(long, value_name = "N", requires = "method", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    states: Option<u64>,
    /// Write the weights to FILE [default: GAME.weights]
    #[arg(short, long, value_name = "FILE", requires = "method")]
    out: Option<PathBuf>,
}

/// How weights of features are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodAsked {
    /// Logistic regression by temporal differences, as players learn
    Regression,
    /// Simultaneous perturbation: matches between weights that differ everywhere by a random sign
    Spsa,
    /// A population that plays in pairs; winners yield copies with random changes, which become smaller
    Annealing,
}

impl MethodAsked {
    fn method(self) -> TuningMethod {
        match self {
            Self::Regression => TuningMethod::Regression,
            Self::Spsa => TuningMethod::Spsa,
            Self::Annealing => TuningMethod::Annealing,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Regression => "regression",
            Self::Spsa => "spsa",
            Self::Annealing => "annealing",
        }
    }

    fn usual_rounds(self) -> u64 {
        match self {
            Self::Regression => 0,
            Self::Spsa => MATCHES,
            Self::Annealing => GENERATIONS,
        }
    }
}

#[derive(Serialize)]
struct FeatureReport {
    game: String,
    role: String,
    shares_points: bool,
    method: &'static str,
    rounds: u64,
    games: u64,
    /// Points of 100 against the weights of regression, one ply deep.
    score: Option<f64>,
    weights: Vec<TunedWeight>,
    seed: u64,
    file: String,
    seconds: f64,
    interrupted: bool,
}

#[derive(Serialize)]
struct TunedWeight {
    heuristic: &'static str,
    feature: String,
    /// What a unit of the feature adds, in logits.
    weight: f64,
}

pub(super) fn run(
    args: &TuneArgs,
    method: MethodAsked,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let asked = &args.features;
    let heuristics = asked.heuristics()?;
    let game = args.game.open(console)?;
    let role = match &asked.role {
        Some(name) => role_number(name, game.roles())?,
        None => 0,
    };
    let named = asked.out.clone();
    let out = named.unwrap_or_else(|| format!("{}.weights", file_stem(game.name())).into());
    check_output(&out, args.force)?;
    let (stop, seed) = (console.stop_flag(), args.seed.unwrap_or(1));
    let rounds = asked.rounds.unwrap_or(method.usual_rounds());
    let status = Mutex::new(StatusLine::new(console.quiet));
    let report = |round: u64| {
        if let Ok(mut status) = status.lock() {
            let share = round as f64 / rounds.max(1) as f64;
            status.progress(share, &format!("round {round} of {rounds}"));
        }
    };
    let tuning = FeatureTuning {
        role,
        method: method.method(),
        heuristics,
        states: asked.states,
        rounds,
        games: asked.games.unwrap_or(GAMES),
        seed,
        subject: (game.name().to_owned(), rules_digest(&game.source().text)),
        stop: &stop,
        report: &report,
    };
    let tuned = args.threads.pool()?.install(|| game.tune(&tuning));
    if let Ok(mut status) = status.lock() {
        status.clear();
    }
    let tuned = tuned.ok_or_else(|| {
        Failure::finding("nothing can be tuned: no game ended, or the rules show no features")
            .with_help("`kolibri info GAME` tells whether games end; give other heuristics with `--heuristic`")
    })?;
    write_output(&out, &tuned.weights.to_bytes(), true)?;
    let report = FeatureReport {
        method: method.name(),
        seed,
        file: out.display().to_string(),
        interrupted: stop.is_raised(),
        ..FeatureReport::of(&game, &tuned)
    };
    match args.json {
        true => console.json(&report)?,
        false => report.show(&mut console.out)?,
    }
    Ok(Outcome::of_work(report.interrupted))
}

impl FeatureArgs {
    /// The heuristics whose features are tuned; others have none.
    fn heuristics(&self) -> Result<Heuristics, Failure> {
        let features = FEATURES.split('+');
        let known: Heuristics = FEATURES.parse().unwrap_or_default();
        let asked = self.heuristic.unwrap_or(known);
        let other = Heuristics::names()
            .iter()
            .find(|name| asked.has(name) && !features.clone().any(|known| known == **name));
        match other {
            None => Ok(asked),
            Some(name) => Err(
                Failure::usage(format!("`{name}` is no heuristic of features")).with_help(format!(
                    "give some of {FEATURES}; `kolibri train` learns all weights"
                )),
            ),
        }
    }
}

impl FeatureReport {
    fn of(game: &Game, tuned: &TunedFeatures) -> Self {
        let features = tuned.features.iter();
        let weights = features.map(|(heuristic, feature, weight)| TunedWeight {
            heuristic,
            feature: feature.clone(),
            weight: *weight,
        });
        let (subject, training) = (tuned.weights.subject(), tuned.weights.training());
        Self {
            game: game.name().to_owned(),
            role: game.roles()[subject.role].clone(),
            shares_points: subject.shares_points,
            method: "",
            rounds: tuned.rounds,
            games: training.games,
            score: tuned.score,
            weights: weights.collect(),
            seed: 0,
            file: String::new(),
            seconds: training.seconds,
            interrupted: false,
        }
    }

    fn show(&self, out: &mut Stream<'_>) -> std::io::Result<()> {
        let (strong, faint) = (style::STRONG, style::FAINT);
        writeln!(
            out,
            "{strong}{:<10} {:>9}  feature{strong:#}",
            "heuristic", "weight"
        )?;
        for of in &self.weights {
            writeln!(
                out,
                "{:<10} {:>9.3}  {}",
                of.heuristic, of.weight, of.feature
            )?;
        }
        let (rounds, games) = (counted(self.rounds, "round"), counted(self.games, "game"));
        writeln!(
            out,
            "{faint}{rounds}, {games} in {:.1} s, seed {}{faint:#}",
            self.seconds, self.seed
        )?;
        if let Some(score) = self.score {
            writeln!(
                out,
                "points of 100 against the weights of regression, one ply deep: {score:.1}"
            )?;
        }
        if self.interrupted {
            writeln!(out, "{INTERRUPTED}")?;
        }
        writeln!(out, "weights={}", self.file)
    }
}
