//! A match as JSON, in the form the General Game Playing community exchanges ("match record").
//!
//! Keys that are ours alone begin with `x-`, as the form demands.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::files::{Existing, WriteError, write_file, write_new_file};
use crate::kif::{GroundTerm, read_state};
use crate::play::{End, Session, Step, scores};
use crate::util::system_said;

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

/// The largest file that is read, in bytes.
const LARGEST: u64 = 256 << 20;

fn no_preview() -> i64 {
    -1
}

/// Why a text is no match record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RecordError(String);

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
            rulesheet: None,
            seed: Some(seed),
            end: None,
        }
    }

    /// The record of another match of the same game, that begins at the same time with what stands on `session`.
    pub fn restart(&self, session: &Session) -> Self {
        let game = self.game_name.as_deref().unwrap_or_default();
        Self {
            player_names_from_host: self.player_names_from_host.clone(),
            rulesheet: self.rulesheet.clone(),
            is_aborted: true,
            ..Self::begin(
                game,
                session,
                self.seed.unwrap_or_default(),
                self.start_time,
            )
        }
    }

    /// Puts the last state of this match on `session`, with all moves that led to it.
    ///
    /// # Errors
    /// Says what does not fit the game of the session, which is left in whatever state the record fitted so far.
    pub fn set_up(&self, session: &mut Session) -> Result<(), String> {
        if !self.game_role_names.is_empty() && self.game_role_names != session.roles() {
            return Err(format!(
                "the record is of another game: its roles are {}",
                self.game_role_names.join(", ")
            ));
        }
        let facts = self.facts(0).map_err(|why| why.to_string())?;
        session.set_up(&facts).map_err(|why| why.to_string())?;
        for (number, joint) in self.moves.iter().enumerate() {
            let played = session.play(joint);
            played.map_err(|why| format!("move {} of the record: {why}", number + 1))?;
        }
        Ok(())
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

    /// The record as JSON, ending in a line feed.
    pub fn to_json(&self) -> String {
        // Serialising strings and numbers into memory has no way to fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Writes the record to a file, whole or not at all.
    ///
    /// # Errors
    /// Says which file cannot be written, and why.
    pub fn save(&self, path: &Path, existing: Existing<'_>) -> Result<(), WriteError> {
        write_file(path, self.to_json().as_bytes(), existing)
    }

    /// Writes the record to a new file in a folder, named after the match, and tells its path.
    ///
    /// # Errors
    /// Says which file cannot be written, and why.
    pub fn save_new(&self, folder: &Path) -> Result<PathBuf, WriteError> {
        write_new_file(folder, &self.match_id, ".json", self.to_json().as_bytes())
    }

    /// Whether both are of the same match, though one may hold more moves.
    pub fn is_same_match(&self, other: &Self) -> bool {
        (&self.match_id, &self.random_token) == (&other.match_id, &other.random_token)
    }

    /// Reads the record in a file.
    ///
    /// # Errors
    /// Says why there is none.
    pub fn load(path: &Path) -> Result<Self, RecordError> {
        let shown = path.display();
        let unread = |why| RecordError(format!("cannot read {shown}: {}", system_said(&why)));
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(unread)?;
        file.take(LARGEST + 1)
            .read_to_end(&mut bytes)
            .map_err(unread)?;
        if bytes.len() as u64 > LARGEST {
            return Err(RecordError(format!(
                "{shown} is too large for a match record"
            )));
        }
        Self::read(&String::from_utf8_lossy(&bytes))
            .map_err(|RecordError(why)| RecordError(format!("{shown}: {why}")))
    }

    /// Reads a record, and checks that its parts fit together.
    ///
    /// # Errors
    /// Says what is missing or does not fit.
    pub fn read(text: &str) -> Result<Self, RecordError> {
        let record: Self =
            serde_json::from_str(text).map_err(|fault| not_a_record(text, &fault))?;
        record.check()?;
        Ok(record)
    }

    /// The facts of the state at `index`, in the order of [`str`].
    ///
    /// # Errors
    /// Says why the text is no list of facts.
    pub fn facts(&self, index: usize) -> Result<Vec<String>, RecordError> {
        let fault = |what: String| RecordError(format!("state {index}: {what}"));
        let text = self
            .states
            .get(index)
            .ok_or_else(|| fault("missing".to_owned()))?;
        let facts = read_state(text).map_err(|why| fault(why.to_string()))?;
        let mut facts: Vec<String> = facts.iter().map(GroundTerm::to_string).collect();
        facts.sort_unstable();
        facts.dedup();
        Ok(facts)
    }

    fn check(&self) -> Result<(), RecordError> {
        let (states, moves) = (self.states.len(), self.moves.len());
        if states != moves + 1 {
            return Err(RecordError(format!(
                "{moves} joint moves lead through {} states, but {states} are listed",
                moves + 1
            )));
        }
        for index in 0..states {
            self.facts(index)?;
        }
        self.check_roles()
    }

    /// Every list with one entry per role has the same length.
    fn check_roles(&self) -> Result<(), RecordError> {
        let first = self.moves.first().map_or(0, Vec::len);
        let roles = match self.game_role_names.len() {
            0 => first,
            named => named,
        };
        let wrong = self.moves.iter().position(|joint| joint.len() != roles);
        if let Some(step) = wrong {
            let given = self.moves[step].len();
            return Err(RecordError(format!(
                "joint move {} holds {given} moves, but there are {roles} roles",
                step + 1
            )));
        }
        let goals = self.goal_values.len();
        if goals != 0 && roles != 0 && goals != roles {
            return Err(RecordError(format!(
                "{goals} goal values are listed for {roles} roles"
            )));
        }
        if let Some(value) = self
            .goal_values
            .iter()
            .flatten()
            .find(|value| **value > 100)
        {
            return Err(RecordError(format!(
                "the goal value {value} is not in 0..=100"
            )));
        }
        Ok(())
    }
}

/// What stands there instead of a record, and what was expected.
/// Milliseconds since 1970, the time in records.
pub fn milliseconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}

fn not_a_record(text: &str, fault: &serde_json::Error) -> RecordError {
    let found = match text.trim_start().chars().next() {
        None => "the file is empty".to_owned(),
        Some('(' | ';') => "these are rules, which `kolibri check` takes".to_owned(),
        Some(_) => fault.to_string(),
    };
    RecordError(format!(
        "not a match record: {found}; `match --record` and, in `play`, `save` write such records"
    ))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fixture::Subtraction;
    use crate::play::Session;
    use crate::session::Game;

    fn played() -> Record {
        let game = Subtraction::new(3, 3);
        let mut session = Session::new(&Game::from_engine("fixture", game));
        let mut record = Record::begin("subtraction", &session, 7, 1_800_000_000_000);
        let step = Step {
            number: 1,
            joint: vec!["(take 3)".to_owned(), "noop".to_owned()],
            choices: vec![3, 1],
            found: vec![None, None],
            time: Vec::new(),
            errors: vec![String::new(); 2],
        };
        session.play(&step.joint).unwrap();
        record.add(&step, &session, 1_800_000_000_010);
        record.close(&End::Terminal, session.goals());
        record
    }

    #[test]
    fn records_read_back() {
        let record = played();
        assert_eq!(Record::read(&record.to_json()).unwrap(), record);
        assert_eq!(record.goal_values, [Some(100), Some(0)]);
        assert!(record.is_completed && record.random_token.len() >= 12);
        assert_eq!(record.facts(1).unwrap(), ["(control second)", "(heap 0)"]);
    }

    #[test]
    fn foreign_records_are_read() {
        let text = r#"{"matchId":"t.ticTacToe.1","randomToken":"abc","startTime":1795208147070,
            "gameMetaURL":"http://example.org/base/games/ticTacToe/v0/","startClock":10,"playClock":5,
            "states":["( ( cell 1 2 b ) ( control xplayer ) )","( ( control oplayer ) )"],
            "moves":[["( mark 1 2 )","noop"]],"stateTimes":[1795208147136,1795208147693],
            "errors":[["",""],["IL ( x )","TO"]],"goalValues":[0,100],"tournamentNameFromHost":"",
            "scrambled":false,"isCompleted":true,"isAborted":false}"#;
        let record = Record::read(text).unwrap();
        assert_eq!(
            record.facts(0).unwrap(),
            ["(cell 1 2 b)", "(control xplayer)"]
        );
    }

    fn fault(change: impl Fn(&mut Record)) -> String {
        let mut record = played();
        change(&mut record);
        Record::read(&record.to_json()).unwrap_err().to_string()
    }

    #[test]
    fn parts_that_do_not_fit_are_named() {
        assert_eq!(
            fault(|record| record.states.truncate(1)),
            "1 joint moves lead through 2 states, but 1 are listed"
        );
        assert_eq!(
            fault(|record| record.moves[0].truncate(1)),
            "joint move 1 holds 1 moves, but there are 2 roles"
        );
        let unread = fault(|record| record.states[1] = "((heap".to_owned());
        assert!(unread.starts_with("state 1: "), "{unread}");
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let fault = |text: &str| Record::read(text).unwrap_err().to_string();
        for text in ["", "[]", "{}", "{\"matchId\":3}", "null", "\u{0}"] {
            assert!(fault(text).starts_with("not a match record"));
        }
        assert!(fault(" \n").starts_with("not a match record: the file is empty; "));
        assert!(fault("; nim").starts_with("not a match record: these are rules"));
    }
}
