//! `kolibri moves`: a position and what may be played in it.

use std::io::Write;

use serde::Serialize;

use crate::catalog::{Opened, Visit, open};
use crate::cli::by_role::ByRole;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::{GameArgs, settle};
use crate::cli::position::{self, StateArgs, legal_texts};
use crate::cli::session::{Session, style};
use crate::cli::table::BoardArgs;
use crate::game::{Game, Role};
use crate::play::Seat;
use crate::terminal::{Screen, Style};

const EXAMPLES: &str = "\
Examples:
  kolibri moves tictactoe                           the initial position
  kolibri moves tictactoe '(mark 2 2)' '(mark 1 1)'
  kolibri moves rock-paper-scissors rock paper      both roles choose: one move each
  kolibri moves kolibrat --state position.kif

Only a role that has a choice needs an argument; a role that merely waits is skipped.";

/// Show the position after some moves, and what may be played in it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Moves made from the start, as in the rule file: one for each role that has a choice
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    #[command(flatten)]
    start: StateArgs,
    #[command(flatten)]
    board: BoardArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Result<Outcome, Failure> {
    let source = args.game.source()?;
    let look = Look {
        facts: args.start.facts()?,
        moves: &args.moves,
        style: args.board.style(session),
    };
    let position = settle(open(&source, args.game.engine(), look), &source, session)?;
    if args.json {
        session.json(&position)?;
    } else {
        show(&position, session)?;
    }
    Ok(Outcome::Success)
}

/// A position as text. Goals are `null` where the rules give no single value.
#[derive(Serialize)]
struct Position {
    state: Vec<String>,
    legal: ByRole<Vec<String>>,
    terminal: bool,
    goals: ByRole<Option<u8>>,
    #[serde(skip)]
    picture: String,
}

struct Look<'l> {
    facts: Option<Vec<String>>,
    moves: &'l [String],
    style: Style,
}

impl Visit for Look<'_> {
    type Output = Result<Position, Failure>;

    fn visit<G: Game>(self, game: &G, _: &Opened) -> Self::Output {
        let start = position::begin(game, self.facts.as_ref())?;
        let state = position::advance(game, start, self.moves)?;
        let mut scratch = game.scratch();
        let terminal = game.is_terminal(&mut scratch, &state);
        let roles = game.roles();
        let mut legal = Vec::new();
        let mut goals = Vec::new();
        for role in (0..roles.len()).map(Role) {
            legal.push(legal_texts(game, &mut scratch, &state, role));
            goals.push(game.goal(&mut scratch, &state, role));
        }
        match game.fault(&scratch) {
            Some(fault) => Err(Failure::finding(fault.to_string())),
            None => Ok(Position {
                picture: Screen::survey(&Seat::new(game), self.style)
                    .show(&game.state_text(&state)),
                state: game.state_text(&state),
                legal: ByRole::new(roles, legal),
                terminal,
                goals: ByRole::new(roles, goals),
            }),
        }
    }
}

fn show(position: &Position, session: &mut Session<'_>) -> Result<(), Failure> {
    let (strong, faint) = (style::STRONG, style::FAINT);
    let out = &mut session.out;
    write!(out, "{}", position.picture)?;
    if position.terminal {
        writeln!(out, "{faint}the game is over{faint:#}")?;
        for (role, goal) in &position.goals.0 {
            match goal {
                Some(goal) => writeln!(out, "  {role}: {strong}{goal}{strong:#}")?,
                None => writeln!(out, "  {role}: no goal")?,
            }
        }
        return Ok(());
    }
    writeln!(out, "{faint}legal moves{faint:#}")?;
    for (role, moves) in &position.legal.0 {
        let list = if moves.is_empty() {
            "none".to_owned()
        } else {
            moves.join(" ")
        };
        writeln!(out, "  {role}: {strong}{list}{strong:#}")?;
    }
    Ok(())
}
