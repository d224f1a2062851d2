//! Rule files that a command changes: fixed, formatted, written back, or shown as a difference.

use std::io::{self, Write};
use std::path::Path;

use anstyle::Style;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use crate::catalog::{GameSource, Origin};
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::style;
use crate::files::{Existing, WriteError, write_file};
use crate::gdl::AppliedFix;
use crate::kif::LineIndex;

/// Replaces the file that `source` was read from, unless it was changed meanwhile.
pub(super) fn write_back(source: &GameSource, text: &str) -> Result<(), Failure> {
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
        .with_help(format!(
            "`kolibri fmt {name} > my-{name}.kif` makes a copy that can be",
            name = source.name
        ))),
        Origin::Stdin | Origin::Text => Err(Failure::usage(
            "standard input is not a file that can be changed",
        )
        .with_help("name the file")),
    }
}

fn unwritten(fault: WriteError) -> Failure {
    let shown = fault.path.display();
    match fault.is_existing_file() {
        true => Failure::usage(format!(
            "`{shown}` was changed by another program meanwhile"
        ))
        .with_help("run the command again; what is in the file now was kept"),
        false => fault.into(),
    }
}

/// A fix that was applied, with the place in the file as it was before.
#[derive(Debug, Serialize)]
pub(super) struct Fixed {
    #[serde(skip)]
    file: String,
    code: &'static str,
    title: String,
    line: usize,
    column: usize,
}

/// The lines and columns of what was done to `source`.
pub(super) fn locate(source: &GameSource, applied: &[AppliedFix]) -> Vec<Fixed> {
    let lines = LineIndex::new(&source.text);
    let located = applied.iter().map(|fix| {
        let place = lines.position(fix.span.start);
        Fixed {
            file: source.shown(),
            code: fix.code,
            title: fix.title.clone(),
            line: place.line,
            column: place.column,
        }
    });
    located.collect()
}

/// Says what was done, a line for each fix.
pub(super) fn say_what_was_fixed(fixed: &[Fixed], out: &mut impl Write) -> io::Result<()> {
    let good = style::GOOD;
    for Fixed {
        file,
        code,
        title,
        line,
        column,
    } in fixed
    {
        writeln!(
            out,
            "{file}:{line}:{column}: {good}fixed{good:#}[{code}]: {title}"
        )?;
    }
    Ok(())
}

/// Writes what differs, in the form that `patch` reads.
pub(super) fn show_difference(
    source: &GameSource,
    text: &str,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let difference = TextDiff::from_lines(source.text.as_str(), text);
    let shown = source.shown();
    let mut unified = difference.unified_diff();
    let unified = unified.context_radius(3).header(&shown, &shown).to_string();
    for line in unified.lines() {
        let paint = match line.as_bytes().first() {
            _ if line.starts_with("+++ ") || line.starts_with("--- ") => style::STRONG,
            Some(b'+') => style::GOOD,
            Some(b'-') => style::ERROR,
            Some(b'@') => style::FAINT,
            _ => Style::new(),
        };
        writeln!(console.out, "{paint}{line}{paint:#}")?;
    }
    Ok(())
}

/// How many lines of the old text are not in the new one, or how many are new if none is lost.
pub(super) fn lines_that_differ(old: &str, new: &str) -> usize {
    let difference = TextDiff::from_lines(old, new);
    let count = |tag| {
        difference
            .iter_all_changes()
            .filter(|change| change.tag() == tag)
            .count()
    };
    count(ChangeTag::Delete).max(count(ChangeTag::Insert))
}
