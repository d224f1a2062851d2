//! `kolibri search`: what the Min-Max player thinks of a position.

mod curve;
mod depths;
mod exact;
mod heuristic;
mod report;
mod reuse;
mod show;

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use self::curve::{ThreadRange, curve};
use self::depths::MeasuredDepths;
use self::exact::exact;
use self::heuristic::SearchHeuristic;
use self::report::{Contribution, MoveReport, SearchReport, WeightReport};
use self::reuse::reuse;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::GameArgs;
use crate::cli::hamming::hamming;
use crate::cli::memory::peak_memory;
use crate::cli::number::whole;
use crate::cli::output_file::check_output;
use crate::cli::position::{self, PositionArgs};
use crate::cli::seconds::Seconds;
use crate::cli::status_line::StatusLine;
use crate::cli::style;
use crate::cli::thinking;
use crate::cli::threads::ThreadArgs;
use crate::game::is_chance;
use crate::native::check_evaluation;
use crate::play::{no_evaluation, role_number};
use crate::search::{
    EvaluationPart, Features, MAX_DEPTH, MinimaxSettings, SearchLimits, SearchProgress, Searcher,
    ShortestWaySearcher, bytes_of_entries,
};
use crate::session::{Found, Game, Session, read_weights};
use crate::terminal::verdict;
use crate::util::{Deadline, StopFlag};

const EXAMPLES: &str = "\
Examples:
  kolibri search tictactoe                          what to play first
  kolibri search kolibrat --time 10 --threads 2     think for ten seconds on two threads
  kolibri search connect-four '(drop d)' --depth 12 --multi 3
  kolibri search checkers --heuristic none --json
  kolibri search eight-puzzle --heuristic hamming     the shortest way of a game for one
  kolibri search connect-four --depth 9 --curve 1..4 --svg curve.svg    what more threads bring
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["role", "depth", "time", "multi", "hash", "heuristic", "evaluation", "threads", "no_table", "no_ordering", "worst_ordering", "no_pruning", "reuse"])]
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
    /// Heuristics of the evaluation: all, none, or names joined by + and -, out of mobility, pieces, progress, facts, tuples, goals,
    /// and certain. For a game of one role, hamming: the shortest way to the best goal, by the facts that lack
    #[arg(long, value_name = "NAMES", default_value_t)]
    heuristic: SearchHeuristic,
    /// Take the weights of the evaluation from FILE, as `train --out` writes it, instead of learning them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["heuristic", "evaluation", "solution"])]
    weights: Option<PathBuf>,
    /// Search without the transposition table
    #[arg(long, conflicts_with = "hash")]
    no_table: bool,
    /// Search moves in the order of the rules, not the most promising ones first
    #[arg(long)]
    no_ordering: bool,
    /// Search the most promising moves last
    #[arg(long, conflicts_with = "no_ordering")]
    worst_ordering: bool,
    /// Leave out what will hardly matter, as players do: deeper in the same time, but values are no longer those of a plain Min-Max
    #[arg(long, conflicts_with = "no_pruning")]
    selective: bool,
    /// Look for a proof of the value: the evaluation orders moves, and where nothing is proved, the value is 50
    #[arg(long, conflicts_with_all = ["solution", "selective", "no_pruning", "no_ordering", "worst_ordering"])]
    prove: bool,
    /// Find the symmetries of the game first, and keep one table entry for positions that are alike but for these; with --depth, only
    /// without heuristics
    #[arg(long, conflicts_with_all = ["solution", "no_table", "curve"])]
    symmetry: bool,
    /// Search all moves, also where one is good enough
    #[arg(long)]
    no_pruning: bool,
    /// A published evaluation of a native engine instead of the heuristics
    #[arg(long, value_name = "NAME", value_parser = evaluation)]
    evaluation: Option<String>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Search this position, and those two and four random plies later, on each of these numbers of threads, such as 1..4; --depth is
    /// needed
    #[arg(long, value_name = "N..M", requires = "depth", conflicts_with_all = ["solution", "threads", "time", "multi", "role", "reuse"])]
    curve: Option<ThreadRange>,
    /// Write a picture of the curve to FILE
    #[arg(long, value_name = "FILE", requires = "curve")]
    svg: Option<PathBuf>,
    /// Replace a file that exists; without --force, it is kept, and the command fails
    #[arg(long)]
    force: bool,
    /// Search on two plies later, with the table of this search and without, and tell what it spares
    #[arg(long)]
    reuse: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The time limit without --time and --depth.
const DEFAULT_TIME: Duration = Duration::from_secs(2);
/// What asks for the shortest way.
const HAMMING: &str = "--heuristic hamming";
/// How long weights for heuristics may be looked for before that, and symmetries.
const PREPARATION: Duration = Duration::from_secs(5);

pub(in crate::cli) fn run(
    args: &SearchArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let mut session = position::open(&args.game, &args.position.start, console)?;
    position::advance(&mut session, &args.position.moves)?;
    if let Some(file) = &args.solution {
        return print(&exact(&session, file)?, args, console);
    }
    if let (Some(threads), Some(depth), false) =
        (args.curve, args.depth, args.heuristic.is_hamming())
    {
        args.check_evaluation(session.game())?;
        if let Some(path) = &args.svg {
            check_output(path, args.force)?;
        }
        return curve(args, &session, (threads, depth), console);
    }
    let mut searcher = args.searcher(session.game())?;
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
        let seconds = PREPARATION.as_secs();
        console.hint(&format!(
            "learning the heuristics' weights was stopped after {seconds} s; another run or a faster engine may give other values"
        ))?;
    }
    Ok(match report.interrupted {
        true => Outcome::Interrupted,
        false => Outcome::Success,
    })
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
    prepare(args, session, (role, searcher), &stop, console.quiet)?;
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
    args.check_reached(&found, game)?;
    let table_entries = searcher.table_entries();
    let bytes = table_entries.map(|entries| bytes_of_entries(entries) as f64);
    let depths = depths.take();
    let branching = depths.branching();
    let reused = match args.reuse && !stop.is_raised() {
        true => reuse(
            session,
            (role, &args.settings()),
            &found,
            searcher,
            branching,
            &stop,
        ),
        false => None,
    };
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
        table_entries,
        bytes_per_node: bytes.map(|bytes| bytes / found.nodes.max(1) as f64),
        peak_memory_bytes: peak_memory(),
        depths: depths.into_reports(),
        reuse: reused,
        moves: moves.collect(),
        parts: parts(session, role, searcher),
        heuristics: contributions.into_iter().map(Contribution::new).collect(),
        weights: searcher
            .weights()
            .into_iter()
            .map(WeightReport::new)
            .collect(),
        weights_cut_short: searcher.training_cut_short(),
        interrupted,
    })
}

/// Gives a searcher the symmetries of the game, if they are asked for, and its weights: those in a file, or those that it learns now.
fn prepare(
    args: &SearchArgs,
    session: &Session,
    (role, searcher): (usize, &mut Searcher),
    stop: &StopFlag,
    quiet: bool,
) -> Result<(), Failure> {
    if let Some(file) = &args.weights {
        searcher.use_weights(read_weights(session.game(), file, role)?);
    }
    let mut status = StatusLine::new(quiet);
    if args.symmetry {
        status.show("looking for symmetries");
        let within = Deadline::new(Some(Instant::now() + PREPARATION), stop);
        if let Some(symmetries) = session.game().symmetries(&within) {
            searcher.use_symmetries(symmetries);
        }
    }
    status.show("learning the weights of the evaluation");
    session.prepare(role, searcher, PREPARATION, stop);
    status.clear();
    Ok(())
}

/// The parts of the evaluation that weigh most.
fn parts(session: &Session, role: usize, searcher: &Searcher) -> Vec<WeightReport> {
    /// How many of them are told.
    const TOLD: usize = 20;
    let parts = session.explanation(role, searcher).into_iter();
    let report = |part: EvaluationPart| WeightReport::new((part.heuristic, part.about, part.adds));
    parts.take(TOLD).map(report).collect()
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

/// An evaluation that some native engine has.
fn evaluation(text: &str) -> Result<String, String> {
    match check_evaluation(text) {
        Ok(()) => Ok(text.to_owned()),
        Err(expected) => Err(format!("write {expected}")),
    }
}

impl SearchArgs {
    fn check_evaluation(&self, game: &Game) -> Result<(), Failure> {
        let asked = self.evaluation.as_deref();
        match asked.filter(|name| !game.has_evaluation(name)) {
            Some(name) => Err(no_evaluation(name, game.evaluations()).into()),
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
            heuristics: self.heuristic.learned(),
            evaluation: self.evaluation.as_deref().map(Into::into),
            selective: self.selective,
            only_proofs: self.prove,
            ..MinimaxSettings::default()
        }
    }

    /// What searches the game.
    fn searcher(&self, game: &Game) -> Result<Searcher, Failure> {
        if !self.heuristic.is_hamming() {
            return Ok(Searcher::minimax(self.settings()));
        }
        if self.threads.count() > 1 || self.multi > 1 || self.reuse || self.evaluation.is_some() {
            let fault =
                "with `--heuristic hamming`, one thread looks for one way, and nothing else";
            return Err(Failure::usage(fault)
                .with_help("leave out `--threads`, `--multi`, `--reuse` and `--evaluation`"));
        }
        let hash = self.settings().hash;
        let searcher = ShortestWaySearcher::new(hamming(game, HAMMING)?, hash);
        Ok(Searcher::ShortestWay(Box::new(searcher)))
    }

    /// Whether the best goal can be reached, as far as the search tells.
    fn check_reached(&self, found: &Found, game: &Game) -> Result<(), Failure> {
        if !self.heuristic.is_hamming() || !found.exact {
            return Ok(());
        }
        let goal = hamming(game, HAMMING)?.goal();
        match found.value.goal() == goal {
            true => Ok(()),
            false => Err(Failure::finding(format!(
                "no end with a goal of {goal} can be reached from this position"
            ))),
        }
    }

    fn time(&self) -> Option<Duration> {
        let typed = self.time.map(Seconds::duration);
        typed.or((self.depth.is_none()).then_some(DEFAULT_TIME))
    }
}
