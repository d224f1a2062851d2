//! How a command ends.

use std::io;

use crate::catalog::SourceError;
use crate::files::{WriteError, WriteFault};
use crate::info::board::BoardFileError;
use crate::play::{InstallError, NoPlayerProgram, SpecError};
use crate::quality::UnaskedPlayer;
use crate::session::WeightsError;
use crate::solved::SolutionError;
use crate::state_space::SolveError;
use crate::util::{Expired, system_said};

/// What reports say that Ctrl-C cut short.
pub(super) const INTERRUPTED: &str = "interrupted: this is what was found until then";

/// How to get further than `--time` allowed.
pub(super) const MORE_TIME: &str = "give more with `--time`";

/// How a command ended that did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Everything is as it should be.
    Success,
    /// The thing checked failed, and the command has said why.
    Failed,
    /// Something named on the command line is not there, and the command has said so.
    WrongUsage,
    /// Interrupted by Ctrl-C; what was found until then is printed.
    Interrupted,
}

impl Outcome {
    /// Success, or failure of the thing checked.
    pub(super) fn passed(passed: bool) -> Self {
        if passed { Self::Success } else { Self::Failed }
    }

    /// The end of a command that Ctrl-C has cut short, or that has come to its end.
    pub(super) fn of_work(interrupted: bool) -> Self {
        if interrupted {
            Self::Interrupted
        } else {
            Self::Success
        }
    }

    /// The exit status.
    pub(super) fn status(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failed => 1,
            Self::WrongUsage => 2,
            Self::Interrupted => 130,
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line is not valid, or asks for help.
    Clap(clap::Error),
    /// The reader of the output has closed it: success without a message.
    PipeClosed,
    /// A message for the user.
    Message {
        /// The exit status.
        status: u8,
        /// What is wrong.
        message: String,
        /// How to mend it.
        help: Option<String>,
    },
}

impl Failure {
    /// Wrong usage: exit status 2.
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self::with_status(2, message)
    }

    /// The thing worked on is at fault: exit status 1.
    pub(super) fn finding(message: impl Into<String>) -> Self {
        Self::with_status(1, message)
    }

    /// Interrupted by Ctrl-C before anything was found: exit status 130.
    pub(super) fn interrupted() -> Self {
        Self::with_status(Outcome::Interrupted.status(), "interrupted")
    }

    /// Interrupted by Ctrl-C before the work was done, of which so much is: exit status 130.
    pub(super) fn interrupted_after(done: &str) -> Self {
        Self::with_status(
            Outcome::Interrupted.status(),
            format!("interrupted: {done}"),
        )
    }

    fn with_status(status: u8, message: impl Into<String>) -> Self {
        Self::Message {
            status,
            message: message.into(),
            help: None,
        }
    }

    /// The same failure with advice.
    pub(super) fn with_help(self, advice: impl Into<String>) -> Self {
        match self {
            Self::Message {
                status, message, ..
            } => Self::Message {
                status,
                message,
                help: Some(advice.into()),
            },
            other => other,
        }
    }

    /// The exit status.
    pub(super) fn status(&self) -> u8 {
        match self {
            Self::Clap(fault) => u8::try_from(fault.exit_code()).unwrap_or(2),
            Self::PipeClosed => 0,
            Self::Message { status, .. } => *status,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(fault: io::Error) -> Self {
        match fault.kind() {
            io::ErrorKind::BrokenPipe => Self::PipeClosed,
            _ => Self::usage(format!("cannot write the output: {}", system_said(&fault))),
        }
    }
}

impl From<NoPlayerProgram> for Failure {
    fn from(fault: NoPlayerProgram) -> Self {
        Self::usage(fault.to_string()).with_help(
            "`exec:` starts a program of this machine that speaks the engine protocol; `-v` shows what it writes to standard error",
        )
    }
}

impl From<InstallError> for Failure {
    fn from(fault: InstallError) -> Self {
        let failure = Self::usage(fault.to_string());
        match fault {
            InstallError::NoPlayer(_) => failure,
            InstallError::Exists { .. } => failure.with_help("`--force` replaces it"),
            InstallError::Unwritable { .. } => {
                failure.with_help("make it writable, or free some room")
            }
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(fault: serde_json::Error) -> Self {
        Self::from(io::Error::from(fault))
    }
}

impl From<SourceError> for Failure {
    fn from(fault: SourceError) -> Self {
        let status = if fault.is_about_contents() { 1 } else { 2 };
        Self::with_status(status, fault.to_string()).with_help(fault.help())
    }
}

impl From<BoardFileError> for Failure {
    fn from(fault: BoardFileError) -> Self {
        let help = "the board file says how boards are drawn; games are played without one, too";
        Self::finding(fault.to_string()).with_help(help)
    }
}

impl From<SpecError> for Failure {
    fn from(fault: SpecError) -> Self {
        Self::usage(fault.message).with_help(fault.help)
    }
}

impl From<SolutionError> for Failure {
    fn from(fault: SolutionError) -> Self {
        Self::usage(fault.to_string()).with_help(fault.help())
    }
}

impl From<Expired> for Failure {
    fn from(why: Expired) -> Self {
        match why {
            Expired::Interrupted => Self::interrupted(),
            Expired::OutOfTime => Self::finding(why.to_string()).with_help(MORE_TIME),
        }
    }
}

impl From<SolveError> for Failure {
    fn from(fault: SolveError) -> Self {
        match fault {
            SolveError::Expired(why) => why.into(),
            SolveError::TooManyRoles(_) => Self::finding(fault.to_string()).with_help(
                "`kolibri states` counts its states, and `kolibri search` looks for a good move",
            ),
            fault => Self::finding(fault.to_string()),
        }
    }
}

impl From<UnaskedPlayer> for Failure {
    fn from(fault: UnaskedPlayer) -> Self {
        match fault {
            UnaskedPlayer::Program(fault) => fault.into(),
            fault => Self::usage(fault.to_string()).with_help("`kolibri players` lists the others"),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(fault: WriteError) -> Self {
        match &fault.fault {
            WriteFault::System(cause) if cause.kind() == io::ErrorKind::BrokenPipe => {
                Self::PipeClosed
            }
            _ => Self::usage(fault.to_string()).with_help(fault.help()),
        }
    }
}

impl From<WeightsError> for Failure {
    fn from(fault: WeightsError) -> Self {
        Self::usage(fault.to_string()).with_help(fault.help())
    }
}
