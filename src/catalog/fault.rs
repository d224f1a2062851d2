//! What can be wrong with the file a person names, and how to mend it.

use std::io;

use crate::kif::MAX_BYTES;
use crate::util::system_said;

/// Why no rule text could be had.
///
/// [`SourceError::help`] says how to mend it, [`SourceError::code`] names it for scripts.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// Neither a shipped game nor a file.
    #[error("no shipped game and no file is called `{name}`")]
    UnknownName {
        /// What was asked for.
        name: String,
        /// The shipped game that is spelt most like it.
        similar: Option<&'static str>,
        /// The rule file of that name, if only its ending is missing.
        file: Option<String>,
    },
    /// A path at which there is nothing.
    #[error("there is no file `{path}`")]
    Missing {
        /// What was asked for.
        path: String,
        /// A file in the same folder that is spelt most like it.
        similar: Option<String>,
    },
    /// A folder instead of a file.
    #[error("`{path}` is a directory, not a rule file")]
    Directory {
        /// What was asked for.
        path: String,
        /// The first rule file in it.
        inside: Option<String>,
    },
    /// The system refuses to read it.
    #[error("cannot read `{path}`: {}", system_said(cause))]
    Unreadable {
        /// What was asked for.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// More bytes than any rule file has.
    #[error("`{path}` is larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge {
        /// What was asked for.
        path: String,
    },
    /// Nothing but white space.
    #[error("`{path}` is empty")]
    Empty {
        /// What was asked for.
        path: String,
    },
}

impl SourceError {
    /// How to mend it.
    pub fn help(&self) -> String {
        match self {
            Self::UnknownName {
                file: Some(file), ..
            } => format!("did you mean `{file}`?"),
            Self::UnknownName { similar, .. } => {
                let list = "`kolibri games` lists the shipped games, and a path names a file";
                match similar {
                    Some(name) => format!("did you mean `{name}`? {list}"),
                    None => list.to_owned(),
                }
            }
            Self::Missing { similar, .. } => match similar {
                Some(file) => format!("did you mean `{file}`?"),
                None => "check the path; it counts from the folder you are in".to_owned(),
            },
            Self::Directory { inside, .. } => match inside {
                Some(file) => format!("name a file in it, such as `{file}`"),
                None => "name a rule file; there is none with the ending .kif in it".to_owned(),
            },
            Self::Unreadable { .. } => "check that you may read it: `ls -l` tells".to_owned(),
            Self::TooLarge { .. } => {
                "rule files are small texts; is this the file you mean?".to_owned()
            }
            Self::Empty { .. } => {
                "a game needs at least `role`, `legal`, `next`, `terminal` and `goal`; \
                 `kolibri fmt tictactoe` prints a complete game"
                    .to_owned()
            }
        }
    }

    /// A stable name of the fault.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownName { .. } => "unknown-game",
            Self::Missing { .. } => "no-such-file",
            Self::Directory { .. } => "directory",
            Self::Unreadable { .. } => "unreadable",
            Self::TooLarge { .. } => "file-too-large",
            Self::Empty { .. } => "empty",
        }
    }

    /// Whether there is a file that was read and found wanting, as opposed to nothing that could be read.
    pub fn is_about_contents(&self) -> bool {
        match self {
            Self::UnknownName { .. }
            | Self::Missing { .. }
            | Self::Directory { .. }
            | Self::Unreadable { .. } => false,
            Self::TooLarge { .. } | Self::Empty { .. } => true,
        }
    }
}
