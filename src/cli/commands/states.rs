//! `kolibri states`: how large a game is.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use crate::cli::console::{Console, Stream};
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::cli::memory::peak_memory;
use crate::cli::number::{counted, rounded};
use crate::cli::space_args::{SpaceArgs, advice};
use crate::cli::style;
use crate::game::StateMachine;
use crate::state_space::{BranchingCounts, SpaceError, SpaceTotals, StateCodec};

const EXAMPLES: &str = "\
Examples:
  kolibri states tictactoe
  kolibri states kolibrat --threads 2 --csv
  kolibri states mygame.kif --memory 1024 --json";

/// Count all states that a game can reach
///
/// States are enumerated ply by ply from the initial one, and each counts once, however it is reached. Memory limits how far
/// that goes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct StatesArgs {
    #[command(flatten)]
    space: SpaceArgs,
    /// Print how many states each ply adds, as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(
    args: &StatesArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let (named, game) = args.space.open(console)?;
    let begin = Instant::now();
    let (totals, bytes, stopped) = match args.space.enumerate(&game, false, console)? {
        Ok(space) => (space.totals().clone(), Some(space.bytes()), None),
        Err(unfinished) => (unfinished.totals, None, Some(unfinished.why)),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let report = StatesReport {
        game: &named.source.name,
        roles: game.roles(),
        threads: args.space.threads.count(),
        bits: StateCodec::new(&game).bits(),
        bytes_per_state: bytes.map(|bytes| bytes as f64 / totals.states as f64),
        seconds,
        states_per_second: totals.states as f64 / seconds.max(1e-9),
        peak_memory_bytes: peak_memory(),
        stopped: stopped.as_ref().map(SpaceError::to_string),
        totals,
    };
    match args {
        StatesArgs { json: true, .. } => console.json(&report)?,
        StatesArgs { csv: true, .. } => print_csv(&report.totals, &mut console.out)?,
        _ => report.show(&mut console.out)?,
    }
    match stopped {
        None => Ok(Outcome::Success),
        Some(SpaceError::Expired(_)) => {
            console.hint(INTERRUPTED)?;
            Ok(Outcome::Interrupted)
        }
        Some(why) => {
            Err(Failure::finding(format!("{why}: this is not all")).with_help(advice(&why)))
        }
    }
}

#[derive(Serialize)]
struct StatesReport<'r> {
    game: &'r str,
    roles: &'r [String],
    threads: usize,
    #[serde(flatten)]
    totals: SpaceTotals,
    /// What a state takes packed.
    bits: u32,
    /// With the table that finds it.
    bytes_per_state: Option<f64>,
    seconds: f64,
    states_per_second: f64,
    peak_memory_bytes: Option<u64>,
    /// Why these are not all.
    stopped: Option<String>,
}

impl StatesReport<'_> {
    fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        let (strong, faint) = (style::STRONG, style::FAINT);
        let totals = &self.totals;
        writeln!(out, "{strong}{}{strong:#}", self.game)?;
        let (states, terminal) = (totals.states, totals.terminal);
        write!(out, "  states       ")?;
        if self.stopped.is_some() {
            // What follows counts fewer states than the table of plies has.
            let found: u64 = totals.plies.iter().sum();
            write!(out, "at least {found}; moves were made in ")?;
        }
        writeln!(
            out,
            "{strong}{states}{strong:#}, of which {terminal} are over"
        )?;
        if totals.stuck > 0 {
            let stuck = counted(totals.stuck, "state");
            writeln!(
                out,
                "  stuck        {stuck}: a role has no legal move, and the game is not over"
            )?;
        }
        writeln!(
            out,
            "  joint moves  {}{}",
            totals.edges,
            spread(&totals.branching)
        )?;
        writeln!(
            out,
            "  forced       {} with a single joint move",
            counted(totals.forced, "state")
        )?;
        if totals.simultaneous > 0 {
            let states = counted(totals.simultaneous, "state");
            writeln!(
                out,
                "  together     {states} in which several roles have a choice"
            )?;
        }
        for (role, choices) in self.roles.iter().zip(&totals.choices) {
            if choices.states > 0 {
                let states = counted(choices.states, "state");
                writeln!(
                    out,
                    "  {role:<11}  chooses alone in {states}{}",
                    spread(choices)
                )?;
            }
        }
        for end in &totals.ends {
            let goals = self
                .roles
                .iter()
                .zip(&end.goals)
                .map(|(role, goal)| match goal {
                    Some(goal) => format!("{role} {goal}"),
                    None => format!("{role} without a goal"),
                });
            let goals: Vec<String> = goals.collect();
            writeln!(
                out,
                "  ends         {} with {}",
                counted(end.states, "state"),
                goals.join(", ")
            )?;
        }
        let table = self.bytes_per_state.map_or(String::new(), |bytes| {
            format!(", {bytes:.1} bytes with the table that finds it")
        });
        let bits = counted(self.bits.into(), "bit");
        writeln!(out, "  size         {bits} a state{table}")?;
        let rate = rounded(self.states_per_second);
        writeln!(out, "  time         {:.3} s, {rate} states/s", self.seconds)?;
        writeln!(out, "\n{faint}  ply        states{faint:#}")?;
        for (ply, states) in totals.plies.iter().enumerate() {
            writeln!(out, "{ply:>5} {states:>13}")?;
        }
        Ok(())
    }
}

/// The moves of some states, in words.
fn spread(counts: &BranchingCounts) -> String {
    counts.mean().map_or(String::new(), |mean| {
        format!(
            ": {} to {}, {mean:.2} on average",
            counts.least, counts.most
        )
    })
}

fn print_csv(totals: &SpaceTotals, out: &mut Stream<'_>) -> io::Result<()> {
    writeln!(out, "ply,states")?;
    for (ply, states) in totals.plies.iter().enumerate() {
        writeln!(out, "{ply},{states}")?;
    }
    Ok(())
}
