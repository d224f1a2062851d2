//! What a player replies.

use std::fmt;

/// The reply of a player, printed in the form that all servers read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Who the player is, and whether it is free.
    Status {
        /// Its name, a single word.
        name: String,
        /// Whether it can begin a match.
        is_available: bool,
    },
    /// To START, PREVIEW and PING: the player is ready.
    Ready,
    /// The player is in another match.
    Busy,
    /// A move.
    Move(String),
    /// No move could be found.
    NoMove,
    /// To STOP.
    Done,
    /// To ABORT.
    Aborted,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Status { name, is_available } => {
                let status = if *is_available { "available" } else { "busy" };
                return write!(f, "( ( name {name} ) ( status {status} ) )");
            }
            Self::Ready => "ready",
            Self::Busy => "busy",
            Self::Move(mv) => mv,
            Self::NoMove => "nil",
            Self::Done => "done",
            Self::Aborted => "aborted",
        };
        f.write_str(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_written_as_servers_expect_them() {
        let name = "Kolibri".to_owned();
        let free = Reply::Status {
            name: name.clone(),
            is_available: true,
        };
        assert_eq!(
            free.to_string(),
            "( ( name Kolibri ) ( status available ) )"
        );
        let taken = Reply::Status {
            name,
            is_available: false,
        };
        assert_eq!(taken.to_string(), "( ( name Kolibri ) ( status busy ) )");
        let mv = Reply::Move("(mark 1 2)".to_owned());
        let replies = [
            Reply::Ready,
            Reply::Busy,
            mv,
            Reply::NoMove,
            Reply::Done,
            Reply::Aborted,
        ];
        let words = replies.map(|reply| reply.to_string());
        assert_eq!(
            words,
            ["ready", "busy", "(mark 1 2)", "nil", "done", "aborted"]
        );
    }
}
