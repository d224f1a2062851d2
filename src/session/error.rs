//! What a program can do wrong with a game.

use crate::engine::LoadError;
use crate::game::{Fault, Stopped};

/// Why a game could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// There is no rule text of that name.
    #[error("{0}; {help}", help = .0.help())]
    Source(#[from] crate::catalog::SourceError),
    /// The rules are wrong, or no engine runs them.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// A role that the game does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no role {name}; the roles are {}", .roles.join(", "))]
pub struct UnknownRole {
    /// The name given.
    pub name: String,
    /// The names there are.
    pub roles: Vec<String>,
}

/// A move that may not be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// Not one move per role.
    #[error("{given} moves are no joint move: {wanted} roles move at once")]
    Count {
        /// How many moves were given.
        given: usize,
        /// How many roles there are.
        wanted: usize,
    },
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// One role may not do this.
    #[error("{role} may not play {mv}")]
    Role {
        /// Whose move it is.
        role: String,
        /// The move, as given.
        mv: String,
    },
    /// A single move was given where several roles have a choice.
    #[error("{} have a choice here: give a joint move, one move per role", .roles.join(" and "))]
    SeveralChoose {
        /// The roles that have a choice.
        roles: Vec<String>,
    },
    /// Roles without any legal move: the game is stuck.
    #[error("{} has no legal move: the game is stuck", .roles.join(" and "))]
    Stuck {
        /// These roles.
        roles: Vec<String>,
    },
}

/// Why a search found nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The game is over, or the role has no legal move.
    #[error("there is nothing to search: the game is over, or {role} has no legal move")]
    NoMove {
        /// The role searched for.
        role: String,
    },
    /// Not one role has a choice, and none was named.
    #[error("name the role to search for: {}", .roles.join(", "))]
    WhichRole {
        /// The roles that may be meant.
        roles: Vec<String>,
    },
    /// No such role.
    #[error(transparent)]
    UnknownRole(#[from] UnknownRole),
    /// The engine has no evaluation of this name.
    #[error("this engine has no evaluation {name}")]
    UnknownEvaluation {
        /// The name given.
        name: String,
    },
    /// The file of weights cannot be used.
    #[error("{0}")]
    Weights(String),
    /// The engine ran out of a budget.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Why playouts ended before all were played: what was counted until then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct PlayoutsError {
    /// The reason.
    pub why: Stopped,
}
