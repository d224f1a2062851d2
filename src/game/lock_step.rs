//! Do two engines agree on a game? Random games are played on both at once.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::replay::Replay;
use crate::game::{
    Difference, Game, Limits, Recorded, ReplayFault, Role, Stopped, legal_of_all, random_joint_move,
};

/// How to play.
#[derive(Debug, Clone, Copy)]
pub struct LockStep<'s> {
    /// Game `k` depends on this and on `k` alone.
    pub seed: u64,
    /// How many games to play.
    pub games: u64,
    /// A game that is longer is left.
    pub max_plies: u32,
    /// When to end before that.
    pub limits: Limits<'s>,
}

/// What was seen while both agreed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InStep {
    /// States compared, counted once per visit.
    pub states: usize,
    /// Games that came to their end.
    pub ended: usize,
    /// Why the comparison ended early, if it did.
    pub stopped: Option<Stopped>,
}

/// Where the two part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfStep {
    /// The joint moves made until then.
    pub moves: Vec<Vec<String>>,
    /// The first difference; the reference is what is recorded.
    pub difference: Difference,
}

/// Plays random games on `reference` and on `other`, and compares the texts of states, legal moves, ends and goals.
///
/// # Errors
/// The first difference.
pub fn lock_step<A: Game, B: Game>(
    reference: &A,
    other: &B,
    options: LockStep<'_>,
) -> Result<InStep, Box<OutOfStep>> {
    let mut seen = InStep::default();
    let mut pair = Pair {
        reference,
        scratch: reference.scratch(),
        other,
        options,
    };
    for game in 0..options.games {
        let seed = options.seed.wrapping_add(game);
        let mut moves = Vec::new();
        match pair.play(seed, &mut moves, &mut seen) {
            Ok(()) => {}
            Err(ReplayFault::Stopped(why)) => {
                seen.stopped = Some(why);
                break;
            }
            Err(ReplayFault::Different(difference)) => {
                return Err(Box::new(OutOfStep {
                    moves,
                    difference: *difference,
                }));
            }
        }
    }
    Ok(seen)
}

struct Pair<'g, A: Game, B> {
    reference: &'g A,
    scratch: A::Scratch,
    other: &'g B,
    options: LockStep<'g>,
}

impl<A: Game, B: Game> Pair<'_, A, B> {
    fn play(
        &mut self,
        seed: u64,
        made: &mut Vec<Vec<String>>,
        seen: &mut InStep,
    ) -> Result<(), ReplayFault> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut follower = Replay::new(self.other);
        let (mut state, mut followed) = (self.reference.initial(), self.other.initial());
        for _ in 0..=self.options.max_plies {
            self.options.limits.check()?;
            let mut legal = Vec::new();
            let mut recorded = self.record(&state, &mut legal)?;
            let joint = match recorded.terminal {
                Some(false) => random_joint_move(&legal, &mut rng),
                _ => None,
            };
            recorded.moves = joint.as_deref().map(|joint| self.texts(joint));
            let next = follower.follow(&followed, &recorded)?;
            seen.states += 1;
            seen.ended += usize::from(recorded.terminal == Some(true));
            let (Some(joint), Some(next)) = (joint, next) else {
                return Ok(());
            };
            state = self.reference.next(&mut self.scratch, &state, &joint);
            followed = next;
            made.extend(recorded.moves);
        }
        Ok(())
    }

    /// All that the reference says of a state.
    fn record(
        &mut self,
        state: &A::State,
        legal: &mut Vec<Vec<A::Move>>,
    ) -> Result<Recorded, ReplayFault> {
        let (game, scratch) = (self.reference, &mut self.scratch);
        let terminal = game.is_terminal(scratch, state);
        if !terminal {
            legal_of_all(game, scratch, state, legal);
        }
        let goals = game.roles().iter().enumerate().map(|(role, name)| {
            let goal = game.goal(scratch, state, Role(role));
            (name.clone(), goal.map(i64::from))
        });
        let goals: BTreeMap<_, _> = goals.collect();
        if let Some(fault) = game.fault(scratch) {
            return Err(Stopped::Fault(fault).into());
        }
        let lists = game.roles().iter().zip(legal.iter());
        let lists = lists.map(|(name, moves)| (name.clone(), self.texts(moves)));
        Ok(Recorded {
            state: Some(game.state_text(state)),
            legal: Some(lists.collect()),
            terminal: Some(terminal),
            goals: Some(goals),
            moves: None,
        })
    }

    fn texts(&self, moves: &[A::Move]) -> Vec<String> {
        let texts = moves.iter().map(|&mv| self.reference.move_text(mv));
        texts.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::game::toy::Subtraction;

    fn compared<A: Game, B: Game>(one: &A, other: &B) -> Result<InStep, String> {
        let stop = AtomicBool::new(false);
        let options = LockStep {
            seed: 1,
            games: 4,
            max_plies: 20,
            limits: Limits {
                stop: &stop,
                deadline: None,
            },
        };
        lock_step(one, other, options).map_err(|apart| {
            assert_eq!(apart.moves.len(), apart.difference.ply);
            apart.difference.told("one", "other")
        })
    }

    #[test]
    fn a_game_agrees_with_itself() {
        let game = Subtraction::new(20, 3);
        let seen = compared(&game, &game).unwrap();
        assert_eq!((seen.ended, seen.stopped), (4, None));
        assert!(seen.states > 4 * 7, "{}", seen.states);
    }

    #[test]
    fn whatever_differs_is_told() {
        let game = Subtraction::new(4, 3);
        let told = compared(&game, &Subtraction::new(5, 3)).unwrap_err();
        assert_eq!(
            told,
            "after 0 plies the state differs; one only: (heap 4); other only: (heap 5)"
        );
        let told = compared(&game, &Subtraction::new(4, 2)).unwrap_err();
        assert_eq!(
            told,
            "after 0 plies what first may do differs; one only: (take 3)"
        );
    }
}
