//! What was typed.

use clap::{ArgAction, Parser, Subcommand, ValueEnum};

use crate::cli::commands;

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
pub(super) struct Args {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Options that every command takes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Global {
    /// When to use colour (the environment variable NO_COLOR turns it off as well)
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, global = true)]
    pub(super) color: ColorWhen,
    /// Print more about what happens; twice for still more
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub(super) verbose: u8,
    /// Print only errors
    #[arg(short, long, conflicts_with = "verbose", global = true)]
    pub(super) quiet: bool,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorWhen {
    /// On a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// One variant per command; each has a file of its own in `commands`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Check(commands::check::Args),
    Fmt(commands::fmt::Args),
    Info(commands::info::Args),
    Show(commands::show::Args),
    Match(commands::matches::Args),
    Play(commands::play::Args),
    Search(commands::search::Args),
    Moves(commands::moves::Args),
    Perft(commands::perft::Args),
    Bench(commands::bench::Args),
    Compare(commands::compare::Args),
    Verify(commands::verify::Args),
    Games(commands::games::Args),
    Generate(commands::generate::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}
