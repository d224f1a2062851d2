//! Random games of the shipped games with the vectors that this processor has, and without any, in millions of states per second:
//! `cargo run --release --example vectors -- [SECONDS]`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::time::{Duration, Instant};

use kolibri::catalog::{GameSource, SHIPPED};
use kolibri::engine::Propnet;
use kolibri::game::{PlayoutOptions, Playouts, StateMachine};
use kolibri::gdl;
use kolibri::propnet::lanes::Vectors;
use kolibri::util::{Deadline, StopFlag};

/// Each is measured so often, in turns; the best counts.
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let seconds: f64 = std::env::args()
        .nth(1)
        .map_or(Ok(1.0), |text| text.parse())?;
    println!("{:20} {:?}", "game", Vectors::ALL);
    for shipped in SHIPPED {
        let rules = gdl::load(&GameSource::find(shipped.name)?.text).rules;
        let rules = rules.ok_or("a shipped game without errors")?;
        let mut games = Vec::new();
        for vectors in Vectors::ALL {
            games.push(Propnet::new(&rules, &Default::default())?.with_vectors(vectors));
        }
        let mut best = [0.0_f64; Vectors::ALL.len()];
        for _ in 0..ROUNDS {
            for (game, best) in games.iter().zip(&mut best) {
                if let Some(game) = game {
                    *best = best.max(states_per_second(game, Duration::from_secs_f64(seconds)));
                }
            }
        }
        let millions = best.map(|rate| format!("{:8.1}", rate / 1e6));
        println!("{:20} {}", shipped.name, millions.join(" "));
    }
    Ok(())
}

fn states_per_second(game: &Propnet, time: Duration) -> f64 {
    let begin = Instant::now();
    let stop = StopFlag::default();
    let options = PlayoutOptions {
        seed: 1,
        count: u64::MAX,
        max_plies: 100_000,
        threads: 1,
        deadline: &Deadline::new(Some(begin + time), &stop),
    };
    let (totals, _) = game.playouts(&game.initial(), options);
    totals.plies as f64 / begin.elapsed().as_secs_f64()
}
