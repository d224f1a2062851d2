//! `kolibri player`: a player that match servers call.

use std::io::Write;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::cli::cache_args::CacheArgs;
use crate::cli::commands::engine::{HELLO_TIME, spec_for_others};
use crate::cli::commands::players::listing;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::listen::listen;
use crate::cli::number::whole;
use crate::cli::record_args::RecordArgs;
use crate::cli::seconds::Seconds;
use crate::engine::EngineChoice;
use crate::network_player::{HttpServer, Margin, NetworkPlayer, NetworkPlayerOptions, PlayerEvent};
use crate::play::check_programs;
use crate::util::StopFlag;

const EXAMPLES: &str = "\
Examples:
  kolibri player                                            for servers on this machine
  kolibri player --listen 0.0.0.0:9147 --record games       for all who reach this machine
  kolibri player --player mcts:threads=4,ponder=true --matches 1";

/// Examples, and the players.
fn after_help() -> String {
    format!(
        "{EXAMPLES}\n\n{}Without `time`, a search takes what the clock of the match leaves.",
        listing()
    )
}

/// Play for match servers, over the network
///
/// A player of the General Game Playing protocol: INFO, PREVIEW, START, PLAY, STOP and ABORT over HTTP. It plays one match at a
/// time, and prints a line for each thing that happens. Ctrl-C ends it.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(in crate::cli) struct PlayerArgs {
    /// The address to listen on; with port 0, the system takes any that is free
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:9147")]
    listen: String,
    /// How moves are chosen
    #[arg(short, long, value_name = "SPEC", default_value = "auto:ponder=true")]
    player: String,
    /// The name that servers are told
    #[arg(long, value_name = "NAME", default_value = "Kolibri", value_parser = word)]
    name: String,
    /// Keep S seconds of each clock in reserve, in place of what is learned from the answers given
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    margin: Option<Seconds>,
    /// End after N matches
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    matches: Option<u64>,
    /// The engine that runs the rules; until it is ready, the reasoner does
    #[arg(long, value_enum, default_value_t)]
    engine: EngineChoice,
    #[command(flatten)]
    cache: CacheArgs,
    /// Seed of what is drawn at random
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    #[command(flatten)]
    record: RecordArgs,
}

/// A name that stands in an s-expression as one word.
fn word(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_graphic() && !"();\"".contains(c);
    match !text.is_empty() && text.chars().all(fits) {
        true => Ok(text.to_owned()),
        false => Err("give one word of ASCII, without parentheses".to_owned()),
    }
}

impl PlayerArgs {
    fn options(&self) -> Result<NetworkPlayerOptions, Failure> {
        let spec = spec_for_others(&self.player, "match servers")?;
        check_programs(
            std::slice::from_ref(&spec),
            HELLO_TIME,
            &StopFlag::default(),
        )?;
        let margin = self.margin.map(Seconds::duration);
        let records = self.record.prepare()?;
        Ok(NetworkPlayerOptions {
            name: self.name.clone(),
            spec,
            engine: self.engine,
            cache: self.cache.cache(),
            margin: margin.map_or_else(Margin::learned, Margin::fixed),
            records: records.map(|(folder, format)| (folder.to_owned(), format)),
            seed: self.seed,
        })
    }
}

pub(in crate::cli) fn run(
    args: &PlayerArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let listener = listen(&args.listen)?;
    let (player, events) = NetworkPlayer::new(args.options()?);
    let server = HttpServer::start(listener, player)?;
    writeln!(console.out, "listening on {}", server.address())?;
    console.out.flush()?;
    let outcome = follow(&events, args.matches, console)?;
    drop(server);
    // What ended with the server.
    for event in events.try_iter() {
        show(&event, console)?;
    }
    Ok(outcome)
}

/// Shows what happens until so many matches are over, or the program is asked to end.
fn follow(
    events: &Receiver<PlayerEvent>,
    matches: Option<u64>,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    const TICK: Duration = Duration::from_millis(50);
    let stop = console.stop_flag();
    let mut left = matches;
    while left != Some(0) {
        if stop.is_raised() {
            return Ok(Outcome::Interrupted);
        }
        match events.recv_timeout(TICK) {
            Ok(event) => {
                show(&event, console)?;
                if matches!(event, PlayerEvent::Ended { .. }) {
                    left = left.map(|left| left - 1);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(Outcome::Success)
}

fn show(event: &PlayerEvent, console: &mut Console<'_>) -> Result<(), Failure> {
    if !console.quiet {
        writeln!(console.out, "{event}")?;
        console.out.flush()?;
    }
    Ok(())
}
