//! What a game is like, as far as a few random games tell.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Control;
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
    /// The fewest joint moves of a state.
    pub fewest_joint_moves: u64,
    /// The most joint moves of a state.
    pub most_joint_moves: u64,
    /// States among them in which the same role is in control as in the state before.
    pub repeated_turns: u64,
    /// Per game, the sum of the numbers of joint moves, and the states.
    pub by_game: Vec<(u64, u64)>,
    /// The most legal moves one role had.
    pub most_moves: usize,
    /// The most facts a state had.
    pub most_facts: usize,
    /// Games that came to their end.
    pub ended: u64,
    /// The joint moves of each game that came to its end.
    pub lengths: Vec<u64>,
    /// How many games came to an end with these goals.
    pub ends: BTreeMap<Vec<Option<u8>>, u64>,
    /// Games that could not go on, as some role had no legal move before the end.
    pub stuck: u64,
    /// Games given up, as they were too long or the time was over.
    pub given_up: u64,
    /// Games that came to their end without a goal for some role other than chance, or with several.
    pub without_goal: u64,
}

/// What a game is drawn from: no two seeds have a game in common, unless there are thousands of millions.
fn seed_of_game(seed: u64, number: u64) -> u64 {
    (seed.wrapping_sub(1) << 32).wrapping_add(1 + number)
}

/// Which random games are played.
pub struct SampleOptions<'o> {
    /// What they are drawn from: no two seeds have a game in common.
    pub seed: u64,
    /// How many.
    pub games: u64,
    /// Games of more joint moves are given up.
    pub max_plies: u32,
    /// When no more are played.
    pub deadline: Deadline,
    /// Is told the facts of each position in which a game is over.
    pub on_end: &'o mut dyn FnMut(&[String]),
}

/// Plays random games and looks at every state on the way. What was seen until the limits were reached is returned.
///
/// # Errors
/// The engine ran out of a budget.
pub fn sample<G: StateMachine>(
    game: &G,
    options: &mut SampleOptions<'_>,
) -> Result<Sample, Stopped> {
    let deadline = &options.deadline;
    let mut sample = Sample::default();
    let mut scratch = game.scratch();
    let mut legal = Vec::new();
    for number in 0..options.games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_of_game(options.seed, number));
        let mut state = game.initial();
        let finished = sample.ended + sample.stuck;
        let before = (sample.joint_moves, sample.states);
        let mut control = Control::Shared;
        for ply in 0..=options.max_plies {
            sample.most_facts = sample.most_facts.max(game.state_text(&state).len());
            let is_terminal = game.is_terminal(&mut scratch, &state);
            if !is_terminal {
                legal_of_all(game, &mut scratch, &state, &mut legal);
            }
            if let Some(fault) = game.fault(&scratch) {
                return Err(Stopped::Fault(fault));
            }
            if is_terminal {
                let roles = (0..game.roles().len()).map(Role);
                let goals = roles.map(|role| game.goal(&mut scratch, &state, role));
                sample.end(game.roles(), goals.collect(), ply);
                (options.on_end)(&game.state_text(&state));
                break;
            }
            sample.note(&legal);
            let next = Control::of(game, &legal);
            sample.repeated_turns += u64::from(control.continues(next));
            control = next;
            let Some(joint) = random_joint_move(&legal, &mut rng) else {
                sample.stuck += 1;
                break;
            };
            if deadline.check().is_err() {
                break;
            }
            state = game.next(&mut scratch, &state, &joint);
        }
        // The game that is interrupted is nobody's fault.
        let is_given_up = finished == sample.ended + sample.stuck && !deadline.is_stopped();
        sample.given_up += u64::from(is_given_up);
        let (joint_moves, states) = before;
        let of_game = (sample.joint_moves - joint_moves, sample.states - states);
        sample.by_game.push(of_game);
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
        self.most_joint_moves = self.most_joint_moves.max(product);
        self.fewest_joint_moves = match self.states {
            1 => product,
            _ => self.fewest_joint_moves.min(product),
        };
    }

    fn end(&mut self, roles: &[String], goals: Vec<Option<u8>>, plies: u32) {
        self.ended += 1;
        let mut of_roles = roles.iter().zip(&goals);
        let is_missing = of_roles.any(|(role, goal)| goal.is_none() && !is_chance(role));
        self.without_goal += u64::from(is_missing);
        self.lengths.push(plies.into());
        *self.ends.entry(goals).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::game::fixture::Subtraction;

    #[test]
    fn games_of_other_seeds_are_others() {
        assert_eq!(
            [0, 1, 999].map(|number| seed_of_game(1, number)),
            [1, 2, 1000]
        );
        let games =
            [0, 1, 2, 3, u64::MAX].map(|seed| [0, 999].map(|number| seed_of_game(seed, number)));
        for (place, [_, last]) in games.iter().enumerate() {
            let others = games
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != place);
            for (_, [first, end]) in others {
                assert!(!(first..=end).contains(&last), "{games:?}");
            }
        }
    }

    #[test]
    fn players_who_take_turns_are_seen_to() {
        let game = Subtraction::new(10, 3);
        let mut ends = Vec::new();
        let sample = sample(
            &game,
            &mut SampleOptions {
                seed: 1,
                games: 5,
                max_plies: 100,
                deadline: Deadline::default(),
                on_end: &mut |facts| ends.push(facts.to_vec()),
            },
        )
        .unwrap();
        assert_eq!(ends.len(), 5);
        assert_eq!((sample.ended, sample.stuck), (5, 0));
        assert_eq!((sample.given_up, sample.without_goal), (0, 0));
        assert_eq!((sample.shared, sample.most_moves), (0, 3));
        assert_eq!(sample.most_facts, 2);
        assert!(sample.single > 5);
        // They take turns, and the last one to move wins.
        assert_eq!(sample.repeated_turns, 0);
        assert_eq!((sample.fewest_joint_moves, sample.most_joint_moves), (1, 3));
        let states = sample.by_game.iter().map(|(_, states)| states);
        assert_eq!(states.copied().collect::<Vec<_>>(), sample.lengths);
        assert_eq!(sample.ends.values().sum::<u64>(), 5);
    }
}
