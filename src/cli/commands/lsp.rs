//! `kolibri lsp`: the language server.

use std::io;

use crate::cli::failure::{Failure, Outcome};
use crate::lsp::{ServerEnd, serve};

const LSP_HELP: &str = "\
An editor starts this program and talks to it over standard input and output; started by hand it waits for
messages. The log goes to standard error.

Examples:
  kolibri lsp";

/// Serve an editor: diagnostics, hover, completion, rename and more while rules are written
///
/// A language server for rule files (Language Server Protocol).
#[derive(Debug, clap::Args)]
#[command(after_help = LSP_HELP)]
pub(in crate::cli) struct LspArgs {
    /// Use standard input and output, as it always does: some editors add this
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(in crate::cli) fn run(_: &LspArgs) -> Result<Outcome, Failure> {
    // Not the stream of the console: that one changes colours, and the length of every message is announced.
    match serve(&mut io::stdout())? {
        ServerEnd::ShutDown => Ok(Outcome::Success),
        ServerEnd::Abandoned => Ok(Outcome::Failed),
    }
}
