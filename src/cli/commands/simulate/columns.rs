//! Tables in text.

use std::io::{self, Write};

use crate::cli::console::Stream;
use crate::cli::style;

/// Writes titles and lines in columns, of which the first `left` begin on the left and the others end on the right.
pub(super) fn write_columns(
    titles: &[&str],
    lines: &[Vec<String>],
    left: usize,
    out: &mut Stream<'_>,
) -> io::Result<()> {
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        let title = titles[column].chars().count();
        cells.fold(title, usize::max)
    };
    let widths: Vec<usize> = (0..titles.len()).map(width).collect();
    let write = |cells: &[&str]| {
        let cells = cells.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column < left {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    let faint = style::FAINT;
    writeln!(out, "{faint}{}{faint:#}", write(titles))?;
    for line in lines {
        let cells: Vec<&str> = line.iter().map(String::as_str).collect();
        writeln!(out, "{}", write(&cells))?;
    }
    Ok(())
}
