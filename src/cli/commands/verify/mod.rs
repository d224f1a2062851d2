//! `kolibri verify`: do records of games agree with the rules?
//!
//! [`find`] turns the paths that were typed into jobs, [`record`] reads what a file says, [`compare`] does one job,
//! and this file runs the jobs on several threads and reports them in order.

mod compare;
mod find;
mod record;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use glob::Pattern;
use serde::Serialize;

use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::EngineArgs;
use crate::cli::number::whole;
use crate::cli::seconds::Seconds;
use crate::cli::style;
use crate::cli::threads::ThreadArgs;
use crate::engine::LoadOptions;

use compare::{Budget, Verdict};
use find::Job;

const EXAMPLES: &str = "\
Examples:
  kolibri verify match.json
  kolibri verify matches/                        every record in a folder
  kolibri verify corpus --only 'ggp__*' --threads 2

A folder holds match records (*.json), or rule files kif/X.kif with traces
trace/X.json.gz; traces that manifest.tsv marks as unusable are skipped. Every
recorded state, set of legal moves, end and goal is compared, and the recorded
numbers of paths as far as the limits allow.";

/// Replay recorded games against the rules, and report the first difference
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct VerifyArgs {
    /// Folders, traces or match records
    #[arg(value_name = "DIR|RECORD", required = true)]
    paths: Vec<PathBuf>,
    /// Only files whose name, without its ending, matches a pattern with *, ? and […]
    #[arg(long, value_name = "GLOB")]
    only: Option<Pattern>,
    /// The rules of a record that does not name them: a shipped game or the path of a rule file
    #[arg(long, value_name = "GAME")]
    rules: Option<String>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Time limit for the states of one file; what was compared until then counts
    #[arg(
        long,
        value_name = "S",
        default_value = "60",
        allow_negative_numbers = true
    )]
    seconds: Seconds,
    /// Time limit for counting the paths of one file
    #[arg(
        long,
        value_name = "S",
        default_value = "10",
        allow_negative_numbers = true
    )]
    perft_seconds: Seconds,
    /// Skip path counts that need more than N joint moves
    #[arg(long, value_name = "N", default_value_t = 100_000, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    perft_nodes: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object per file, and one with the totals
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Default, Serialize)]
struct Totals {
    passed: usize,
    failed: usize,
    skipped: usize,
    /// Files that were not looked at because of Ctrl-C.
    left: usize,
    states: usize,
    seconds: f64,
}

pub(in crate::cli) fn run(
    args: &VerifyArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let begin = std::time::Instant::now();
    let jobs = find::jobs(&args.paths, args.only.as_ref(), args.rules.as_deref())?;
    let stop = console.stop_flag();
    let budget = Budget {
        open: LoadOptions {
            stop: stop.clone(),
            ..args.engine.options()
        },
        stop: &stop,
        seconds: args.seconds,
        perft_seconds: args.perft_seconds,
        perft_nodes: args.perft_nodes,
    };
    let mut totals = Totals::default();
    work(&jobs, args.threads.count(), &budget, |verdict| {
        totals.add(&verdict);
        report(&verdict, args.json, console)
    })?;
    totals.left = jobs.len() - totals.passed - totals.failed - totals.skipped;
    totals.seconds = begin.elapsed().as_secs_f64();
    close(&totals, args.json, console)?;
    match stop.is_raised() {
        true => Ok(Outcome::Interrupted),
        false => Ok(Outcome::passed(totals.failed == 0)),
    }
}

impl Totals {
    fn add(&mut self, verdict: &Verdict) {
        self.states += verdict.states;
        match verdict.ok {
            Some(true) => self.passed += 1,
            Some(false) => self.failed += 1,
            None => self.skipped += 1,
        }
    }
}

/// Does the jobs on several threads, and hands the verdicts to `tell` in the order of the jobs.
fn work(
    jobs: &[Job],
    threads: usize,
    budget: &Budget<'_>,
    mut tell: impl FnMut(Verdict) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (sender, verdicts) = channel();
    let taken = AtomicUsize::new(0);
    let deaf = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            let sender = sender.clone();
            scope.spawn(|| take_jobs(jobs, &taken, &deaf, budget, sender));
        }
        drop(sender);
        let mut early: Vec<Option<Verdict>> = jobs.iter().map(|_| None).collect();
        let mut told = 0;
        for (number, verdict) in verdicts {
            early[number] = Some(verdict);
            while let Some(verdict) = early.get_mut(told).and_then(Option::take) {
                told += 1;
                if let Err(failure) = tell(verdict) {
                    deaf.store(true, Ordering::Relaxed);
                    return Err(failure);
                }
            }
        }
        early.into_iter().flatten().try_for_each(&mut tell)
    })
}

fn take_jobs(
    jobs: &[Job],
    taken: &AtomicUsize,
    deaf: &AtomicBool,
    budget: &Budget<'_>,
    verdicts: Sender<(usize, Verdict)>,
) {
    loop {
        let number = taken.fetch_add(1, Ordering::Relaxed);
        let ended = budget.stop.is_raised() || deaf.load(Ordering::Relaxed);
        let Some(job) = jobs.get(number).filter(|_| !ended) else {
            return;
        };
        let verdict = compare::compare(job, budget);
        if verdicts.send((number, verdict)).is_err() {
            return;
        }
    }
}

fn report(verdict: &Verdict, json: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    if json {
        return console.json(verdict);
    }
    let (word, paint) = match verdict.ok {
        Some(true) => ("ok  ", style::GOOD),
        Some(false) => ("FAIL", style::ERROR),
        None => ("skip", style::WARNING),
    };
    let faint = style::FAINT;
    let file = &verdict.file;
    write!(console.out, "{paint}{word}{paint:#} {file}")?;
    if verdict.ok.is_some() {
        let (states, seconds) = (verdict.states, verdict.seconds);
        write!(console.out, " {faint}{states} states")?;
        if let Some(depth) = verdict.perft_depth {
            write!(console.out, ", perft to {depth}")?;
        }
        write!(console.out, ", {seconds:.1} s{faint:#}")?;
    }
    if let Some(note) = &verdict.note {
        write!(console.out, " ({note})")?;
    }
    writeln!(console.out)?;
    if let Some(difference) = &verdict.difference {
        writeln!(console.out, "     {difference}")?;
    }
    Ok(console.out.flush()?)
}

fn close(totals: &Totals, json: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    if json {
        return console.json(totals);
    }
    let Totals {
        passed,
        failed,
        skipped,
        left,
        states,
        seconds,
    } = totals;
    let paint = if *failed == 0 {
        style::GOOD
    } else {
        style::ERROR
    };
    write!(
        console.out,
        "{paint}{passed} passed, {failed} failed{paint:#}, {skipped} skipped; {states} states in {seconds:.1} s"
    )?;
    if *left > 0 {
        write!(console.out, "; {left} files left out")?;
    }
    writeln!(console.out)?;
    Ok(())
}
