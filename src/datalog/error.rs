//! Why a program is not evaluated, and where that shows.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::limits::Exhausted;
use super::strata::Unstratified;

/// Why a program cannot be evaluated at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum DatalogError {
    /// See [`Unstratified`].
    #[error(transparent)]
    Unstratified(#[from] Unstratified),
    /// Deriving the static relations exceeded a limit.
    #[error("{why}{}", .growth.as_ref().map_or_else(String::new, |growth| format!("; {growth}")))]
    Exhausted {
        /// The limit.
        why: Exhausted,
        /// Where that happened.
        growth: Option<Growth>,
    },
}

impl From<Exhausted> for DatalogError {
    fn from(why: Exhausted) -> Self {
        Self::Exhausted { why, growth: None }
    }
}

/// The relation that was being derived when a limit was passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// Its name.
    pub relation: String,
    /// The functor of the terms in it, if it has one column and its rules build them.
    pub functor: Option<String>,
    /// How many rows it had.
    pub rows: usize,
    /// The line of a rule for it, if that is known.
    pub line: Option<usize>,
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "see the rule for ")?;
        match &self.functor {
            Some(functor) => write!(f, "`({} ({functor} …))`", self.relation)?,
            None => write!(f, "`{}`", self.relation)?,
        }
        if let Some(line) = self.line {
            write!(f, " in line {line}")?;
        }
        let facts = if self.rows == 1 { "fact" } else { "facts" };
        write!(f, ", which had derived {} {facts}", self.rows)
    }
}
