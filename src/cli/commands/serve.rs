//! `kolibri serve`: games in a browser.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::cli::cache_args::CacheArgs;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::{NamedGame, check_rules};
use crate::cli::listen::listen;
use crate::cli::state_folder;
use crate::serve::{GameServer, ServeError, ServeOptions};

const EXAMPLES: &str = "\
Examples:
  kolibri serve --open                     the games that come with the program
  kolibri serve my-game.kif --open         your own game, too
  kolibri serve --listen 0.0.0.0:9146      for all who reach this machine and know the token";

/// Play in a browser
///
/// Serves a page on which games are played: people against machines or each other, with undo, variations and analysis. Matches
/// are kept on disk after each move. Ctrl-C ends the server.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct ServeArgs {
    /// A shipped game or the path of a rule file, which the page offers at once
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// The address to listen on; with port 0, the system takes any that is free. Any address but one of this machine alone asks
    /// callers for a token
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:9146")]
    listen: String,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    cache: CacheArgs,
}

impl ServeArgs {
    fn options(&self) -> Result<ServeOptions, Failure> {
        let folder = state_folder::matches().ok_or_else(|| {
            Failure::usage("there is no folder in which matches are kept")
                .with_help("set XDG_STATE_HOME or HOME")
        })?;
        let named = self.game.as_deref().map(NamedGame::find).transpose()?;
        if named.as_ref().is_some_and(|named| named.record.is_some()) {
            return Err(Failure::usage("a match record is no rule file")
                .with_help("`kolibri serve` without it; the page opens records"));
        }
        let game = named.map(|named| named.source);
        Ok(ServeOptions {
            folder,
            game,
            cache: self.cache.cache(),
        })
    }
}

impl From<ServeError> for Failure {
    fn from(fault: ServeError) -> Self {
        Self::usage(fault.to_string())
    }
}

pub(in crate::cli) fn run(args: &ServeArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    const TICK: Duration = Duration::from_millis(50);
    let options = args.options()?;
    if let Some(game) = &options.game {
        check_rules(game, console)?;
    }
    let page = match &options.game {
        Some(game) => format!("/new?game={}", encoded(&game.name)),
        None => "/".to_owned(),
    };
    #[cfg(unix)]
    allow_open_files();
    let server = GameServer::start(listen(&args.listen)?, options)?;
    let url = server.url(&page);
    writeln!(console.out, "{url}")?;
    console.out.flush()?;
    console.hint("Ctrl-C ends the server; matches are kept")?;
    if args.open && !open(&url) {
        console.hint("no browser could be opened: open the address yourself")?;
    }
    let stop = console.stop_flag();
    while !stop.is_raised() {
        thread::sleep(TICK);
    }
    drop(server);
    Ok(Outcome::Interrupted)
}

/// Lets the server have as many connections as it takes, with a file for each match. Systems often allow 1024 open files unless a
/// program asks for more; when all are taken, nobody is let in.
#[cfg(unix)]
fn allow_open_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    const ENOUGH: u64 = 4096;
    let mut limit = getrlimit(Resource::Nofile);
    let is_enough = limit.current.is_none_or(|current| current >= ENOUGH);
    limit.current = Some(limit.maximum.map_or(ENOUGH, |maximum| maximum.min(ENOUGH)));
    if !is_enough {
        // Where the system refuses, fewer can be let in.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// A name as part of an address.
fn encoded(name: &str) -> String {
    form_urlencoded::byte_serialize(name.as_bytes()).collect()
}

/// Opens an address in the browser of the desktop; whether a program for that could be started.
fn open(url: &str) -> bool {
    let (program, first): (&str, &[&str]) = match () {
        () if cfg!(target_os = "macos") => ("open", &[]),
        () if cfg!(windows) => ("rundll32", &["url.dll,FileProtocolHandler"]),
        () => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(first).arg(url);
    let started = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    started.spawn().is_ok()
}
