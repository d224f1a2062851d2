//! `kolibri scramble`: the same rules in other words.

use std::io::Write;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::catalog::GameSource;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::number::whole;
use crate::cli::output_file::write_output;
use crate::kif::{format, render};
use crate::scramble::Scrambler;

const EXAMPLES: &str = "\
Examples:
  kolibri scramble tictactoe
  kolibri scramble mygame.kif --seed 7 -o other.kif --key other.json
  kolibri scramble nim | kolibri match -";

/// Write rules in other words: same game, names without a meaning
///
/// Keywords and numbers stay. Comments are left out, since they would tell what the words mean.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct ScrambleArgs {
    /// A rule file, the name of a shipped game, or - for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// What the words are drawn from
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the words and those that replace them to this file, as one JSON object
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Replace files that exist; without --force, they are kept, and the command fails
    #[arg(long)]
    force: bool,
}

pub(in crate::cli) fn run(
    args: &ScrambleArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let source = GameSource::find(&args.file)?;
    let scrambler = Scrambler::new(&source.text, args.seed);
    let readable = match source.diagnostics.is_empty() {
        true => format(&source.text).map(|_| ()),
        false => Err(source.diagnostics.clone()),
    };
    if let Err(faults) = readable {
        let drawn = render(&faults, &source.shown(), &source.text, true);
        write!(console.err, "{drawn}")?;
        return Ok(Outcome::Failed);
    }
    let scrambled = scrambler.scramble(&source.text);
    // Other words change no parenthesis.
    let rules = format(scrambled.trim_start()).unwrap_or(scrambled);
    if let Some(path) = &args.key {
        let words = scrambler.key();
        let words: Map<String, Value> = words
            .map(|(word, new)| (word.to_owned(), new.into()))
            .collect();
        write_output(path, &format!("{:#}\n", Value::Object(words)), args.force)?;
    }
    match &args.output {
        Some(path) => write_output(path, &rules, args.force)?,
        None => console.out.write_all(rules.as_bytes())?,
    }
    Ok(Outcome::Success)
}
