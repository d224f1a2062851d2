//! Search while others think.

use crate::play::{Player, Session};
use crate::util::StopFlag;

/// Does `work` while those players ponder who do so and wait in the present state; returns soon after `work` is done.
///
/// Players come with the numbers of their roles.
pub fn while_others_ponder<'p, R>(
    players: impl Iterator<Item = (usize, &'p mut Box<dyn Player>)>,
    session: &Session,
    work: impl FnOnce() -> R,
) -> R {
    let is_over = StopFlag::default();
    std::thread::scope(|scope| {
        // Raised even if `work` panics, or the scope would never end.
        let _end = Raised(&is_over);
        for (role, player) in players {
            if player.ponders() && session.legal_of(role).len() == 1 {
                let is_over = &is_over;
                scope.spawn(move || player.ponder(session, role, is_over));
            }
        }
        work()
    })
}

/// A flag that is raised when this goes out of scope.
struct Raised<'f>(&'f StopFlag);

impl Drop for Raised<'_> {
    fn drop(&mut self) {
        self.0.raise();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fixture::{Hands, Subtraction};
    use crate::play::{Choice, PlayerFault, Session};
    use crate::session::Game;

    /// Ponders until it has to stop, and notes that it did.
    struct Ponderer(StopFlag);

    impl Player for Ponderer {
        fn name(&self) -> String {
            "ponderer".to_owned()
        }

        fn choose(&mut self, _: &Session, _: usize) -> Result<Choice, PlayerFault> {
            Err(PlayerFault("it never chooses".to_owned()))
        }

        fn ponders(&self) -> bool {
            true
        }

        fn ponder(&mut self, _: &Session, _: usize, stop: &StopFlag) {
            while !stop.is_raised() {
                std::thread::yield_now();
            }
            self.0.raise();
        }
    }

    /// Whether each of two players has pondered in the state on the session.
    fn pondered(session: &Session) -> [bool; 2] {
        let notes = [(); 2].map(|()| StopFlag::default());
        let mut players = notes
            .each_ref()
            .map(|note| Box::new(Ponderer(note.clone())) as Box<dyn Player>);
        let roles = players.iter_mut().enumerate();
        assert_eq!(while_others_ponder(roles, session, || 7), 7);
        notes.map(|note| note.is_raised())
    }

    #[test]
    fn those_who_wait_ponder_until_the_work_is_done() {
        let game = Subtraction::new(5, 3);
        assert_eq!(
            pondered(&Session::new(&Game::from_engine("fixture", game))),
            [false, true]
        );
        let game = Hands::new(1);
        assert_eq!(
            pondered(&Session::new(&Game::from_engine("fixture", game))),
            [false, false],
            "both choose"
        );
    }
}
