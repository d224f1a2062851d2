//! What a game is like, as far as a few random games tell.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Role, StateMachine, Stopped, is_chance, legal_of_all, random_joint_move};
use crate::util::Deadline;

/// What was seen in the states of some random games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sample {
    /// States in which the game went on, counted once per visit.
    pub states: u64,
    /// States among them in which several roles had a choice.
    pub shared: u64,
    /// States among them in which exactly one role had a choice.
    pub single: u64,
    /// The sum of the numbers of joint moves.
    pub joint_moves: u64,
    /// The most legal moves one role had.
    pub most_moves: usize,
    /// The most facts a state had.
    pub most_facts: usize,
    /// Games that came to their end.
    pub ended: u64,
    /// Joint moves in the games that came to their end.
    pub plies_of_ended: u64,
    /// Games that could not go on, as some role had no legal move before the end.
    pub stuck: u64,
    /// Games given up, as they were too long or the time was over.
    pub given_up: u64,
    /// Games that came to their end without a goal for some role other than chance, or with several.
    pub without_goal: u64,
}

/// Plays `games` random games of at most `max_plies` joint moves from `seed`, and looks at every state on the way. What
/// was seen until the limits were reached is returned.
///
/// # Errors
/// The engine ran out of a budget.
pub fn sample<G: StateMachine>(
    game: &G,
    seed: u64,
    games: u64,
    max_plies: u32,
    deadline: &Deadline,
) -> Result<Sample, Stopped> {
    let mut sample = Sample::default();
    let mut scratch = game.scratch();
    let mut legal = Vec::new();
    for number in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(number));
        let mut state = game.initial();
        let finished = sample.ended + sample.stuck;
        for ply in 0..=max_plies {
            sample.most_facts = sample.most_facts.max(game.state_text(&state).len());
            let is_terminal = game.is_terminal(&mut scratch, &state);
            if !is_terminal {
                legal_of_all(game, &mut scratch, &state, &mut legal);
            }
            if let Some(fault) = game.fault(&scratch) {
                return Err(Stopped::Fault(fault));
            }
            if is_terminal {
                sample.ended += 1;
                let is_missing = |role: usize| {
                    !is_chance(&game.roles()[role])
                        && game.goal(&mut scratch, &state, Role(role)).is_none()
                };
                sample.without_goal += u64::from((0..game.roles().len()).any(is_missing));
                sample.plies_of_ended += u64::from(ply);
                break;
            }
            sample.note(&legal);
            let Some(joint) = random_joint_move(&legal, &mut rng) else {
                sample.stuck += 1;
                break;
            };
            if deadline.check().is_err() {
                break;
            }
            state = game.next(&mut scratch, &state, &joint);
        }
        sample.given_up += u64::from(finished == sample.ended + sample.stuck);
        if deadline.check().is_err() {
            break;
        }
    }
    Ok(sample)
}

impl Sample {
    fn note<M>(&mut self, legal: &[Vec<M>]) {
        self.states += 1;
        let sizes = legal.iter().map(Vec::len);
        match sizes.clone().filter(|&moves| moves > 1).count() {
            0 => {}
            1 => self.single += 1,
            _ => self.shared += 1,
        }
        self.most_moves = self.most_moves.max(sizes.clone().max().unwrap_or_default());
        let product = sizes.fold(1u64, |product, moves| product.saturating_mul(moves as u64));
        self.joint_moves = self.joint_moves.saturating_add(product);
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::game::fixture::Subtraction;

    #[test]
    fn players_who_take_turns_are_seen_to() {
        let game = Subtraction::new(10, 3);
        let deadline = &Deadline::default();
        let sample = sample(&game, 1, 5, 100, deadline).unwrap();
        assert_eq!((sample.ended, sample.stuck), (5, 0));
        assert_eq!((sample.given_up, sample.without_goal), (0, 0));
        assert_eq!((sample.shared, sample.most_moves), (0, 3));
        assert_eq!(sample.most_facts, 2);
        assert!(sample.single > 5);
    }
}
