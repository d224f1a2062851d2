//! Positions drawn at random.

use std::collections::HashSet;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::analysis::SampleOptions;
use crate::game::Stopped;
use crate::play::opening;
use crate::session::{Game, Position, Session};
use crate::util::{Deadline, StopFlag};

/// So many random games tell how long games are.
const GAMES: u64 = 10;
/// This many of them are shorter than what is drawn from: later plies are rare.
const SHORTER: usize = 7;

/// A ply that positions are drawn from.
struct DrawnPly {
    ply: usize,
    /// In how many of its positions it was not found out what moves are worth.
    undecided: u32,
    /// Whether it was in one.
    is_decided: bool,
}

impl DrawnPly {
    fn new(ply: usize) -> Self {
        Self {
            ply,
            undecided: 0,
            is_decided: false,
        }
    }
}

/// Draws positions from the plies of random games, one ply after the other, and each position once.
pub(super) struct PositionDraw<'d> {
    session: Session,
    /// The plies that are drawn from, and the place in them of the next one.
    plies: Vec<DrawnPly>,
    next: usize,
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
            let sample = game.sample(SampleOptions {
                seed,
                games: 1,
                max_plies: most_plies,
                deadline: Deadline::new(None, stop),
                on_end: &mut |_| {},
            })?;
            Ok(sample.states)
        };
        let lengths: Result<Vec<u64>, Stopped> = (0..GAMES).map(length).collect();
        let mut lengths = lengths?;
        lengths.sort_unstable();
        let usual = lengths[SHORTER].min(most_plies.into());
        Ok(Self {
            session: Session::new(game),
            plies: (0..usual.max(1) as usize).map(DrawnPly::new).collect(),
            next: 0,
            seeds: Xoshiro256PlusPlus::seed_from_u64(seed),
            drawn: HashSet::new(),
            stop,
        })
    }

    /// The next position with the moves that led there; none where there is none at its ply, or none that is new.
    pub(super) fn next_position(&mut self) -> Option<Session> {
        let ply = self.plies.get(self.next)?.ply;
        self.next = (self.next + 1) % self.plies.len();
        let joints = opening(&mut self.session, ply, self.seeds.next_u64(), self.stop)?;
        let mut session = Session::new(self.session.game());
        for joint in &joints {
            session.play_joint(joint).ok()?;
        }
        let is_new = self.drawn.insert(session.position().clone());
        (is_new && joints.len() == ply).then_some(session)
    }

    /// What moves are worth was found out in a position of this ply.
    pub(super) fn note_decided(&mut self, ply: usize) {
        if let Some(drawn) = self.plies.iter_mut().find(|drawn| drawn.ply == ply) {
            drawn.is_decided = true;
        }
    }

    /// It was not. No more are drawn from where that happens twice and never goes better, nor from the plies before.
    pub(super) fn note_undecided(&mut self, ply: usize) {
        const MOST: u32 = 2;
        let Some(place) = self.plies.iter().position(|drawn| drawn.ply == ply) else {
            return;
        };
        let drawn = &mut self.plies[place];
        drawn.undecided += 1;
        if !drawn.is_decided && drawn.undecided >= MOST {
            self.plies.drain(..=place);
            self.next = 0;
        }
    }

    /// Whether there is nothing left to draw from.
    pub(super) fn is_over(&self) -> bool {
        self.plies.is_empty()
    }
}
