//! Two settings of the Min-Max player against each other: `cargo run --release --example tournament`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use kolibri::{Game, Heuristics, Match, Minimax};

fn main() -> Result<(), Box<dyn Error>> {
    let game = Game::load("kolibrat")?;
    let with = Minimax::new().time_ms(20);
    let without = with.clone().heuristics(Heuristics::NONE);

    // Twenty games: ten random openings of four plies, each played with either player in either role.
    let result = Match::new(&game)
        .player("red", with)
        .player("black", without)
        .games(20)
        .swap(true)
        .opening(4)
        .run()?;
    for player in result.totals.of_players() {
        let points = player.points.unwrap_or(0.0);
        println!(
            "{}: {points:.1} points a game in {} games",
            player.player, player.games
        );
    }
    Ok(())
}
