//! `kolibri simulate`: the games of a published report, played again.

mod columns;
mod csv;
mod cures;
mod one_game;
mod report;
mod tables;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use self::report::{GameReport, SimulationTotals};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::cli::number::{counted, whole};
use crate::cli::record_args::prepare_record_folder;
use crate::cli::status_line::StatusLine;
use crate::cli::threads::ThreadArgs;
use crate::files::{Existing, write_file};
use crate::native::checkers::published::{
    PublishedGame, PublishedPairing, PublishedPlayer, full_log, full_simulation, log_name,
    sample_run, short_log,
};
use crate::play::Spec;

const EXAMPLES: &str = "\
Examples:
  kolibri simulate checkers                                 the 72 games: Tables 3 and 4 of the report, and totals
  kolibri simulate checkers --all --threads 4               a line for each game
  kolibri simulate checkers --with sign=corrected           the same players, with the wrong sign mended
  kolibri simulate checkers --sample 3                      the game at depth 6
  kolibri simulate checkers --red algorithm=mab,ef=1,depth=2 --black algorithm=abs,ef=1,depth=2
                                                            one game, with all its moves
  kolibri simulate checkers --cures --seeds 10              how often games are drawn with and without cures of jitter
  kolibri simulate checkers --depth 6 --logs logs --csv     logs as the report has them, and a line for each game

`kolibri players` lists the options of the player `published`.";

/// Play the games of a published report again
///
/// The report is about checkers players of a student project, on its own rules: a player who cannot move has lost, whoever is to move, and
/// a game is drawn when black has made 80 turns. Without options, its 72 games are played: at depths 2 and 4, with either search for red
/// and for black, and three evaluations for each.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct SimulateArgs {
    /// The game of the report
    #[arg(value_name = "GAME", value_parser = [GAME])]
    game: String,
    /// Depths in turns, separated by commas [default: 2,4]
    #[arg(long, value_name = "D,…", value_delimiter = ',', allow_negative_numbers = true, value_parser = whole::<u32>(2, 15))]
    depth: Vec<u32>,
    /// Options of all players, such as sign=corrected
    #[arg(long, value_name = "OPTIONS")]
    with: Option<String>,
    /// Play one game: the options of red, such as algorithm=mab,ef=3,depth=4
    #[arg(long, value_name = "OPTIONS", conflicts_with_all = ["depth", "with"])]
    red: Option<String>,
    /// Play one game: the options of black, who begins
    #[arg(long, value_name = "OPTIONS", conflicts_with_all = ["depth", "with"])]
    black: Option<String>,
    /// Play one game: the sample run of this number, 1 to 5
    #[arg(long, value_name = "N", conflicts_with_all = ["depth", "with", "red", "black"], allow_negative_numbers = true, value_parser = whole::<u8>(1, 5))]
    sample: Option<u8>,
    /// Print a line for each game, not only for those of the tables of the report
    #[arg(long)]
    all: bool,
    /// Compare the cures of jitter: how many games are drawn with each of them
    #[arg(long, conflicts_with_all = ["red", "black", "sample", "all", "logs"])]
    cures: bool,
    /// With --cures: number of seeds for those that draw from chance
    #[arg(long, value_name = "N", requires = "cures", default_value_t = 1, hide_default_value = true, allow_negative_numbers = true, value_parser = whole::<u64>(1, 10_000))]
    seeds: u64,
    /// Write two logs of each game to the folder DIR, named as in the report; those that are there are replaced
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,
    /// Seed of what is drawn at random
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object per game, and one with the totals
    #[arg(long)]
    json: bool,
    /// Print comma-separated values, a line per game
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// The game that has been simulated.
const GAME: &str = "checkers";

/// The depths of the report.
const DEPTHS: [u32; 2] = [2, 4];

/// A game of the simulation.
struct SimulatedGame {
    pairing: PublishedPairing,
    seed: u64,
    game: PublishedGame,
}

pub(in crate::cli) fn run(
    args: &SimulateArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let one = args.one_game()?;
    let usual = player(args.with.as_deref().unwrap_or_default())?;
    if let Some(folder) = &args.logs {
        prepare_record_folder(folder)?;
    }
    if args.cures {
        return cures::run(args, &usual, console);
    }
    let pairings = match one {
        Some(pairing) => vec![pairing],
        None => full_simulation(&args.depths(), &usual),
    };
    let pairings: Vec<(PublishedPairing, u64)> =
        pairings.into_iter().map(|one| (one, args.seed)).collect();
    let begin = Instant::now();
    let games = args.play(&pairings, console)?;
    let seconds = begin.elapsed().as_secs_f64();
    args.write_logs(&games)?;
    let totals = SimulationTotals::of(&games, seconds, args);
    match (args.json, args.csv, one, &games[..]) {
        (true, ..) => {
            for game in &games {
                console.json(&GameReport::of(game))?;
            }
            console.json(&totals)?;
        }
        (_, true, ..) => csv::print(&games, &mut console.out)?,
        (.., Some(_), [game]) => one_game::print(game, &mut console.out)?,
        _ => tables::print(&games, &totals, args.all, &mut console.out)?,
    }
    match games.len() == pairings.len() {
        true => Ok(Outcome::Success),
        false => {
            console.hint(INTERRUPTED)?;
            Ok(Outcome::Interrupted)
        }
    }
}

/// The player with these options, with `published:` before them or without.
fn player(options: &str) -> Result<PublishedPlayer, Failure> {
    let text = match options.starts_with("published") {
        true => options.to_owned(),
        false => format!("published:{options}"),
    };
    match text.parse()? {
        Spec::Published { player, seed: None } => Ok(player),
        _ => Err(Failure::usage(format!("`{options}` has a seed of its own"))
            .with_help("`--seed N` is the seed of the simulation")),
    }
}

impl SimulateArgs {
    fn depths(&self) -> Vec<u32> {
        match &self.depth[..] {
            [] => DEPTHS.to_vec(),
            depths => depths.to_vec(),
        }
    }

    /// The one game that is asked for, if only one is.
    fn one_game(&self) -> Result<Option<PublishedPairing>, Failure> {
        if self.red.is_none() && self.black.is_none() {
            return Ok(self.sample.and_then(sample_run));
        }
        Ok(Some(PublishedPairing {
            red: player(self.red.as_deref().unwrap_or_default())?,
            black: player(self.black.as_deref().unwrap_or_default())?,
        }))
    }

    /// The games that were played to their end before Ctrl-C, in order.
    fn play(
        &self,
        pairings: &[(PublishedPairing, u64)],
        console: &Console<'_>,
    ) -> Result<Vec<SimulatedGame>, Failure> {
        let (stop, total) = (console.stop_flag(), pairings.len());
        let mut line = StatusLine::new(console.quiet);
        line.show("searching");
        let progress = Mutex::new((line, 0));
        let play = |&(pairing, seed): &(PublishedPairing, u64)| {
            let game = pairing.play(seed, &stop)?;
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            let (line, played) = &mut *progress;
            *played += 1;
            line.progress(
                *played as f64 / total as f64,
                &format!("{played} of {}", counted(total as u64, "game")),
            );
            Some(SimulatedGame {
                pairing,
                seed,
                game,
            })
        };
        let pool = self.threads.pool()?;
        let games: Vec<Option<SimulatedGame>> =
            pool.install(|| pairings.par_iter().map(play).collect());
        let (mut line, _) = progress
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        line.clear();
        Ok(games.into_iter().flatten().collect())
    }

    fn write_logs(&self, games: &[SimulatedGame]) -> Result<(), Failure> {
        let Some(folder) = &self.logs else {
            return Ok(());
        };
        for SimulatedGame { pairing, game, .. } in games {
            let logs = [
                (false, short_log(pairing, game)),
                (true, full_log(pairing, game)),
            ];
            for (is_full, log) in logs {
                let path = folder.join(log_name(pairing, is_full));
                write_file(&path, log.as_bytes(), Existing::Replace)?;
            }
        }
        Ok(())
    }
}
