//! `kolibri verify`: do records of games agree with the rules?

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use glob::Pattern;
use serde::Serialize;

use crate::catalog::GameSource;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::EngineArgs;
use crate::cli::number::whole;
use crate::cli::seconds::Seconds;
use crate::cli::style;
use crate::cli::threads::ThreadArgs;
use crate::engine::LoadOptions;
use crate::play::{RecordFile, UnreadablePath, Verification, VerifyBudget, record_files, verify};
use crate::tournament::verify_log;

const EXAMPLES: &str = "\
Examples:
  kolibri verify match.json
  kolibri verify matches/                        every record in a folder
  kolibri verify games.jsonl                     the log of a tournament
  kolibri verify corpus --only 'ggp__*' --threads 2

A folder holds match records (*.json) and logs of tournaments (*.jsonl), or rule
files kif/X.kif with traces trace/X.json.gz; traces that manifest.tsv marks as
unusable are skipped. Every recorded state, set of legal moves, end and goal is
compared, and the recorded numbers of paths as far as the limits allow. Of the log
of a tournament, every line is checked, and games of which it holds the moves, or
names the record, are played again.";

/// Replay recorded games against the rules, and report the first difference
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct VerifyArgs {
    /// Folders, traces, match records, or logs of tournaments (*.jsonl)
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

/// How many records passed.
#[derive(Debug, Default, Serialize)]
struct VerifyTotals {
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
    let (logs, records) = files(args)?;
    let stop = console.stop_flag();
    let budget = VerifyBudget {
        open: LoadOptions {
            stop: stop.clone(),
            ..args.engine.options()
        },
        stop: &stop,
        seconds: args.seconds.duration(),
        perft_seconds: args.perft_seconds.duration(),
        perft_nodes: args.perft_nodes,
    };
    let mut totals = VerifyTotals::default();
    verify(&records, args.threads.count(), &budget, |verification| {
        totals.add(&verification);
        report(&verification, args.json, console)
    })?;
    for log in &logs {
        if stop.is_raised() {
            break;
        }
        let verification = verify_log(log, &budget.open, &stop);
        totals.add(&verification);
        report(&verification, args.json, console)?;
    }
    totals.left = records.len() + logs.len() - totals.passed - totals.failed - totals.skipped;
    totals.seconds = begin.elapsed().as_secs_f64();
    close(&totals, args.json, console)?;
    match stop.is_raised() {
        true => Ok(Outcome::Interrupted),
        false => Ok(Outcome::passed(totals.failed == 0)),
    }
}

impl VerifyTotals {
    fn add(&mut self, verification: &Verification) {
        self.states += verification.states;
        match verification.ok {
            Some(true) => self.passed += 1,
            Some(false) => self.failed += 1,
            None => self.skipped += 1,
        }
    }
}

/// The logs and the records at the paths that were typed.
fn files(args: &VerifyArgs) -> Result<(Vec<PathBuf>, Vec<RecordFile>), Failure> {
    if let Some(rules) = &args.rules {
        GameSource::find(rules)?;
    }
    let paths = args.paths.iter().cloned();
    let (mut logs, paths): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| is_log(path));
    for path in &paths {
        let entries = path.read_dir().into_iter().flatten().flatten();
        let mut inside: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        inside.retain(|path| is_log(path));
        inside.sort();
        logs.extend(inside);
    }
    let mut records = record_files(&paths, args.rules.as_deref())?;
    if let Some(pattern) = &args.only {
        records.retain(|one| pattern.matches(one.stem()));
        logs.retain(|log| {
            let stem = log.file_stem().and_then(OsStr::to_str);
            stem.is_some_and(|stem| pattern.matches(stem))
        });
    }
    match records.is_empty() && logs.is_empty() {
        false => Ok((logs, records)),
        true => Err(Failure::usage("there is no record to verify").with_help(
            "name a record, a log *.jsonl, a folder of these, or a folder with kif/ and trace/; `--only` matches whole names",
        )),
    }
}

/// Whether a file is the log of a tournament, by the end of its name.
fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "jsonl")
}

impl From<UnreadablePath> for Failure {
    fn from(fault: UnreadablePath) -> Self {
        let failure = Self::usage(fault.to_string());
        match fault {
            UnreadablePath::Missing(_) => {
                failure.with_help("name a folder, a trace or a match record")
            }
            UnreadablePath::Refused(..) => failure,
        }
    }
}

fn report(
    verification: &Verification,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    if json {
        return console.json(verification);
    }
    let (word, paint) = match verification.ok {
        Some(true) => ("ok  ", style::GOOD),
        Some(false) => ("FAIL", style::ERROR),
        None => ("skip", style::WARNING),
    };
    let faint = style::FAINT;
    let file = &verification.file;
    write!(console.out, "{paint}{word}{paint:#} {file}")?;
    if verification.ok.is_some() {
        let (states, seconds) = (verification.states, verification.seconds);
        write!(console.out, " {faint}{states} states")?;
        if let Some(depth) = verification.perft_depth {
            write!(console.out, ", perft to {depth}")?;
        }
        write!(console.out, ", {seconds:.1} s{faint:#}")?;
    }
    if let Some(note) = &verification.note {
        write!(console.out, " ({note})")?;
    }
    writeln!(console.out)?;
    if let Some(difference) = &verification.difference {
        writeln!(console.out, "     {difference}")?;
    }
    Ok(console.out.flush()?)
}

fn close(totals: &VerifyTotals, json: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    if json {
        return console.json(totals);
    }
    let VerifyTotals {
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
