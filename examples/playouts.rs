//! Plays random games of every shipped game: `cargo run --release --example playouts`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use kolibri::Game;
use kolibri::catalog::SHIPPED;

fn main() -> Result<(), Box<dyn Error>> {
    for shipped in SHIPPED {
        let game = Game::load(shipped.name)?;
        let done = game
            .initial()
            .playouts(1_000)
            .seed(1)
            .max_plies(500)
            .run()?;
        let goals = game.roles().iter().zip(&done.mean_goals);
        let goals: Vec<String> = goals
            .map(|(role, goal)| {
                goal.map_or(format!("{role} –"), |goal| format!("{role} {goal:.1}"))
            })
            .collect();
        println!(
            "{:20} {:6.1} plies  {:5.2} million states/s  {}",
            game.name(),
            done.mean_length.unwrap_or(0.0),
            done.states_per_second() / 1e6,
            goals.join("  ")
        );
    }
    Ok(())
}
