//! A match as JSON, in the form the General Game Playing community exchanges ("match record").
//!
//! Keys that are ours alone begin with `x-`, as the form demands.

mod error;
mod read;
mod rules;
#[cfg(test)]
mod tests;
mod write;

use std::time::{SystemTime, UNIX_EPOCH};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

pub use error::{RecordError, RecordFileError, SetUpError};
pub use read::{read_record_text, record_text};
pub use rules::{RecordRulesError, rules_of_record};
pub use write::RecordFormat;

use crate::play::{End, Session, Step, scores};

/// A match, from its first state to its last.
///
/// There is one state, one time and one list of errors per position, and one joint move between each two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// A name for the match.
    pub match_id: String,
    /// Tells matches of the same name apart.
    #[serde(default)]
    pub random_token: String,
    /// Milliseconds since 1970.
    pub start_time: u64,
    /// The game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_name: Option<String>,
    /// Where the rules are published.
    #[serde(
        default,
        rename = "gameMetaURL",
        skip_serializing_if = "Option::is_none"
    )]
    pub game_meta_url: Option<String>,
    /// The roles, in the order of every list below.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub game_role_names: Vec<String>,
    /// Seconds to prepare.
    #[serde(default)]
    pub start_clock: u64,
    /// Seconds per move; 0 where no clock was set.
    #[serde(default)]
    pub play_clock: u64,
    /// Seconds before the match; -1 for none.
    #[serde(default = "no_preview")]
    pub preview_clock: i64,
    /// The states, each a KIF list of facts.
    pub states: Vec<String>,
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
    /// When each state was reached, in milliseconds since 1970.
    #[serde(default)]
    pub state_times: Vec<u64>,
    /// What went wrong on the way to each state, per role.
    #[serde(default)]
    pub errors: Vec<Vec<String>>,
    /// The scores of a completed match; `None` for chance where the rules give it none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goal_values: Vec<Option<u8>>,
    /// Who played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub player_names_from_host: Vec<String>,
    /// Whether the players saw scrambled words.
    #[serde(default)]
    pub scrambled: bool,
    /// Whether the rules ended the match.
    #[serde(default)]
    pub is_completed: bool,
    /// Whether the match was given up.
    #[serde(default)]
    pub is_aborted: bool,
    /// How the clocks of a player went that a match server asked.
    #[serde(default, rename = "x-clocks", skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<AnswerTime>,
    /// The rules: their text, or the name of their file.
    #[serde(
        default,
        rename = "x-rulesheet",
        skip_serializing_if = "Option::is_none"
    )]
    pub rulesheet: Option<String>,
    /// The seed of the match.
    #[serde(default, rename = "x-seed", skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Why the match ended.
    #[serde(default, rename = "x-end", skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
}

/// How long a player took to answer a match server. All times are in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerTime {
    /// How many joint moves had been played; the message that begins the match comes before the first.
    pub plies: usize,
    /// When the message came, since 1970.
    pub received: u64,
    /// How long it took to answer.
    pub taken: u64,
    /// The clock of the match.
    pub clock: u64,
    /// How much of the clock was kept in reserve.
    pub margin: u64,
    /// Whether the answer had to be given before the search had ended.
    pub is_cut_short: bool,
}

fn no_preview() -> i64 {
    -1
}

impl Record {
    /// The record of a match that begins at `start_time` (milliseconds since 1970) with what stands on `session`.
    pub fn begin(game: &str, session: &Session, seed: u64, start_time: u64) -> Self {
        Self {
            match_id: format!("{game}.{start_time}.{seed}"),
            random_token: token(seed ^ start_time.rotate_left(32)),
            start_time,
            game_name: Some(game.to_owned()),
            game_meta_url: None,
            game_role_names: session.roles().to_vec(),
            start_clock: 0,
            play_clock: 0,
            preview_clock: no_preview(),
            states: vec![state_text(session)],
            moves: Vec::new(),
            state_times: vec![start_time],
            errors: vec![vec![String::new(); session.roles().len()]],
            goal_values: Vec::new(),
            player_names_from_host: Vec::new(),
            scrambled: false,
            is_completed: false,
            is_aborted: false,
            clocks: Vec::new(),
            rulesheet: None,
            seed: Some(seed),
            end: None,
        }
    }

    /// The record of the same match as far as what stands on `session`, with which it begins; as long as it goes on, it counts as
    /// given up.
    pub fn at_start(&self, session: &Session) -> Self {
        let game = self.game_name.as_deref().unwrap_or_default();
        Self {
            match_id: self.match_id.clone(),
            random_token: self.random_token.clone(),
            player_names_from_host: self.player_names_from_host.clone(),
            rulesheet: self.rulesheet.clone(),
            seed: self.seed,
            is_aborted: true,
            ..Self::begin(game, session, 0, self.start_time)
        }
    }

    /// The record of the same match with all moves on `session`, however long they took; it counts as given up.
    #[must_use]
    pub fn so_far(&self, session: &Session) -> Self {
        let positions = session.past().chain([session.position()]);
        let states: Vec<Session> = positions
            .map(|position| Session::from(position.clone()))
            .collect();
        let mut record = self.at_start(&states[0]);
        for (joint, after) in session.history().into_iter().zip(&states[1..]) {
            record.add(&Step::replayed(joint.to_vec()), after, record.start_time);
        }
        record
    }

    /// Makes this the record of the match that `other` is of, which goes on.
    pub fn go_on_with(&mut self, other: &Self) {
        self.match_id.clone_from(&other.match_id);
        self.random_token.clone_from(&other.random_token);
        self.start_time = other.start_time;
        self.seed = other.seed;
    }

    /// Adds a step that led to the present position of `session` at `time` (milliseconds since 1970).
    pub fn add(&mut self, step: &Step, session: &Session, time: u64) {
        let latest = self.state_times.last().copied().unwrap_or_default();
        self.moves.push(step.joint.clone());
        self.states.push(state_text(session));
        self.state_times.push(time.max(latest));
        self.errors.push(step.errors.clone());
    }

    /// Closes the record of a match whose last state gives the roles these goals.
    pub fn close(&mut self, end: &End, goals: &[Option<u8>]) {
        self.is_completed = *end == End::Terminal;
        self.is_aborted = !self.is_completed;
        self.end = Some(end.to_string());
        let has_result = self.is_completed && scores(&self.game_role_names, goals).is_some();
        self.goal_values = match has_result {
            true => goals.to_vec(),
            false => Vec::new(),
        };
    }

    /// Whether both are of the same match, though one may hold more moves.
    pub fn is_same_match(&self, other: &Self) -> bool {
        (&self.match_id, &self.random_token) == (&other.match_id, &other.random_token)
    }
}

/// Milliseconds since 1970, the time in records.
pub fn milliseconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}

fn state_text(session: &Session) -> String {
    format!("({})", session.facts().join(" "))
}

/// 32 letters and digits.
fn token(seed: u64) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let letter = |_| char::from(LETTERS[rng.random_range(0..LETTERS.len())]);
    (0..32).map(letter).collect()
}
