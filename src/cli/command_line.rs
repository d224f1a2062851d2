//! Everything that was typed.

use clap::Parser;

use crate::cli::commands::CliCommand;
use crate::cli::global::GlobalArgs;

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
