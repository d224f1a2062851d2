//! What is kept of a tournament: a header, and a line for each finished game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::play::{End, Session};
use crate::statistics::Hypotheses;

/// The first line of a log: what all of its games have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentHeader {
    /// The form of the log, [`TournamentHeader::FORMAT`].
    pub format: u32,
    /// What stands for the plan: logs of the same plan have the same.
    pub plan: String,
    /// The seed of the plan.
    pub seed: u64,
    /// How many games the plan has, where that is known before they are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned: Option<u64>,
    /// The players, in the order of the plan.
    pub players: Vec<TournamentPlayer>,
    /// The games that are played, in the order of the plan.
    pub games: Vec<TournamentGame>,
    /// Everything else in the plan on which results depend, by its keys.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// What a game counts that does not end.
    #[serde(default)]
    pub endless: EndlessResult,
    /// What two players are tested for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Hypotheses>,
}

impl TournamentHeader {
    /// The form of logs that this program writes and reads.
    pub const FORMAT: u32 = 1;

    /// The game of this name.
    pub fn game(&self, name: &str) -> Option<&TournamentGame> {
        self.games.iter().find(|game| game.name == name)
    }

    /// The number of the player of this name.
    pub fn player(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player.name == name)
    }
}

/// A player of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentPlayer {
    /// Its name, which no other player has.
    pub name: String,
    /// Its description, a [`Spec`](crate::play::Spec).
    pub spec: String,
}

/// A game that is played in a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentGame {
    /// Its name, which no other game has.
    pub name: String,
    /// The roles, in the order of the lists of a [`FinishedGame`].
    pub roles: Vec<String>,
    /// The number of the role that moves first; `None` where several move at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// The rules: the name of a shipped game, or their text.
    pub rules: String,
}

impl TournamentGame {
    /// The game of this name that begins with what stands on `session`. `rules` are the name of a shipped game, or their text.
    pub fn new(name: &str, session: &Session, rules: &str) -> Self {
        let roles = session.roles();
        let mut moving = (0..roles.len()).filter(|role| session.legal_of(*role).len() > 1);
        let first = moving.next().filter(|_| moving.next().is_none());
        Self {
            name: name.to_owned(),
            roles: roles.to_vec(),
            first,
            rules: rules.to_owned(),
        }
    }
}

/// What a game counts that does not end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndlessResult {
    /// A draw: half a point for everyone.
    #[default]
    Draw,
    /// Nothing: the game has no result.
    None,
}

/// A game that was played to its end: a line of a log. Every list has one entry per role.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinishedGame {
    /// The number of the game in the tournament, counted from 0.
    pub number: u64,
    /// The name of the game.
    pub game: String,
    /// The number of its opening among those of the game, counted from 0.
    pub opening: u64,
    /// The number of its pair, counted from 0: games of a pair are the same players' games from one opening, with the roles
    /// exchanged. Pairs of different games have different numbers.
    pub pair: u64,
    /// The names of the players; `None` for chance.
    pub players: Vec<Option<String>>,
    /// What each role scored; none at all where the rules did not end the game, and `None` where they give no value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<Option<u8>>,
    /// Why it ended.
    pub end: GameEnd,
    /// Why an engine failed, or whatever else is to be said of the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How many joint moves were played.
    pub plies: usize,
    /// In how many plies each player was asked and had a choice.
    pub decisions: Vec<u32>,
    /// How many seconds each player thought in all.
    pub seconds: Vec<f64>,
    /// How many moves were drawn for each player, because its own was missing, late or not legal.
    pub errors: Vec<u32>,
    /// How many moves came late. Those of players on the network were drawn, too; others were played.
    pub late: Vec<u32>,
    /// What stands for the moves: games with the same moves have the same ([`hash_of_moves`]).
    pub hash: String,
    /// Facts of the last state that the plan asks for, such as `(score red 5)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// With the moves: the facts of the first state, if the game did not begin as the rules say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<String>,
    /// The joint moves, where the plan asks for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<Vec<String>>>,
    /// The record of the match, a path from the folder of the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameEnd {
    /// The rules say that it is over.
    Terminal,
    /// A position came back as often as the plan allows: the game is endless.
    Repetition,
    /// As many plies were played as the plan allows: the game counts as endless.
    PlyLimit,
    /// No player can change anything any more: the game is endless.
    Still,
    /// It goes on, but a role has no legal move.
    Stuck,
    /// The engine ran out of a budget.
    Fault,
}

impl GameEnd {
    /// What the referee says; `None` where the game was stopped, so that it is not finished.
    pub fn of(end: &End) -> Option<Self> {
        match end {
            End::Terminal => Some(Self::Terminal),
            End::PlyLimit(_) => Some(Self::PlyLimit),
            End::Repetition(_) => Some(Self::Repetition),
            End::Still => Some(Self::Still),
            End::Stuck(_) => Some(Self::Stuck),
            End::Fault(_) => Some(Self::Fault),
            End::Stopped => None,
        }
    }

    /// Whether the game would have gone on for ever, as far as the plan can tell.
    pub fn is_endless(self) -> bool {
        matches!(self, Self::Repetition | Self::PlyLimit | Self::Still)
    }
}

/// What stands for a sequence of joint moves: the first 64 bits of a SHA-256 in hexadecimal digits, on every machine and in
/// every version the same.
pub fn hash_of_moves(moves: &[Vec<String>]) -> String {
    let mut hash = Sha256::new();
    for joint in moves {
        for mv in joint {
            // No move of a rule file contains a line feed.
            hash.update(mv);
            hash.update("\n");
        }
        hash.update("\n");
    }
    let digest = hash.finalize();
    digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl FinishedGame {
    /// The game as a line of a log, line feed included.
    pub fn to_line(&self) -> String {
        line(self)
    }
}

impl TournamentHeader {
    /// The header as the first line of a log, line feed included.
    pub fn to_line(&self) -> String {
        line(self)
    }
}

fn line(object: &impl Serialize) -> String {
    // Serialising strings and numbers into memory has no way to fail.
    serde_json::to_string(object).unwrap_or_default() + "\n"
}
