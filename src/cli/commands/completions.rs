//! `kolibri completions`: words the shell can finish.

use std::io::Write;

use clap_complete::Shell;

use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  kolibri completions bash > ~/.local/share/bash-completion/completions/kolibri
  kolibri completions zsh  > ~/.zfunc/_kolibri
  kolibri completions fish > ~/.config/fish/completions/kolibri.fish";

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

pub(in crate::cli) fn run(
    args: &CompletionsArgs,
    mut program: clap::Command,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    // The generator panics where it cannot write, so it writes into memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "kolibri", &mut script);
    console.out.write_all(&script)?;
    Ok(Outcome::Success)
}
