//! `kolibri man`: the manual page.

use std::io::Write;

use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  kolibri man | man -l -
  kolibri man perft > kolibri-perft.1";

/// Print the manual page (roff), of the program or of one command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct ManArgs {
    /// The command to describe
    command: Option<String>,
}

pub(in crate::cli) fn run(
    args: &ManArgs,
    mut program: clap::Command,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    program.build();
    let page = match &args.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| unknown(name))?,
    };
    let mut text = Vec::new();
    let version = concat!("kolibri ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(page)
        .source(version)
        .render(&mut text)?;
    console.out.write_all(&text)?;
    Ok(Outcome::Success)
}

fn unknown(name: &str) -> Failure {
    Failure::usage(format!("there is no command `{name}`"))
        .with_help("`kolibri --help` lists the commands")
}
