//! Games as comma-separated values.

use std::io::{self, Write};

use csv::Writer;
use serde::Serialize;

use super::SimulatedGame;
use super::report::{board, spec};
use super::tables::milliseconds;
use crate::cli::console::Stream;
use crate::cli::failure::Failure;

/// The columns that each player has.
const OF_PLAYER: [&str; 8] = [
    "depth",
    "rounds",
    "leaf",
    "expanded",
    "nodes",
    "captures",
    "jitter",
    "milliseconds",
];

/// Prints a line of titles and one for each game.
pub(super) fn print(games: &[SimulatedGame], out: &mut Stream<'_>) -> Result<(), Failure> {
    let mut writer = Writer::from_writer(Vec::new());
    let mut titles = ["red", "black", "result", "plies"]
        .map(str::to_owned)
        .to_vec();
    for role in ["red", "black"] {
        titles.extend(OF_PLAYER.map(|title| format!("{role}_{title}")));
    }
    titles.push("board".to_owned());
    writer.write_record(&titles).map_err(io::Error::from)?;
    for game in games {
        writer.write_record(line(game)).map_err(io::Error::from)?;
    }
    finish(writer, out)
}

/// Prints a line of titles and one for each of `rows`.
pub(super) fn print_all(rows: &[impl Serialize], out: &mut Stream<'_>) -> Result<(), Failure> {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(io::Error::from)?;
    }
    finish(writer, out)
}

fn finish(writer: Writer<Vec<u8>>, out: &mut Stream<'_>) -> Result<(), Failure> {
    let bytes = writer.into_inner().map_err(|fault| fault.into_error())?;
    Ok(out.write_all(&bytes)?)
}

fn line(simulated: &SimulatedGame) -> Vec<String> {
    let SimulatedGame { pairing, game, .. } = simulated;
    let mut line = vec![
        spec(&pairing.red),
        spec(&pairing.black),
        game.ending.name().to_owned(),
        game.turns.len().to_string(),
    ];
    for (player, number) in [(pairing.red, 1), (pairing.black, 0)] {
        let done = game.of_player(number);
        line.extend([
            player.depth.to_string(),
            done.turns.to_string(),
            done.counts.leaf.to_string(),
            done.counts.expanded.to_string(),
            done.counts.nodes().to_string(),
            done.captures.to_string(),
            done.jitter.to_string(),
            format!("{:.4}", milliseconds(&done)),
        ]);
    }
    line.push(board(simulated));
    line
}
