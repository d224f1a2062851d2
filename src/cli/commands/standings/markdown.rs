//! Results in Markdown.

use std::io::Write;

use super::tables::{Table, sections};
use crate::cli::console::Stream;
use crate::cli::failure::Failure;
use crate::tournament::Standings;

/// Prints all tables.
pub(super) fn print(standings: &Standings, out: &mut Stream<'_>) -> Result<(), Failure> {
    for (number, section) in sections(standings).iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        if let Some(game) = &section.game {
            writeln!(out, "## {}\n", escaped(game))?;
        }
        for remark in &section.remarks {
            writeln!(out, "- {}", escaped(remark))?;
        }
        for (number, table) in section.tables.iter().enumerate() {
            writeln!(out)?;
            if number > 0 {
                writeln!(out, "{}:\n", table.caption)?;
            }
            print_table(table, out)?;
        }
    }
    Ok(())
}

/// Prints titles and rows.
pub(super) fn print_table(table: &Table, out: &mut Stream<'_>) -> Result<(), Failure> {
    let line = |cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = cells.collect();
        format!("| {} |", cells.join(" | "))
    };
    let columns = &table.columns;
    let mut titles = columns.iter().map(|column| escaped(&column.title));
    writeln!(out, "{}", line(&mut titles))?;
    let mut rules = columns.iter().map(|column| match column.is_number {
        true => "---:".to_owned(),
        false => ":---".to_owned(),
    });
    writeln!(out, "{}", line(&mut rules))?;
    for row in 0..table.height() {
        let mut cells = columns.iter().map(|column| escaped(&column.cells[row]));
        writeln!(out, "{}", line(&mut cells))?;
    }
    Ok(())
}

/// The text without anything that Markdown takes for a mark.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if "\\`*_[]<>|#".contains(c) {
            escaped.push('\\');
        }
        escaped.push(if c.is_control() { ' ' } else { c });
    }
    escaped
}
