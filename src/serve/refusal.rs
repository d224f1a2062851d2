//! Why something that was asked for is not done.

use super::{FindingView, JournalError, NoRandomness};
use crate::play::SpecError;
use crate::session::IllegalMove;

/// Why something that was asked for is not done.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ServeRefusal {
    /// What kind of refusal it is.
    pub kind: RefusalKind,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
    /// What the checker found, where rules are refused.
    pub findings: Option<Vec<FindingView>>,
}

/// What kind of refusal it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// What was asked for makes no sense.
    Request,
    /// The caller may not do it.
    Forbidden,
    /// There is no such thing.
    Missing,
    /// It does not fit what has happened meanwhile.
    Conflict,
    /// It is too large, or takes too long.
    TooMuch,
    /// The server has too much to do.
    Busy,
    /// The server failed.
    Server,
}

impl ServeRefusal {
    pub(super) fn new(kind: RefusalKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            help: None,
            findings: None,
        }
    }

    pub(super) fn request(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Request, message)
    }

    pub(super) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Forbidden, message)
    }

    pub(super) fn conflict(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Conflict, message)
    }

    pub(super) fn missing(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Missing, message)
    }

    pub(super) fn busy(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Busy, message)
    }

    pub(super) fn server(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Server, message)
    }

    #[must_use]
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl From<IllegalMove> for ServeRefusal {
    fn from(fault: IllegalMove) -> Self {
        Self::conflict(fault.to_string())
    }
}

impl From<SpecError> for ServeRefusal {
    fn from(fault: SpecError) -> Self {
        Self::request(fault.message).help(fault.help)
    }
}

impl From<NoRandomness> for ServeRefusal {
    fn from(fault: NoRandomness) -> Self {
        Self::server(fault.to_string())
    }
}

impl From<JournalError> for ServeRefusal {
    fn from(fault: JournalError) -> Self {
        match fault {
            JournalError::Locked => Self::conflict(fault.to_string()),
            JournalError::Full => Self::new(RefusalKind::TooMuch, fault.to_string()),
            _ => Self::server(fault.to_string()),
        }
    }
}
