//! Searches a position, watches the search and stops it: `cargo run --release --example search`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::thread;
use std::time::Duration;

use kolibri::{Game, Minimax};

fn main() -> Result<(), Box<dyn Error>> {
    let game = Game::load("connect-four")?;
    let mut position = game.initial();
    position.play("(drop d)")?;

    // To a fixed depth: the value does not depend on the number of threads.
    let found = Minimax::new().depth(8).threads(2).search(&position)?;
    println!(
        "depth {}: {} is worth {:.1} points ({} nodes)",
        found.depth,
        found.best,
        found.value.points(),
        found.nodes
    );
    for joint in &found.pv {
        println!("  {}", joint.join("  "));
    }

    // In the background: what is known so far can be asked at any time.
    let running = Minimax::new()
        .time(Duration::from_secs(60))
        .start(&position)?;
    for _ in 0..5 {
        thread::sleep(Duration::from_millis(200));
        if let Some(now) = running.progress() {
            println!(
                "depth {}, {:.1} points, {} nodes",
                now.depth,
                now.value.points(),
                now.nodes
            );
        }
    }
    running.stop();
    println!("stopped: {}", running.wait()?.best);
    Ok(())
}
