//! `kolibri moves`: a position and what may be played in it.

mod why;

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use crate::cli::board::BoardArgs;
use crate::cli::by_role::ByRole;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::GameArgs;
use crate::cli::position::{self, PositionArgs};
use crate::cli::style;
use crate::drawing::{Screen, Style};
use crate::session::Session;
use crate::terminal::{groups, moves_like, quoted, wrapped};

const EXAMPLES: &str = "\
Examples:
  kolibri moves tictactoe                           the initial position
  kolibri moves tictactoe '(mark 2 2)' '(mark 1 1)'
  kolibri moves rock-paper-scissors rock paper      both roles choose: one move each
  kolibri moves kolibrat --state position.kif
  kolibri moves breakthrough --like 'move a'        the moves that begin so
  kolibri moves tictactoe '(mark 2 2)' --why '(mark 2 2)'

Only a role that has a choice needs an argument; a role that merely waits is skipped.";

/// Show the position after some moves, and its legal moves
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct MovesArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    position: PositionArgs,
    /// List only the legal moves that begin so, or else those that contain it
    #[arg(long, value_name = "TEXT")]
    like: Option<String>,
    #[command(flatten)]
    board: BoardArgs,
    /// Say which rule makes MOVE legal in this position, or which conditions keep each rule from it; `ROLE MOVE` asks for one
    /// role
    #[arg(long, value_name = "MOVE", conflicts_with = "json")]
    why: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &MovesArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let mut session = position::open(&args.game, &args.position.start, console)?;
    position::advance(&mut session, &args.position.moves)?;
    if let Some(mv) = &args.why {
        why::show(&session, mv, console)?;
        return Ok(Outcome::Success);
    }
    let style = (!args.json).then(|| args.board.style(console));
    let like = args.like.as_deref().unwrap_or_default();
    let is_missing = |role| moves_like(like, session.legal_of(role)).is_empty();
    if !like.is_empty() && !session.is_terminal() && (0..session.roles().len()).all(is_missing) {
        let message = format!("no legal move contains {}", quoted(like));
        return Err(Failure::usage(message).with_help("leave out `--like` to see all of them"));
    }
    let position = position_report(&session, like, style)?;
    match style {
        None => console.json(&position)?,
        Some(style) => show(&position, style.width, console)?,
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
    /// Whether some of the moves may be left out.
    #[serde(skip)]
    is_filtered: bool,
}

/// The present position with the moves that are `like` this; `style` says how to draw it, if it is to be drawn.
fn position_report(
    session: &Session,
    like: &str,
    style: Option<Style>,
) -> Result<PositionReport, Failure> {
    if let Some(fault) = session.fault() {
        return Err(Failure::finding(fault.to_string()));
    }
    let roles = session.roles();
    let legal = (0..roles.len()).map(|role| {
        let legal = session.legal_of(role);
        let places = moves_like(like, legal).into_iter();
        let mut moves: Vec<String> = places.map(|place| legal[place].clone()).collect();
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
        is_filtered: !like.is_empty(),
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
    let all = position.legal.0.iter();
    for (role, moves) in all.filter(|(_, moves)| !(position.is_filtered && moves.is_empty())) {
        let list = listed(moves, (role.chars().count() + 4, width));
        writeln!(out, "  {role}: {strong}{list}{strong:#}")?;
    }
    Ok(())
}

/// The moves, in lines of at most `width` characters, of which the first begins at the column `used`. Of many moves, a terminal shows
/// how many begin alike; anything else gets each on a line of its own.
fn listed(moves: &[String], (used, width): (usize, usize)) -> String {
    let count = moves.len();
    match groups(moves, width.saturating_sub(2)) {
        None if moves.is_empty() => "none".to_owned(),
        None => wrapped(moves, (used, width)),
        Some(groups) if io::stdout().is_terminal() => {
            let advice = "`--like TEXT` lists those that begin so";
            let groups = groups.trim_end().replace('\n', "\n  ");
            format!("{count} moves; {advice}\n  {groups}")
        }
        Some(_) => format!("{count} moves\n    {}", moves.join("\n    ")),
    }
}
