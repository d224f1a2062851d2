//! Plans of tournaments: who plays whom, at what, how often, and when a game is given up.

mod check;
mod error;
mod written;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use error::{PlanError, PlanPlace};

use crate::catalog::GameSource;
use crate::engine::EngineChoice;
use crate::play::Spec;
use crate::statistics::Hypotheses;
use crate::tournament::EndlessResult;

/// What a tournament is to be. Games and players are found, but the rules have not been looked at.
#[derive(Debug, Clone)]
pub struct TournamentPlan {
    /// The players, each under a name of its own.
    pub players: Vec<PlannedPlayer>,
    /// The games, each under a name of its own.
    pub games: Vec<GameSource>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// Who plays which role.
    pub seatings: Seatings,
    /// How many rounds; in each, everybody plays whom the schedule says from one opening of each game. `None`: as many as there
    /// are openings, in a Swiss tournament as many as it takes until one player has won all its games, otherwise one.
    pub rounds: Option<u64>,
    /// How games begin.
    pub openings: PlannedOpenings,
    /// What the chance of all games is drawn from.
    pub seed: u64,
    /// What runs the rules.
    pub engine: EngineChoice,
    /// A longer game counts as endless.
    pub max_plies: usize,
    /// So does a game in which a position occurs so often.
    pub occurrences: Option<usize>,
    /// What an endless game counts.
    pub endless: EndlessResult,
    /// How long players on the network have to get ready.
    pub start_clock: Duration,
    /// How long they have for a move.
    pub play_clock: Duration,
    /// Whether they get the rules in other words.
    pub scramble: bool,
    /// Which facts of the last state are kept: those of these relations.
    pub keep_facts: Vec<String>,
    /// Whether the moves of each game are kept.
    pub keep_moves: bool,
    /// What two players are tested for; the tournament ends when the test does.
    pub sprt: Option<Hypotheses>,
    /// How many games are played at once; `None`: as many as there are cores for the threads of the players.
    pub concurrency: Option<usize>,
}

/// A player of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedPlayer {
    /// Its name.
    pub name: String,
    /// How it plays.
    pub spec: Spec,
}

/// Who plays whom in each round. Players are meant by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schedule {
    /// Everybody plays everybody.
    RoundRobin,
    /// Everybody plays this player.
    Gauntlet(usize),
    /// Who has as many points so far plays each other, if possible for the first time.
    Swiss,
    /// These play each other; the first player takes the first role.
    Listed(Vec<Vec<usize>>),
}

/// Who plays which role, where the same players play from one opening.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seatings {
    /// As many games as there are roles: everybody takes each role once.
    #[default]
    Swapped,
    /// A game for each order of the players.
    All,
    /// One game: the first player takes the first role.
    Fixed,
}

/// How games begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedOpenings {
    /// So many plies are drawn; each round has an opening of its own, which is the same for all players.
    Drawn(usize),
    /// Openings are written down.
    Written(OpeningsFile),
}

/// Openings that are written down: what was read, and how many plies of each record are played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningsFile {
    /// The file or folder.
    pub path: PathBuf,
    /// Whether the records in it are cut after so many plies.
    pub plies: Option<usize>,
}

/// The largest plan, in bytes.
const MOST_BYTES: u64 = 4 << 20;

impl TournamentPlan {
    /// Reads the plan in the file at `path`. Files that it names are looked for beside it.
    ///
    /// # Errors
    /// [`PlanError`] with the place in the file, what is wrong and what would be right.
    pub fn load(path: &Path) -> Result<Self, PlanError> {
        let unreadable = |cause: io::Error| PlanError::Unreadable {
            path: path.to_owned(),
            cause,
        };
        let mut text = String::new();
        let file = File::open(path).map_err(unreadable)?;
        let read = file.take(MOST_BYTES + 1).read_to_string(&mut text);
        read.map_err(unreadable)?;
        if text.len() as u64 > MOST_BYTES {
            return Err(unreadable(io::Error::other(
                "it is too large for the plan of a tournament",
            )));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, Some(path), folder)
    }

    /// With a sequential test of its two players.
    ///
    /// # Errors
    /// [`PlanError::Invalid`]: there are more players or fewer, or the schedule depends on results.
    pub fn with_test(self, hypotheses: Hypotheses) -> Result<Self, PlanError> {
        let checked = check::testable(0..0, self.players.len(), &self.schedule);
        checked.map_err(|fault| fault.at("", None))?;
        let sprt = Some(hypotheses);
        Ok(Self { sprt, ..self })
    }

    /// Reads a plan, which is written in the file at `path` or comes from elsewhere. Files that it names are looked for in
    /// `folder`.
    ///
    /// # Errors
    /// As [`TournamentPlan::load`]; without a file, there are no places.
    pub fn parse(text: &str, path: Option<&Path>, folder: &Path) -> Result<Self, PlanError> {
        let written = toml::from_str(text);
        let written = written.map_err(|fault| check::unread(text, &fault));
        let checked = written.and_then(|written| check::check(written, folder));
        checked.map_err(|fault| fault.at(text, path))
    }
}

#[cfg(test)]
mod tests;
