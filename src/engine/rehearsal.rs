//! Learning, from a few random plies, how a game's rules are best evaluated.
//!
//! Sizes of relations are seen, and every rule is planned with them. Then the relations asked for most are tried the
//! other way round: derived as a whole where they were derived by key. What is less work stays. Work is counted, not
//! timed, so the outcome is the same on every machine.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::reasoner::{Facts, MoveId, Reasoner, Scratch};
use crate::game::{Role, StateMachine};

/// How many plies are played at most.
const PLIES: usize = 16;
/// No further ply is played after this much work.
const WORK: u64 = 300_000;
/// A walk that takes more work than this is begun anew, with recursive relations derived by key.
const PATIENCE: u64 = 10_000_000;
/// If that walk takes more than this, nothing is learned: a few seconds' work.
const MORE_PATIENCE: u64 = 60_000_000;
/// How many relations are tried the other way round.
const TRIALS: usize = 24;
/// No further trial is made after this much work.
const TRIAL_WORK: u64 = 5_000_000;

/// A state and the joint move made in it; `None` at the end.
type Ply = (Facts, Option<Vec<MoveId>>);

impl Reasoner {
    /// Fits the plans of this reasoner to its game.
    pub(super) fn rehearse(&mut self) {
        let plies = self.walk(PATIENCE).unwrap_or_else(|| {
            self.engine.circle_by_key(true);
            self.engine.replan();
            self.walk(MORE_PATIENCE).unwrap_or_default()
        });
        self.engine.replan();
        let mut scratch = self.scratch();
        let mut best = self
            .repeat(&mut scratch, &plies, u64::MAX)
            .unwrap_or(u64::MAX);
        let mut left = TRIAL_WORK;
        for component in self
            .engine
            .most_asked(&scratch.memory)
            .into_iter()
            .take(TRIALS)
        {
            self.engine.derive_by_key(component, false);
            self.engine.replan();
            match self.repeat(&mut self.scratch(), &plies, best) {
                Some(work) if work < best => best = work,
                Some(_) | None => self.engine.derive_by_key(component, true),
            }
            left = left.saturating_sub(best);
            if left == 0 {
                break;
            }
        }
        self.engine.replan();
        self.settled = self.engine.terms().lock().len();
    }

    /// Plays at random, and tells the engine what it sees. `None` if that takes more than `patience` work.
    fn walk(&mut self, patience: u64) -> Option<Vec<Ply>> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
        let mut scratch = self.scratch();
        scratch.memory.limit_work(patience);
        let mut state = self.initial();
        let mut plies = Vec::new();
        while plies.len() < PLIES
            && scratch.memory.work() < WORK
            && scratch.memory.exhausted().is_none()
        {
            let joint = self.random_joint_move(&mut scratch, &state, &mut random);
            let next = joint
                .as_ref()
                .map(|joint| self.next(&mut scratch, &state, joint));
            if scratch.memory.gave_up() {
                return None;
            }
            self.engine.observe(&scratch.memory);
            plies.push((state, joint));
            let Some(next) = next else { break };
            state = next;
        }
        Some(plies)
    }

    /// Asks again for the end, the legal moves (of one role: the rules derive all at once) and the successor of each
    /// state of a walk. Answers the work it took; `None` if that is more than `limit`.
    fn repeat(&self, scratch: &mut Scratch, plies: &[Ply], limit: u64) -> Option<u64> {
        scratch.memory.limit_work(limit);
        let mut moves = Vec::new();
        for (state, joint) in plies {
            self.is_terminal(scratch, state);
            self.legal(scratch, state, Role(0), &mut moves);
            if let Some(joint) = joint {
                self.next(scratch, state, joint);
            }
            if scratch.memory.gave_up() {
                return None;
            }
        }
        Some(scratch.memory.work())
    }

    fn random_joint_move(
        &self,
        scratch: &mut Scratch,
        state: &Facts,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Vec<MoveId>> {
        if self.is_terminal(scratch, state) {
            return None;
        }
        let mut moves = Vec::new();
        let choose = |role| {
            self.legal(scratch, state, Role(role), &mut moves);
            (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())])
        };
        (0..self.roles().len()).map(choose).collect()
    }
}
