//! Positions drawn at random.

use std::collections::HashSet;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::Stopped;
use crate::play::opening;
use crate::session::{Game, Position, Session};
use crate::util::{Deadline, StopFlag};

/// So many random games tell how long games are.
const GAMES: u64 = 10;
/// This many of them are shorter than what is drawn from: later plies are rare.
const SHORTER: usize = 7;

/// Draws positions from the plies of random games, one ply after the other, and each position once.
pub(super) struct PositionDraw<'d> {
    session: Session,
    /// Positions come before this ply.
    plies: usize,
    ply: usize,
    seeds: Xoshiro256PlusPlus,
    drawn: HashSet<Position>,
    stop: &'d StopFlag,
}

impl<'d> PositionDraw<'d> {
    pub(super) fn new(
        game: &Game,
        most_plies: u32,
        seed: u64,
        stop: &'d StopFlag,
    ) -> Result<Self, Stopped> {
        let length = |number| {
            let seed = seed.wrapping_add(number);
            let sample = game.sample(seed, 1, most_plies, Deadline::new(None, stop))?;
            Ok(sample.states)
        };
        let lengths: Result<Vec<u64>, Stopped> = (0..GAMES).map(length).collect();
        let mut lengths = lengths?;
        lengths.sort_unstable();
        let usual = lengths[SHORTER].min(most_plies.into());
        Ok(Self {
            session: Session::new(game),
            plies: usual.max(1) as usize,
            ply: 0,
            seeds: Xoshiro256PlusPlus::seed_from_u64(seed),
            drawn: HashSet::new(),
            stop,
        })
    }

    /// The next position with the moves that led there; none where there is none at its ply, or none that is new.
    pub(super) fn next_position(&mut self) -> Option<Session> {
        let ply = self.ply;
        self.ply = (ply + 1) % self.plies;
        let joints = opening(&mut self.session, ply, self.seeds.next_u64(), self.stop)?;
        let mut session = Session::new(self.session.game());
        for joint in &joints {
            session.play_joint(joint).ok()?;
        }
        let is_new = self.drawn.insert(session.position().clone());
        (is_new && joints.len() == ply).then_some(session)
    }
}
