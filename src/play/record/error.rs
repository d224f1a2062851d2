//! What can be wrong with a match record.

use std::io;
use std::path::PathBuf;

use crate::kif::GroundTermError;
use crate::session::{IllegalMove, InvalidFacts};
use crate::util::{Expired, system_said};

/// Why a text is no match record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// There is no text.
    #[error("not a match record: the file is empty; {WHERE_FROM}")]
    Empty,
    /// The text is a rule file.
    #[error("not a match record: these are rules, which `kolibri check` takes; {WHERE_FROM}")]
    Rules,
    /// The text is no JSON object, not even at its beginning.
    #[error("not a match record: a record is JSON and begins with {{; {WHERE_FROM}")]
    NoObject,
    /// The text is broken JSON, or not of the form of a record.
    #[error("not a match record: {0}; {WHERE_FROM}")]
    Form(serde_json::Error),
    /// States and moves do not alternate.
    #[error("{moves} joint moves lead through {} states, but {states} are listed", moves + 1)]
    StateCount {
        /// How many states there are.
        states: usize,
        /// How many joint moves there are.
        moves: usize,
    },
    /// There is no such state.
    #[error("state {0}: missing")]
    NoState(usize),
    /// A state is no list of facts.
    #[error("state {index}: {fault}")]
    State {
        /// Which state, counted from 0.
        index: usize,
        /// What is wrong with it.
        fault: GroundTermError,
    },
    /// A joint move has more or fewer moves than there are roles.
    #[error("joint move {number} holds {given} moves, but there are {roles} roles")]
    JointMove {
        /// Which joint move, counted from 1.
        number: usize,
        /// How many moves it holds.
        given: usize,
        /// How many roles there are.
        roles: usize,
    },
    /// There are more or fewer goals than roles.
    #[error("{given} goal values are listed for {roles} roles")]
    GoalCount {
        /// How many goals there are.
        given: usize,
        /// How many roles there are.
        roles: usize,
    },
    /// A goal is too high.
    #[error("the goal value {0} is not in 0..=100")]
    Goal(u8),
}

const WHERE_FROM: &str = "`match --record` and, in `play`, `save` write such records";

/// Why there is no match record in a file.
#[derive(Debug, thiserror::Error)]
pub enum RecordFileError {
    /// The system refuses to read it, or what is compressed in it is broken.
    #[error("cannot read {}: {}", path.display(), system_said(cause))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It holds something else.
    #[error("{}: {fault}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: RecordError,
    },
}

/// Why the position at the end of a record cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// The roles are others.
    #[error("the record is of another game: its roles are {}", .0.join(", "))]
    OtherRoles(Vec<String>),
    /// The record is faulty.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The first state is none of this game.
    #[error(transparent)]
    Facts(#[from] InvalidFacts),
    /// There was not time enough.
    #[error(transparent)]
    Expired(#[from] Expired),
    /// A move is not legal in this game.
    #[error("move {number} of the record: {fault}")]
    Move {
        /// Which joint move, counted from 1.
        number: usize,
        /// What is wrong with it.
        fault: IllegalMove,
    },
}
