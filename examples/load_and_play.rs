//! Loads a game and plays a few moves: `cargo run --example load_and_play [GAME]`.
//!
//! `GAME` is a shipped game or the path of a rule file; without one, it is tic-tac-toe.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use kolibri::{Game, Session};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1);
    let game = Game::load(name.as_deref().unwrap_or("tictactoe"))?;
    println!("{}: {}", game.name(), game.roles().join(", "));
    println!(
        "engine: {} ({})",
        game.report().engine,
        game.report().reason
    );

    // Everybody plays the first legal move, six times or until the game is over.
    let mut session = Session::new(&game);
    for _ in 0..6 {
        let first = |role| session.legal_of(role).first().cloned();
        let joint: Option<Vec<String>> = (0..game.roles().len()).map(first).collect();
        let Some(joint) = joint else { break };
        session.play_joint(&joint)?;
        println!("{}", joint.join("  "));
    }
    println!("\nthe facts that hold now:\n{}", session.position());

    // A position is a value: it can be written as facts and read again.
    let same = game.position(&session.facts())?;
    assert_eq!(same, *session.position());
    if session.undo() {
        println!(
            "after taking a move back, {} are left",
            session.history().len()
        );
    }
    Ok(())
}
