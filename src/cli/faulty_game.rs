//! The game to look at, where a command counted games that did not end with a score.

use std::time::{Duration, Instant};

use super::console::Console;
use super::failure::Failure;
use crate::playtest::FaultyGame;
use crate::session::Game;
use crate::util::{Deadline, StopFlag};

/// How long to look for such a game.
const TIME: Duration = Duration::from_secs(2);

/// The first random game from `seed` on that does not end with a score, if it is found within two seconds.
pub(super) fn faulty_game(
    game: &Game,
    seed: u64,
    max_plies: usize,
    stop: &StopFlag,
) -> Option<FaultyGame> {
    let deadline = Deadline::new(Some(Instant::now() + TIME), stop);
    FaultyGame::first(game, seed, max_plies, &deadline)
}

/// Names the game, and what explains it.
pub(super) fn hint_at_faulty_game(
    found: Option<&FaultyGame>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    if let Some(FaultyGame {
        seed,
        plies,
        why,
        command,
    }) = found
    {
        console.hint(&format!(
            "the game with seed {seed} {why} (ply {plies}); `{command}` shows it"
        ))?;
    }
    console.hint("`kolibri playtest` names the rules that cause it")
}
