//! What a search found, for people.

use std::io::Write;
use std::time::Duration;

use super::report::{Contribution, SearchReport, WeightReport};
use super::reuse::ReuseReport;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, INTERRUPTED};
use crate::cli::style;
use crate::cli::thinking::{line, value};
use crate::search::points_at;

/// A shorter search prints no progress.
pub(super) const FIRST_REPORT: Duration = Duration::from_millis(300);
/// The most moves that are listed.
const LISTED: usize = 20;

pub(super) fn show(report: &SearchReport, console: &mut Console<'_>) -> Result<(), Failure> {
    let (strong, faint, good) = (style::STRONG, style::FAINT, style::GOOD);
    let out = &mut console.out;
    let kind = if report.exact { "exact value" } else { "value" };
    let value = value(report.value, report.exact);
    if report.depth == 0 && report.solution.is_none() {
        let (role, best) = (&report.role, &report.best);
        writeln!(out, "{role} may play {best}: no depth was completed")?;
        return say_if_interrupted(report, out);
    }
    let when = in_plies(report, report.steps);
    writeln!(
        out,
        "{} plays {good}{}{good:#}, {kind} {strong}{value}{strong:#}{when}",
        report.role, report.best
    )?;
    writeln!(out, "{faint}line{faint:#}   {}", line(&report.line))?;
    for mv in report.moves.iter().take(LISTED) {
        let sign = match (mv.at_most, mv.exact) {
            (true, _) => "<=",
            (_, true) => " =",
            _ => "  ",
        };
        let when = match report.solution {
            Some(_) => in_plies(report, mv.steps),
            None => String::new(),
        };
        writeln!(out, "  {sign} {:>6.1}  {}{when}", mv.value, line(&mv.line))?;
    }
    if let Some(more) = report.moves.len().checked_sub(LISTED + 1) {
        writeln!(out, "  {faint}and {} more moves{faint:#}", more + 1)?;
    }
    let contribution = |contribution: &Contribution| {
        format!("{} {:+.2}", contribution.heuristic, contribution.adds)
    };
    let contributions: Vec<String> = report.heuristics.iter().map(contribution).collect();
    if !contributions.is_empty() {
        writeln!(
            out,
            "{faint}static evaluation{faint:#}   {:.1} points: {}",
            points_at(report.heuristics.iter().map(|part| part.adds).sum()),
            contributions.join("  ")
        )?;
    }
    if console.verbose {
        show_depths(report, out)?;
        if let (Some(entries), Some(bytes)) = (report.table_entries, report.bytes_per_node) {
            writeln!(
                out,
                "{faint}table{faint:#}   {entries} positions, {bytes:.1} bytes a node"
            )?;
        }
        show_weights("what weighs most here", &report.parts, out)?;
        show_weights("weights of the features", &report.weights, out)?;
    }
    if let Some(reuse) = &report.reuse {
        show_reuse(reuse, out)?;
    }
    match report.symmetries {
        Some(1) => writeln!(
            out,
            "{faint}no symmetries were found in the time for it{faint:#}"
        )?,
        Some(known) => writeln!(
            out,
            "{faint}one table entry for positions that {known} symmetries, the identity included, make of each other{faint:#}"
        )?,
        None => {}
    }
    if let Some(file) = &report.solution {
        writeln!(out, "{faint}by the solution {file}{faint:#}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{faint}depth {}, {} nodes in {:.2} s, {:.0} nodes/s, {}, {}{faint:#}",
        report.depth,
        report.nodes,
        report.seconds,
        report.nodes_per_second,
        match report.threads {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        },
        report.engine
    )?;
    say_if_interrupted(report, out)
}

/// A line for each part of an evaluation, or each weight.
fn show_weights(
    title: &str,
    weights: &[WeightReport],
    out: &mut impl Write,
) -> Result<(), Failure> {
    if !weights.is_empty() {
        let faint = style::FAINT;
        writeln!(out, "{faint}{title}{faint:#}")?;
    }
    for weight in weights {
        writeln!(
            out,
            "  {:>9}  {:+.3}  {}",
            weight.heuristic, weight.adds, weight.counts
        )?;
    }
    Ok(())
}

/// A line for each depth.
fn show_depths(report: &SearchReport, out: &mut impl Write) -> Result<(), Failure> {
    let faint = style::FAINT;
    writeln!(
        out,
        "{faint}depth        nodes       leaves  the fewest   seconds  branching  first cutoff  overhead    1/b  1/(b-1){faint:#}"
    )?;
    for of in &report.depths {
        let branching = of.branching.map_or(String::new(), |of| format!("{of:.2}"));
        let fewest = of.fewest_leaves.map_or(String::new(), |of| of.to_string());
        let first = of.first_move_cutoffs;
        let first = first.map_or(String::new(), |of| format!("{:.1} %", 100.0 * of));
        let ratio = |of: Option<f64>| of.map_or(String::new(), |of| format!("{of:.2}"));
        let (one, all) = (of.overhead_of_one_depth, of.overhead_of_all_depths);
        writeln!(
            out,
            "{:>5} {:>12} {:>12} {fewest:>11} {:>9.3} {branching:>10} {first:>13} {:>9.2} {:>6} {:>8}",
            of.depth,
            of.nodes,
            of.leaves,
            of.seconds,
            of.overhead,
            ratio(one),
            ratio(all)
        )?;
    }
    Ok(())
}

/// What a search two plies later can use.
fn show_reuse(reuse: &ReuseReport, out: &mut impl Write) -> Result<(), Failure> {
    let faint = style::FAINT;
    let ReuseReport {
        depth,
        nodes_alone,
        nodes_after,
        ..
    } = reuse;
    let expected = reuse.expected_share.map_or(String::new(), |share| {
        format!(" (1/b\u{b2}: {:.1} %)", 100.0 * share)
    });
    writeln!(
        out,
        "{faint}two plies later{faint:#}   {:.1} % of the tree{expected}; depth {depth} takes {nodes_alone} nodes alone, {nodes_after} after \
         this search: {:.1} % less",
        100.0 * reuse.share_of_tree,
        100.0 * reuse.spared
    )?;
    Ok(())
}

/// How far the end is that a value is about.
fn in_plies(report: &SearchReport, steps: Option<u32>) -> String {
    match steps {
        Some(1) => " at once".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
        None if report.solution.is_some() => ", as the game never ends".to_owned(),
        None => String::new(),
    }
}

fn say_if_interrupted(report: &SearchReport, out: &mut impl Write) -> Result<(), Failure> {
    if report.interrupted {
        writeln!(out, "{INTERRUPTED}")?;
    }
    Ok(())
}
