//! Games on the way: played by the referee, so that `kolibri match` plays the same ones.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use crate::play::{End, Progress, Referee, Spec, opening, player_for, seed_of_role};
use crate::session::{Game, Position, Session};
use crate::util::StopFlag;

/// Who plays a game, and how it begins: all that the same game needs to be played again.
#[derive(Debug, Clone)]
pub(super) struct GameSetup {
    /// The player of each role.
    pub(super) players: Arc<[Spec]>,
    pub(super) seed: u64,
    /// How many of the first plies are drawn at random.
    pub(super) opening: usize,
}

/// A game that was played.
#[derive(Debug, Clone)]
pub(super) struct PlayedGame {
    pub(super) setup: GameSetup,
    pub(super) end: End,
    /// What each role scored, where the rules ended the game.
    pub(super) goals: Vec<Option<u8>>,
    pub(super) plies: usize,
    /// A hash of all joint moves.
    pub(super) moves_hash: u64,
    /// The last position.
    pub(super) last: Position,
    /// The joint move that led there.
    pub(super) joint: Vec<String>,
    /// The position before.
    pub(super) before: Option<Position>,
}

/// A joint move of a game.
#[derive(Debug, Clone)]
pub(super) struct PlayedStep {
    pub(super) setup: GameSetup,
    /// How many joint moves were made, this one included.
    pub(super) ply: usize,
    pub(super) before: Position,
    pub(super) joint: Vec<String>,
    pub(super) after: Position,
}

impl GameSetup {
    /// A game between random players.
    pub(super) fn random(game: &Game, seed: u64) -> Self {
        Self {
            players: vec![Spec::Random { seed: None }; game.roles().len()].into(),
            seed,
            opening: 0,
        }
    }
}

/// Plays one game; `see` looks at every step. Where no opening of this length leaves anything to be played, there is none.
pub(super) fn play(
    game: &Game,
    mut setup: GameSetup,
    max_plies: usize,
    stop: &StopFlag,
    see: &mut dyn FnMut(&PlayedStep),
) -> Option<PlayedGame> {
    let players = setup.players.iter().enumerate();
    let players: Option<Vec<_>> = players
        .map(|(role, spec)| player_for(spec, seed_of_role(setup.seed, role), stop, None))
        .collect();
    let mut session = Session::new(game);
    let drawn = opening(&mut session, setup.opening, setup.seed, stop).unwrap_or_default();
    setup.opening = drawn.len();
    let mut referee = Referee::new(players?, max_plies, setup.seed, stop).with_opening(drawn);
    referee.prepare(&mut session);
    let (mut plies, mut joint, mut before) = (0, Vec::new(), None);
    let mut moves = FxHasher::default();
    let end = loop {
        let position = session.position().clone();
        match referee.step(&mut session) {
            Progress::Over(end) => break end,
            Progress::Played(step) => {
                plies = step.number;
                let played = PlayedStep {
                    setup: setup.clone(),
                    ply: plies,
                    before: position,
                    joint: step.joint,
                    after: session.position().clone(),
                };
                see(&played);
                played.joint.hash(&mut moves);
                joint = played.joint;
                before = Some(played.before);
            }
        }
    };
    let goals = match end {
        End::Terminal => session.goals().to_vec(),
        _ => vec![None; session.roles().len()],
    };
    Some(PlayedGame {
        setup,
        end,
        goals,
        plies,
        moves_hash: moves.finish(),
        last: session.position().clone(),
        joint,
        before,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Match;

    #[test]
    fn a_match_with_the_same_setup_is_the_same_game() {
        let game = Game::load("connect-four").unwrap();
        let players = ["minimax:depth=2,nodes=60,training=2000,hash=2", "random"];
        let players: Vec<Spec> = players.iter().map(|text| text.parse().unwrap()).collect();
        let setup = GameSetup {
            players: players.clone().into(),
            seed: 5,
            opening: 3,
        };
        let (mut joints, stop) = (Vec::new(), StopFlag::default());
        let see = &mut |step: &PlayedStep| joints.push(step.joint.clone());
        let played = play(&game, setup, 2_000, &stop, see).unwrap();
        assert_eq!(played.setup.opening, 3);
        let mut again = Match::new(&game).seed(5).opening(3);
        for (role, player) in game.roles().iter().zip(players) {
            again = again.player(role, player);
        }
        assert_eq!(again.run().unwrap().games[0].moves, joints);
    }
}
