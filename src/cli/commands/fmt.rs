//! `kolibri fmt`: rule files laid out alike.

use std::io::Write;
use std::path::Path;

use crate::catalog::{GameSource, Origin};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::rule_file::{
    lines_that_differ, locate, say_what_was_fixed, show_difference, write_back,
};
use crate::gdl::{FixKinds, load, mend};
use crate::kif::{Diagnostic, format, render};

const EXAMPLES: &str = "\
Examples:
  kolibri fmt mygame.kif                 print it formatted
  kolibri fmt mygame.kif --write         format the file in place
  kolibri fmt mygame.kif --fix --write   apply the safe fixes of `check` first
  kolibri fmt games/*.kif --check        list the files whose format differs
  kolibri fmt mygame.kif --diff          show what would change
  kolibri fmt tictactoe > mygame.kif     start from a copy of a shipped game
  kolibri fmt - < mygame.kif";

/// Format rule files: indentation, line breaks, spaces; comments and meaning are kept
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct FmtArgs {
    /// Rule files, names of shipped games, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Change nothing; list the files that would change, and exit with 1 if there are any
    #[arg(long, conflicts_with_all = ["write", "diff"])]
    check: bool,
    /// Change nothing; show what would change, and exit with 1 if anything would
    #[arg(long, conflicts_with = "write")]
    diff: bool,
    /// Apply the safe fixes of `kolibri check` before
    #[arg(long)]
    fix: bool,
    /// Change the files instead of printing
    #[arg(short, long)]
    write: bool,
}

pub(in crate::cli) fn run(args: &FmtArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Success;
    for file in &args.files {
        let source = read(file)?;
        let fixed = match args.fix {
            true => fixed(&source, console)?,
            false => source.clone(),
        };
        match laid_out(&fixed) {
            Ok(text) if args.check || args.diff => {
                if text != source.text {
                    outcome = Outcome::Failed;
                    show_change(&source, &text, args.diff, console)?;
                }
            }
            Ok(text) if args.write => write(&source, &text, console)?,
            Ok(text) => console.out.write_all(text.as_bytes())?,
            Err(faults) => {
                outcome = Outcome::Failed;
                let drawn = render(&faults, &fixed.shown(), &fixed.text, true);
                write!(console.err, "{drawn}")?;
            }
        }
    }
    Ok(outcome)
}

/// A file comes first, even if a shipped game is called the same.
fn read(file: &str) -> Result<GameSource, Failure> {
    let path = Path::new(file);
    Ok(match file {
        asked if asked != "-" && path.exists() => GameSource::from_file(path)?,
        asked => GameSource::find(asked)?,
    })
}

/// The source with its safe fixes applied, which are told on standard error.
fn fixed(source: &GameSource, console: &mut Console<'_>) -> Result<GameSource, Failure> {
    if !source.diagnostics.is_empty() {
        return Ok(source.clone());
    }
    let mended = mend(&source.text, FixKinds::Safe, load);
    say_what_was_fixed(&locate(source, &mended.applied), &mut console.err)?;
    Ok(GameSource {
        text: mended.text,
        ..source.clone()
    })
}

fn show_change(
    source: &GameSource,
    text: &str,
    as_difference: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    if as_difference {
        return show_difference(source, text, console);
    }
    let lines = match lines_that_differ(&source.text, text) {
        1 => "1 line differs".to_owned(),
        count => format!("{count} lines differ"),
    };
    writeln!(console.out, "{}: {lines}", source.shown())?;
    Ok(())
}

/// The text laid out; never of one that cannot be read as it stands.
fn laid_out(source: &GameSource) -> Result<String, Vec<Diagnostic>> {
    // A malformed comment is shown with replacement characters, which must not end up in the file.
    match source.diagnostics.is_empty() {
        true => format(&source.text),
        false => Err(source.diagnostics.clone()),
    }
}

fn write(source: &GameSource, text: &str, console: &mut Console<'_>) -> Result<(), Failure> {
    match &source.origin {
        Origin::Stdin | Origin::Text => Ok(console.out.write_all(text.as_bytes())?),
        Origin::File(_) | Origin::Shipped => write_back(source, text),
    }
}
