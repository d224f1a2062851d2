//! `kolibri fmt`: rule files laid out alike.

use std::io::Write;
use std::path::Path;

use crate::catalog::{GameSource, Origin};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::files::{Existing, WriteError, write_file};
use crate::kif::{Diagnostic, format, render};

const EXAMPLES: &str = "\
Examples:
  kolibri fmt mygame.kif                 print it formatted
  kolibri fmt mygame.kif --write         format the file in place
  kolibri fmt games/*.kif --check        list the files whose format differs
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
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Change the files instead of printing
    #[arg(short, long)]
    write: bool,
}

pub(in crate::cli) fn run(args: &FmtArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Success;
    for file in &args.files {
        let source = read(file)?;
        match laid_out(&source) {
            Ok(text) if args.check => {
                if text != source.text {
                    outcome = Outcome::Failed;
                    writeln!(console.out, "{}", source.shown())?;
                }
            }
            Ok(text) if args.write => write(&source, &text, console)?,
            Ok(text) => console.out.write_all(text.as_bytes())?,
            Err(faults) => {
                outcome = Outcome::Failed;
                let drawn = render(&faults, &source.shown(), &source.text, true);
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
        Origin::File(_) if source.text == text => Ok(()),
        Origin::File(path) => {
            let is_unchanged =
                |path: &Path| GameSource::from_file(path).is_ok_and(|now| now.text == source.text);
            write_file(path, text.as_bytes(), Existing::ReplaceIf(&is_unchanged)).map_err(unwritten)
        }
        Origin::Shipped => Err(Failure::usage(format!(
            "the shipped game `{}` is not a file that can be changed",
            source.name
        ))
        .with_help("leave out `--write`, and redirect the output to a file")),
        Origin::Stdin | Origin::Text => Ok(console.out.write_all(text.as_bytes())?),
    }
}

fn unwritten(fault: WriteError) -> Failure {
    let shown = fault.path.display();
    match fault.is_existing_file() {
        true => Failure::usage(format!("`{shown}` was changed while it was formatted"))
            .with_help("format it again; what is in the file now was kept"),
        false => fault.into(),
    }
}
