//! Everything that was typed.

use std::ffi::OsString;
use std::path::Path;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::catalog::SHIPPED;
use crate::cli::commands::CliCommand;
use crate::cli::failure::Failure;
use crate::cli::global::GlobalArgs;
use crate::generate::FAMILIES;

const EXAMPLES: &str = "\
Examples:
  kolibri match kolibrat                 watch two players, board by board
  kolibri play tictactoe                 you against the machine
  kolibri search connect-four            the best move, its value, and why
  kolibri games                          the games that come with the program
  kolibri check mygame.kif               find the mistakes in a rule file
  kolibri moves mygame.kif               the first position and what may be played
  kolibri bench checkers --seconds 10    how fast random games go

A GAME is the name of a shipped game, the path of a rule file, or - for standard input.
`kolibri COMMAND --help` lists the options of a command.";

/// Plays any game whose rules are written in GDL.
#[derive(Debug, Parser)]
#[command(name = "kolibri", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct CommandLine {
    #[command(flatten)]
    pub(super) global: GlobalArgs,
    #[command(subcommand)]
    pub(super) command: CliCommand,
}

/// What is wrong with what was typed: a game where a command belongs is worth a word of its own, and so is a game that cannot be
/// generated. `args` begins with the name of the program.
pub(super) fn misread(fault: clap::Error, args: &[OsString]) -> Failure {
    let named = match fault.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(named)) if fault.kind() == ErrorKind::InvalidSubcommand => named,
        _ => return Failure::Clap(fault),
    };
    let first = args
        .iter()
        .skip(1)
        .find(|word| !word.as_encoded_bytes().starts_with(b"-"));
    let mut before = args.iter().take_while(|word| *word != named.as_str());
    if before.any(|word| word == "generate") {
        return unknown_family(named);
    }
    if first.is_none_or(|first| first != named.as_str()) {
        return Failure::Clap(fault);
    }
    let is_shipped = SHIPPED.iter().any(|game| game.name == named);
    match is_shipped || Path::new(named).is_file() {
        true => Failure::usage(format!(
            "`{named}` is a game, and a command is missing before it"
        ))
        .with_help(format!(
            "`kolibri play {named}` plays it; `kolibri --help` lists the commands"
        )),
        false => Failure::Clap(fault),
    }
}

/// `generate` was asked for a game that it does not know.
fn unknown_family(named: &str) -> Failure {
    let known: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    Failure::usage(format!("`{named}` cannot be generated")).with_help(format!(
        "these games can: {}; `kolibri generate GAME --help` shows the options of one",
        known.join(", ")
    ))
}
