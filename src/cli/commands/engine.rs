//! `kolibri engine`: a player that other programs start.

use std::io::{self, BufReader, IsTerminal};
use std::time::Duration;

use crate::cli::cache_args::CacheArgs;
use crate::cli::commands::players::listing;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::number::whole;
use crate::engine::EngineChoice;
use crate::engine_player::{EnginePlayerOptions, serve_host};
use crate::play::{Spec, check_files, check_programs, no_evaluation};
use crate::util::StopFlag;

const EXAMPLES: &str = "\
Examples:
  kolibri engine --player mcts:threads=2                    for programs that start it
  kolibri match reversi --player 'exec:kolibri engine' --player white=random";

/// Examples, and the players.
fn after_help() -> String {
    format!(
        "{EXAMPLES}\n\n{}Without `time`, a search takes the clock of the match.",
        listing()
    )
}

/// Play for another program, on standard input and output
///
/// Reads messages of the engine protocol, one JSON object per line, and answers in the same way. It ends when its input does.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(in crate::cli) struct EnginePlayerArgs {
    /// How moves are chosen
    #[arg(short, long, value_name = "SPEC", default_value = "auto")]
    player: String,
    /// The engine that runs the rules; until it is ready, the reasoner does
    #[arg(long, value_enum, default_value_t)]
    engine: EngineChoice,
    #[command(flatten)]
    cache: CacheArgs,
    /// Seed of what is drawn at random
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
}

/// The player of those who play for others: a person or a player on the network cannot.
pub(super) fn spec_for_others(text: &str, whom: &str) -> Result<Spec, Failure> {
    let spec = Spec::under_clocks(text)?;
    if spec == Spec::Human {
        return Err(Failure::usage(format!("a person cannot answer {whom}"))
            .with_help("`kolibri play GAME` asks a person for moves"));
    }
    if matches!(spec, Spec::Remote(_)) {
        return Err(Failure::usage(
            "a player on the network cannot answer in place of this one",
        ));
    }
    if matches!(spec, Spec::Published { .. }) {
        return Err(Failure::usage(format!(
            "`{spec}`, which no clock stops, cannot answer {whom}"
        ))
        .with_help("`kolibri match checkers` lets it play"));
    }
    if let Some(name) = spec.evaluation() {
        return Err(no_evaluation(name, &[]).into());
    }
    check_files(&spec)?;
    Ok(spec)
}

/// How long a program may take to say hello.
pub(super) const HELLO_TIME: Duration = Duration::from_secs(30);

pub(in crate::cli) fn run(
    args: &EnginePlayerArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let spec = spec_for_others(&args.player, "a host")?;
    check_programs(
        std::slice::from_ref(&spec),
        HELLO_TIME,
        &StopFlag::default(),
    )?;
    let options = EnginePlayerOptions {
        spec,
        engine: args.engine,
        cache: args.cache.cache(),
        seed: args.seed,
    };
    if io::stdin().is_terminal() {
        console.hint("waiting for messages of a host; Ctrl-D ends")?;
    }
    serve_host(BufReader::new(io::stdin()), &mut console.out, &options)?;
    Ok(Outcome::Success)
}
