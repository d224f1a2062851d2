//! What callers send, as far as it can be read without doing anything.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::ServeRefusal;

/// What a client of a match asks for: one message each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SocketRequest {
    /// To play a move.
    Play {
        /// The role that plays it.
        role: String,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// Joint moves before the position that the client sees.
        ply: usize,
    },
    /// To take back.
    Undo {
        /// So many joint moves; otherwise to the last position in which the caller had a choice.
        #[serde(default)]
        plies: Option<usize>,
    },
    /// To go on along the line.
    Redo,
    /// To show another position of the line.
    Goto {
        /// Joint moves before it.
        ply: usize,
    },
    /// To show a position of another line.
    Line {
        /// The number of the line.
        line: usize,
        /// Joint moves before the position.
        ply: usize,
    },
    /// To begin anew.
    Restart,
    /// To let machines wait, or go on.
    Pause {
        /// Whether they are to wait.
        on: bool,
    },
    /// To give up.
    Resign {
        /// The role that gives up.
        role: String,
    },
    /// To be told a good move.
    Hint {
        /// The role that is to play it.
        role: String,
    },
    /// To have the positions shown searched.
    Analyse {
        /// Whether to begin, or to end.
        on: bool,
        /// For how many of the best moves; otherwise one.
        #[serde(default)]
        lines: Option<usize>,
    },
    /// To be told why a move is legal or not.
    Why {
        /// Whether the end of the game is asked about, and no move.
        #[serde(default)]
        end: bool,
        /// The role.
        #[serde(default)]
        role: String,
        /// The move.
        #[serde(default, rename = "move")]
        mv: String,
    },
}

impl SocketRequest {
    /// Reads a message.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, ServeRefusal> {
        let read = serde_json::from_str(text);
        read.map_err(|fault| ServeRefusal::request(format!("the message is none: {fault}")))
    }
}

/// What the body of a request says.
pub(super) fn read_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, ServeRefusal> {
    let read = serde_json::from_slice(body);
    read.map_err(|fault| {
        ServeRefusal::request(format!("the body is not what is expected: {fault}"))
    })
}
