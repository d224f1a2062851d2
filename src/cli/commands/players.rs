//! `kolibri players`: the players and their options.

use std::fmt::Write as _;
use std::io::Write as _;

use serde::Serialize;

use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::play::{LEVELS, PLAYER_KINDS, PlayerKind, PlayerOption};

const EXAMPLES: &str = "\
Examples:
  kolibri players
  kolibri match nim --player minimax:depth=6 --player ROLE=mcts:time=0.5,threads=2";

/// List the players and their options
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct PlayersArgs {
    /// Print one JSON object per player
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PlayerReport {
    player: &'static str,
    meaning: &'static str,
    options: Vec<OptionReport>,
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
    if !args.json {
        write!(console.out, "{}", listing())?;
        return Ok(Outcome::Success);
    }
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
        })?;
    }
    Ok(Outcome::Success)
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
