//! `kolibri perft`: how many paths there are.

use std::io::Write;
use std::time::Instant;

use serde::Serialize;

use crate::analysis::{DepthCount, Perft};
use crate::cli::commands::states::SymmetryChoice;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::{GameArgs, network};
use crate::cli::number::whole;
use crate::cli::position::{self, StateArgs};
use crate::cli::style;
use crate::cli::threads::ThreadArgs;
use crate::engine::{Bits, Propnet};
use crate::game::{StateMachine, Stopped};
use crate::session::Position;
use crate::state_space::{PathCounter, SpaceError};
use crate::symmetry::SymmetryGroup;
use crate::util::{Deadline, Expired};

const EXAMPLES: &str = "\
Examples:
  kolibri perft tictactoe 9
  kolibri perft checkers 6 --turns       a chain of jumps counts as one move
  kolibri perft connect-four 8 --symmetry
  kolibri perft mygame.kif 4 --threads 2 --json";

/// Count the paths of joint moves at each depth
///
/// Games that are over are not extended, and a state in which a role has no legal move has no successors. Counting
/// ends after a depth without paths.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct PerftArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The greatest depth
    #[arg(value_name = "DEPTH", allow_negative_numbers = true, value_parser = whole::<u32>(1, u64::MAX))]
    depth: u32,
    /// Count a depth each time control passes, instead of each ply
    #[arg(long)]
    turns: bool,
    /// Let paths go on together that lead to the same state but for symmetries of the game, such as those of the board
    #[arg(long, conflicts_with_all = ["turns", "state", "threads", "engine"])]
    symmetry: bool,
    /// Give up when the states of a depth, one of each class, need more than N MiB
    #[arg(long, value_name = "N", requires = "symmetry", default_value_t = 4096, allow_negative_numbers = true, value_parser = whole::<u64>(1, 1 << 24))]
    memory: u64,
    #[command(flatten)]
    start: StateArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &PerftArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let session = position::open(&args.game, &args.start, console)?;
    let by_class = match args.symmetry {
        true => Some(ClassCounting::new(session.position(), console)?),
        false => None,
    };
    let counting = Counting {
        args,
        start: session.position(),
        by_class,
        console,
    };
    counting.run()
}

/// What it takes to count by classes of states.
struct ClassCounting {
    game: Propnet,
    symmetries: SymmetryGroup,
    start: Bits,
}

impl ClassCounting {
    fn new(start: &Position, console: &Console<'_>) -> Result<Self, Failure> {
        let (source, stop) = (start.game().source(), console.stop_flag());
        let game = network(source, &stop)?;
        let deadline = Deadline::new(None, &stop);
        Ok(Self {
            symmetries: SymmetryChoice::Keep.group(source, &game, &deadline)?,
            start: game
                .state_from_text(&start.facts())
                .map_err(|fault| Failure::finding(fault.to_string()))?,
            game,
        })
    }
}

#[derive(Serialize)]
struct PerftReport<'r> {
    game: &'r str,
    engine: &'r str,
    turns: bool,
    threads: usize,
    counts: Vec<u64>,
    /// Per depth, to how many classes of states the paths lead.
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<Vec<u64>>,
    seconds: f64,
    nodes_per_second: f64,
    /// Why the last depths are missing.
    stopped: Option<String>,
}

/// Why the last depths are missing.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
enum Uncounted {
    Stopped(#[from] Stopped),
    Space(#[from] SpaceError),
}

impl Uncounted {
    fn is_interrupted(&self) -> bool {
        let interrupted = Expired::Interrupted;
        match self {
            Self::Stopped(why) => *why == Stopped::Expired(interrupted),
            Self::Space(why) => *why == SpaceError::Expired(interrupted),
        }
    }

    fn into_failure(self) -> Failure {
        let failure = Failure::finding(self.to_string());
        match self {
            Self::Stopped(_) => failure,
            Self::Space(_) => {
                failure.with_help("give more with `--memory`, or leave out `--symmetry`")
            }
        }
    }
}

struct Counting<'c, 's> {
    args: &'c PerftArgs,
    start: &'c Position,
    by_class: Option<ClassCounting>,
    console: &'c mut Console<'s>,
}

impl Counting<'_, '_> {
    fn run(mut self) -> Result<Outcome, Failure> {
        let (mut counts, mut classes) = (Vec::new(), None);
        let stopped = match self.by_class.take() {
            Some(by_class) => {
                self.count_by_class(&by_class, &mut counts, classes.insert(Vec::new()))?
            }
            None => self.count(&mut counts)?,
        };
        let game = self.start.game();
        let paths = counts.iter().map(|count| count.paths);
        let seconds: f64 = counts.iter().map(|count| count.time.as_secs_f64()).sum();
        let report = PerftReport {
            game: game.name(),
            engine: game.report().engine.name(),
            turns: self.args.turns,
            threads: self.args.threads.count(),
            seconds,
            nodes_per_second: paths.clone().sum::<u64>() as f64 / seconds.max(1e-9),
            counts: paths.collect(),
            classes,
            stopped: stopped.as_ref().map(Uncounted::to_string),
        };
        if self.args.json {
            self.console.json(&report)?;
        }
        if counts.iter().any(|count| count.stuck) {
            self.console.hint(
                "some paths end in states that are not over, as a role has no legal move there",
            )?;
        }
        match stopped {
            None => Ok(Outcome::Success),
            Some(why) if why.is_interrupted() => {
                let next = report.counts.len() + 1;
                let hint = format!("interrupted: depth {next} is not counted completely");
                self.console.hint(&hint)?;
                Ok(Outcome::Interrupted)
            }
            Some(why) => Err(why.into_failure()),
        }
    }

    /// Counts depth by depth, and shows each count as soon as it is known.
    fn count(&mut self, counts: &mut Vec<DepthCount>) -> Result<Option<Uncounted>, Failure> {
        let pool = self.args.threads.pool()?;
        let stop = self.console.stop_flag();
        let perft = Perft {
            turns: self.args.turns,
            deadline: &Deadline::new(None, &stop),
        };
        self.show_head()?;
        for depth in 1..=self.args.depth {
            match self.start.perft(&perft, &pool, depth) {
                Ok(count) => {
                    self.show(&count)?;
                    counts.push(count);
                    if count.paths == 0 {
                        return Ok(None);
                    }
                }
                Err(why) => return Ok(Some(why.into())),
            }
        }
        Ok(None)
    }

    /// The same by classes of states.
    fn count_by_class(
        &mut self,
        by_class: &ClassCounting,
        counts: &mut Vec<DepthCount>,
        classes: &mut Vec<u64>,
    ) -> Result<Option<Uncounted>, Failure> {
        let deadline = Deadline::new(None, &self.console.stop_flag());
        let ClassCounting {
            game,
            symmetries,
            start,
        } = by_class;
        let mut counter = PathCounter::new(game, symmetries, start, self.args.memory << 20);
        self.show_head()?;
        for depth in 1..=self.args.depth {
            let begin = Instant::now();
            let found = match counter.advance(&deadline) {
                Ok(found) => found,
                Err(why) => return Ok(Some(why.into())),
            };
            let count = DepthCount {
                depth,
                paths: found.paths,
                stuck: false,
                time: begin.elapsed(),
            };
            self.show(&count)?;
            counts.push(count);
            classes.push(found.classes);
            if count.paths == 0 {
                break;
            }
        }
        Ok(None)
    }

    fn show_head(&mut self) -> Result<(), Failure> {
        if !self.args.json {
            let unit = if self.args.turns { "turns" } else { "plies" };
            let faint = style::FAINT;
            let head = format!(
                "{unit:>5} {:>20} {:>10} {:>12}",
                "paths", "seconds", "paths/s"
            );
            writeln!(self.console.out, "{faint}{head}{faint:#}")?;
        }
        Ok(())
    }

    fn show(&mut self, count: &DepthCount) -> Result<(), Failure> {
        if self.args.json {
            return Ok(());
        }
        let DepthCount {
            depth, paths, time, ..
        } = *count;
        let seconds = time.as_secs_f64();
        let rate = paths as f64 / seconds.max(1e-9);
        let (strong, out) = (style::STRONG, &mut self.console.out);
        writeln!(
            out,
            "{depth:>5} {strong}{paths:>20}{strong:#} {seconds:>10.3} {rate:>12.0}"
        )?;
        Ok(out.flush()?)
    }
}
