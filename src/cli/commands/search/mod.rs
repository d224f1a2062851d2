//! `kolibri search`: what the Min-Max player thinks of a position.

mod depths;
mod exact;
mod show;

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use serde::Serialize;

use self::depths::{DepthReport, MeasuredDepths};
use self::exact::exact;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::GameArgs;
use crate::cli::memory::peak_memory;
use crate::cli::number::whole;
use crate::cli::position::{self, PositionArgs};
use crate::cli::seconds::Seconds;
use crate::cli::status_line::StatusLine;
use crate::cli::style;
use crate::cli::thinking;
use crate::cli::threads::ThreadArgs;
use crate::engine::EngineKind;
use crate::game::is_chance;
use crate::native::{evaluation_named, evaluations};
use crate::play::{no_evaluation, role_number};
use crate::search::{
    Features, Heuristics, MAX_DEPTH, MinimaxSettings, SearchLimits, SearchProgress, Searcher,
};
use crate::session::{Game, Session};
use crate::terminal::verdict;

const EXAMPLES: &str = "\
Examples:
  kolibri search tictactoe                          what to play first
  kolibri search kolibrat --time 10 --threads 2     think for ten seconds on two threads
  kolibri search connect-four '(drop d)' --depth 12 --multi 3
  kolibri search checkers --heuristic none --json
  kolibri search tictactoe --solution tictactoe.solution    the exact values, as `solve --out` has found them

Values are goals from 0 to 100. An exact value cannot change with a deeper search; other values are estimates.
Where several roles choose at once, a value is what the role gets even if the others know its move.";

/// Search a position with Min-Max: best move, value and line
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct SearchArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    position: PositionArgs,
    /// The role to search for [default: the role that has a choice]
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Take the exact values of all moves from the solution in FILE, as `solve --out` writes it, instead of searching
    #[arg(long, value_name = "FILE", conflicts_with_all = ["role", "depth", "time", "multi", "hash", "heuristic", "evaluation", "threads", "no_table", "no_ordering", "worst_ordering", "no_pruning"])]
    solution: Option<PathBuf>,
    /// Depth limit in plies
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = whole::<u32>(1, MAX_DEPTH as u64))]
    depth: Option<u32>,
    /// Time limit in seconds [default: 2, if no depth is given]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    time: Option<Seconds>,
    /// Find the exact value and line of the N best moves, all at the same depth
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<usize>(1, 1000))]
    multi: usize,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = MinimaxSettings::HASH, allow_negative_numbers = true, value_parser = whole::<usize>(1, MinimaxSettings::MOST_HASH as u64))]
    hash: usize,
    /// Heuristics of the evaluation: all, none, or names joined by + and -, out of mobility, pieces, progress, goals,
    /// certain and quiescence
    #[arg(long, value_name = "NAMES", default_value_t)]
    heuristic: Heuristics,
    /// Search without the transposition table
    #[arg(long, conflicts_with = "hash")]
    no_table: bool,
    /// Search moves in the order of the rules, not the most promising ones first
    #[arg(long)]
    no_ordering: bool,
    /// Search the most promising moves last
    #[arg(long, conflicts_with = "no_ordering")]
    worst_ordering: bool,
    /// Search all moves, also where one is good enough
    #[arg(long)]
    no_pruning: bool,
    /// A published evaluation of a native engine instead of the heuristics
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(evaluations()))]
    evaluation: Option<String>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The time limit without --time and --depth.
const DEFAULT_TIME: Duration = Duration::from_secs(2);
/// How long weights for heuristics may be looked for before that.
const TRAINING: Duration = Duration::from_secs(5);

pub(in crate::cli) fn run(
    args: &SearchArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let mut session = position::open(&args.game, &args.position.start, console)?;
    position::advance(&mut session, &args.position.moves)?;
    if let Some(file) = &args.solution {
        return print(&exact(&session, file)?, args, console);
    }
    let mut searcher = Searcher::minimax(args.settings());
    let report = search(args, &session, &mut searcher, console)?;
    // Before the memory is freed: after a stop, that takes as long as ending the search.
    print(&report, args, console)
}

/// Tells what was found.
fn print(
    report: &SearchReport,
    args: &SearchArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    if args.json {
        console.json(report)?;
    } else {
        show::show(report, console)?;
    }
    console.out.flush()?;
    if report.weights_cut_short && !report.interrupted {
        let seconds = TRAINING.as_secs();
        console.hint(&format!(
            "learning the heuristics' weights was stopped after {seconds} s; another run or a faster engine may give other values"
        ))?;
    }
    Ok(match report.interrupted {
        true => Outcome::Interrupted,
        false => Outcome::Success,
    })
}

/// What was found, in text.
#[derive(Debug, Serialize)]
struct SearchReport {
    game: String,
    engine: EngineKind,
    role: String,
    best: String,
    value: f64,
    exact: bool,
    /// The number of plies to the end, where that is known and matters.
    steps: Option<u32>,
    /// Where this comes from, if nothing was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
    depth: u32,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    threads: usize,
    peak_memory_bytes: Option<u64>,
    /// What each depth took that was completed.
    depths: Vec<DepthReport>,
    moves: Vec<MoveReport>,
    heuristics: Vec<Contribution>,
    weights: Vec<WeightReport>,
    /// Whether weights were looked for no longer than there was time: they may be others another time.
    weights_cut_short: bool,
    interrupted: bool,
}

/// What was found of one move.
#[derive(Debug, Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: String,
    /// The value, or what it does not exceed.
    value: f64,
    /// Whether `value` is only a bound.
    at_most: bool,
    /// Whether looking deeper cannot change it.
    exact: bool,
    /// The number of plies to the end, where that is known and matters.
    steps: Option<u32>,
    line: Vec<String>,
}

/// What a heuristic adds to what is expected of the position before anything is searched, in logits.
#[derive(Debug, Serialize)]
struct Contribution {
    heuristic: &'static str,
    adds: f64,
}

/// What is counted, and what each of it adds, in logits.
#[derive(Debug, Serialize)]
struct WeightReport {
    heuristic: &'static str,
    counts: String,
    adds: f64,
}

fn search(
    args: &SearchArgs,
    session: &Session,
    searcher: &mut Searcher,
    console: &mut Console<'_>,
) -> Result<SearchReport, Failure> {
    let game = session.game();
    if session.is_terminal() {
        return Err(is_over(session));
    }
    let role = role(args.role.as_deref(), session)?;
    args.check_evaluation(game)?;
    let stop = console.stop_flag();
    let mut status = StatusLine::new(console.quiet);
    status.show("learning the weights of the evaluation");
    session.prepare(role, searcher, TRAINING, &stop);
    status.clear();
    let begin = Instant::now();
    let quiet = console.quiet;
    let err = RefCell::new(&mut console.err);
    let depths = RefCell::new(MeasuredDepths::default());
    let report = |progress: &SearchProgress| {
        depths.borrow_mut().add(progress);
        if !quiet && progress.time > show::FIRST_REPORT {
            let (faint, words) = (style::FAINT, thinking::words(progress));
            // A closed standard error is no reason to stop.
            let _ = writeln!(err.borrow_mut(), "{faint}{words}{faint:#}");
        }
    };
    let limits = SearchLimits {
        time: args.time(),
        margin: SearchLimits::MARGIN,
        threads: args.threads.count(),
        lines: args.multi,
        stop: Some(&stop),
        report: Some(&report),
        ..SearchLimits::to_depth(args.depth.unwrap_or(MAX_DEPTH))
    };
    let found = session.search_with_lines(role, &limits, searcher);
    let seconds = begin.elapsed().as_secs_f64();
    let found = found.ok_or_else(|| no_move(&game.roles()[role]))?;
    if let Some(fault) = found.fault {
        return Err(Failure::finding(fault.to_string()));
    }
    let interrupted = stop.is_raised();
    let contributions = match interrupted {
        true => Vec::new(),
        false => session.contributions(role, searcher),
    };
    // Where not even the first depth was completed, nothing is known of any move.
    let known = found.moves.into_iter().filter(|_| found.depth > 0);
    let moves = known.map(|of| MoveReport {
        mv: of.mv,
        value: of.value.points(),
        at_most: !of.is_exact,
        exact: of.is_decided,
        steps: of.value.steps(),
        line: of.line,
    });
    Ok(SearchReport {
        game: game.name().to_owned(),
        engine: game.report().engine,
        role: game.roles()[role].clone(),
        best: found.best,
        value: found.value.points(),
        exact: found.exact,
        steps: found.value.steps(),
        solution: None,
        depth: found.depth,
        line: found.line,
        nodes: found.nodes,
        seconds,
        nodes_per_second: found.nodes as f64 / seconds.max(1e-9),
        threads: limits.threads,
        peak_memory_bytes: peak_memory(),
        depths: depths.take().into_reports(),
        moves: moves.collect(),
        heuristics: contributions.into_iter().map(Contribution::new).collect(),
        weights: weights(searcher.weights()),
        weights_cut_short: searcher.training_cut_short(),
        interrupted,
    })
}

impl Contribution {
    fn new((heuristic, adds): (&'static str, f64)) -> Self {
        Self { heuristic, adds }
    }
}

fn weights(weights: Vec<(&'static str, String, f64)>) -> Vec<WeightReport> {
    let weight = |(heuristic, counts, adds)| WeightReport {
        heuristic,
        counts,
        adds,
    };
    weights.into_iter().map(weight).collect()
}

fn is_over(session: &Session) -> Failure {
    if let Some(fault) = session.fault() {
        return Failure::finding(fault.to_string());
    }
    let verdict = verdict(session.roles(), session.goals());
    Failure::finding(format!(
        "there is nothing to search, the game is over: {verdict}"
    ))
}

fn no_move(role: &str) -> Failure {
    Failure::finding(format!("{role} has no move in this position"))
        .with_help("the game is stuck here; `kolibri moves` shows the position")
}

/// The role to search for.
fn role(named: Option<&str>, session: &Session) -> Result<usize, Failure> {
    let names = session.roles();
    if let Some(role) = named {
        return Ok(role_number(role, names)?);
    }
    if let Some(role) = (0..names.len()).find(|&role| session.legal_of(role).is_empty()) {
        return Err(no_move(&names[role]));
    }
    session.position().role_to_move().ok_or_else(|| {
        let first = session.position().choosing().into_iter();
        let first = first.map(|role| &names[role]).find(|name| !is_chance(name));
        let help = format!(
            "say whose: `--role {}`",
            first.map_or("ROLE", String::as_str)
        );
        Failure::usage("several roles have a choice here").with_help(help)
    })
}

impl SearchArgs {
    fn check_evaluation(&self, game: &Game) -> Result<(), Failure> {
        let known = game.evaluations();
        match self.evaluation().filter(|name| !known.contains(name)) {
            Some(name) => Err(no_evaluation(name, known).into()),
            None => Ok(()),
        }
    }

    fn settings(&self) -> MinimaxSettings {
        let prunes = !self.no_pruning;
        MinimaxSettings {
            hash: if self.no_table { 0 } else { self.hash },
            features: Features {
                pruning: prunes,
                ordering: !self.no_ordering,
                null_windows: prunes,
                aspiration: prunes,
                worst_first: self.worst_ordering,
            },
            heuristics: self.heuristic,
            evaluation: self.evaluation(),
            ..MinimaxSettings::default()
        }
    }

    fn evaluation(&self) -> Option<&'static str> {
        evaluation_named(self.evaluation.as_deref()?)
    }

    fn time(&self) -> Option<Duration> {
        let typed = self.time.map(Seconds::duration);
        typed.or((self.depth.is_none()).then_some(DEFAULT_TIME))
    }
}
