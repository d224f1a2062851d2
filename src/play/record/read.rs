//! Text and files → records.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::{Record, RecordError, RecordFileError, SetUpError};
use crate::kif::{GroundTerm, read_state};
use crate::play::Session;
use crate::util::Deadline;

/// The largest text that is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// The text of a file that holds a record or a trace, which may be compressed with gzip.
///
/// # Errors
/// The system refuses, the file is too large, or it is broken.
pub fn read_record_text(path: &Path) -> io::Result<String> {
    record_text(BufReader::new(File::open(path)?))
}

/// The text of a record or a trace, which may be compressed with gzip.
///
/// # Errors
/// The system refuses, the text is too large, or it is broken.
pub fn record_text(mut input: impl BufRead) -> io::Result<String> {
    const GZIP: &[u8] = &[0x1f, 0x8b];
    let is_compressed = input.fill_buf()?.starts_with(GZIP);
    let bytes = match is_compressed {
        true => read_all(MultiGzDecoder::new(input)).map_err(as_of_gzip)?,
        false => read_all(input)?,
    };
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|fault| String::from_utf8_lossy(fault.as_bytes()).into_owned()))
}

/// The fault of a decoder, which does not say what it read.
fn as_of_gzip(fault: io::Error) -> io::Error {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    match fault.kind() {
        kind @ (InvalidData | InvalidInput | UnexpectedEof) => {
            io::Error::new(kind, format!("broken or cut off gzip data: {fault}"))
        }
        _ => fault,
    }
}

fn read_all(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(LARGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST {
        true => Err(io::Error::other("it is too large for a match record")),
        false => Ok(bytes),
    }
}

impl Record {
    /// Reads the record in a file, which may be compressed with gzip.
    ///
    /// # Errors
    /// Says why there is none.
    pub fn load(path: &Path) -> Result<Self, RecordFileError> {
        let shown = path.to_owned();
        let text = read_record_text(path)
            .map_err(|cause| RecordFileError::Unreadable { path: shown, cause })?;
        let path = path.to_owned();
        Self::read(&text).map_err(|fault| RecordFileError::Invalid { path, fault })
    }

    /// Reads a record, and checks that its parts fit together.
    ///
    /// # Errors
    /// Says what is missing or does not fit.
    pub fn read(text: &str) -> Result<Self, RecordError> {
        let record = Self::read_form(text)?;
        for index in 0..record.states.len() {
            record.facts(index)?;
        }
        Ok(record)
    }

    /// Reads a record and checks all of it but what the states say.
    pub(in crate::play) fn read_form(text: &str) -> Result<Self, RecordError> {
        let record: Self = serde_json::from_str(text).map_err(|fault| not_a_record(text, fault))?;
        let (states, moves) = (record.states.len(), record.moves.len());
        if states != moves + 1 {
            return Err(RecordError::StateCount { states, moves });
        }
        record.check_roles()?;
        Ok(record)
    }

    /// The facts of the state at `index`, in the order of [`str`].
    ///
    /// # Errors
    /// Says why the text is no list of facts.
    pub fn facts(&self, index: usize) -> Result<Vec<String>, RecordError> {
        let text = self.states.get(index).ok_or(RecordError::NoState(index))?;
        let facts = read_state(text).map_err(|fault| RecordError::State { index, fault })?;
        let mut facts: Vec<String> = facts.iter().map(GroundTerm::to_string).collect();
        facts.sort_unstable();
        facts.dedup();
        Ok(facts)
    }

    /// Puts the last state of this match on `session`, with all moves that led to it.
    ///
    /// # Errors
    /// Says what does not fit the game of the session, which is left in whatever state the record fitted so far.
    pub fn set_up(&self, session: &mut Session) -> Result<(), SetUpError> {
        self.set_up_until(session, &Deadline::default())
    }

    /// The same, for callers that may have to give up.
    ///
    /// # Errors
    /// [`SetUpError::Expired`] if `deadline` is due before that is done, and as [`Record::set_up`].
    pub fn set_up_until(
        &self,
        session: &mut Session,
        deadline: &Deadline,
    ) -> Result<(), SetUpError> {
        if !self.game_role_names.is_empty() && self.game_role_names != session.roles() {
            return Err(SetUpError::OtherRoles(self.game_role_names.clone()));
        }
        session.set_up(&self.facts(0)?)?;
        for (number, joint) in (1..).zip(&self.moves) {
            deadline.check()?;
            let played = session.play_joint(joint);
            played.map_err(|fault| SetUpError::Move { number, fault })?;
        }
        Ok(())
    }

    /// Every list with one entry per role has the same length.
    fn check_roles(&self) -> Result<(), RecordError> {
        let first = self.moves.first().map_or(0, Vec::len);
        let roles = match self.game_role_names.len() {
            0 => first,
            named => named,
        };
        for (number, joint) in (1..).zip(&self.moves) {
            let given = joint.len();
            if given != roles {
                return Err(RecordError::JointMove {
                    number,
                    given,
                    roles,
                });
            }
        }
        let given = self.goal_values.len();
        if given != 0 && roles != 0 && given != roles {
            return Err(RecordError::GoalCount { given, roles });
        }
        let mut goals = self.goal_values.iter().flatten();
        match goals.find(|goal| **goal > 100) {
            Some(goal) => Err(RecordError::Goal(*goal)),
            None => Ok(()),
        }
    }
}

fn not_a_record(text: &str, fault: serde_json::Error) -> RecordError {
    match text.trim_start().chars().next() {
        None => RecordError::Empty,
        Some('(' | ';') => RecordError::Rules,
        Some('{') => RecordError::Form(fault),
        Some(_) => RecordError::NoObject,
    }
}
