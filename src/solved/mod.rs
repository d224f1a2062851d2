//! Perfect play: what positions of a game are worth by a [`Solution`] of it.

mod proof;
mod strategy;
#[cfg(test)]
pub(crate) mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use proof::{Proof, Refutation, Unproved};
pub use strategy::{Strategy, StrategyError, StrategyState};

use crate::gdl::rules_digest;
use crate::session::{Game, Position};
use crate::state_space::{Solution, SolutionFileFault, SolutionSubject, SolvedValue};
use crate::util::system_said;

/// A game with a solution of it. Clones share both.
#[derive(Debug, Clone)]
pub struct SolvedGame {
    game: Game,
    solution: Arc<Solution>,
}

/// Why a file is no solution of a game.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: {fault}", path.display())]
pub struct SolutionError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: SolutionFault,
}

/// What is wrong with the file of a solution.
#[derive(Debug, thiserror::Error)]
pub enum SolutionFault {
    /// The system cannot read it.
    #[error("{}", system_said(.0))]
    System(io::Error),
    /// It is no solution, or it is damaged.
    #[error(transparent)]
    File(#[from] SolutionFileFault),
    /// It is a solution of other rules.
    #[error("it is a solution of other rules, of a game named `{0}`")]
    OtherRules(String),
    /// It says nothing of what is best for the role that is asked about.
    #[error(
        "it is solved for `{solved}`, and says nothing of what is best for `{asked}`: goals do not add up to the same in all ends"
    )]
    OtherRole {
        /// The role that it is solved for.
        solved: String,
        /// The one that is asked about.
        asked: String,
    },
}

impl SolutionError {
    /// How to mend it.
    pub fn help(&self) -> String {
        match &self.fault {
            SolutionFault::System(_) => "check the path".to_owned(),
            SolutionFault::OtherRole { asked, .. } => {
                format!("solve it for that role: `kolibri solve GAME --role {asked} --out FILE`")
            }
            _ => "solve the game again: `kolibri solve GAME --out FILE`".to_owned(),
        }
    }
}

/// The solution in a file, of whatever game, and of which it is.
///
/// # Errors
/// [`SolutionError`]: the file cannot be read, or is damaged.
pub fn read_any_solution(path: &Path) -> Result<(SolutionSubject, Solution), SolutionError> {
    let refused = |fault| SolutionError {
        path: path.to_owned(),
        fault,
    };
    let bytes = fs::read(path).map_err(|cause| refused(SolutionFault::System(cause)))?;
    Solution::from_bytes(&bytes).map_err(|fault| refused(fault.into()))
}

/// A legal move of the role that chooses in a position, or the only one of the role whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedMove {
    /// The role.
    pub role: usize,
    /// Its move.
    pub text: String,
    /// What all roles do.
    pub joint: Vec<String>,
    /// What the position after it is worth to the role of the solution.
    pub value: SolvedValue,
    /// The position after it.
    pub after: Position,
}

impl SolvedGame {
    /// A game with what was found out about it.
    pub fn new(game: Game, solution: Solution) -> Self {
        Self {
            game,
            solution: Arc::new(solution),
        }
    }

    /// The game with the solution in a file that holds what [`SolvedGame::to_bytes`] gave.
    ///
    /// # Errors
    /// [`SolutionError`]: the file cannot be read, is damaged, or is a solution of other rules.
    pub fn read(game: Game, path: &Path) -> Result<Self, SolutionError> {
        let (subject, solution) = read_any_solution(path)?;
        match subject.rules == rules_digest(&game.source().text) {
            true => Ok(Self::new(game, solution)),
            false => Err(SolutionError {
                path: path.to_owned(),
                fault: SolutionFault::OtherRules(subject.game),
            }),
        }
    }

    /// The same, if it tells what is best for a role.
    ///
    /// # Errors
    /// [`SolutionError`]: as for [`SolvedGame::read`], or it says nothing of the role.
    pub fn read_for(game: Game, path: &Path, role: usize) -> Result<Self, SolutionError> {
        let solved = Self::read(game, path)?;
        let checked = solved.check_role(role);
        checked.map_err(|fault| SolutionError {
            path: path.to_owned(),
            fault,
        })?;
        Ok(solved)
    }

    /// A file that [`SolvedGame::read`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let subject = SolutionSubject {
            game: self.game.name().to_owned(),
            rules: rules_digest(&self.game.source().text),
        };
        self.solution.to_bytes(&subject)
    }

    /// The same on another engine, whose rules must be the same.
    #[must_use]
    pub fn on(&self, game: Game) -> Self {
        Self {
            game,
            solution: Arc::clone(&self.solution),
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The solution.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Whether the solution tells what is best for a role, too.
    ///
    /// # Errors
    /// [`SolutionFault::OtherRole`].
    pub fn check_role(&self, role: usize) -> Result<(), SolutionFault> {
        let solved = self.solution.role().0;
        if role == solved || self.solution.constant_sum().is_some() {
            return Ok(());
        }
        let name = |role: usize| self.game.roles()[role].clone();
        Err(SolutionFault::OtherRole {
            solved: name(solved),
            asked: name(role),
        })
    }

    /// The goal that a value means for a role of which the solution tells ([`SolvedGame::check_role`]). An endless game counts 50 for the role
    /// of the solution, and nothing where it is alone.
    pub fn points(&self, value: SolvedValue, role: usize) -> i64 {
        let endless = match self.game.roles().len() {
            1 => 0,
            _ => 50,
        };
        let own = value.goal().map_or(endless, i64::from);
        match self.solution.constant_sum() {
            Some(sum) if role != self.solution.role().0 => i64::from(sum) - own,
            _ => own,
        }
    }

    /// What a position is worth to the role of the solution; nothing where it cannot be reached from the initial one.
    pub fn value(&self, position: &Position) -> Option<SolvedValue> {
        self.solution.value(&position.facts())
    }

    /// The legal moves of the role that chooses in a position, or that of the role whose turn it is, the best for it first. Positions
    /// that the solution does not know are left out.
    pub fn moves(&self, position: &Position) -> Vec<RankedMove> {
        let Some(role) = position.role_to_move() else {
            return Vec::new();
        };
        let moves = position.legal_of(role).iter();
        let mut moves: Vec<RankedMove> = moves
            .filter_map(|text| self.ranked(position, role, text))
            .collect();
        let is_own = role == self.solution.role().0;
        moves.sort_by_key(|mv| {
            let rank = self.solution.rank(mv.value);
            let plies = match mv.value {
                SolvedValue::Goal { plies, .. } => plies,
                SolvedValue::Endless => 0,
            };
            (if is_own { -rank } else { rank }, plies)
        });
        moves
    }

    fn ranked(&self, position: &Position, role: usize, text: &str) -> Option<RankedMove> {
        let (joint, after) = reply(position, role, text)?;
        Some(RankedMove {
            role,
            text: text.to_owned(),
            value: self.value(&after)?,
            joint,
            after,
        })
    }
}

/// The positions after the legal moves of the role that chooses, or whose turn it is: those that [`SolvedGame::moves`] ranks.
pub fn replies(position: &Position) -> Vec<Position> {
    let Some(role) = position.role_to_move() else {
        return Vec::new();
    };
    let moves = position.legal_of(role).iter();
    let replies = moves.filter_map(|text| reply(position, role, text));
    replies.map(|(_, after)| after).collect()
}

/// What all roles do when one makes this move and the others have no choice, and the position after it.
pub(crate) fn reply(
    position: &Position,
    role: usize,
    text: &str,
) -> Option<(Vec<String>, Position)> {
    let roles = 0..position.roles().len();
    let joint: Option<Vec<String>> = roles
        .map(|other| match other == role {
            true => Some(text.to_owned()),
            false => position.legal_of(other).first().cloned(),
        })
        .collect();
    let joint = joint?;
    let after = position.after(&joint).ok()?;
    Some((joint, after))
}
