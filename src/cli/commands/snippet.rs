//! `kolibri snippet`: facts and rules that authors need again and again.

use std::io::Write;

use crate::catalog::most_similar;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::generate::{SNIPPETS, Snippet, SnippetError};

const SNIPPET_HELP: &str = "\
Snippets:
  counter 0..60     the successor of each number
  less 0..20        successors, and rules for the order
  sum 0..20         the sum of every two numbers
  board 8x8         a blank board, and its frame rule
  lines 3 of 5x5    a rule for every straight line
  adjacent 8x8      the cells that touch; `4 of 8x8` without corners
  diagonal 8x8      the cells that touch at a corner
  graph a-b b-c     edges that lead both ways
  turns x o         roles that move in turn

Examples:
  kolibri snippet turns x o > mygame.kif
  kolibri snippet board 3x3 >> mygame.kif
  kolibri snippet lines 3 of 3x3 >> mygame.kif";

/// Print facts and rules for numbers, sums, boards, lines, graphs, or turns
///
/// GDL has no arithmetic, no boards and no turns: all of it is written as facts and rules.
#[derive(Debug, clap::Args)]
#[command(after_help = SNIPPET_HELP)]
pub(in crate::cli) struct SnippetArgs {
    /// What to print, and its size
    #[arg(value_name = "SNIPPET")]
    words: Vec<String>,
}

pub(in crate::cli) fn run(
    args: &SnippetArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    if args.words.is_empty() {
        return Err(Failure::usage("say which snippet").with_help(all_names()));
    }
    let snippet = Snippet::read(&args.words).map_err(|fault| unknown(&fault))?;
    write!(console.out, "{snippet}")?;
    Ok(Outcome::Success)
}

fn unknown(fault: &SnippetError) -> Failure {
    let failure = Failure::usage(fault.to_string());
    let SnippetError::Unknown(name) = fault else {
        return failure;
    };
    let names = SNIPPETS.iter().map(|(name, ..)| *name);
    failure.with_help(match most_similar(name, names) {
        Some(similar) => format!("did you mean `{similar}`? {}", all_names()),
        None => all_names(),
    })
}

fn all_names() -> String {
    let names: Vec<&str> = SNIPPETS.iter().map(|(name, ..)| *name).collect();
    format!("the snippets are {}; `--help` shows each", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_lists_every_snippet() {
        for (_, example, meaning) in SNIPPETS {
            let line = format!("  {example:<18}{meaning}\n");
            assert!(SNIPPET_HELP.contains(&line), "{line}");
        }
    }
}
