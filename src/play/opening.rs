//! Openings: first plies drawn at random, so that games between the same players differ.

use crate::play::player::Random;
use crate::play::{Player, PlayerFault, Session};
use crate::util::StopFlag;

/// The number of draws until an opening is found that does not end the game.
const TRIES: usize = 100;

/// The joint moves of the first `plies` plies from the present state, each move drawn from `seed` with equal chances, after
/// which every role still has a legal move; `None` if none were found. `session` is left as it was.
///
/// No plies at all where the engine fails or `stop` becomes true: then there is no match to be opened.
pub fn opening(
    session: &mut Session,
    plies: usize,
    seed: u64,
    stop: &StopFlag,
) -> Option<Vec<Vec<String>>> {
    if plies == 0 {
        return Some(Vec::new());
    }
    let mut random = Random::new(seed);
    for _ in 0..TRIES {
        if let Some(joints) = drawn(session, plies, &mut random, stop) {
            return Some(joints);
        }
        if session.fault().is_some() || stop.is_raised() {
            return Some(Vec::new());
        }
    }
    None
}

/// One try.
fn drawn(
    session: &mut Session,
    plies: usize,
    random: &mut Random,
    stop: &StopFlag,
) -> Option<Vec<Vec<String>>> {
    let mut joints = Vec::new();
    while joints.len() < plies && !stop.is_raised() {
        let drawn = (0..session.roles().len()).map(|role| random.choose(session, role));
        let joint: Result<Vec<String>, PlayerFault> =
            drawn.map(|choice| choice.map(|drawn| drawn.mv)).collect();
        let Some(joint) = joint.ok().filter(|joint| session.play_joint(joint).is_ok()) else {
            break;
        };
        joints.push(joint);
    }
    let is_stuck = (0..session.roles().len()).any(|role| session.legal_of(role).is_empty());
    let goes_on = joints.len() == plies && !is_stuck;
    for _ in &joints {
        session.undo();
    }
    goes_on.then_some(joints)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fixture::Subtraction;
    use crate::play::Session;
    use crate::session::Game;

    fn draw(session: &mut Session, plies: usize, seed: u64) -> Option<Vec<Vec<String>>> {
        opening(session, plies, seed, &StopFlag::default())
    }

    #[test]
    fn an_opening_leaves_a_game_to_be_played() {
        let game = Subtraction::new(8, 3);
        let mut session = Session::new(&Game::from_engine("fixture", game));
        let openings: Vec<_> = (0..20)
            .map(|seed| draw(&mut session, 4, seed).unwrap())
            .collect();
        assert!(session.history().is_empty());
        assert!(openings.iter().any(|other| *other != openings[0]));
        for joints in openings {
            joints
                .iter()
                .for_each(|joint| session.play_joint(joint).unwrap());
            assert!(!session.is_terminal());
            while session.undo() {}
        }
        assert_eq!(draw(&mut session, 0, 1), Some(Vec::new()));
    }

    #[test]
    fn no_opening_is_as_long_as_the_game() {
        let game = Subtraction::new(3, 1);
        let mut session = Session::new(&Game::from_engine("fixture", game));
        assert!(draw(&mut session, 2, 1).is_some());
        assert_eq!(draw(&mut session, 3, 1), None);
        assert_eq!(draw(&mut session, usize::MAX, 1), None);
        assert!(session.history().is_empty());
    }
    #[test]
    fn a_finished_game_needs_no_opening_and_a_stop_ends_the_draws() {
        let game = Subtraction::new(8, 3);
        let mut session = Session::new(&Game::from_engine("fixture", game));
        let stopped = StopFlag::default();
        stopped.raise();
        assert_eq!(opening(&mut session, 4, 1, &stopped), Some(Vec::new()));
        session.set_up(&["(heap 0)".to_owned()]).unwrap();
        assert_eq!(draw(&mut session, 0, 1), Some(Vec::new()));
        assert_eq!(draw(&mut session, 1, 1), None);
    }
}
