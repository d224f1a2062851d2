//! `kolibri moves`: a position and what may be played in it.

use std::io::Write;

use serde::Serialize;

use crate::cli::board::BoardArgs;
use crate::cli::by_role::ByRole;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::GameArgs;
use crate::cli::position::{self, PositionArgs};
use crate::cli::style;
use crate::session::Session;
use crate::terminal::{Screen, Style};

const EXAMPLES: &str = "\
Examples:
  kolibri moves tictactoe                           the initial position
  kolibri moves tictactoe '(mark 2 2)' '(mark 1 1)'
  kolibri moves rock-paper-scissors rock paper      both roles choose: one move each
  kolibri moves kolibrat --state position.kif

Only a role that has a choice needs an argument; a role that merely waits is skipped.";

/// Show the position after some moves, and its legal moves
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct MovesArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    board: BoardArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &MovesArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let mut session = position::open(&args.game, &args.position.start, console)?;
    position::advance(&mut session, &args.position.moves)?;
    let style = (!args.json).then(|| args.board.style(console));
    let position = position_report(&session, style)?;
    if args.json {
        console.json(&position)?;
    } else {
        let width = args.board.style(console).width;
        show(&position, width, console)?;
    }
    Ok(Outcome::Success)
}

/// A position as text. Goals are `null` where the rules give no single value.
#[derive(Serialize)]
struct PositionReport {
    state: Vec<String>,
    legal: ByRole<Vec<String>>,
    terminal: bool,
    goals: ByRole<Option<u8>>,
    #[serde(skip)]
    picture: String,
}

/// The present position; `style` says how to draw it, if it is to be drawn.
fn position_report(session: &Session, style: Option<Style>) -> Result<PositionReport, Failure> {
    if let Some(fault) = session.fault() {
        return Err(Failure::finding(fault.to_string()));
    }
    let roles = session.roles();
    let legal = (0..roles.len()).map(|role| {
        let mut moves = session.legal_of(role).to_vec();
        moves.sort();
        moves
    });
    let state = session.facts();
    let picture = match style {
        Some(style) => Screen::survey(&Session::new(session.game()), style)?.show(&state),
        None => String::new(),
    };
    Ok(PositionReport {
        picture,
        legal: ByRole::new(roles, legal),
        terminal: session.is_terminal(),
        goals: ByRole::new(roles, session.goals().to_vec()),
        state,
    })
}

fn show(position: &PositionReport, width: usize, console: &mut Console<'_>) -> Result<(), Failure> {
    let (strong, faint) = (style::STRONG, style::FAINT);
    let out = &mut console.out;
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
            wrapped(moves, (role.len() + 4, width))
        };
        writeln!(out, "  {role}: {strong}{list}{strong:#}")?;
    }
    Ok(())
}

/// The moves one after the other, in lines of at most `width` characters; the first begins at the column `used`, the
/// others are indented.
fn wrapped(moves: &[String], (used, width): (usize, usize)) -> String {
    const INDENT: &str = "    ";
    let mut text = String::new();
    let mut column = used;
    for mv in moves {
        let length = mv.chars().count() + 1;
        if !text.is_empty() && column + length > width {
            text.push('\n');
            text.push_str(INDENT);
            column = INDENT.len();
        } else if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(mv);
        column += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_of_moves_take_several_lines() {
        let moves = ["(a 1)", "(a 2)", "(a 3)", "b"].map(str::to_owned);
        assert_eq!(wrapped(&moves, (6, 100)), "(a 1) (a 2) (a 3) b");
        assert_eq!(wrapped(&moves, (6, 18)), "(a 1) (a 2)\n    (a 3) b");
        assert_eq!(
            wrapped(&moves, (30, 9)),
            "(a 1)\n    (a 2)\n    (a 3)\n    b"
        );
    }
}
