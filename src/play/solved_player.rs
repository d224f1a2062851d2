//! A player that has nothing to find out: a solution tells it.

use std::path::{Path, PathBuf};

use super::player::{Choice, Player, PlayerFault};
use super::{Session, Spec};
use crate::session::Game;
use crate::solved::SolvedGame;

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
        let read = || {
            let read = SolvedGame::read_for(game.clone(), &self.file, role);
            read.map_err(|fault| fault.to_string())
        };
        let solved = self.solved.get_or_insert_with(read);
        solved.as_ref().map_err(|why| PlayerFault(why.clone()))
    }
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
        Some(solved.points(value, role) as f64)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::play::{check_fit, player_for};
    use crate::solved::tests::solved;
    use crate::util::StopFlag;

    /// Plays against every move of its opponent, and never loses what is held.
    #[test]
    fn the_player_keeps_what_is_held() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tictactoe.solution");
        let game = Game::load("tictactoe").unwrap();
        fs::write(&path, solved(&game, 0).to_bytes()).unwrap();
        let spec: Spec = format!("solved:file={}", path.display()).parse().unwrap();
        for role in 0..2 {
            check_fit([(role, &spec)], &game).unwrap();
            let mut player = player_for(&spec, 1, &StopFlag::default(), None).unwrap();
            let (mut open, mut ends) = (vec![game.initial()], 0);
            while let Some(position) = open.pop() {
                if position.is_terminal() {
                    assert!(position.goals()[role] >= Some(50));
                    ends += 1;
                    continue;
                }
                let session = Session::from(position.clone());
                match position.role_to_move() {
                    Some(mover) if mover == role => {
                        let choice = player.choose(&session, role).unwrap();
                        let mut after = position;
                        after.play(&choice.mv).unwrap();
                        open.push(after);
                    }
                    mover => open.extend(position.legal_of(mover.unwrap()).iter().map(|mv| {
                        let mut after = position.clone();
                        after.play(mv).unwrap();
                        after
                    })),
                }
            }
            assert!(ends > 50, "{ends}");
        }
        let other = Game::load("connect-four").unwrap();
        let fault = check_fit([(0, &spec)], &other).unwrap_err();
        assert!(fault.message.contains("other rules"), "{}", fault.message);
    }
}
