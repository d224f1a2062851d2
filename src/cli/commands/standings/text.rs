//! Results for the terminal.

use std::io::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::tables::{Column, NEEDED, Section, Table, sections};
use crate::cli::console::Stream;
use crate::cli::failure::Failure;
use crate::cli::style;
use crate::tournament::Standings;

/// Prints all tables; without a terminal, they are as wide as they need be.
pub(in crate::cli::commands) fn print(
    standings: &Standings,
    width: Option<usize>,
    out: &mut Stream<'_>,
) -> Result<(), Failure> {
    for (number, section) in sections(standings).iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        print_section(section, width, out)?;
    }
    Ok(())
}

fn print_section(
    section: &Section,
    width: Option<usize>,
    out: &mut Stream<'_>,
) -> Result<(), Failure> {
    let (strong, faint) = (style::STRONG, style::FAINT);
    if let Some(game) = &section.game {
        writeln!(out, "{strong}{game}{strong:#}")?;
    }
    for remark in &section.remarks {
        writeln!(out, "{remark}")?;
    }
    for (number, table) in section.tables.iter().enumerate() {
        writeln!(out)?;
        if number > 0 {
            writeln!(out, "{faint}{}{faint:#}", table.caption)?;
        }
        print_table(table, width, out)?;
    }
    Ok(())
}

/// Prints titles and rows; without a width, they are as wide as they need be.
pub(super) fn print_table(
    table: &Table,
    width: Option<usize>,
    out: &mut Stream<'_>,
) -> Result<(), Failure> {
    let faint = style::FAINT;
    let columns = fitting(table, width.unwrap_or(usize::MAX));
    let titles = columns
        .iter()
        .map(|(column, wide)| padded(column, &column.title, *wide));
    writeln!(out, "{faint}{}{faint:#}", line(titles))?;
    for row in 0..table.height() {
        let cells = columns
            .iter()
            .map(|(column, wide)| padded(column, &column.cells[row], *wide));
        writeln!(out, "{}", line(cells))?;
    }
    Ok(())
}

/// Between two columns.
const GAP: &str = "  ";
/// Names are not cut to fewer characters.
const LEAST_NAME: usize = 8;

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    cells.join(GAP).trim_end().to_owned()
}

/// The columns for which there is room, each with its width: the least important ones are left out, and then names are cut.
fn fitting(table: &Table, width: usize) -> Vec<(&Column, usize)> {
    let mut columns: Vec<(&Column, usize)> = table
        .columns
        .iter()
        .map(|column| {
            let cells = column.cells.iter().chain([&column.title]);
            let wide = cells.map(|cell| cell.width()).max().unwrap_or(0);
            (column, wide)
        })
        .collect();
    let needed = |columns: &[(&Column, usize)]| {
        let cells: usize = columns.iter().map(|(_, wide)| wide).sum();
        cells + GAP.len() * columns.len().saturating_sub(1)
    };
    while needed(&columns) > width {
        let importances = columns.iter().map(|(column, _)| column.importance);
        match importances.min() {
            Some(least) if least < NEEDED => {
                columns.retain(|(column, _)| column.importance > least)
            }
            _ => break,
        }
    }
    while needed(&columns) > width {
        let names = columns.iter_mut().filter(|(column, _)| !column.is_number);
        match names.max_by_key(|(_, wide)| *wide) {
            Some((_, wide)) if *wide > LEAST_NAME => *wide -= 1,
            _ => break,
        }
    }
    columns
}

/// A cell as wide as its column.
fn padded(column: &Column, cell: &str, wide: usize) -> String {
    let cell = cut(cell, wide);
    let blanks = " ".repeat(wide.saturating_sub(cell.width()));
    match column.is_number {
        true => blanks + &cell,
        false => cell + &blanks,
    }
}

/// The beginning of a text that is too wide.
fn cut(text: &str, wide: usize) -> String {
    if text.width() <= wide {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if kept.width() + c.width().unwrap_or(0) >= wide {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}
