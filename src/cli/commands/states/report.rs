//! What is told of states, however they are enumerated.

use std::io::{self, Write};

use serde::Serialize;

use super::symmetry::ShownClasses;
use super::{StatesArgs, print_csv, print_plies};
use crate::cli::console::{Console, Stream};
use crate::cli::failure::Failure;
use crate::cli::memory::peak_memory;
use crate::cli::number::{counted, rounded};
use crate::cli::output_file::write_output;
use crate::cli::page::{bar_chart, drawing};
use crate::cli::style;
use crate::state_space::{BranchingCounts, SpaceError, SpaceTotals};
use crate::statistics::{Bar, histogram};

/// What is known of states however they are enumerated.
pub(super) struct KnownStates<'r> {
    pub(super) game: &'r str,
    pub(super) roles: &'r [String],
    /// What a state takes packed.
    pub(super) bits: u32,
    pub(super) totals: SpaceTotals,
    /// How many states, those included whose moves were not made.
    pub(super) found: u64,
    /// Why these are not all.
    pub(super) stopped: Option<&'r SpaceError>,
    pub(super) seconds: f64,
}

#[derive(Serialize)]
pub(super) struct StatesReport<'r> {
    pub(super) game: &'r str,
    pub(super) roles: &'r [String],
    pub(super) threads: usize,
    /// How many states, those included whose moves were not made.
    pub(super) found: u64,
    #[serde(flatten)]
    pub(super) totals: SpaceTotals,
    /// What a state takes packed.
    pub(super) bits: u32,
    /// With the table that finds it.
    pub(super) bytes_per_state: Option<f64>,
    /// The most bytes that they took on the disk, if they were kept there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) most_disk_bytes: Option<u64>,
    /// Where it was asked for.
    #[serde(flatten)]
    pub(super) classes: Option<ShownClasses>,
    /// How many there are, in digits; none where they are infinitely many, or not counted.
    pub(super) games: Option<String>,
    /// Whether there are infinitely many; none where they are not counted.
    pub(super) infinite: Option<bool>,
    /// Whether they were to be counted.
    #[serde(skip)]
    pub(super) counts_games: bool,
    pub(super) seconds: f64,
    pub(super) states_per_second: f64,
    pub(super) peak_memory_bytes: Option<u64>,
    /// Why these are not all.
    pub(super) stopped: Option<String>,
}

impl<'r> StatesReport<'r> {
    /// The report of these states, without what only some ways to enumerate them tell.
    pub(super) fn new(args: &StatesArgs, known: KnownStates<'r>) -> Self {
        let KnownStates {
            game,
            roles,
            bits,
            totals,
            found,
            stopped,
            seconds,
        } = known;
        Self {
            game,
            roles,
            threads: args.space.threads.count(),
            found,
            bits,
            bytes_per_state: None,
            most_disk_bytes: None,
            classes: None,
            games: None,
            infinite: None,
            counts_games: false,
            seconds,
            states_per_second: totals.states as f64 / seconds.max(1e-9),
            peak_memory_bytes: peak_memory(),
            stopped: stopped.map(SpaceError::to_string),
            totals,
        }
    }

    /// Prints it in the form that is asked for, and draws it.
    pub(super) fn print(
        &self,
        args: &StatesArgs,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        if let Some(path) = &args.svg {
            write_output(path, &picture(self.game, &self.totals), args.force)?;
        }
        match args {
            StatesArgs { json: true, .. } => console.json(self)?,
            StatesArgs { csv: true, .. } => print_csv(&self.totals.by_ply, &mut console.out)?,
            _ => self.show(&mut console.out)?,
        }
        Ok(())
    }

    fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        let strong = style::STRONG;
        let totals = &self.totals;
        writeln!(out, "{strong}{}{strong:#}", self.game)?;
        let (states, terminal) = (totals.states, totals.terminal);
        write!(out, "  states       ")?;
        if self.stopped.is_some() {
            write!(out, "at least {}; moves were made in ", self.found)?;
        }
        let are = if terminal == 1 { "is" } else { "are" };
        writeln!(
            out,
            "{strong}{states}{strong:#}, of which {terminal} {are} over"
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
        match (&self.games, self.infinite) {
            (Some(games), _) => writeln!(out, "  games        {games}")?,
            (None, Some(_)) => writeln!(
                out,
                "  games        infinitely many: play can come back to a state before it ends"
            )?,
            (None, None) if self.stopped.is_none() && self.counts_games => writeln!(
                out,
                "  games        not counted: there is no room for the joint moves (`--memory`)"
            )?,
            (None, None) => {}
        }
        if let Some(found) = &self.classes {
            found.show(out)?;
        }
        let table = self.bytes_per_state.map_or(String::new(), |bytes| {
            format!(", {bytes:.1} bytes with the table that finds it")
        });
        let bits = counted(self.bits.into(), "bit");
        writeln!(out, "  size         {bits} a state{table}")?;
        if let Some(bytes) = self.most_disk_bytes {
            writeln!(
                out,
                "  disk         {} MiB at most between two plies",
                bytes >> 20
            )?;
        }
        let rate = rounded(self.states_per_second);
        writeln!(out, "  time         {:.3} s, {rate} states/s", self.seconds)?;
        print_plies(&totals.by_ply, out)
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

/// How many states there are by plies and by joint moves, as two histograms.
fn picture(game: &str, totals: &SpaceTotals) -> String {
    let bars = state_bars(totals);
    let charts = bars
        .iter()
        .map(|(caption, bars)| (*caption, bar_chart(bars)));
    drawing(game, charts.collect())
}

/// The bars of these histograms, with their captions.
pub(in crate::cli) fn state_bars(totals: &SpaceTotals) -> [(&'static str, Vec<Bar>); 2] {
    let by_ply = totals.by_ply.iter().enumerate();
    let by_ply = by_ply.map(|(ply, states)| (ply, *states as usize));
    let by_branching = totals.by_branching.iter();
    let by_branching = by_branching.map(|(moves, states)| (*moves as usize, *states as usize));
    [
        (
            "States by the plies that they need",
            histogram(by_ply.collect()),
        ),
        (
            "States that go on, by their joint moves",
            histogram(by_branching.collect()),
        ),
    ]
}
