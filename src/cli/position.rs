//! The position a command starts from: the initial one, or one from a file, and moves made from there.

use std::collections::VecDeque;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::catalog::{GameSource, SourceError};
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::game::{self, GameArgs, NamedGame};
use crate::cli::move_text::{quotes_forgotten, read_move};
use crate::cli::number::whole;
use crate::kif::{GroundTerm, LineColumn, LineIndex, read_facts};
use crate::play::Record;
use crate::session::{Game, Session};
use crate::terminal::quoted;

/// Options about the position.
#[derive(Debug, clap::Args)]
pub(super) struct StateArgs {
    /// Start from the position in FILE, a list of facts such as (cell 1 1 x) (control o)
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Start from the position of a saved game after N plies [default: its last one]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(0, u64::MAX))]
    ply: Option<usize>,
}

/// Where a command begins.
pub(super) enum StartPosition {
    /// With the initial position of the game.
    Initial,
    /// With exactly these facts.
    Facts(Vec<String>),
    /// With the position of a record after so many plies.
    Recorded(Box<Record>, usize),
}

/// Options about a position in a game.
#[derive(Debug, clap::Args)]
pub(super) struct PositionArgs {
    /// Moves from the start position, as in the rule file: one for each role that has a choice
    #[arg(value_name = "MOVE")]
    pub(super) moves: Vec<String>,
    #[command(flatten)]
    pub(super) start: StateArgs,
}

impl StateArgs {
    /// A position of a record: the last one where no ply is given.
    pub(super) fn after(ply: Option<usize>) -> Self {
        Self { state: None, ply }
    }

    /// Whether a ply of a record is asked for.
    pub(super) fn has_ply(&self) -> bool {
        self.ply.is_some()
    }

    /// The position asked for, in the record that was named as the game, if one was.
    pub(super) fn start(&self, record: Option<Record>) -> Result<StartPosition, Failure> {
        let Some(record) = record else {
            if self.ply.is_some() {
                return Err(Failure::usage("`--ply` takes a saved game").with_help(
                    "name a file that `save` or `match --record` has written as the GAME",
                ));
            }
            let facts = self.facts()?;
            return Ok(facts.map_or(StartPosition::Initial, StartPosition::Facts));
        };
        if self.state.is_some() {
            let message = "a saved game has positions of its own: `--state` cannot be had too";
            let help = "`--ply N` starts from the position after N plies";
            return Err(Failure::usage(message).with_help(help));
        }
        let plies = record.moves.len();
        let ply = self.ply.unwrap_or(plies);
        match ply > plies {
            true => Err(Failure::usage(format!(
                "the saved game has {plies} plies, not {ply}"
            ))),
            false => Ok(StartPosition::Recorded(Box::new(record), ply)),
        }
    }

    /// The facts of the position, if one was given.
    fn facts(&self) -> Result<Option<Vec<String>>, Failure> {
        let Some(path) = &self.state else {
            return Ok(None);
        };
        let source = GameSource::from_file(path).map_err(|fault| unread(path, fault))?;
        let refused = |place: LineColumn, fault: &dyn Display| {
            let message = format!("{}:{place}: {fault}", source.shown());
            Failure::finding(message)
                .with_help("write each fact as in the rules, such as (cell 1 1 x)")
        };
        let mut found = source.diagnostics.iter();
        if let Some(error) = found.find(|diagnostic| diagnostic.is_error()) {
            let place = LineIndex::new(&source.text).position(error.span.start);
            return Err(refused(place, &error.message));
        }
        let facts = read_facts(&source.text).map_err(|error| refused(error.place, &error.fault))?;
        Ok(Some(facts.iter().map(GroundTerm::to_string).collect()))
    }
}

/// Why no position could be read: unlike a rule file, it has no name but its path, and needs no rules.
fn unread(path: &Path, fault: SourceError) -> Failure {
    let path = path.display();
    let (message, help) = match fault {
        SourceError::UnknownName { .. } => (
            format!("there is no file `{path}`"),
            "check the path; it counts from the folder you are in",
        ),
        SourceError::Empty { .. } => (
            format!("`{path}` is empty"),
            "write the facts of a position, such as (cell 1 1 x)",
        ),
        SourceError::Directory { .. } => (
            format!("`{path}` is a directory, not a file with a position"),
            "name a file that holds facts, such as (cell 1 1 x)",
        ),
        fault => return fault.into(),
    };
    Failure::usage(message).with_help(help)
}

/// The game and the position that were asked for.
pub(super) fn open(
    game: &GameArgs,
    start: &StateArgs,
    console: &mut Console<'_>,
) -> Result<Session, Failure> {
    let NamedGame { source, record } = game.find()?;
    let start = start.start(record)?;
    let game = game::open(source, &game.options(), console)?;
    begin(&game, &start)
}

/// A session that begins there; the moves of a record can be taken back.
pub(super) fn begin(game: &Game, start: &StartPosition) -> Result<Session, Failure> {
    let mut session = Session::new(game);
    match start {
        StartPosition::Initial => {}
        StartPosition::Facts(facts) => session.set_up(facts).map_err(|fault| {
            Failure::finding(fault.to_string())
                .with_help("the file must hold all facts of a state and no others")
        })?,
        StartPosition::Recorded(record, ply) => {
            let set_up = record.set_up(&mut session);
            set_up.map_err(|fault| Failure::finding(fault.to_string()))?;
            while session.history().len() > *ply && session.undo() {}
        }
    }
    Ok(session)
}

/// Plays `moves`: per joint move one text for each role that has a choice.
///
/// A forced move may be written as well, where it cannot be mistaken for another role's choice.
pub(super) fn advance(session: &mut Session, moves: &[String]) -> Result<(), Failure> {
    let texts: Result<VecDeque<String>, Failure> =
        moves.iter().map(|text| read_move(text)).collect();
    let mut texts = texts?;
    while !texts.is_empty() {
        let joint = joint_move(session, &mut texts)?;
        let played = session.play_joint(&joint);
        played.map_err(|why| Failure::finding(why.to_string()))?;
    }
    Ok(())
}

/// The next joint move, as the next of `texts` say.
fn joint_move(session: &Session, texts: &mut VecDeque<String>) -> Result<Vec<String>, Failure> {
    if let Some(fault) = session.fault() {
        return Err(Failure::finding(fault.to_string()));
    }
    if session.is_terminal() {
        let (text, when) = (quoted(&texts[0]), when(session));
        let message = format!("{text} cannot be played: the game is over {when}");
        return Err(Failure::usage(message));
    }
    let roles = 0..session.roles().len();
    roles.map(|role| choose(session, role, texts)).collect()
}

fn when(session: &Session) -> String {
    match session.past().count() {
        0 => "at the start".to_owned(),
        1 => "after 1 ply".to_owned(),
        plies => format!("after {plies} plies"),
    }
}

fn choose(session: &Session, role: usize, texts: &mut VecDeque<String>) -> Result<String, Failure> {
    let name = &session.roles()[role];
    match session.legal_of(role) {
        [] => {
            let when = when(session);
            Err(Failure::finding(format!("{name} has no legal move {when}")))
        }
        [forced] => {
            let is_named = texts.front() == Some(forced);
            if is_named && !is_choice_of_later(session, role, texts) {
                texts.pop_front();
            }
            Ok(forced.clone())
        }
        _ => chosen(session, role, texts.pop_front()),
    }
}

/// Whether the next text could be meant for a role that comes later and has a choice.
fn is_choice_of_later(session: &Session, role: usize, texts: &VecDeque<String>) -> bool {
    let later = role + 1..session.roles().len();
    let mut choices = later.map(|role| session.legal_of(role));
    let next = texts.front();
    choices.any(|moves| moves.len() > 1 && next.is_some_and(|text| moves.contains(text)))
}

fn chosen(session: &Session, role: usize, text: Option<String>) -> Result<String, Failure> {
    let name = &session.roles()[role];
    let legal = session.legal_of(role);
    let message = match &text {
        None => format!("{name} moves at the same time: name its move too"),
        Some(text) if legal.contains(text) => return Ok(text.clone()),
        Some(text) => {
            let when = when(session);
            format!("{} is not a legal move of {name} {when}", quoted(text))
        }
    };
    let texts = legal.to_vec();
    let forgotten = text.and_then(|text| quotes_forgotten(&text, &texts));
    let advice = forgotten.map_or(String::new(), |advice| format!("{advice}; "));
    let help = format!("{advice}{name} may play {}", some_of(texts));
    Err(Failure::usage(message).with_help(help))
}

/// The first few texts in order.
fn some_of(mut texts: Vec<String>) -> String {
    const SHOWN: usize = 20;
    texts.sort();
    let more = texts.len().saturating_sub(SHOWN);
    texts.truncate(SHOWN);
    let list = texts.join(" ");
    match more {
        0 => list,
        more => format!("{list} and {more} others"),
    }
}
