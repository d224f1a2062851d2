//! A player that has nothing to find out: a solution tells it.

use std::path::{Path, PathBuf};

use super::player::{Choice, Player, PlayerFault};
use super::{Session, Spec};
use crate::session::Game;
use crate::solved::{SolutionError, SolvedGame};

/// Plays the first of the best moves, as a solution on the disk has them.
pub(super) struct SolvedPlayer {
    file: PathBuf,
    /// Read when the game is known.
    solved: Option<Result<SolvedGame, String>>,
}

impl SolvedPlayer {
    pub(super) fn new(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            solved: None,
        }
    }

    fn solved(&mut self, game: &Game, role: usize) -> Result<&SolvedGame, PlayerFault> {
        let read = || read_for(game, &self.file, role).map_err(|fault| fault.to_string());
        let solved = self.solved.get_or_insert_with(read);
        solved.as_ref().map_err(|why| PlayerFault(why.clone()))
    }
}

/// The solution in a file, for a player of this role.
///
/// # Errors
/// [`SolutionError`]: the file is none, or says nothing of the role.
pub(super) fn read_for(game: &Game, file: &Path, role: usize) -> Result<SolvedGame, SolutionError> {
    let solved = SolvedGame::read(game.clone(), file)?;
    let checked = solved.check_role(role);
    checked.map_err(|fault| SolutionError {
        path: file.to_owned(),
        fault,
    })?;
    Ok(solved)
}

impl Player for SolvedPlayer {
    fn name(&self) -> String {
        Spec::Solved(self.file.clone()).to_string()
    }

    fn prepare(&mut self, session: &mut Session, role: usize) {
        // What goes wrong is told by the first move.
        let _ = self.solved(session.game(), role);
    }

    fn choose(&mut self, session: &Session, role: usize) -> Result<Choice, PlayerFault> {
        if let [only] = session.legal_of(role) {
            let mv = only.clone();
            return Ok(Choice { mv, found: None });
        }
        let solved = self.solved(session.game(), role)?;
        let mut moves = solved.moves(session.position()).into_iter();
        let best = moves.next().filter(|best| best.role == role);
        let best = best.ok_or_else(|| {
            PlayerFault("the solution does not know what comes after this position".to_owned())
        })?;
        Ok(Choice {
            mv: best.text,
            found: None,
        })
    }

    fn expects(&mut self, session: &Session, role: usize) -> Option<f64> {
        let solved = self.solved(session.game(), role).ok()?;
        let value = solved.value(session.position())?;
        let points = f64::from(value.goal().unwrap_or(50));
        let is_own = role == solved.solution().role().0;
        Some(if is_own { points } else { 100.0 - points })
    }
}
