//! What a search found, for people.

use std::io::Write;
use std::time::Duration;

use super::{Opinion, Report};
use crate::cli::failure::Failure;
use crate::cli::session::{Session, style};
use crate::search::Progress;

/// A search that is done sooner does not tell what it does.
pub(super) const PATIENCE: Duration = Duration::from_millis(300);
/// So many moves are listed.
const LISTED: usize = 20;
/// So many moves of a line are shown.
const SPELT: usize = 40;

/// Tells what is known after a depth.
pub(super) fn progress(out: &mut impl Write, progress: &Progress) {
    let faint = style::FAINT;
    let seconds = progress.time.as_secs_f64();
    let rate = progress.nodes as f64 / seconds.max(1e-9);
    let value = value(progress.value.points(), progress.value.is_decided());
    // Where nobody listens, there is nobody to tell that.
    let _ = writeln!(
        out,
        "{faint}depth {:>3}  {value:>6}  {seconds:>7.2} s  {:>12} nodes  {:>10.0} /s  {}{faint:#}",
        progress.depth,
        progress.nodes,
        rate,
        line(&progress.line)
    );
}

fn value(points: f64, is_sure: bool) -> String {
    // What is sure is a goal, unless chance has a say.
    match is_sure && points.fract() == 0.0 {
        true => format!("{points:.0}"),
        false => format!("{points:.1}"),
    }
}

/// The beginning of a line: where nobody gets anywhere, it goes on and on.
fn line(moves: &[String]) -> String {
    let shown = moves[..moves.len().min(SPELT)].join(" ");
    match moves.len().saturating_sub(SPELT) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

pub(super) fn show(report: &Report, session: &mut Session<'_>) -> Result<(), Failure> {
    let (strong, faint, good) = (style::STRONG, style::FAINT, style::GOOD);
    let out = &mut session.out;
    let sure = if report.exact { "sure of" } else { "expecting" };
    let value = value(report.value, report.exact);
    if report.depth == 0 {
        let (role, best) = (&report.role, &report.best);
        writeln!(
            out,
            "{role} may play {best}: not even one ply was searched to its end"
        )?;
        return Ok(());
    }
    let when = match report.steps {
        Some(1) => " at once".to_owned(),
        Some(steps) => format!(" in {steps} steps"),
        None => String::new(),
    };
    writeln!(
        out,
        "{} plays {good}{}{good:#}, {sure} {strong}{value}{strong:#} points{when}",
        report.role, report.best
    )?;
    writeln!(out, "{faint}line{faint:#}   {}", line(&report.line))?;
    for mv in report.moves.iter().take(LISTED) {
        let sign = if mv.at_most { "<=" } else { "  " };
        writeln!(out, "  {sign} {:>6.1}  {}", mv.value, line(&mv.line))?;
    }
    if let Some(more) = report.moves.len().checked_sub(LISTED + 1) {
        writeln!(out, "  {faint}and {} more moves{faint:#}", more + 1)?;
    }
    let opinion = |opinion: &Opinion| format!("{} {:+.2}", opinion.heuristic, opinion.adds);
    let opinions: Vec<String> = report.heuristics.iter().map(opinion).collect();
    if !opinions.is_empty() {
        writeln!(
            out,
            "{faint}at first sight{faint:#}   {}",
            opinions.join("  ")
        )?;
    }
    if session.verbose {
        for weight in &report.weights {
            writeln!(
                out,
                "  {:>9}  {:+.3}  {}",
                weight.heuristic, weight.adds, weight.counts
            )?;
        }
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
    Ok(())
}
