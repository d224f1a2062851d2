//! What a record says, whichever form it has.

use std::io;
use std::path::Path;

use serde::Deserialize;

use crate::conformance::Recorded;
use crate::kif::GroundTerm;
use crate::play::{Record, RecordError, read_record_text};
use crate::util::system_said;

/// What is known about a game from elsewhere.
#[derive(Debug, Default)]
pub(super) struct Recording {
    /// What happened, one list per game played.
    pub(super) walks: Vec<Vec<Recorded>>,
    /// The number of paths at depth 1, 2, ….
    pub(super) perft: Vec<u64>,
    /// Why the record is not to be trusted.
    pub(super) skip: Option<String>,
    /// Whether the maker of the record found the rules faulty.
    pub(super) refuses_rules: bool,
    /// Whether a game may begin in any position, the first one recorded.
    pub(super) starts_anywhere: bool,
    /// The rules: their text, or what they are called.
    pub(super) rules: Option<String>,
}

impl Recording {
    /// Reads a trace or a match record.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub(super) fn read(path: &Path) -> Result<Self, RecordingError> {
        let text = read_record_text(path).map_err(RecordingError::Unreadable)?;
        if !text.contains("\"playouts\"") {
            return Ok(from_match(&Record::read_form(&text)?)?);
        }
        match serde_json::from_str::<ReferenceTrace>(&text) {
            Ok(trace) => Ok(trace.into()),
            Err(not_a_trace) => match Record::read_form(&text) {
                Ok(record) => Ok(from_match(&record)?),
                Err(_) => Err(RecordingError::Trace(not_a_trace)),
            },
        }
    }
}

/// Why nothing can be compared with the rules.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordingError {
    /// The system refuses to read the file.
    #[error("cannot be read: {}", system_said(.0))]
    Unreadable(io::Error),
    /// The file is a trace, or is meant to be one.
    #[error("not a trace: {0}")]
    Trace(serde_json::Error),
    /// The file is meant to be a match record.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// What the reference implementation did with a rule file.
#[derive(Debug, Deserialize)]
struct ReferenceTrace {
    playouts: Vec<Vec<Recorded>>,
    #[serde(default)]
    perft: Vec<u64>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    validator: Option<String>,
    #[serde(default)]
    dropped_literal_rules: Vec<serde_json::Value>,
    #[serde(default)]
    arity_mismatch: Vec<serde_json::Value>,
}

impl From<ReferenceTrace> for Recording {
    fn from(trace: ReferenceTrace) -> Self {
        let skip = if trace.error.is_some() {
            Some("the recorder failed on it")
        } else if !trace.dropped_literal_rules.is_empty() {
            Some("the recorder dropped literals")
        } else if !trace.arity_mismatch.is_empty() {
            Some("the recorder mixes up arities")
        } else {
            None
        };
        Self {
            walks: trace.playouts,
            perft: trace.perft,
            skip: skip.map(str::to_owned),
            refuses_rules: trace
                .validator
                .is_some_and(|verification| verification != "ok"),
            starts_anywhere: false,
            rules: None,
        }
    }
}

fn from_match(record: &Record) -> Result<Recording, RecordError> {
    let mut walk = Vec::with_capacity(record.states.len());
    for ply in 0..record.states.len() {
        walk.push(Recorded {
            state: Some(record.facts(ply)?),
            moves: record
                .moves
                .get(ply)
                .map(|moves| moves.iter().map(|text| one_term(text)).collect()),
            ..Recorded::default()
        });
    }
    if let Some(last) = walk.last_mut().filter(|_| record.is_completed) {
        last.terminal = Some(true);
        let goals = record.game_role_names.iter().cloned();
        let values = record.goal_values.iter().map(|goal| goal.map(i64::from));
        last.goals = Some(goals.zip(values).collect());
    }
    Ok(Recording {
        walks: vec![walk],
        starts_anywhere: true,
        rules: record
            .rulesheet
            .clone()
            .or_else(|| record.game_name.clone()),
        ..Recording::default()
    })
}

/// The move with single spaces and no padding.
fn one_term(text: &str) -> String {
    let term: Result<GroundTerm, _> = text.parse();
    term.map_or_else(|_| text.to_owned(), |term| term.to_string())
}
