//! `kolibri cache`: networks, plans and boards of games, and what was learned of them, kept for the next time.

use std::env;
use std::io::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::cli::cache_args::cache;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::files::{CacheEntry, FileCache, game_of_entry};
use crate::search::{SavedWeights, game_of_trial};

const EXAMPLES: &str = "\
Examples:
  kolibri cache               what is kept, and where
  kolibri cache clear         removes it; it is made again when it is needed

The cache is in the folder that KOLIBRI_CACHE names, otherwise in the one for caches of the platform. An empty KOLIBRI_CACHE turns it off.";

/// List what is kept of compiled rules, of plans, of boards, of learned weights and of trial matches, or remove it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct CacheCommandArgs {
    #[command(subcommand)]
    command: Option<CacheCommand>,
    /// Print one JSON object per entry
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum CacheCommand {
    /// Remove all entries
    Clear,
    /// List all entries, as without a subcommand
    List {
        /// Print one JSON object per entry
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct CacheEntryReport<'e> {
    entry: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    bytes: u64,
    used: u64,
}

pub(in crate::cli) fn run(
    args: &CacheCommandArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let Some(cache) = cache() else {
        return Err(no_folder());
    };
    if cache.folder().is_file() {
        let folder = cache.folder().display();
        return Err(
            Failure::usage(format!("`{folder}` is a file, not a folder"))
                .with_help("let KOLIBRI_CACHE name a folder; it is made when it is needed"),
        );
    }
    match args.command {
        Some(CacheCommand::Clear) => clear(&cache, console)?,
        Some(CacheCommand::List { json }) => list(&cache, json, console)?,
        None => list(&cache, args.json, console)?,
    }
    Ok(Outcome::Success)
}

fn no_folder() -> Failure {
    match env::var_os("KOLIBRI_CACHE") {
        Some(_) => Failure::usage("the cache is turned off: KOLIBRI_CACHE is empty")
            .with_help("let KOLIBRI_CACHE name a folder, or unset it"),
        None => Failure::usage("there is no folder for the cache")
            .with_help("set KOLIBRI_CACHE, XDG_CACHE_HOME or HOME"),
    }
}

fn list(cache: &FileCache, json: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    let entries = cache.entries();
    if json {
        let reports = entries.iter().map(|entry| CacheEntryReport {
            entry: &entry.name,
            game: game_of(cache, entry),
            bytes: entry.bytes,
            used: seconds_of(entry.used),
        });
        return reports
            .into_iter()
            .try_for_each(|report| console.json(&report));
    }
    let width = entries.iter().map(|entry| entry.name.len()).max();
    let width = width.unwrap_or_default();
    for entry in &entries {
        let ago = entry.used.elapsed().unwrap_or_default();
        let game = game_of(cache, entry).unwrap_or_default();
        writeln!(
            console.out,
            "{:width$}  {:>10} bytes  used {:>6} ago  {game}",
            entry.name,
            entry.bytes,
            roughly(ago)
        )?;
    }
    let what = sum(&entries);
    let folder = cache.folder().display();
    console.hint(&format!("{what} in {folder}"))
}

/// The game that an entry is about, if it is whole.
fn game_of(cache: &FileCache, entry: &CacheEntry) -> Option<String> {
    let bytes = cache.peek(&entry.name)?;
    let weights = SavedWeights::from_bytes(&bytes).ok();
    let game = weights.map(|saved| saved.subject().game.clone());
    game.or_else(|| game_of_entry(&bytes))
        .or_else(|| game_of_trial(&bytes))
}

fn clear(cache: &FileCache, console: &mut Console<'_>) -> Result<(), Failure> {
    let removed = cache.clear().map_err(|why| {
        let folder = cache.folder().display();
        Failure::usage(format!("`{folder}` cannot be cleared: {why}"))
            .with_help("remove the folder by hand")
    })?;
    writeln!(console.out, "removed {}", sum(&removed))?;
    Ok(())
}

fn sum(entries: &[CacheEntry]) -> String {
    let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    match entries.len() {
        1 => format!("1 entry of {bytes} bytes"),
        count => format!("{count} entries of {bytes} bytes"),
    }
}

/// A time in the largest unit of which there is at least one.
fn roughly(time: Duration) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400, "d"), (3600, "h"), (60, "min")];
    let seconds = time.as_secs();
    let unit = UNITS.iter().find(|(length, _)| seconds >= *length);
    match unit {
        Some((length, name)) => format!("{} {name}", seconds / length),
        None => format!("{seconds} s"),
    }
}

/// Seconds since 1970.
fn seconds_of(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
