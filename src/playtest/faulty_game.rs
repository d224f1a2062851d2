//! The first random game that does not end with a score, for commands that only count such games.

use serde::Serialize;

use super::explain::command;
use super::games::{GameSetup, PlayedGame, play};
use crate::game::is_chance;
use crate::play::End;
use crate::session::Game;
use crate::util::{Alarm, Deadline};

/// A random game that did not end with a score for every role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FaultyGame {
    /// The seed of the game.
    pub seed: u64,
    /// How many joint moves were made.
    pub plies: usize,
    /// What is wrong with its end, after "the game": "got stuck: …".
    pub why: String,
    /// A command that plays the game again.
    pub command: String,
}

impl FaultyGame {
    /// The first faulty game of the random games that `kolibri match` plays from `seed` on, each given up after
    /// `max_plies`; `None` if the deadline passes before there is one, or the engine fails.
    pub fn first(game: &Game, seed: u64, max_plies: usize, deadline: &Deadline) -> Option<Self> {
        let alarm = Alarm::at(deadline);
        let mut seeds = (0..=u64::MAX).map(|number| seed.wrapping_add(number));
        seeds.find_map(|seed| {
            let played = play(
                game,
                GameSetup::random(game, seed),
                max_plies,
                alarm.flag(),
                &mut |_| {},
            );
            let Some(played) = played else {
                return Some(None);
            };
            match played.end {
                End::Stopped | End::Fault(_) => Some(None),
                _ => fault(game.roles(), &played).map(|why| {
                    let plies = played.plies;
                    let command = command(game.source(), game.roles(), &played.setup, plies);
                    Some(Self {
                        seed,
                        plies,
                        why,
                        command,
                    })
                }),
            }
        })?
    }
}

/// What is wrong with the end of a game, in words.
fn fault(roles: &[String], game: &PlayedGame) -> Option<String> {
    let listed = |roles: Vec<&str>| roles.join(" and ");
    match &game.end {
        End::Terminal => {
            let without = roles.iter().zip(&game.goals);
            let without = without.filter(|(role, goal)| goal.is_none() && !is_chance(role));
            let without: Vec<&str> = without.map(|(role, _)| role.as_str()).collect();
            (!without.is_empty()).then(|| format!("ended without a score for {}", listed(without)))
        }
        End::Stuck(stuck) => {
            let stuck = stuck.iter().map(String::as_str).collect();
            Some(format!("got stuck: {} had no legal move", listed(stuck)))
        }
        End::Still => Some("came to a position that no move can change".to_owned()),
        End::PlyLimit(_) | End::Repetition(_) => {
            Some(format!("was given up after {} plies", game.plies))
        }
        End::Fault(_) | End::Stopped => None,
    }
}
