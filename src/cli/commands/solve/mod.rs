//! `kolibri solve`: what a game and all its positions are worth.

mod counts;
mod show;

use std::time::Instant;

use serde::Serialize;

use self::counts::{Related, ValueCounts, count_values};
use crate::analysis::Control;
use crate::cli::by_role::role_named;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game;
use crate::cli::memory::peak_memory;
use crate::cli::position::{self, StartPosition};
use crate::cli::space_args::SpaceArgs;
use crate::engine::{EngineChoice, LoadOptions, Propnet};
use crate::game::{JointMoves, Role, StateMachine, legal_of_all};
use crate::state_space::{Solution, SolveError, SolvedValue, check_roles};
use crate::util::Deadline;

const EXAMPLES: &str = "\
Examples:
  kolibri solve tictactoe
  kolibri solve kolibrat --by score                     values by the points of both
  kolibri solve tictactoe '(mark 2 2)' '(mark 1 2)'     the position after these moves
  kolibri generate kolibrat --width 2 --height 3 | kolibri solve -";

/// Solve a game: the value of every position, and the moves that keep it
///
/// For games of one or two roles in which one chooses at a time. All states that can be reached are enumerated, and their values found
/// from the ends backwards, cycles included: where nobody can force a better end than going on for ever, the value is `endless`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct SolveArgs {
    #[command(flatten)]
    space: SpaceArgs,
    /// Moves to the position that is shown, as in the rule file: one for each role that has a choice
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// The role whose goal counts; the other one plays against it [default: the first]
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Count values by the facts of RELATION, too, such as the score
    #[arg(long, value_name = "RELATION")]
    by: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &SolveArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let (named, game) = args.space.open(console)?;
    check_roles(game.roles()).map_err(refused)?;
    let role = args.role(&game)?;
    let by = args.by.as_deref();
    let related = by.map(|by| Related::new(&game, by)).transpose()?;
    let position = args.position(named, &game, console)?;
    let begin = Instant::now();
    let solution = args.solve(&game, role, console)?;
    let seconds = begin.elapsed().as_secs_f64();
    let value = solution
        .value(&position)
        .ok_or_else(|| Failure::finding("the position cannot be reached from the initial one"))?;
    let deadline = Deadline::new(None, &console.stop_flag());
    let counts = count_values(&game, &solution, related.as_ref(), &deadline);
    let report = SolveReport {
        roles: game.roles(),
        role: &game.roles()[role.0],
        states: solution.totals().states,
        joint_moves: solution.totals().edges,
        value,
        moves: moves(&game, &solution, &position),
        counts: counts.map_err(|_| Failure::interrupted())?,
        seconds,
        peak_memory_bytes: peak_memory(),
    };
    match args.json {
        true => console.json(&report)?,
        false => show::show(&report, by, &mut console.out)?,
    }
    Ok(Outcome::Success)
}

#[derive(Serialize)]
struct SolveReport<'r> {
    roles: &'r [String],
    /// The role that values are for.
    role: &'r str,
    states: u64,
    joint_moves: u64,
    /// Of the position asked for.
    value: SolvedValue,
    /// What may be done there, the best first.
    moves: Vec<SolvedMove>,
    counts: Vec<ValueCounts>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
}

/// A joint move of the position shown, by what the role does that chooses, or whose turn it is.
#[derive(Serialize)]
struct SolvedMove {
    #[serde(rename = "move")]
    text: String,
    value: SolvedValue,
}

impl SolveArgs {
    fn role(&self, game: &Propnet) -> Result<Role, Failure> {
        match &self.role {
            Some(name) => role_named(game.roles(), name),
            None => Ok(Role(0)),
        }
    }

    /// The position after the moves that were asked for.
    fn position(
        &self,
        named: game::NamedGame,
        game: &Propnet,
        console: &mut Console<'_>,
    ) -> Result<<Propnet as StateMachine>::State, Failure> {
        if self.moves.is_empty() {
            return Ok(game.initial());
        }
        let options = LoadOptions::from(EngineChoice::Propnet);
        let opened = game::open(named.source, &options, console)?;
        let mut session = position::begin(&opened, &StartPosition::Initial)?;
        position::advance(&mut session, &self.moves)?;
        let state = game.state_from_text(&session.facts());
        state.map_err(|fault| Failure::finding(fault.to_string()))
    }

    fn solve(
        &self,
        game: &Propnet,
        role: Role,
        console: &mut Console<'_>,
    ) -> Result<Solution, Failure> {
        let space = self.space.enumerate_all(game, console)?;
        let deadline = Deadline::new(None, &console.stop_flag());
        space.solve(game, role, &deadline).map_err(refused)
    }
}

fn refused(fault: SolveError) -> Failure {
    match fault {
        SolveError::Expired(_) => Failure::interrupted(),
        fault => Failure::finding(fault.to_string()),
    }
}

/// What may be done in a position, the best for whoever chooses first.
fn moves(
    game: &Propnet,
    solution: &Solution,
    position: &<Propnet as StateMachine>::State,
) -> Vec<SolvedMove> {
    let (mut scratch, mut legal) = (game.scratch(), Vec::new());
    if game.is_terminal(&mut scratch, position) {
        return Vec::new();
    }
    legal_of_all(game, &mut scratch, position, &mut legal);
    let chooser = match Control::of(game, &legal) {
        Control::One(role) => role.0,
        Control::Shared => 0,
    };
    let mut moves = Vec::new();
    let mut joints = JointMoves::new(&legal);
    while let Some(joint) = joints.advance() {
        let after = game.next(&mut scratch, position, joint);
        moves.extend(solution.value(&after).map(|value| SolvedMove {
            text: game.move_text(joint[chooser]),
            value,
        }));
    }
    let is_own = Role(chooser) == solution.role();
    moves.sort_by_key(|mv| {
        let rank = solution.rank(mv.value);
        if is_own { -rank } else { rank }
    });
    moves
}
