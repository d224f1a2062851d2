//! What a network player tells those who run it.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::engine::EngineKind;

/// What happened to a network player.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerEvent {
    /// A match begins.
    Started {
        /// Its name.
        match_id: String,
        /// The role of the player.
        role: String,
        /// Time until the first move.
        start_clock: Duration,
        /// Time for each move.
        play_clock: Duration,
    },
    /// The rules are loaded.
    Loaded {
        /// The match.
        match_id: String,
        /// What runs the rules.
        engine: EngineKind,
        /// How long it took.
        time: Duration,
    },
    /// The player gave its move.
    Answered {
        /// The match.
        match_id: String,
        /// The number of the ply, counted from 1.
        ply: usize,
        /// The move.
        mv: String,
        /// How long it took.
        time: Duration,
        /// How long it might have taken.
        clock: Duration,
    },
    /// Something is odd about a match, but it goes on.
    Odd {
        /// The match.
        match_id: String,
        /// What it is.
        what: String,
    },
    /// A match is over.
    Ended {
        /// Its name.
        match_id: String,
        /// How many joint moves were played.
        plies: usize,
        /// Why it ended, and what the player scored.
        how: String,
        /// The file with its record.
        record: Option<PathBuf>,
    },
    /// A message was refused.
    Refused {
        /// Why.
        why: String,
    },
}

impl fmt::Display for PlayerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started {
                match_id,
                role,
                start_clock,
                play_clock,
            } => {
                let clocks = [start_clock, play_clock].map(Duration::as_secs_f64);
                let [start, play] = clocks;
                write!(
                    f,
                    "{match_id}: plays {role}, start clock {start} s, play clock {play} s"
                )
            }
            Self::Loaded {
                match_id,
                engine,
                time,
            } => {
                write!(
                    f,
                    "{match_id}: engine {engine}, after {:.2} s",
                    time.as_secs_f64()
                )
            }
            Self::Answered {
                match_id,
                ply,
                mv,
                time,
                clock,
            } => {
                let [time, clock] = [time, clock].map(Duration::as_secs_f64);
                write!(f, "{match_id}: {ply}. {mv}, after {time:.2} of {clock} s")
            }
            Self::Odd { match_id, what } => write!(f, "{match_id}: {what}"),
            Self::Ended {
                match_id,
                plies,
                how,
                record,
            } => {
                write!(f, "{match_id}: ended after {plies} plies, {how}")?;
                match record {
                    Some(path) => write!(f, ", recorded in {}", path.display()),
                    None => Ok(()),
                }
            }
            Self::Refused { why } => write!(f, "refused: {why}"),
        }
    }
}
