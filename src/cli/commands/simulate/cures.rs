//! The cures of jitter, compared.

use serde::Serialize;

use super::columns::write_columns;
use super::report::SimulationTotals;
use super::{SimulateArgs, SimulatedGame};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::native::checkers::published::PublishedAlgorithm::{AlphaBeta, MinimaxAb};
use crate::native::checkers::published::{
    JitterCure, PublishedPairing, PublishedPlayer, full_simulation,
};

/// How games go in which both players have the same cure.
#[derive(Serialize)]
struct CureReport {
    cure: &'static str,
    games: usize,
    draws: usize,
    /// Of the games, from 0 to 1.
    draw_rate: f64,
    black: usize,
    red: usize,
    /// Games in which both players jittered at the end.
    in_jitter: usize,
    /// Turns before which the player jittered.
    jitter: u32,
}

/// Plays each pairing of evaluations with each cure. Both algorithms play alike, so that red has one and black the other.
pub(super) fn run(
    args: &SimulateArgs,
    usual: &PublishedPlayer,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let stop = console.stop_flag();
    let mut reports = Vec::new();
    for cure in JitterCure::ALL {
        let pairings = args.pairings(&PublishedPlayer { cure, ..*usual });
        let games = args.play(&pairings, console)?;
        if games.len() < pairings.len() {
            break;
        }
        reports.push(CureReport::of(cure, &games, args));
    }
    if args.json {
        for report in &reports {
            console.json(report)?;
        }
    } else if args.csv {
        super::csv::print_all(&reports, &mut console.out)?;
    } else {
        print(&reports, console)?;
        let last = args.seed.saturating_add(args.seeds - 1);
        let seeds = format!("seeds {} to {last}", args.seed);
        console.hint(&format!("{seeds} where a cure draws from chance"))?;
    }
    match stop.is_raised() {
        false => Ok(Outcome::Success),
        true => {
            console.hint(INTERRUPTED)?;
            Ok(Outcome::Interrupted)
        }
    }
}

impl SimulateArgs {
    /// The games with one cure: for one seed, or for several where chance matters.
    fn pairings(&self, usual: &PublishedPlayer) -> Vec<(PublishedPairing, u64)> {
        let seeds = if usual.cure.is_random() {
            self.seeds
        } else {
            1
        };
        let games = full_simulation(&self.depths(), usual).into_iter();
        let games = games
            .filter(|game| [game.red.algorithm, game.black.algorithm] == [MinimaxAb, AlphaBeta]);
        let seeds = (0..seeds).map(|number| self.seed.wrapping_add(number));
        let with_seeds = |game: PublishedPairing| seeds.clone().map(move |seed| (game, seed));
        games.flat_map(with_seeds).collect()
    }
}

impl CureReport {
    fn of(cure: JitterCure, games: &[SimulatedGame], args: &SimulateArgs) -> Self {
        let totals = SimulationTotals::of(games, 0.0, args);
        let jitter = |game: &SimulatedGame| [0, 1].map(|player| game.game.of_player(player).jitter);
        Self {
            cure: cure.name(),
            games: totals.games,
            draws: totals.draws,
            draw_rate: totals.draws as f64 / totals.games.max(1) as f64,
            black: totals.black,
            red: totals.red,
            in_jitter: totals.in_jitter,
            jitter: games.iter().flat_map(jitter).sum(),
        }
    }
}

fn print(reports: &[CureReport], console: &mut Console<'_>) -> Result<(), Failure> {
    const TITLES: [&str; 8] = [
        "cure",
        "games",
        "draws",
        "draw rate",
        "black",
        "red",
        "end in jitter",
        "jitter turns a game",
    ];
    let lines = reports.iter().map(|report| {
        vec![
            report.cure.to_owned(),
            report.games.to_string(),
            report.draws.to_string(),
            format!("{:.1} %", 100.0 * report.draw_rate),
            report.black.to_string(),
            report.red.to_string(),
            report.in_jitter.to_string(),
            format!(
                "{:.1}",
                f64::from(report.jitter) / report.games.max(1) as f64
            ),
        ]
    });
    write_columns(&TITLES, &lines.collect::<Vec<_>>(), 1, &mut console.out)?;
    Ok(())
}
