//! A solution in text.

use std::io::{self, Write};

use super::SolveReport;
use super::counts::value_word;
use crate::cli::console::Stream;
use crate::cli::number::counted;
use crate::cli::style;
use crate::state_space::{SolvedValue, ValueCount};

/// As many moves are shown.
const MOVES: usize = 40;

pub(super) fn show(
    report: &SolveReport<'_>,
    by: Option<&str>,
    out: &mut Stream<'_>,
) -> io::Result<()> {
    let strong = style::STRONG;
    let value = words(report, report.value);
    writeln!(out, "{strong}{value}{strong:#}")?;
    show_moves(report, out)?;
    writeln!(out)?;
    show_counts(report, &report.by_value, out)?;
    for counts in report.by_facts.iter().flatten() {
        match by {
            Some(relation) if counts.facts.is_empty() => {
                writeln!(out, "\nno fact of `{relation}`")?;
            }
            _ => writeln!(out, "\n{}", counts.facts.join(" "))?,
        }
        show_counts(report, &counts.values, out)?;
    }
    if let Some(strategy) = &report.strategy {
        writeln!(out)?;
        strategy.show(out)?;
    }
    for proof in report.proofs.iter().flatten() {
        let (states, ends) = (counted(proof.states as u64, "position"), proof.ends);
        let are = if ends == 1 { "is" } else { "are" };
        writeln!(
            out,
            "\nproved: {} {}, by a strategy of {states}, of which {ends} {are} over",
            proof.role, proof.holds
        )?;
    }
    if let Some(heuristic) = &report.heuristic {
        heuristic.show(out)?;
    }
    if let (Some(file), Some(bytes)) = (&report.file, report.file_bytes) {
        let bytes = counted(bytes as u64, "byte");
        writeln!(out, "\nthe solution is in {file}, {bytes}")?;
    }
    let faint = style::FAINT;
    let (states, edges) = (report.states, report.joint_moves);
    let memory = report.peak_memory_bytes.map_or(String::new(), |bytes| {
        format!(", peak memory {} MiB", bytes >> 20)
    });
    writeln!(
        out,
        "\n{faint}{}, {} in {:.2} s{memory}{faint:#}",
        counted(states, "state"),
        counted(edges, "joint move"),
        report.seconds
    )
}

/// A value in a sentence.
pub(super) fn words(report: &SolveReport<'_>, value: SolvedValue) -> String {
    let SolvedValue::Goal { goal, plies } = value else {
        let who = match report.roles {
            [_] => format!("{} cannot force an end", report.role),
            roles => format!("neither {} can force a better end", roles.join(" nor ")),
        };
        return format!("endless: {who}");
    };
    format!(
        "{} gets {goal} after {}",
        report.role,
        counted(plies.into(), "ply")
    )
}

fn show_moves(report: &SolveReport<'_>, out: &mut Stream<'_>) -> io::Result<()> {
    let texts = report.moves.iter().take(MOVES).map(|mv| mv.text.len());
    let width = texts.max().unwrap_or(0);
    for mv in report.moves.iter().take(MOVES) {
        writeln!(
            out,
            "  {:<width$}  then {}",
            mv.text,
            words(report, mv.value)
        )?;
    }
    let more = report.moves.len().saturating_sub(MOVES);
    if more > 0 {
        writeln!(out, "  and {more} more")?;
    }
    Ok(())
}

fn show_counts(
    report: &SolveReport<'_>,
    counts: &[ValueCount],
    out: &mut Stream<'_>,
) -> io::Result<()> {
    let faint = style::FAINT;
    let movers: Vec<String> = report
        .roles
        .iter()
        .map(|role| format!("{role} chooses"))
        .collect();
    let widths: Vec<usize> = movers.iter().map(|title| title.len().max(12)).collect();
    write!(
        out,
        "{faint}{:>8} {:>12} {:>12}",
        report.role, "states", "over"
    )?;
    for (title, width) in movers.iter().zip(&widths) {
        write!(out, " {title:>width$}")?;
    }
    writeln!(out, " {:>8}{faint:#}", "longest")?;
    for value in counts {
        let goal = value_word(value);
        write!(out, "{goal:>8} {:>12} {:>12}", value.states, value.terminal)?;
        for (states, width) in value.by_mover.iter().zip(&widths) {
            write!(out, " {states:>width$}")?;
        }
        match value.goal {
            Some(_) => writeln!(out, " {:>8}", value.longest)?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}
