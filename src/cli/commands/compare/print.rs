//! What a comparison has found, printed.

use std::io::Write;

use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::style;
use crate::drawing::{Screen, Style};
use crate::play::{ComparisonReport, EngineDifference};

pub(super) fn print(
    report: &ComparisonReport,
    boards: Style,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let (strong, faint) = (style::STRONG, style::FAINT);
    let verdict = match (report.agree, report.is_complete) {
        (None, _) => (style::WARNING, "have not been compared yet"),
        (Some(true), true) => (style::GOOD, "agree"),
        (Some(true), false) => (style::HELP, "agree as far as they were compared"),
        (Some(false), _) => (style::ERROR, "differ"),
    };
    let (color, verdict) = verdict;
    let (game, engines) = (&report.game, report.engines.join(", "));
    let out = &mut console.out;
    writeln!(
        out,
        "{strong}{game}{strong:#}: {engines} {color}{verdict}{color:#}, seed {}",
        report.seed
    )?;
    for (engine, reason) in &report.left_out {
        let reason = reason.as_str().unwrap_or_default();
        writeln!(out, "  {faint}no {engine}: {reason}{faint:#}")?;
    }
    print_agreement(report, console)?;
    if let Some(apart) = &report.difference {
        print_difference(apart, boards, console)?;
    }
    print_speeds(report, console)?;
    print_games(report, console)
}

fn print_agreement(report: &ComparisonReport, console: &mut Console<'_>) -> Result<(), Failure> {
    let out = &mut console.out;
    if let Some(wrong) = report.perft.iter().find(|depth| !depth.agrees()) {
        let counts = report.engines.iter().zip(&wrong.paths);
        let counts = counts.filter_map(|(engine, paths)| Some(format!("{engine} {}", (*paths)?)));
        let counts: Vec<String> = counts.collect();
        writeln!(
            out,
            "  paths of {} plies: {}",
            wrong.depth,
            counts.join(", ")
        )?;
    } else if let Some(depth) = report.perft.iter().rfind(|depth| depth.is_compared()) {
        let paths = depth.paths.iter().flatten().next().copied();
        let (count, plies) = (depth.counted(), depth.depth);
        writeln!(
            out,
            "  paths of up to {plies} plies: the same {} on {count} engines",
            paths.unwrap_or_default()
        )?;
    }
    print_searches(report, console)?;
    let out = &mut console.out;
    for walked in report
        .differential_test
        .iter()
        .filter(|walked| walked.states > 0)
    {
        let [one, other] = walked.engines;
        writeln!(
            out,
            "  differential test of {one} and {other}: {} states of {} random games equal",
            walked.states, walked.games
        )?;
    }
    Ok(())
}

fn print_searches(report: &ComparisonReport, console: &mut Console<'_>) -> Result<(), Failure> {
    let out = &mut console.out;
    if let Some(wrong) = report.search.iter().find(|searched| !searched.agrees()) {
        let best = report.engines.iter().zip(&wrong.best);
        let best = best.filter_map(|(engine, best)| {
            let (mv, goal) = best.as_ref()?;
            Some(format!("{engine} {mv} for {goal}"))
        });
        let best: Vec<String> = best.collect();
        writeln!(
            out,
            "  searched {} plies deep: {}",
            wrong.depth,
            best.join(", ")
        )?;
    } else if let Some(searched) = report
        .search
        .iter()
        .rfind(|searched| searched.engines() > 1)
    {
        writeln!(
            out,
            "  searched up to {} plies deep: the same moves on {} engines",
            searched.depth,
            searched.engines()
        )?;
    }
    Ok(())
}

fn print_games(report: &ComparisonReport, console: &mut Console<'_>) -> Result<(), Failure> {
    for games in &report.games {
        let [one, other] = games.engines;
        let error = games.error.map(|error| format!(" ± {:.0}", 100.0 * error));
        writeln!(
            console.out,
            "\n{one} against {other}, {}: {} won, {} drawn, {} lost; {:.0}{} %",
            games.condition,
            games.won,
            games.drawn,
            games.lost,
            100.0 * games.score,
            error.unwrap_or_default()
        )?;
    }
    Ok(())
}

fn print_speeds(report: &ComparisonReport, console: &mut Console<'_>) -> Result<(), Failure> {
    let Some(first) = report.measured.first() else {
        return Ok(());
    };
    let (faint, out) = (style::FAINT, &mut console.out);
    let head = format!(
        "{:<10}{:>15}{:>8}{:>15}{:>8}{:>16}{:>8}{:>13}",
        "",
        "random states/s",
        "ratio",
        "perft paths/s",
        "ratio",
        "search nodes/s",
        "ratio",
        "ready after"
    );
    writeln!(out, "\n{faint}{head}{faint:#}")?;
    for (engine, speed) in report.engines.iter().zip(&report.measured) {
        writeln!(
            out,
            "{engine:<10}{:>15.0}{:>8}{:>15.0}{:>8}{:>16.0}{:>8}{:>11.3} s",
            speed.states_per_second,
            ratio(speed.states_per_second, first.states_per_second),
            speed.nodes_per_second,
            ratio(speed.nodes_per_second, first.nodes_per_second),
            speed.search_nodes_per_second,
            ratio(speed.search_nodes_per_second, first.search_nodes_per_second),
            speed.startup_seconds
        )?;
    }
    Ok(())
}

/// The ratio of two rates; a dash where there is nothing to measure, as in a game that is over at once.
fn ratio(rate: f64, first: f64) -> String {
    let ratio = rate / first;
    match ratio.is_finite() {
        true => format!("{ratio:.3}"),
        false => "-".to_owned(),
    }
}

/// The first difference, and the board of each engine; what differs on the second one is marked as new.
fn print_difference(
    apart: &EngineDifference,
    boards: Style,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let out = &mut console.out;
    let EngineDifference { ply, what, .. } = apart;
    writeln!(out, "  after {ply} plies {what} differs")?;
    let moves: Vec<String> = apart.moves.iter().map(|joint| joint.join(" ")).collect();
    writeln!(out, "  moves: {}", moves.join(", "))?;
    let mut screen = Screen::from_states(&apart.states, boards)
        .map_err(|fault| Failure::finding(fault.to_string()))?;
    for ((engine, state), only) in apart.engines.iter().zip(&apart.states).zip(&apart.only) {
        let strong = style::STRONG;
        writeln!(out, "\n{strong}{engine}{strong:#}")?;
        if !only.is_empty() {
            writeln!(out, "only here: {}", only.join(" "))?;
        }
        write!(out, "{}", screen.show(state))?;
    }
    Ok(())
}
