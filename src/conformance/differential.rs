//! Do two engines agree on a game? Random games are played on both at once.

use std::collections::BTreeMap;
use std::fmt;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::replay::Replay;
use crate::conformance::{Difference, Recorded, ReplayFault};
use crate::game::{Role, StateMachine, Stopped, legal_of_all, random_joint_move};
use crate::util::{Deadline, Expired};

/// How to play.
#[derive(Debug, Clone, Copy)]
pub struct DifferentialTest<'s> {
    /// Game `k` depends on this and on `k` alone.
    pub seed: u64,
    /// How many games to play.
    pub games: u64,
    /// Longer games are abandoned after this many plies.
    pub max_plies: u32,
    /// When to end before that.
    pub deadline: &'s Deadline,
}

/// What was seen while both agreed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreement {
    /// States compared, counted once per visit.
    pub states: usize,
    /// Games that came to their end.
    pub ended: usize,
    /// Why the comparison ended early, if it did.
    pub stopped: Option<Stopped>,
}

impl fmt::Display for Agreement {
    /// How far it got, or why it got nowhere.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.states, &self.stopped) {
            (0, None | Some(Stopped::Expired(Expired::OutOfTime))) => {
                f.write_str("no state could be compared in time")
            }
            (0, Some(why)) => write!(f, "no state could be compared: {why}"),
            (1, _) => f.write_str("1 state agrees"),
            (states, _) => write!(f, "{states} states agree"),
        }
    }
}

/// The first difference between two engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The joint moves made until then.
    pub moves: Vec<Vec<String>>,
    /// The first difference; the reference is what is recorded.
    pub difference: Difference,
}

/// Plays random games on `reference` and on `other`, and compares the texts of states, legal moves, ends and goals.
///
/// # Errors
/// The first difference.
pub fn differential_test<A: StateMachine, B: StateMachine>(
    reference: &A,
    other: &B,
    options: DifferentialTest<'_>,
) -> Result<Agreement, Box<Divergence>> {
    compare_walks(
        &mut Walker::new(reference),
        &mut Walker::new(other),
        options,
    )
}

/// The same for engines whose types are not known here.
///
/// # Errors
/// The first difference.
pub fn compare_walks(
    leader: &mut dyn Walk,
    follower: &mut dyn Walk,
    options: DifferentialTest<'_>,
) -> Result<Agreement, Box<Divergence>> {
    let mut seen = Agreement::default();
    for game in 0..options.games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed.wrapping_add(game));
        leader.restart();
        follower.restart();
        let mut moves = Vec::new();
        let mut one_game = || -> Result<(), ReplayFault> {
            for _ in 0..=options.max_plies {
                options.deadline.check()?;
                let recorded = leader.lead(&mut rng)?;
                follower.follow(&recorded)?;
                seen.states += 1;
                seen.ended += usize::from(recorded.terminal == Some(true));
                match recorded.moves {
                    Some(joint) => moves.push(joint),
                    None => break,
                }
            }
            Ok(())
        };
        match one_game() {
            Ok(()) => {}
            Err(ReplayFault::Stopped(why)) => {
                seen.stopped = Some(why);
                break;
            }
            Err(ReplayFault::Different(difference)) => {
                return Err(Box::new(Divergence {
                    moves,
                    difference: *difference,
                }));
            }
        }
    }
    Ok(seen)
}

/// A game in progress, in texts: what engines of all types have in common.
pub trait Walk {
    /// Goes back to the initial state.
    fn restart(&mut self);

    /// The facts of the present state, in the order of [`str`].
    fn facts(&self) -> Vec<String>;

    /// Says all there is to say of the present state. Unless the game is over or stuck, makes a joint move, each one
    /// equally likely, and records it.
    ///
    /// # Errors
    /// The engine has run out of a budget.
    fn lead(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Recorded, ReplayFault>;

    /// Compares the present state with what is recorded of it, and makes the joint move recorded, if any.
    ///
    /// # Errors
    /// What differs, or that the engine has run out of a budget.
    fn follow(&mut self, recorded: &Recorded) -> Result<(), ReplayFault>;
}

/// The [`Walk`] of any game.
#[derive(Debug)]
pub struct Walker<'g, G: StateMachine> {
    game: &'g G,
    scratch: G::Scratch,
    state: G::State,
    legal: Vec<Vec<G::Move>>,
    replay: Replay<'g, G>,
}

impl<'g, G: StateMachine> Walker<'g, G> {
    /// Begins in the initial state.
    pub fn new(game: &'g G) -> Self {
        Self {
            game,
            scratch: game.scratch(),
            state: game.initial(),
            legal: Vec::new(),
            replay: Replay::new(game),
        }
    }

    /// All there is to say of the present state; leaves the legal moves in `legal`.
    fn record(&mut self) -> Result<Recorded, ReplayFault> {
        let (game, scratch, state) = (self.game, &mut self.scratch, &self.state);
        let terminal = game.is_terminal(scratch, state);
        self.legal.clear();
        if !terminal {
            legal_of_all(game, scratch, state, &mut self.legal);
        }
        let goals = game.roles().iter().enumerate().map(|(role, name)| {
            let goal = game.goal(scratch, state, Role(role));
            (name.clone(), goal.map(i64::from))
        });
        let goals: BTreeMap<_, _> = goals.collect();
        if let Some(fault) = game.fault(scratch) {
            return Err(Stopped::Fault(fault).into());
        }
        let lists = game.roles().iter().zip(&self.legal);
        let lists = lists.map(|(name, moves)| (name.clone(), self.texts(moves)));
        Ok(Recorded {
            state: Some(self.facts()),
            legal: Some(lists.collect()),
            terminal: Some(terminal),
            goals: Some(goals),
            moves: None,
        })
    }

    fn texts(&self, moves: &[G::Move]) -> Vec<String> {
        let texts = moves.iter().map(|&mv| self.game.move_text(mv));
        texts.collect()
    }
}

impl<G: StateMachine> Walk for Walker<'_, G> {
    fn restart(&mut self) {
        self.state = self.game.initial();
        self.replay.restart();
    }

    fn facts(&self) -> Vec<String> {
        self.game.state_text(&self.state)
    }

    fn lead(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Recorded, ReplayFault> {
        let mut recorded = self.record()?;
        let joint = match recorded.terminal {
            Some(false) => random_joint_move(&self.legal, rng),
            _ => None,
        };
        if let Some(joint) = joint {
            self.state = self.game.next(&mut self.scratch, &self.state, &joint);
            recorded.moves = Some(self.texts(&joint));
        }
        Ok(recorded)
    }

    fn follow(&mut self, recorded: &Recorded) -> Result<(), ReplayFault> {
        if let Some(next) = self.replay.follow(&self.state, recorded)? {
            self.state = next;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::game::fixture::Subtraction;

    fn compared<A: StateMachine, B: StateMachine>(one: &A, other: &B) -> Result<Agreement, String> {
        let options = DifferentialTest {
            seed: 1,
            games: 4,
            max_plies: 20,
            deadline: &Deadline::default(),
        };
        differential_test(one, other, options).map_err(|apart| {
            assert_eq!(apart.moves.len(), apart.difference.ply);
            apart.difference.report("one", "other")
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
    fn differences_are_reported() {
        let game = Subtraction::new(4, 3);
        let report = compared(&game, &Subtraction::new(5, 3)).unwrap_err();
        assert_eq!(
            report,
            "after 0 plies the state differs; one only: (heap 4); other only: (heap 5)"
        );
        let report = compared(&game, &Subtraction::new(4, 2)).unwrap_err();
        assert_eq!(
            report,
            "after 0 plies what first may do differs; one only: (take 3)"
        );
    }
}
