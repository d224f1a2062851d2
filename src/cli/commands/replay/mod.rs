//! `kolibri replay`: steps through a recorded game.

mod steps;

use std::io::Write as _;

use anstream::ColorChoice;

use self::steps::{ReplayRequest, ReplayedGame};
use crate::cli::board::BoardArgs;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::{self, EngineArgs, NamedGame};
use crate::cli::line_editor::EditedLines;
use crate::cli::number::whole;
use crate::cli::position::{self, StateArgs};
use crate::drawing::Screen;
use crate::terminal::{LineSource, Typed, quoted};

const EXAMPLES: &str = "\
Examples:
  kolibri replay match.json.gz             step by step: Enter for the next ply
  kolibri replay match.json --ply 12       begin after 12 plies
  kolibri replay match.json | less -R      all positions, one below the other
  curl https://host/matches/M | kolibri replay - --ply 12

At a terminal:
  Enter, next      one ply on          start      to the first position
  back             one ply back        end        to the last position
  N, go N          to the position after N plies
  help, quit       (the first letter is enough)";

/// Step through a recorded game on the board
///
/// Without a terminal, all positions are printed; with --ply, only that one.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct ReplayArgs {
    /// A match record, which may be compressed with gzip, or - for standard input
    #[arg(value_name = "RECORD")]
    record: String,
    /// Begin with the position after N plies [default: the first one]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(0, u64::MAX))]
    ply: Option<usize>,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    board: BoardArgs,
}

pub(in crate::cli) fn run(
    args: &ReplayArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let NamedGame { source, record } = NamedGame::find(&args.record)?;
    let record = record.ok_or_else(|| {
        let message = format!("{} is no match record", quoted(&args.record));
        Failure::usage(message).with_help("`match --record` and, in `play`, `save` write records")
    })?;
    let start = StateArgs::after(args.ply).start(Some(record.clone()))?;
    let game = game::open(source, &args.engine.options(), console)?;
    // Every move is tried before the first position is shown; those behind the ply can be played again.
    let session = position::begin(&game, &start)?;
    let screen = Screen::survey(&session, args.board.style(console))?;
    let mut replay = ReplayedGame::new(session, &record, screen);
    replay.greet(console)?;
    let is_coloured = console.out.current_choice() != ColorChoice::Never;
    if let Some(mut lines) = EditedLines::of_terminal(is_coloured, true) {
        replay.go_to(args.ply.unwrap_or(0));
        return interact(&mut replay, &mut lines, console);
    }
    let plies = match args.ply {
        Some(ply) => ply..=ply,
        None => 0..=record.moves.len(),
    };
    for ply in plies {
        replay.go_to(ply);
        replay.show(console)?;
    }
    Ok(Outcome::Success)
}

/// Does what the person asks for until they leave.
fn interact(
    replay: &mut ReplayedGame<'_>,
    lines: &mut dyn LineSource,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    replay.show(console)?;
    loop {
        let prompt = format!("{} of {}>", replay.ply(), replay.last());
        let line = match lines.read(&prompt, &[], &mut console.out)? {
            Typed::Line(line) => line,
            Typed::TooLong | Typed::NoText => String::from("?"),
            Typed::End | Typed::Interrupted => return Ok(Outcome::Success),
        };
        let wanted = match ReplayRequest::read(&line, replay.ply(), replay.last()) {
            ReplayRequest::GoTo(ply) if ply > replay.last() => {
                writeln!(console.out, "the game has {} plies", replay.last())?;
                continue;
            }
            ReplayRequest::GoTo(ply) => ply,
            ReplayRequest::Stay(why) => {
                writeln!(console.out, "{why}")?;
                continue;
            }
            ReplayRequest::Quit => return Ok(Outcome::Success),
        };
        replay.go_to(wanted);
        replay.show(console)?;
    }
}
