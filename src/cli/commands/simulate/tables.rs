//! The tables of the report, with the figures of the games played.

use std::io::{self, Write};

use super::columns::write_columns;
use super::report::SimulationTotals;
use super::{DEPTHS, SimulatedGame};
use crate::cli::console::Stream;
use crate::cli::number::counted;
use crate::cli::style;
use crate::native::checkers::published::PublishedAlgorithm::{self, AlphaBeta, MinimaxAb};
use crate::native::checkers::published::{PublishedPlayer, PublishedTurns};

/// The lines of each table of the report: algorithm and evaluation of red and of black.
const LINES: [[(PublishedAlgorithm, u8); 2]; 9] = [
    [(MinimaxAb, 1), (AlphaBeta, 1)],
    [(MinimaxAb, 2), (AlphaBeta, 2)],
    [(MinimaxAb, 3), (AlphaBeta, 3)],
    [(MinimaxAb, 1), (MinimaxAb, 2)],
    [(MinimaxAb, 1), (MinimaxAb, 3)],
    [(MinimaxAb, 2), (MinimaxAb, 3)],
    [(AlphaBeta, 1), (AlphaBeta, 2)],
    [(AlphaBeta, 1), (AlphaBeta, 3)],
    [(AlphaBeta, 2), (AlphaBeta, 3)],
];

/// Prints a table for each depth, with the games that the report has or with all of them, and the totals.
pub(super) fn print(
    games: &[SimulatedGame],
    totals: &SimulationTotals,
    all: bool,
    out: &mut Stream<'_>,
) -> io::Result<()> {
    let (strong, faint) = (style::STRONG, style::FAINT);
    let depth_of = |game: &SimulatedGame| game.pairing.red.depth;
    for of_depth in games.chunk_by(|one, other| depth_of(one) == depth_of(other)) {
        let shown: Vec<&SimulatedGame> = match all {
            true => of_depth.iter().collect(),
            false => LINES
                .iter()
                .filter_map(|line| game_of(of_depth, line))
                .collect(),
        };
        let depth = depth_of(&of_depth[0]);
        let name = DEPTHS.iter().position(|known| *known == depth);
        let name = name.map_or(String::new(), |place| format!("Table {}: ", place + 3));
        writeln!(out, "{strong}{name}depth {depth}{strong:#}")?;
        print_games(&shown, out)?;
        writeln!(out)?;
    }
    let games = counted(totals.games as u64, "game");
    writeln!(
        out,
        "{strong}{games}: {}, {} by black, {} by red{strong:#}; {} end in jitter",
        counted(totals.draws as u64, "draw"),
        counted(totals.black as u64, "win"),
        counted(totals.red as u64, "win"),
        counted(totals.in_jitter as u64, "game")
    )?;
    print_algorithms(totals, out)?;
    let memory = totals.peak_memory_bytes.map_or(String::new(), |bytes| {
        format!(", peak memory of the program {} KiB", bytes >> 10)
    });
    let threads = counted(totals.threads as u64, "thread");
    writeln!(
        out,
        "{faint}{:.2} s on {threads}{memory}{faint:#}",
        totals.seconds
    )
}

fn game_of<'g>(
    games: &'g [SimulatedGame],
    line: &[(PublishedAlgorithm, u8); 2],
) -> Option<&'g SimulatedGame> {
    let who = |player: &PublishedPlayer| (player.algorithm, player.evaluation.number());
    let is_meant =
        |game: &&SimulatedGame| [who(&game.pairing.red), who(&game.pairing.black)] == *line;
    games.iter().find(is_meant)
}

/// A line for each game: first red's figure, then black's.
pub(super) fn print_games(games: &[&SimulatedGame], out: &mut Stream<'_>) -> io::Result<()> {
    const TITLES: [&str; 11] = [
        "red",
        "black",
        "result",
        "rounds",
        "leaf r/b",
        "expanded r/b",
        "total r/b",
        "captures",
        "jitter",
        "ms r/b",
        "KiB r/b",
    ];
    let line = |simulated: &&SimulatedGame| {
        let SimulatedGame { pairing, game, .. } = simulated;
        let both = |figure: &dyn Fn(&PublishedTurns) -> String| {
            let figures = [1, 0].map(|player| figure(&game.of_player(player)));
            figures.join("/")
        };
        vec![
            pairing.red.to_string(),
            pairing.black.to_string(),
            game.ending.name().to_owned(),
            game.rounds().to_string(),
            both(&|done| done.counts.leaf.to_string()),
            both(&|done| done.counts.expanded.to_string()),
            both(&|done| done.counts.nodes().to_string()),
            both(&|done| done.captures.to_string()),
            both(&|done| done.jitter.to_string()),
            both(&|done| format!("{:.1}", milliseconds(done))),
            both(&|done| format!("{:.1}", done.counts.bytes() as f64 / 1024.0)),
        ]
    };
    let lines: Vec<Vec<String>> = games.iter().map(line).collect();
    write_columns(&TITLES, &lines, 3, out)
}

fn print_algorithms(totals: &SimulationTotals, out: &mut Stream<'_>) -> io::Result<()> {
    const TITLES: [&str; 8] = [
        "algorithm",
        "leaf",
        "expanded",
        "total",
        "captures",
        "rounds",
        "ms",
        "KiB",
    ];
    let lines = totals.algorithms.iter().map(|of| {
        vec![
            of.algorithm.to_owned(),
            of.leaf.to_string(),
            of.expanded.to_string(),
            of.nodes.to_string(),
            of.captures.to_string(),
            of.rounds.to_string(),
            format!("{:.1}", of.milliseconds),
            format!("{:.1}", of.bytes as f64 / 1024.0),
        ]
    });
    write_columns(&TITLES, &lines.collect::<Vec<_>>(), 1, out)
}

/// The time of a player's searches.
pub(super) fn milliseconds(done: &PublishedTurns) -> f64 {
    done.time.as_secs_f64() * 1000.0
}
