//! The log of a tournament: reading.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, BufRead};

use super::{FinishedGame, TournamentHeader};
use crate::game::is_chance;
use crate::kif::LineColumn;
use crate::util::system_said;

/// A log as it stands in a file: a header and finished games, in the order in which they ended.
#[derive(Debug, Clone, PartialEq)]
pub struct TournamentLog {
    /// The first line.
    pub header: TournamentHeader,
    /// The other lines.
    pub games: Vec<FinishedGame>,
    /// The last line, if the program was killed while it wrote that line: it counts for nothing.
    pub torn: Option<TornLine>,
}

/// A last line without a line feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TornLine {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// Where it begins, in bytes: a log is continued by cutting it off there.
    pub offset: u64,
}

/// What is wrong with a log, and where.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct LogError {
    /// Where.
    pub place: LineColumn,
    /// What.
    pub fault: LogFault,
}

/// What is wrong with a log.
#[derive(Debug, thiserror::Error)]
pub enum LogFault {
    /// There is no whole line.
    #[error(
        "not the log of a tournament: there is no header; `kolibri tournament` writes such logs"
    )]
    Empty,
    /// The first line is something else.
    #[error("not the log of a tournament: {0}; `kolibri tournament` writes such logs")]
    Header(String),
    /// The log is in another form.
    #[error(
        "the log has the format {0}, and this program reads format {format}; use the version of Kolibri that wrote it",
        format = TournamentHeader::FORMAT
    )]
    Format(u32),
    /// A line is no finished game.
    #[error("not a finished game: {0}")]
    Game(String),
    /// The game is not in the header.
    #[error("the header knows no game `{0}`")]
    UnknownGame(String),
    /// The player is not in the header.
    #[error("the header knows no player `{0}`")]
    UnknownPlayer(String),
    /// A list is too short or too long.
    #[error("`{list}` has {given} entries, but the game has {roles} roles")]
    Length {
        /// The field.
        list: &'static str,
        /// How many entries it has.
        given: usize,
        /// How many it should have.
        roles: usize,
    },
    /// A role has no player, or chance has one.
    #[error("the role {0} must have a player unless it is chance")]
    Player(String),
    /// A goal is too high.
    #[error("the goal value {0} is not in 0..=100")]
    Goal(u8),
    /// A time is none.
    #[error("{0} is no number of seconds")]
    Seconds(f64),
    /// Two players or two games of the header have this name.
    #[error("the header has the name `{0}` twice")]
    Name(String),
    /// The game is there twice.
    #[error("the log has a game whose `number` is {0} already; only one of the two lines may stay")]
    Twice(u64),
    /// The header plans fewer games.
    #[error("`number` is {number}, and the greatest that the header plans is {}", planned.saturating_sub(1))]
    Number {
        /// The number of the game.
        number: u64,
        /// How many games there are.
        planned: u64,
    },
    /// The system refuses to read on.
    #[error("cannot be read: {}", system_said(.0))]
    Unreadable(io::Error),
}

impl TournamentLog {
    /// Reads a log. A last line without a line feed was torn when the program was killed; it counts for nothing.
    ///
    /// # Errors
    /// Says what is wrong, with line and column: with the form, with a game that does not fit the header, or with a game that is
    /// there twice.
    pub fn read(mut input: impl BufRead) -> Result<Self, LogError> {
        let mut lines = LineReader::new(&mut input);
        let Some(first) = lines.next()? else {
            return Err(lines.fault(1, LogFault::Empty));
        };
        let header = read_header(&first).map_err(|(column, fault)| lines.fault(column, fault))?;
        let mut games: Vec<FinishedGame> = Vec::new();
        let mut numbers = HashSet::new();
        while let Some(line) = lines.next()? {
            let game =
                read_game(&line, &header).map_err(|(column, fault)| lines.fault(column, fault))?;
            if !numbers.insert(game.number) {
                return Err(lines.fault(1, LogFault::Twice(game.number)));
            }
            games.push(game);
        }
        Ok(Self {
            header,
            games,
            torn: lines.torn,
        })
    }
}

/// Lines that end in a line feed.
struct LineReader<'r, R> {
    input: &'r mut R,
    /// The number of the last line that was read.
    number: usize,
    offset: u64,
    torn: Option<TornLine>,
}

impl<'r, R: BufRead> LineReader<'r, R> {
    fn new(input: &'r mut R) -> Self {
        Self {
            input,
            number: 0,
            offset: 0,
            torn: None,
        }
    }

    /// The next whole line.
    fn next(&mut self) -> Result<Option<String>, LogError> {
        let mut bytes = Vec::new();
        self.number += 1;
        let read = self.input.read_until(b'\n', &mut bytes);
        let length = read.map_err(|cause| self.fault(1, LogFault::Unreadable(cause)))?;
        if !bytes.ends_with(b"\n") {
            self.torn = (length > 0).then_some(TornLine {
                line: self.number,
                offset: self.offset,
            });
            return Ok(None);
        }
        self.offset += length as u64;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn fault(&self, column: usize, fault: LogFault) -> LogError {
        let line = self.number;
        LogError {
            place: LineColumn { line, column },
            fault,
        }
    }
}

/// What is wrong with a line, and the column.
type LineFault = (usize, LogFault);

fn read_header(line: &str) -> Result<TournamentHeader, LineFault> {
    #[derive(serde::Deserialize)]
    struct OfFormat {
        format: u32,
    }
    let other = |fault: &serde_json::Error| (column(line, fault), LogFault::Header(said(fault)));
    let OfFormat { format } = serde_json::from_str(line).map_err(|fault| other(&fault))?;
    if format != TournamentHeader::FORMAT {
        return Err((1, LogFault::Format(format)));
    }
    let header: TournamentHeader = serde_json::from_str(line).map_err(|fault| other(&fault))?;
    match header.name_given_twice() {
        Some(name) => Err((1, LogFault::Name(name))),
        None => Ok(header),
    }
}

fn read_game(line: &str, header: &TournamentHeader) -> Result<FinishedGame, LineFault> {
    let game: FinishedGame = serde_json::from_str(line)
        .map_err(|fault| (column(line, &fault), LogFault::Game(said(&fault))))?;
    match header.fault_of(&game) {
        None => Ok(game),
        Some(fault) => Err((place_of(line, &fault), fault)),
    }
}

impl TournamentHeader {
    /// A name that two players or two games have.
    fn name_given_twice(&self) -> Option<String> {
        let players: Vec<&str> = self.players.iter().map(|one| one.name.as_str()).collect();
        let games: Vec<&str> = self.games.iter().map(|one| one.name.as_str()).collect();
        let again = [players, games].into_iter().find_map(|names| {
            (1..names.len())
                .find(|at| names[..*at].contains(&names[*at]))
                .map(|at| names[at])
        });
        again.map(str::to_owned)
    }

    /// Why a game is none of this tournament.
    pub(super) fn fault_of(&self, game: &FinishedGame) -> Option<LogFault> {
        let Some(of_game) = self.game(&game.game) else {
            return Some(LogFault::UnknownGame(game.game.clone()));
        };
        let planned = self.planned.filter(|planned| game.number >= *planned);
        if let Some(planned) = planned {
            let number = game.number;
            return Some(LogFault::Number { number, planned });
        }
        let roles = of_game.roles.len();
        let lengths = [
            ("players", game.players.len()),
            ("decisions", game.decisions.len()),
            ("seconds", game.seconds.len()),
            ("errors", game.errors.len()),
            ("late", game.late.len()),
            (
                "goals",
                game.goals
                    .len()
                    .max(if game.goals.is_empty() { roles } else { 0 }),
            ),
        ];
        if let Some((list, given)) = lengths.into_iter().find(|(_, given)| *given != roles) {
            return Some(LogFault::Length { list, given, roles });
        }
        for (role, player) in of_game.roles.iter().zip(&game.players) {
            match player {
                Some(name) if self.player(name).is_none() => {
                    return Some(LogFault::UnknownPlayer(name.clone()));
                }
                named if named.is_none() != is_chance(role) => {
                    return Some(LogFault::Player(role.clone()));
                }
                _ => {}
            }
        }
        let mut goals = game.goals.iter().flatten();
        let too_high = goals.find(|goal| **goal > 100);
        let mut seconds = game.seconds.iter();
        let no_time = seconds.find(|seconds| !(0.0..).contains(*seconds));
        let goal = too_high.map(|goal| LogFault::Goal(*goal));
        goal.or(no_time.map(|seconds| LogFault::Seconds(*seconds)))
    }
}

/// What the JSON reader said, without the place, which is told in front.
fn said(fault: &serde_json::Error) -> String {
    let text = fault.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

/// The column in characters: the JSON reader counts bytes.
fn column(line: &str, fault: &serde_json::Error) -> usize {
    let before = line.floor_char_boundary(fault.column().saturating_sub(1));
    line[..before].chars().count() + 1
}

/// The column where the field begins that does not fit.
fn place_of(line: &str, fault: &LogFault) -> usize {
    let field = match fault {
        LogFault::UnknownGame(_) => "game",
        LogFault::UnknownPlayer(_) | LogFault::Player(_) => "players",
        LogFault::Length { list, .. } => list,
        LogFault::Goal(_) => "goals",
        LogFault::Seconds(_) => "seconds",
        LogFault::Number { .. } => "number",
        _ => return 1,
    };
    let at = line.find(&format!("\"{field}\"")).unwrap_or(0);
    line[..at].chars().count() + 1
}

impl fmt::Display for TornLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} has no end and counts for nothing", self.line)
    }
}

#[cfg(test)]
mod tests;
