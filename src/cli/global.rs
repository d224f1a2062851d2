//! Options that every command takes.

use clap::{ArgAction, ValueEnum};

/// Options that every command takes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct GlobalArgs {
    /// When to use colour (the environment variable NO_COLOR turns it off as well)
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, global = true)]
    pub(super) color: ColorWhen,
    /// Print more about what happens; twice for still more
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub(super) verbose: u8,
    /// Print only what was asked for, without remarks; of findings, only errors
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
