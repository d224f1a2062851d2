//! What can be wrong with a plan, where, and how to mend it.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::kif::{LineColumn, LineIndex};
use crate::util::system_said;

/// Why a plan cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It cannot be read.
    #[error("cannot read the plan `{}`: {}", path.display(), system_said(cause))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// It says something that cannot be.
    #[error("{place}{message}")]
    Invalid {
        /// Where.
        place: PlanPlace,
        /// What is wrong.
        message: String,
        /// What would be right.
        help: String,
    },
}

impl PlanError {
    /// How to mend it.
    pub fn help(&self) -> &str {
        match self {
            Self::Unreadable { .. } => {
                "name a TOML file, or do without one: `kolibri tournament --game GAME --player SPEC --player SPEC`, with `--print-plan` to begin a file"
            }
            Self::Invalid { help, .. } => help,
        }
    }
}

/// A place in a plan; none if the plan is in no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanPlace(Option<(PathBuf, LineColumn)>);

/// With what separates it from a message.
impl fmt::Display for PlanPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some((path, place)) => write!(f, "{}:{place}: ", path.display()),
            None => Ok(()),
        }
    }
}

/// What is wrong with the text of a plan.
#[derive(Debug)]
pub(super) struct PlanFault {
    /// Which bytes are wrong.
    pub(super) span: Range<usize>,
    pub(super) message: String,
    pub(super) help: String,
}

impl PlanFault {
    pub(super) fn new(
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            span,
            message: message.into(),
            help: help.into(),
        }
    }

    /// With its line and column, if the text is in a file.
    pub(super) fn at(self, text: &str, path: Option<&Path>) -> PlanError {
        let place = LineIndex::new(text).position(self.span.start);
        PlanError::Invalid {
            place: PlanPlace(path.map(|path| (path.to_owned(), place))),
            message: self.message,
            help: self.help,
        }
    }
}
