//! `kolibri states --symbolic`: states counted by decision diagrams.

use std::io::{self, Write};
use std::sync::Mutex;
use std::time::Instant;

use num_bigint::BigUint;
use serde::Serialize;

use super::symmetry::ground_rules;
use super::{StatesArgs, print_csv, print_plies};
use crate::catalog::GameSource;
use crate::cli::console::{Console, Stream};
use crate::cli::failure::{Failure, INTERRUPTED, MORE_TIME, Outcome};
use crate::cli::memory::peak_memory;
use crate::cli::number::counted;
use crate::cli::status_line::StatusLine;
use crate::cli::style;
use crate::engine::Propnet;
use crate::state_space::{SymbolicCounts, SymbolicError, SymbolicOptions, count_symbolically};
use crate::util::Expired;

pub(super) fn run(
    args: &StatesArgs,
    source: &GameSource,
    game: &Propnet,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let deadline = args.space.deadline(console);
    let ground = ground_rules(source, &deadline)?;
    let status = Mutex::new(StatusLine::new(console.quiet));
    let show = |counts: &SymbolicCounts| {
        let (ply, states) = (counts.by_ply.len() - 1, counts.states());
        let nodes = counted(counts.most_nodes as u64, "node");
        if let Ok(mut status) = status.lock() {
            status.show(&format!("ply {ply}: {states} states, {nodes}"));
        }
    };
    let options = SymbolicOptions {
        threads: args.space.threads.count() as u32,
        deadline: &deadline,
        most_bytes: args.space.most_bytes(),
        on_ply: &show,
    };
    let counted = count_symbolically(game, &ground, &options);
    drop(status);
    let (counts, stopped) = match counted {
        Ok(counts) => (counts, None),
        Err(unfinished) => (unfinished.counts, Some(unfinished.why)),
    };
    let report = SymbolicReport {
        game: &source.name,
        threads: args.space.threads.count(),
        states: counts.states().to_string(),
        terminal: counts.terminal.to_string(),
        by_ply: counts.by_ply.iter().map(BigUint::to_string).collect(),
        variables: counts.variables,
        joint_moves: counts.joint_moves,
        most_nodes: counts.most_nodes,
        seconds: begin.elapsed().as_secs_f64(),
        peak_memory_bytes: peak_memory(),
        stopped: stopped.as_ref().map(SymbolicError::to_string),
    };
    match args {
        StatesArgs { json: true, .. } => console.json(&report)?,
        StatesArgs { csv: true, .. } => print_csv(&counts.by_ply, &mut console.out)?,
        _ => report.show(&mut console.out)?,
    }
    match stopped {
        None => Ok(Outcome::Success),
        Some(SymbolicError::Expired(Expired::Interrupted)) => {
            console.hint(INTERRUPTED)?;
            Ok(Outcome::Interrupted)
        }
        Some(why) => {
            Err(Failure::finding(format!("{why}: this is not all")).with_help(advice(&why)))
        }
    }
}

/// How to get further than a count did that ended with `why`.
fn advice(why: &SymbolicError) -> &'static str {
    match why {
        SymbolicError::Expired(_) => MORE_TIME,
        SymbolicError::OutOfMemory(_) => {
            "give more with `--memory`, or make the game smaller (`kolibri generate`)"
        }
        SymbolicError::Recursion | SymbolicError::TooManyJointMoves => "leave out `--symbolic`",
    }
}

#[derive(Serialize)]
struct SymbolicReport<'r> {
    game: &'r str,
    threads: usize,
    /// In digits, as are all numbers of states.
    states: String,
    terminal: String,
    by_ply: Vec<String>,
    /// Those of a state.
    variables: u32,
    /// Those that may be legal.
    joint_moves: usize,
    /// In use after a ply.
    most_nodes: usize,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    /// Why these are not all.
    stopped: Option<String>,
}

impl SymbolicReport<'_> {
    fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        let strong = style::STRONG;
        writeln!(out, "{strong}{}{strong:#}", self.game)?;
        let (states, terminal) = (&self.states, &self.terminal);
        let least = match self.stopped {
            Some(_) => "at least ",
            None => "",
        };
        writeln!(
            out,
            "  states       {least}{strong}{states}{strong:#}, of which {least}{terminal} are over"
        )?;
        writeln!(
            out,
            "  diagrams     {} a state, {} that may be legal, up to {} after a ply",
            counted(self.variables.into(), "variable"),
            counted(self.joint_moves as u64, "joint move"),
            counted(self.most_nodes as u64, "node"),
        )?;
        let memory = self
            .peak_memory_bytes
            .map_or(String::new(), |bytes| format!(", {} MiB", bytes >> 20));
        writeln!(out, "  time         {:.3} s{memory}", self.seconds)?;
        print_plies(&self.by_ply, out)
    }
}
