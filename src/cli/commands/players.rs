//! `kolibri players`: the players and their options, and those in folders.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::commands::engine::HELLO_TIME;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::state_folder;
use crate::play::{
    InstallError, InstalledPlayer, InstalledPlayers, LEVELS, PLAYER_KINDS, PlayerKind,
    PlayerOption, say_hello,
};

const EXAMPLES: &str = "\
Examples:
  kolibri players
  kolibri players install player.py                  then `--player player` asks for it
  kolibri match nim --player minimax:depth=6 --player ROLE=mcts:time=0.5,threads=2";

/// List the players and their options, or install one
///
/// Programs in the folders of players are listed, too, and are asked for by their names.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct PlayersArgs {
    #[command(subcommand)]
    command: Option<PlayersCommand>,
    /// Print one JSON object per player
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum PlayersCommand {
    Install(InstallArgs),
}

/// Copy a player program to your folder of players
///
/// PATH is a file that can be executed, or a folder with a file player.toml, which names the program: command = ["python3", "player.py"].
/// The program must say hello before it is copied.
#[derive(Debug, clap::Args)]
struct InstallArgs {
    /// The program, or the folder
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Replace a player of the same name
    #[arg(short, long)]
    force: bool,
}

#[derive(Serialize)]
struct PlayerReport<'p> {
    player: &'p str,
    meaning: &'p str,
    options: Vec<OptionReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'p Path>,
}

/// A file or folder among the players that is none.
#[derive(Serialize)]
struct LeftOutPlayerReport<'p> {
    left_out: &'p Path,
    why: &'p str,
}

#[derive(Serialize)]
struct OptionReport {
    option: &'static str,
    value: &'static str,
    meaning: &'static str,
    default: &'static str,
}

pub(in crate::cli) fn run(
    args: &PlayersArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    if let Some(PlayersCommand::Install(args)) = &args.command {
        return install(args, console);
    }
    let installed = InstalledPlayers::find();
    match args.json {
        true => print_json(&installed, console)?,
        false => print(&installed, console)?,
    }
    Ok(Outcome::Success)
}

fn print(installed: &InstalledPlayers, console: &mut Console<'_>) -> Result<(), Failure> {
    write!(console.out, "{}", listing())?;
    if !installed.players.is_empty() {
        writeln!(
            console.out,
            "Installed players, written PLAYER or PLAYER:ARGUMENTS:"
        )?;
    }
    for player in &installed.players {
        let (name, path) = (&player.name, player.path.display());
        let meaning = player
            .meaning
            .as_deref()
            .map(|meaning| format!("{meaning}, "));
        writeln!(
            console.out,
            "  {name:<8}  {}{path}",
            meaning.unwrap_or_default()
        )?;
    }
    for left_out in &installed.left_out {
        console.hint(&left_out.to_string())?;
    }
    Ok(())
}

fn install(args: &InstallArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let stop = console.stop_flag();
    let folder = state_folder::own_players().ok_or_else(|| {
        Failure::usage("there is no folder for players").with_help("set XDG_DATA_HOME or HOME")
    })?;
    let player = InstalledPlayer::read(&args.path).map_err(InstallError::NoPlayer)?;
    say_hello(&player.program, HELLO_TIME, &stop)?;
    let installed = player.install(&folder, args.force)?;
    let (name, path) = (&installed.name, installed.path.display());
    writeln!(console.out, "`--player {name}` is {path}")?;
    Ok(Outcome::Success)
}

fn print_json(installed: &InstalledPlayers, console: &mut Console<'_>) -> Result<(), Failure> {
    for kind in PLAYER_KINDS {
        let options = kind.options.iter().map(|option| OptionReport {
            option: option.name,
            value: option.value,
            meaning: option.meaning,
            default: option.default,
        });
        console.json(&PlayerReport {
            player: kind.name,
            meaning: kind.meaning,
            options: options.collect(),
            argument: kind.argument.as_ref().map(|argument| argument.name),
            path: None,
        })?;
    }
    for player in &installed.players {
        console.json(&PlayerReport {
            player: &player.name,
            meaning: player.meaning.as_deref().unwrap_or_default(),
            options: Vec::new(),
            argument: Some("ARGUMENTS"),
            path: Some(&player.path),
        })?;
    }
    for left_out in &installed.left_out {
        console.json(&LeftOutPlayerReport {
            left_out: &left_out.path,
            why: &left_out.why,
        })?;
    }
    Ok(())
}

/// The players and their options, for people.
pub(super) fn listing() -> String {
    let mut text = String::from("Players:\n");
    for PlayerKind {
        name,
        meaning,
        options,
        ..
    } in PLAYER_KINDS
    {
        let names: Vec<&str> = options.iter().map(|option| option.name).collect();
        let _ = writeln!(text, "  {name:<8}  {meaning}");
        if !names.is_empty() {
            let _ = writeln!(text, "            options: {}", names.join(", "));
        }
    }
    text.push_str("Levels, each a name for a player:\n");
    for level in LEVELS {
        let (name, meaning, player) = (level.name, level.meaning, level.player);
        let _ = writeln!(text, "  {name:<8}  {meaning}: {player}");
    }
    text.push_str("Options, written PLAYER:OPTION=VALUE,OPTION=VALUE:\n");
    let mut shown: Vec<&str> = Vec::new();
    for option in PLAYER_KINDS.iter().flat_map(|kind| kind.options) {
        let PlayerOption {
            name,
            value,
            meaning,
            default,
            ..
        } = option;
        if !shown.contains(name) {
            shown.push(name);
            let written = format!("{name}={value}");
            let _ = writeln!(text, "  {written:<18}  {meaning} [default: {default}]");
        }
    }
    text
}
