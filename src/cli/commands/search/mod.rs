//! `kolibri search`: what the Min-Max player thinks of a position.

mod args;
mod curve;
mod depths;
mod exact;
mod heuristic;
mod report;
mod reuse;
mod show;

use std::cell::RefCell;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(in crate::cli) use self::args::SearchArgs;
use self::curve::curve;
use self::depths::MeasuredDepths;
use self::exact::exact;
use self::report::{Contribution, MoveReport, SearchReport, WeightReport};
use self::reuse::reuse;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::memory::peak_memory;
use crate::cli::output_file::check_output;
use crate::cli::position::{self};
use crate::cli::status_line::StatusLine;
use crate::cli::style;
use crate::cli::thinking;
use crate::game::is_chance;
use crate::play::role_number;
use crate::search::{
    EvaluationPart, MAX_DEPTH, SearchLimits, SearchProgress, Searcher, bytes_of_entries,
};
use crate::session::{Session, read_weights};
use crate::symmetry::SymmetryGroup;
use crate::terminal::verdict;
use crate::util::{Deadline, StopFlag};

/// How long symmetries may be looked for before a search.
const SYMMETRY_TIME: Duration = Duration::from_secs(5);

pub(in crate::cli) fn run(
    args: &SearchArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    args.check_symmetry()?;
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
        let seconds = args.learning_time().as_secs();
        console.hint(&format!(
            "learning the heuristics' weights was stopped after {seconds} s; another run or a faster engine may give other values"
        ))?;
    }
    Ok(Outcome::of_work(report.interrupted))
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
    let symmetries = prepare(args, session, (role, searcher), &stop, console.quiet)?;
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
    // After a stop, somebody waits for the answer: what takes a while to count is left out.
    let is_told = !stop.is_raised();
    let table_entries = is_told.then(|| searcher.table_entries()).flatten();
    let bytes = table_entries.map(|entries| bytes_of_entries(entries) as f64);
    let widths = match is_told {
        true => widths(session, &found.pv),
        false => Vec::new(),
    };
    let depths = depths.take();
    let branching = depths.branching();
    let reused = match args.reuse && is_told {
        true => reuse(
            session,
            (role, args, symmetries.as_ref()),
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
        depths: depths.into_reports(&widths),
        reuse: reused,
        moves: known.map(MoveReport::new).collect(),
        parts: parts(session, role, searcher),
        heuristics: contributions.into_iter().map(Contribution::new).collect(),
        weights: searcher
            .weights(game.roles())
            .into_iter()
            .map(WeightReport::new)
            .collect(),
        symmetries: args
            .symmetry
            .then(|| symmetries.map_or(1, |group| group.used())),
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
) -> Result<Option<Arc<SymmetryGroup>>, Failure> {
    if let Some(file) = &args.weights {
        searcher.use_weights(read_weights(session.game(), file, role)?);
    }
    let (mut status, mut symmetries) = (StatusLine::new(quiet), None);
    if args.symmetry {
        status.show("looking for symmetries");
        let within = Deadline::new(Some(Instant::now() + SYMMETRY_TIME), stop);
        symmetries = session.game().symmetries(&within);
    }
    if let Some(symmetries) = &symmetries {
        searcher.use_symmetries(Arc::clone(symmetries));
    }
    status.show("learning the weights of the evaluation");
    session.prepare(role, searcher, args.learning_time(), stop);
    status.clear();
    Ok(symmetries)
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

/// How many joint moves there are along a line.
fn widths(session: &Session, line: &[Vec<String>]) -> Vec<u64> {
    let (mut session, mut widths) = (session.clone(), Vec::new());
    for joint in line {
        let legal = (0..session.roles().len()).map(|role| session.legal_of(role).len() as u64);
        widths.push(legal.product());
        if session.play_joint(joint).is_err() {
            break;
        }
    }
    widths
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
