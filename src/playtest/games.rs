//! Games on the way: played by the referee, so that `kolibri match` plays the same ones.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use crate::play::{End, Progress, Referee, Spec, player_for, seed_of_role};
use crate::session::{Game, Position, Session};
use crate::util::StopFlag;

/// A game that was played.
#[derive(Debug, Clone)]
pub(super) struct PlayedGame {
    /// The player of each role.
    pub(super) players: Arc<[Spec]>,
    pub(super) seed: u64,
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
    /// The player of each role.
    pub(super) players: Arc<[Spec]>,
    pub(super) seed: u64,
    /// How many joint moves were made, this one included.
    pub(super) ply: usize,
    pub(super) before: Position,
    pub(super) joint: Vec<String>,
    pub(super) after: Position,
}

/// Plays one game from the start; `see` looks at every step.
pub(super) fn play(
    game: &Game,
    specs: &[Spec],
    seed: u64,
    max_plies: usize,
    stop: &StopFlag,
    see: &mut dyn FnMut(&PlayedStep),
) -> Option<PlayedGame> {
    let assigned: Arc<[Spec]> = specs.into();
    let players = specs.iter().enumerate();
    let players: Option<Vec<_>> = players
        .map(|(role, spec)| player_for(spec, seed_of_role(seed, role), stop, None))
        .collect();
    let mut referee = Referee::new(players?, max_plies, seed, stop);
    let mut session = Session::new(game);
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
                    players: assigned.clone(),
                    seed,
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
        players: assigned,
        seed,
        end,
        goals,
        plies,
        moves_hash: moves.finish(),
        last: session.position().clone(),
        joint,
        before,
    })
}
