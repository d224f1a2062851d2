//! How well a player plays, in text.

use std::io::{self, Write};

use super::{Mistake, PlyCount, QualityReport};
use crate::cli::console::Stream;
use crate::cli::failure::INTERRUPTED;
use crate::cli::number::counted;
use crate::cli::style;
use crate::quality::KeptCount;

/// As many lines tell of plies.
const LINES: usize = 12;
/// As many better moves are shown.
const BETTER: usize = 4;

pub(super) fn show(report: &QualityReport<'_>, out: &mut Stream<'_>) -> io::Result<()> {
    let (strong, faint) = (style::STRONG, style::FAINT);
    let QualityReport { game, player, .. } = report;
    writeln!(
        out,
        "{strong}{game}{strong:#}, {player}, seed {}",
        report.seed
    )?;
    let all = KeptCount {
        positions: report.positions,
        kept: report.kept,
    };
    if report.positions == 0 && report.interrupted {
        writeln!(out, "  no position was judged")?;
    } else if report.positions == 0 {
        writeln!(out, "  no position was found in which a move loses value")?;
    } else {
        let KeptCount { positions, kept } = all;
        writeln!(
            out,
            "  keeps the value in {strong}{kept} of {positions}{strong:#} positions: {}",
            share(all)
        )?;
    }
    if let (Some(chance), Some(cost)) = (report.share_by_chance, report.mean_cost) {
        let chance = percent(chance);
        writeln!(
            out,
            "  a random move keeps it in {chance}; a move of the player loses {cost:.1} points on average"
        )?;
    }
    if report.without_move > 0 {
        let (without, all) = (report.without_move, report.positions);
        writeln!(
            out,
            "  in {without} of {all} positions, it gave no legal move"
        )?;
    }
    if report.undecided > 0 {
        let positions = counted(report.undecided as u64, "position");
        writeln!(
            out,
            "  of {positions} more, the oracle did not prove in time what the moves are worth"
        )?;
    }
    if report.interrupted {
        writeln!(out, "  {INTERRUPTED}")?;
    }
    show_counts(report, out)?;
    show_mistakes(report, out)?;
    writeln!(out, "\n{faint}{:.1} s{faint:#}", report.seconds)
}

/// The counts by role and by ply.
fn show_counts(report: &QualityReport<'_>, out: &mut Stream<'_>) -> io::Result<()> {
    let roles = report.by_role.0.iter();
    let roles = roles.filter(|(_, count)| count.positions > 0);
    let roles = roles.map(|(role, count)| (role.clone(), *count));
    let plies = report.by_ply.last().map_or(0, |last| last.ply + 1);
    let width = plies.div_ceil(LINES).max(1);
    let same = |one: &PlyCount, other: &PlyCount| one.ply / width == other.ply / width;
    let plies = report.by_ply.chunk_by(same).map(|plies| {
        let first = plies[0].ply / width * width;
        let title = match width {
            1 => format!("ply {first}"),
            _ => format!("plies {first} to {}", first + width - 1),
        };
        let sum = |of: fn(&KeptCount) -> u64| plies.iter().map(|ply| of(&ply.count)).sum();
        let count = KeptCount {
            positions: sum(|count| count.positions),
            kept: sum(|count| count.kept),
        };
        (title, count)
    });
    for group in [roles.collect::<Vec<_>>(), plies.collect()] {
        let width = group.iter().map(|(title, _)| title.len()).max();
        let width = width.unwrap_or(0);
        if width > 0 {
            writeln!(out)?;
        }
        for (title, count) in group {
            let KeptCount { positions, kept } = count;
            writeln!(
                out,
                "  {title:<width$}  {kept:>4} of {positions:>4}: {}",
                share(count)
            )?;
        }
    }
    Ok(())
}

/// The worst mistakes, with a command that shows each position.
fn show_mistakes(report: &QualityReport<'_>, out: &mut Stream<'_>) -> io::Result<()> {
    let (strong, faint) = (style::STRONG, style::FAINT);
    for mistake in &report.worst {
        let Mistake {
            role,
            ply,
            played,
            points,
            best_points,
            ..
        } = mistake;
        let mut better: Vec<&str> = mistake.best.iter().map(String::as_str).collect();
        let more = better.len().saturating_sub(BETTER);
        better.truncate(BETTER);
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        writeln!(
            out,
            "\n  ply {ply}: {role} plays {strong}{played}{strong:#} and gets {points}, not {best_points} by {}{more}",
            better.join(", ")
        )?;
        let words = report.solve.iter().chain(mistake.moves);
        if let Ok(command) = shlex::try_join(words.map(String::as_str)) {
            writeln!(out, "  {faint}{command}{faint:#}")?;
        }
    }
    Ok(())
}

/// A share with its interval.
fn share(count: KeptCount) -> String {
    let [low, high] = count.interval().map(percent);
    let share = percent(count.share().unwrap_or(0.0));
    format!("{share} ({low} to {high})")
}

/// A share of nearly all is not all, unless it differs by rounding alone.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent < 100.0 - 1e-6 && percent > 99.0 {
        true => format!("{:.1} %", percent.min(99.9)),
        false => format!("{percent:.0} %"),
    }
}
