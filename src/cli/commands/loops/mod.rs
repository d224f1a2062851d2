//! `kolibri loops`: whether a role can keep the game from ever ending.

mod strategy;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use self::strategy::ShownStrategy;
use super::states::SymmetryChoice;
use crate::cli::by_role::{ByRole, role_named};
use crate::cli::console::{Console, Stream};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::memory::peak_memory;
use crate::cli::number::counted;
use crate::cli::output_file::{check_output, write_output};
use crate::cli::space_args::{MOST_DRAWN, SpaceArgs};
use crate::cli::style;
use crate::engine::Propnet;
use crate::game::{Role, StateMachine};
use crate::state_space::{LoopError, Loops, StateDiagram, TooLarge, check_no_chance};
use crate::util::Deadline;

const EXAMPLES: &str = "\
Examples:
  kolibri loops fakelogic
  kolibri loops fakelogic --strategy red
  kolibri loops fakelogic --strategy red --dot red.dot      then: dot -Tsvg red.dot -o red.svg
  kolibri generate kolibrat --width 2 --height 3 --goals 2 | kolibri loops -";

/// As many states of a strategy are printed.
const MOST_PRINTED: usize = 100_000;

/// Tell whether a role can force that the game never ends, whatever the others do
///
/// All states that can be reached are enumerated, and those removed, from the ends backwards, from which the others can force an
/// end. Others that gain nothing by an end are not asked: they play against the role together. Where several roles choose at the
/// same time, the role needs a move that is good against all of theirs.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct LoopsArgs {
    #[command(flatten)]
    space: SpaceArgs,
    /// Look at one of the states that symmetries of the game, such as those of the board, make of each other
    #[arg(long)]
    symmetry: bool,
    /// Print how ROLE keeps the game from ending: its move in each state that it visits
    #[arg(long, value_name = "ROLE")]
    strategy: Option<String>,
    /// Write the strategy as a graph in the language of Graphviz, of at most 1000 states
    #[arg(long, value_name = "FILE", requires = "strategy")]
    dot: Option<PathBuf>,
    /// Replace a file that exists; without --force, it is kept, and the command fails
    #[arg(long, requires = "dot")]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &LoopsArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let (named, game) = args.space.open(console)?;
    let roles = game.roles();
    check_no_chance(roles).map_err(|fault| refused(&fault))?;
    let strategy = args.strategy.as_deref();
    let strategy = strategy.map(|name| role_named(roles, name)).transpose()?;
    if let Some(path) = &args.dot {
        check_output(path, args.force)?;
    }
    let begin = Instant::now();
    let deadline = args.space.deadline(console);
    let group = || SymmetryChoice::Keep.group(&named.source, &game, &deadline);
    let symmetries = args.symmetry.then(group).transpose()?.map(Arc::new);
    let space = args
        .space
        .enumerate_all(&named.source, &game, symmetries, console)?;
    let loops = space
        .loops(&game, &deadline)
        .map_err(|fault| refused(&fault))?;
    let diagram = strategy.map(|role| args.diagram(&game, &loops, role, &deadline));
    let diagram = diagram.transpose()?.flatten();
    if let (Some(path), Some(diagram)) = (&args.dot, &diagram) {
        write_output(path, &diagram.dot(&game), args.force)?;
    }
    let all = || (0..roles.len()).map(Role);
    let initial = game.initial();
    let report = LoopsReport {
        game: &named.source.name,
        states: loops.totals().states,
        joint_moves: loops.totals().edges,
        classes: args.symmetry.then(|| loops.classes()),
        can: ByRole::new(roles, all().map(|role| loops.can(role, &initial))),
        can_from: ByRole::new(roles, all().map(|role| loops.count(role))),
        strategy: diagram.map(|diagram| ShownStrategy::new(&game, &diagram)),
        seconds: begin.elapsed().as_secs_f64(),
        peak_memory_bytes: peak_memory(),
    };
    match args.json {
        true => console.json(&report)?,
        false => report.show(&mut console.out)?,
    }
    match strategy {
        Some(role) if !loops.can(role, &initial) => {
            let role = &roles[role.0];
            Err(Failure::finding(format!("`{role}` has no such strategy"))
                .with_help("the others can force an end"))
        }
        _ => Ok(Outcome::Success),
    }
}

#[derive(Serialize)]
struct LoopsReport<'r> {
    game: &'r str,
    states: u64,
    joint_moves: u64,
    /// How many states were looked at, each of which may stand for others by symmetry.
    classes: Option<u64>,
    /// Per role, whether it can force from the start that the game never ends.
    can: ByRole<bool>,
    /// Per role, from how many states it can.
    can_from: ByRole<u64>,
    /// Where one was asked for, and there is one.
    strategy: Option<ShownStrategy>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
}

impl LoopsReport<'_> {
    fn show(&self, out: &mut Stream<'_>) -> io::Result<()> {
        let (strong, faint) = (style::STRONG, style::FAINT);
        let width = self.can.0.iter().map(|(role, _)| role.len()).max();
        let width = width.unwrap_or(0);
        for ((role, can), (_, from)) in self.can.0.iter().zip(&self.can_from.0) {
            let can = if *can { "can" } else { "can not" };
            let from = match from {
                0 => "from no state".to_owned(),
                from => format!("from {}", counted(*from, "state")),
            };
            writeln!(
                out,
                "{role:<width$}  {strong}{can:<7}{strong:#} force that the game never ends; it can {from}"
            )?;
        }
        let (states, moves) = (
            counted(self.states, "state"),
            counted(self.joint_moves, "joint move"),
        );
        let classes = self.classes.map_or(String::new(), |classes| {
            format!(", {classes} but for symmetry")
        });
        let memory = self.peak_memory_bytes.map_or(String::new(), |bytes| {
            format!(", peak memory {} MiB", bytes >> 20)
        });
        let seconds = self.seconds;
        writeln!(
            out,
            "{faint}{states}{classes}, {moves} in {seconds:.2} s{memory}{faint:#}"
        )?;
        match &self.strategy {
            Some(strategy) => strategy.show(out),
            None => Ok(()),
        }
    }
}

impl LoopsArgs {
    /// What play visits while a role keeps the game from ending, if it can.
    fn diagram(
        &self,
        game: &Propnet,
        loops: &Loops,
        role: Role,
        deadline: &Deadline,
    ) -> Result<Option<StateDiagram>, Failure> {
        let (most, help) = match self.dot {
            Some(_) => (MOST_DRAWN, "leave out `--dot` to print the strategy"),
            None => (MOST_PRINTED, "leave out `--strategy`"),
        };
        StateDiagram::of_strategy(game, loops, role, most, deadline).map_err(|fault| match fault {
            TooLarge::Expired(why) => why.into(),
            fault => Failure::finding(fault.to_string()).with_help(help),
        })
    }
}

fn refused(fault: &LoopError) -> Failure {
    match fault {
        LoopError::Expired(why) => (*why).into(),
        fault => Failure::finding(fault.to_string()),
    }
}
