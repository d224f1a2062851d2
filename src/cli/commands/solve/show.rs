//! A solution in text.

use std::io::{self, Write};

use super::SolveReport;
use super::counts::ValueCounts;
use crate::cli::console::Stream;
use crate::cli::number::counted;
use crate::cli::style;
use crate::state_space::SolvedValue;

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
    for (place, counts) in report.counts.iter().enumerate() {
        writeln!(out)?;
        match by {
            Some(relation) if place > 0 && counts.facts.is_empty() => {
                writeln!(out, "no fact of `{relation}`")?;
            }
            Some(_) if place > 0 => writeln!(out, "{}", counts.facts.join(" "))?,
            _ => {}
        }
        show_counts(report, counts, out)?;
    }
    if let Some(strategy) = &report.strategy {
        writeln!(out)?;
        strategy.show(out)?;
    }
    for proof in report.proofs.iter().flatten() {
        let (states, ends) = (counted(proof.states as u64, "position"), proof.ends);
        writeln!(
            out,
            "\nproved: {} {}, by a strategy of {states}, of which {ends} are over",
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
        counted(plies.into(), "ply").replace("plys", "plies")
    )
}

fn show_moves(report: &SolveReport<'_>, out: &mut Stream<'_>) -> io::Result<()> {
    let texts = report.moves.iter().take(MOVES).map(|mv| mv.text.len());
    let width = texts.max().unwrap_or(0);
    for mv in report.moves.iter().take(MOVES) {
        writeln!(out, "  {:<width$}  {}", mv.text, words(report, mv.value))?;
    }
    let more = report.moves.len().saturating_sub(MOVES);
    if more > 0 {
        writeln!(out, "  and {more} more")?;
    }
    Ok(())
}

fn show_counts(
    report: &SolveReport<'_>,
    counts: &ValueCounts,
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
    for value in &counts.values {
        let goal = value
            .goal
            .map_or_else(|| "endless".to_owned(), |goal| goal.to_string());
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
