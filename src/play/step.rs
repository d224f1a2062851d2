//! What comes of asking the players: a joint move, or the end of the match.

use std::fmt;
use std::time::Duration;

use crate::play::Found;

/// How many moves a player was asked for in a match, and what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoveCounts {
    /// In how many plies it had a choice.
    pub decisions: u32,
    /// How many moves were drawn for it, because its own was missing, late or not legal.
    pub errors: u32,
    /// How many moves came late. Those of players on the network count as errors, too; others are played.
    pub late: u32,
}

/// One joint move, and how it came about. Every list has one entry per role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The number of the ply, counted from 1.
    pub number: usize,
    /// The moves played.
    pub joint: Vec<String>,
    /// How many moves each role had to choose from.
    pub choices: Vec<usize>,
    /// What the players found.
    pub found: Vec<Option<Found>>,
    /// Time taken.
    pub time: Vec<Duration>,
    /// What went wrong: empty, or `IL move` for an illegal move, or the reason why there was none.
    pub errors: Vec<String>,
}

impl Step {
    /// A joint move that was played before: nothing else is known of it.
    pub fn replayed(joint: Vec<String>) -> Self {
        let roles = joint.len();
        Self {
            number: 0,
            joint,
            choices: vec![0; roles],
            found: vec![None; roles],
            time: vec![Duration::ZERO; roles],
            errors: vec![String::new(); roles],
        }
    }
}

/// What became of the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// A joint move was played.
    Played(Step),
    /// The match is over.
    Over(End),
}

/// Why a match ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The rules say that the game is over.
    Terminal,
    /// The greatest number of plies has been played.
    PlyLimit(usize),
    /// A position occurred as often as is allowed.
    Repetition(usize),
    /// The game goes on, but these roles have no legal move.
    Stuck(Vec<String>),
    /// The engine ran out of a budget.
    Fault(String),
    /// A ply in which no role had a choice changed nothing, and neither would any that follows.
    Still,
    /// The stop flag was raised.
    Stopped,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terminal => f.write_str("the game is over"),
            Self::PlyLimit(plies) => write!(f, "given up after {plies} plies, the limit"),
            Self::Repetition(times) => {
                write!(f, "given up, since a position occurred {times} times")
            }
            Self::Stuck(roles) => {
                let roles = roles.join(" and ");
                write!(
                    f,
                    "stuck: the game is not over, but {roles} has no legal move"
                )
            }
            Self::Fault(reason) => write!(f, "given up, since the engine failed: {reason}"),
            Self::Still => {
                f.write_str("given up, since the game stands still: no player can change anything")
            }
            Self::Stopped => f.write_str("stopped"),
        }
    }
}
