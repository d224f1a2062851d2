//! `kolibri states`: how large a game is.

mod disk;
#[cfg(feature = "cluster")]
mod on_cluster;
mod report;
mod symbolic;
mod symmetry;

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

pub(in crate::cli) use self::report::state_bars;
use self::report::{KnownStates, StatesReport};
use self::symmetry::ShownClasses;
pub(in crate::cli) use self::symmetry::SymmetryChoice;
#[cfg(feature = "cluster")]
use crate::cli::cluster_args::ClusterArgs;
use crate::cli::console::{Console, Stream};
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::cli::output_file::{check_output, write_output};
use crate::cli::space_args::{MOST_DRAWN, SpaceArgs, SpaceQuestion, advice};
use crate::cli::style;
use crate::game::StateMachine;
use crate::state_space::{
    GameCount, GraphUse, SpaceError, StateCodec, StateDiagram, StateSpace, TooLarge, UncountedGames,
};
use crate::util::Expired;

const EXAMPLES: &str = "\
Examples:
  kolibri states tictactoe
  kolibri states kolibrat --threads 2 --csv
  kolibri states kolibrat --symmetry=swap               mirrored boards and exchanged roles count once
  kolibri states nim --svg nim.svg
  kolibri states fakelogic --dot fakelogic.dot      then: dot -Tsvg fakelogic.dot -o fakelogic.svg
  kolibri states mygame.kif --memory 1024 --json
  kolibri states mygame.kif --memory 1024 --disk /scratch      more states than fit into memory
  kolibri states connect-four --symbolic --time 60
  kolibri states mygame.kif --hosts hosts.txt --process 0     together with other processes: one address a line";

/// Count all states that a game can reach, and all games
///
/// States are enumerated ply by ply from the initial one, and each counts once, however it is reached. Memory limits how far
/// that goes. Games are counted as long as there is room for the joint moves between states.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct StatesArgs {
    #[command(flatten)]
    space: SpaceArgs,
    /// Print how many states each ply adds, as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Enumerate one of the states that symmetries of the game, such as those of the board, make of each other, and count games but
    /// for them; with `swap`, symmetries that exchange the two roles are used, too
    #[arg(long, value_name = "ROLES", num_args = 0..=1, require_equals = true, default_missing_value = "keep")]
    symmetry: Option<SymmetryChoice>,
    /// Keep the states in sorted files in FOLDER, which take the place of memory; the files have no names, and end with the program
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["symbolic", "dot", "checkpoint"])]
    #[cfg_attr(feature = "cluster", arg(conflicts_with = "hosts"))]
    disk: Option<PathBuf>,
    /// Count states by decision diagrams, without enumerating them
    #[arg(long, conflicts_with_all = ["symmetry", "dot", "svg", "max_states", "checkpoint"])]
    symbolic: bool,
    /// Write all states and moves as a graph in the language of Graphviz, of at most 1000 states
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write a picture of how many states there are by plies and by joint moves
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Replace files that exist; without --force, they are kept, and the command fails
    #[arg(long)]
    force: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: ClusterArgs,
}

pub(in crate::cli) fn run(
    args: &StatesArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    for path in args.dot.iter().chain(&args.svg) {
        check_output(path, args.force)?;
    }
    #[cfg(feature = "cluster")]
    if args.cluster.is_asked_for() {
        return on_cluster::run(args, console);
    }
    let (named, game) = args.space.open(console)?;
    if args.symbolic {
        return symbolic::run(args, &named.source, &game, console);
    }
    let deadline = args.space.deadline(console);
    let choice = args.symmetry;
    let symmetries = choice.map(|choice| choice.group(&named.source, &game, &deadline));
    let symmetries = symmetries.transpose()?.map(Arc::new);
    if let Some(folder) = &args.disk {
        let of = (&named.source, &game);
        return disk::run(args, folder, of, symmetries, console);
    }
    if let Some(path) = &args.dot {
        let diagram = StateDiagram::of_game(&game, MOST_DRAWN, &deadline).map_err(not_drawn)?;
        write_output(path, &diagram.dot(&game), args.force)?;
    }
    let begin = Instant::now();
    let asked = SpaceQuestion {
        graph: GraphUse::IfRoom,
        one_chooses: false,
        symmetries: symmetries.clone(),
    };
    let mut enumerated = args.space.enumerate(&named.source, &game, asked, console)?;
    let seconds = begin.elapsed().as_secs_f64();
    let space = enumerated.as_ref().ok();
    let bytes = space.map(|space| space.bytes() as f64 / space.classes() as f64);
    let enumerated_states = space.map(StateSpace::classes);
    let games = enumerated.as_mut().ok();
    let games = games.map(|space| space.count_games(&game, &deadline));
    let (totals, found, stopped) = match enumerated {
        Ok(space) => (space.totals().clone(), space.totals().states, None),
        Err(unfinished) => (unfinished.totals, unfinished.found, Some(unfinished.why)),
    };
    let stopped = match games {
        Some(Err(UncountedGames::Expired(why))) => Some(SpaceError::Expired(why)),
        _ => stopped,
    };
    let games = games.and_then(Result::ok);
    let classes = symmetries.zip(enumerated_states);
    let classes = classes.map(|(group, found)| ShownClasses::new(&group, found, games.as_ref()));
    let games = games.map(|games| games.all);
    let known = KnownStates {
        game: &named.source.name,
        roles: game.roles(),
        bits: StateCodec::new(&game).bits(),
        totals,
        found,
        stopped: stopped.as_ref(),
        seconds,
    };
    let report = StatesReport {
        bytes_per_state: bytes,
        classes,
        games: games.as_ref().and_then(digits),
        infinite: games.map(|games| games == GameCount::Infinite),
        counts_games: true,
        ..StatesReport::new(args, known)
    };
    report.print(args, console)?;
    ended(stopped, console)
}

/// How the command ends, after what it has printed.
fn ended(stopped: Option<SpaceError>, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    match stopped {
        None => Ok(Outcome::Success),
        Some(SpaceError::Expired(Expired::Interrupted)) => {
            console.hint(INTERRUPTED)?;
            Ok(Outcome::Interrupted)
        }
        Some(why) => {
            let help = match &why {
                SpaceError::OutOfMemory(_) => {
                    "give more with `--memory`, or keep states on the disk with `--disk`"
                }
                why => advice(why),
            };
            Err(Failure::finding(format!("{why}: this is not all")).with_help(help))
        }
    }
}

/// In digits, unless there are infinitely many.
fn digits(games: &GameCount) -> Option<String> {
    match games {
        GameCount::Finite(games) => Some(games.to_string()),
        GameCount::Infinite => None,
    }
}

fn not_drawn(fault: TooLarge) -> Failure {
    match fault {
        TooLarge::Expired(why) => why.into(),
        fault => Failure::finding(fault.to_string())
            .with_help("leave out `--dot`: a larger graph cannot be read"),
    }
}

/// How many states each ply adds, as a table.
fn print_plies(by_ply: &[impl Display], out: &mut Stream<'_>) -> io::Result<()> {
    let faint = style::FAINT;
    writeln!(out, "\n{faint}  ply        states{faint:#}")?;
    for (ply, states) in by_ply.iter().enumerate() {
        writeln!(out, "{ply:>5} {:>13}", states.to_string())?;
    }
    Ok(())
}

fn print_csv(by_ply: &[impl Display], out: &mut Stream<'_>) -> io::Result<()> {
    writeln!(out, "ply,states")?;
    for (ply, states) in by_ply.iter().enumerate() {
        writeln!(out, "{ply},{states}")?;
    }
    Ok(())
}
