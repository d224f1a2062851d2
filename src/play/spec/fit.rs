//! Which players can play which games.

use super::{Spec, SpecError};
use crate::catalog::{GameSource, SHIPPED};
use crate::session::{Game, read_any_weights, read_weights};
use crate::solved::{SolvedGame, read_any_solution};

/// Checks that the files of a player can be read, before it is known which games it will play.
///
/// # Errors
/// Its weights or its solution are missing or damaged.
pub fn check_files(player: &Spec) -> Result<(), SpecError> {
    if let Spec::Solved(file) = player {
        let read = read_any_solution(file);
        read.map_err(|fault| SpecError::new(fault.to_string(), fault.help()))?;
    }
    if let Some(file) = player.weights() {
        let read = read_any_weights(file);
        read.map_err(|fault| SpecError::new(fault.to_string(), fault.help().to_owned()))?;
    }
    Ok(())
}

/// Checks that these players can play the roles with their numbers in the game on its engine.
///
/// # Errors
/// A player, or its weights, are made for another game or role, or it uses an evaluation that the engine does not have.
pub fn check_fit<'s>(
    players: impl IntoIterator<Item = (usize, &'s Spec)>,
    game: &Game,
) -> Result<(), SpecError> {
    for (role, player) in players {
        if let Spec::Solved(file) = player {
            let read = SolvedGame::read_for(game.clone(), file, role);
            read.map_err(|fault| SpecError::new(fault.to_string(), fault.help()))?;
        }
        if let Some(file) = player.weights() {
            let read = read_weights(game, file, role);
            read.map_err(|fault| SpecError::new(fault.to_string(), fault.help().to_owned()))?;
        }
        if let Some(name) = player
            .evaluation()
            .filter(|name| !game.has_evaluation(name))
        {
            return Err(no_evaluation(name, game.evaluations()));
        }
        if matches!(player, Spec::Published { .. }) && !is_checkers(game.source()) {
            let message = format!("`{player}` plays checkers, and not `{}`", game.name());
            let help = "`checkers` is the game it plays, on the usual board; `kolibri players` lists the others";
            return Err(SpecError::new(message, help.to_owned()));
        }
    }
    Ok(())
}

/// Whether these are the rules of the shipped game.
fn is_checkers(source: &GameSource) -> bool {
    let mut shipped = SHIPPED.iter();
    shipped.any(|game| game.name == "checkers" && game.text == source.text)
}

/// The engine of the game does not have this evaluation; `known` are those that it has.
pub fn no_evaluation(name: &str, known: &[&str]) -> SpecError {
    let help = match known {
        [] => "published evaluations come with the native engines of kolibrat and checkers: `--engine native`".to_owned(),
        known => format!("it has {}", known.join(", ")),
    };
    let message = format!("this game has no evaluation `{name}` on this engine");
    SpecError::new(message, help)
}
