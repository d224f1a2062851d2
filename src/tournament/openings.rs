//! Openings that are written down: lines of moves or facts, or the first plies of match records.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::plan::OpeningsFile;
use crate::kif::{GroundTerm, LineColumn, Sexpr, parse, read_state};
use crate::play::{Record, record_text};
use crate::session::{Game, InvalidFacts, Session};
use crate::util::system_said;

/// How a game begins.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(super) struct Opening {
    /// The facts of the first state, unless the game begins as the rules say.
    pub(super) facts: Option<Vec<String>>,
    /// The joint moves that are played first.
    pub(super) joints: Vec<Vec<String>>,
}

/// Openings that cannot be played, and where they are written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {message}", path.display(), shown(*place))]
pub struct OpeningsError {
    /// The file.
    pub path: PathBuf,
    /// The place in it, where it has lines.
    pub place: Option<LineColumn>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

fn shown(place: Option<LineColumn>) -> String {
    place.map_or_else(String::new, |place| format!(":{place}"))
}

/// What is wrong with an opening, the column, and what would be right.
type OpeningFault = (usize, String, String);

/// The openings in a file or a folder, for each of these games.
pub(super) fn read(
    file: &OpeningsFile,
    games: &[Game],
) -> Result<Vec<Vec<Opening>>, OpeningsError> {
    let mut openings = vec![Vec::new(); games.len()];
    let fault = |path: &Path, place, (message, help): (String, String)| OpeningsError {
        path: path.to_owned(),
        place,
        message,
        help,
    };
    let unreadable = |path: &Path, cause: &std::io::Error| {
        let help = "check that the file is there and that you may read it".to_owned();
        fault(
            path,
            None,
            (format!("cannot be read: {}", system_said(cause)), help),
        )
    };
    for path in files(&file.path).map_err(|cause| unreadable(&file.path, &cause))? {
        let bytes = fs::read(&path).map_err(|cause| unreadable(&path, &cause))?;
        let text = record_text(&bytes[..]).map_err(|cause| unreadable(&path, &cause))?;
        if text.trim_start().starts_with('{') {
            let read = of_record(&text, file.plies, games);
            let (game, opening) = read.map_err(|what| fault(&path, None, what))?;
            add(&mut openings[game], opening);
            continue;
        }
        for (line, text) in (1..).zip(text.lines()) {
            let read = of_line(text, games).map_err(|(column, message, help)| {
                fault(&path, Some(LineColumn { line, column }), (message, help))
            })?;
            if let Some((game, opening)) = read {
                add(&mut openings[game], opening);
            }
        }
    }
    if let Some(without) = openings.iter().position(Vec::is_empty) {
        let message = format!("there is no opening of {}", games[without].name());
        let help = "write a line of moves for each opening, after `NAME:` where the plan has several games";
        return Err(fault(&file.path, None, (message, help.to_owned())));
    }
    Ok(openings)
}

/// Records that begin alike give one opening.
fn add(openings: &mut Vec<Opening>, opening: Opening) {
    if !openings.contains(&opening) {
        openings.push(opening);
    }
}

/// The file, or the records in a folder, by name.
fn files(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    match path.is_dir() {
        false => Ok(vec![path.to_owned()]),
        true => {
            let entries = fs::read_dir(path)?;
            let mut files = Vec::new();
            for entry in entries {
                let file = entry?.path();
                let name = file.to_string_lossy();
                if name.ends_with(".json") || name.ends_with(".json.gz") {
                    files.push(file);
                }
            }
            files.sort();
            Ok(files)
        }
    }
}

/// The first plies of a record.
fn of_record(
    text: &str,
    plies: Option<usize>,
    games: &[Game],
) -> Result<(usize, Opening), (String, String)> {
    let help = "name a match record as `kolibri match --record` writes it";
    let record = Record::read(text).map_err(|fault| (fault.to_string(), help.to_owned()))?;
    let name = record.game_name.as_deref();
    let game = games.iter().position(|game| Some(game.name()) == name);
    let game = game.or((games.len() == 1).then_some(0)).ok_or_else(|| {
        let message = format!(
            "the record is of a game that the plan does not have: {}",
            name.unwrap_or("it has no name")
        );
        (
            message,
            "remove it from the folder, or add the game to the plan".to_owned(),
        )
    })?;
    let mut session = Session::new(&games[game]);
    let set_up = record.set_up(&mut session);
    set_up.map_err(|fault| {
        (
            fault.to_string(),
            "let the record be of the same rules".to_owned(),
        )
    })?;
    let joints: Vec<Vec<String>> = session
        .history()
        .iter()
        .map(|joint| joint.to_vec())
        .collect();
    while session.undo() {}
    let is_usual = *session.position() == games[game].initial();
    let opening = Opening {
        facts: (!is_usual).then(|| session.facts()),
        joints: joints
            .into_iter()
            .take(plies.unwrap_or(usize::MAX))
            .collect(),
    };
    opening.check(&mut session)?;
    Ok((game, opening))
}

/// What is written on a line: after `NAME:` where there are several games, the moves one after the other, or the list of the facts
/// of the first state. Comments begin with `;`.
fn of_line(line: &str, games: &[Game]) -> Result<Option<(usize, Opening)>, OpeningFault> {
    let (name, rest) = match line.find([':', '(', ';']) {
        Some(at) if line[at..].starts_with(':') => (Some(line[..at].trim()), &line[at + 1..]),
        _ => (None, line),
    };
    let skipped = line[..line.len() - rest.len()].chars().count();
    let parsed = parse(rest);
    if let Some(error) = parsed.diagnostics.first() {
        let column = skipped + rest[..error.span.start.min(rest.len())].chars().count() + 1;
        let help = "write moves as in the rules, such as (mark 1 1) (mark 2 2)";
        return Err((column, error.message.clone(), help.to_owned()));
    }
    if parsed.sexprs.is_empty() && name.is_none() {
        return Ok(None);
    }
    let game = game_named(name, games)?;
    let mut session = Session::new(&games[game]);
    let opening = of_sexprs(&parsed.sexprs, rest, skipped, &mut session)?;
    while session.undo() {}
    let checked = opening.check(&mut session);
    checked.map_err(|(message, help)| (1, message, help))?;
    Ok(Some((game, opening)))
}

fn game_named(name: Option<&str>, games: &[Game]) -> Result<usize, OpeningFault> {
    let names = || games.iter().map(Game::name).collect::<Vec<_>>().join(", ");
    match name {
        None if games.len() == 1 => Ok(0),
        None => {
            let help = format!(
                "begin the line with the name of its game and a colon; the games are {}",
                names()
            );
            Err((1, "of which game is this opening?".to_owned(), help))
        }
        Some(name) => games
            .iter()
            .position(|game| game.name() == name)
            .ok_or_else(|| {
                let help = format!("the games are {}", names());
                (1, format!("the plan has no game `{name}`"), help)
            }),
    }
}

fn of_sexprs(
    sexprs: &[Sexpr],
    text: &str,
    skipped: usize,
    session: &mut Session,
) -> Result<Opening, OpeningFault> {
    let place = |sexpr: &Sexpr| skipped + text[..sexpr.span.start].chars().count() + 1;
    if let [list] = sexprs
        && list.head().is_none()
        && list.as_list().is_some()
    {
        let help = "write all facts of a state and no others, such as ((cell 1 1 b) (control x))";
        let refused = |message: String| (place(list), message, help.to_owned());
        let facts = read_state(&list.to_string()).map_err(|fault| refused(fault.to_string()))?;
        let facts: Vec<String> = facts.iter().map(GroundTerm::to_string).collect();
        session
            .set_up(&facts)
            .map_err(|fault| refused(fault.to_string()))?;
        return Ok(Opening {
            facts: Some(facts),
            joints: Vec::new(),
        });
    }
    for sexpr in sexprs {
        let played = session.play(&sexpr.to_string());
        played.map_err(|fault| {
            let help = "write a legal move of the role that has a choice; where several roles choose at once, name match records instead";
            (place(sexpr), fault.to_string(), help.to_owned())
        })?;
    }
    let joints = session
        .history()
        .iter()
        .map(|joint| joint.to_vec())
        .collect();
    let facts = None;
    Ok(Opening { facts, joints })
}

impl Opening {
    /// Puts the first state on `session`.
    pub(super) fn set_up(&self, session: &mut Session) -> Result<(), InvalidFacts> {
        match &self.facts {
            Some(facts) => session.set_up(facts),
            None => Ok(()),
        }
    }

    /// Whether there is a game left to be played; `session` shows the first state.
    fn check(&self, session: &mut Session) -> Result<(), (String, String)> {
        for joint in &self.joints {
            let played = session.play_joint(joint);
            played.map_err(|fault| (fault.to_string(), "write legal moves".to_owned()))?;
        }
        let mut roles = 0..session.roles().len();
        let is_over = session.is_terminal() || roles.any(|role| session.legal_of(role).is_empty());
        match is_over {
            true => Err((
                "the opening leaves nothing to be played".to_owned(),
                "write fewer moves; `plies` of [openings] says how many plies of a record are taken".to_owned(),
            )),
            false => Ok(()),
        }
    }
}
