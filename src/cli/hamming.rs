//! The Hamming distance of a game, or why it has none.

use crate::cli::failure::Failure;
use crate::game::Role;
use crate::search::HammingDistance;
use crate::session::Game;

/// The distance to the best goal of a game for one, as its rules tell it; `option` is what asked for it.
pub(super) fn hamming(game: &Game, option: &str) -> Result<HammingDistance, Failure> {
    let help = format!("leave out `{option}`");
    if game.roles().len() != 1 {
        let fault = "the Hamming distance leads to goals of games for one role only";
        return Err(Failure::usage(fault).with_help(help));
    }
    let Some(facts) = game.facts() else {
        let fault = "this engine does not know which facts a goal needs";
        return Err(Failure::finding(fault).with_help(help));
    };
    HammingDistance::new(facts, Role(0))
        .map_err(|fault| Failure::finding(fault.to_string()).with_help(help))
}
