//! A report in text.

use std::io::{self, Write};

use crate::catalog::GameSource;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, INTERRUPTED};
use crate::cli::number::counted;
use crate::cli::style;
use crate::kif::render;
use crate::playtest::{
    DepthMatch, Evidence, Finding, FindingSeverity, GameStatistics, Lengths, PlaytestReport,
    ResultBalance, SampleSizes, ShownStep, Turns,
};

/// So many findings of one kind are shown in full.
const MOST_OF_A_KIND: usize = 5;

pub(super) fn show(
    report: &PlaytestReport,
    (source, strict): (&GameSource, bool),
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let mut hidden = 0;
    let mut last: Option<(&str, usize)> = None;
    let findings = report.findings.iter();
    let least = match (console.quiet, strict) {
        (false, _) => FindingSeverity::Note,
        // What decides the exit status.
        (true, true) => FindingSeverity::Warning,
        (true, false) => FindingSeverity::Error,
    };
    // The gravest come first in their order.
    let is_shown = |finding: &&Finding| finding.severity <= least;
    let findings: Vec<&Finding> = findings.filter(is_shown).collect();
    for finding in findings {
        let number = match last {
            Some((code, number)) if code == finding.code => number + 1,
            _ => 1,
        };
        last = Some((finding.code, number));
        if number > MOST_OF_A_KIND && !console.verbose {
            hidden += 1;
            continue;
        }
        show_finding(finding, source, console)?;
    }
    if hidden > 0 {
        console.hint(&format!("{hidden} more findings like these: -v shows all"))?;
    }
    if console.quiet {
        return Ok(());
    }
    let out = &mut console.out;
    show_verdict(report, out)?;
    show_statistics(&report.statistics, out)?;
    for line in sample_lines(&report.samples) {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

fn show_finding(
    finding: &Finding,
    source: &GameSource,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let out = &mut console.out;
    if finding.severity == FindingSeverity::Note {
        let note = style::STRONG;
        let with_words = finding.places.iter().any(|place| !place.message.is_empty());
        if with_words {
            writeln!(out, "{note}note{note:#}: {}", finding.message)?;
            for place in &finding.places {
                writeln!(out, "  line {}: {}", place.line, place.message)?;
            }
            writeln!(out)?;
        } else {
            let lines = note_lines(finding);
            writeln!(out, "{note}note{note:#}: {}{lines}\n", finding.message)?;
        }
        return Ok(());
    }
    match finding.diagnostic() {
        Some(diagnostic) => {
            write!(
                out,
                "{}",
                render(&[diagnostic], &source.shown(), &source.text, true)
            )?;
        }
        None => show_without_place(finding, out)?,
    }
    if let Some(step) = &finding.step {
        show_step(step, out)?;
    }
    Ok(())
}

/// An error or a warning that has no line.
fn show_without_place(finding: &Finding, out: &mut impl Write) -> io::Result<()> {
    let (word, paint) = match finding.severity {
        FindingSeverity::Error => ("error", style::ERROR),
        FindingSeverity::Warning | FindingSeverity::Note => ("warning", style::WARNING),
    };
    let Finding { code, message, .. } = finding;
    writeln!(out, "{paint}{word}[{code}]{paint:#}: {message}")?;
    if let Some(help) = &finding.help {
        writeln!(out, "  = help: {help}")?;
    }
    writeln!(out)
}

/// The lines of a note, in parentheses.
fn note_lines(finding: &Finding) -> String {
    let lines = finding.places.iter().map(|at| at.line.to_string());
    let lines: Vec<String> = lines.collect();
    match &lines[..] {
        [] => String::new(),
        [line] => format!(" (line {line})"),
        lines => format!(" (lines {})", lines.join(", ")),
    }
}

fn show_step(step: &ShownStep, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "  {}", step_title(step))?;
    for line in step.picture.lines() {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "  shown by: {}\n", step.command)
}

/// Which step it is, in words.
pub(super) fn step_title(step: &ShownStep) -> String {
    let mut players = step.players.clone();
    players.dedup();
    let players = players.join(" against ");
    match step.ply {
        0 => "at the start:".to_owned(),
        ply => format!(
            "after ply {ply} ({}) of the game of {players} with seed {}:",
            step.joint.join(", "),
            step.seed
        ),
    }
}

/// How many findings there are, in words.
pub(super) fn verdict(report: &PlaytestReport) -> String {
    let count = |severity| {
        let found = report.findings.iter();
        found.filter(|finding| finding.severity == severity).count()
    };
    let parts = [
        (count(FindingSeverity::Error), "error"),
        (count(FindingSeverity::Warning), "warning"),
        (count(FindingSeverity::Note), "note"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, noun)| format!("{count} {noun}{}", if *count == 1 { "" } else { "s" }))
        .collect();
    match parts.is_empty() {
        true => "nothing wrong was found".to_owned(),
        false => parts.join(", "),
    }
}

fn show_verdict(report: &PlaytestReport, out: &mut impl Write) -> io::Result<()> {
    let paint = match report.findings.first().map(|finding| finding.severity) {
        Some(FindingSeverity::Error) => style::ERROR,
        Some(FindingSeverity::Warning) => style::WARNING,
        Some(FindingSeverity::Note) | None => style::GOOD,
    };
    let strong = style::STRONG;
    let game = &report.game;
    writeln!(
        out,
        "{strong}{game}{strong:#}: {paint}{}{paint:#}",
        verdict(report)
    )
}

fn show_statistics(statistics: &GameStatistics, out: &mut impl Write) -> io::Result<()> {
    for (name, text) in statistic_lines(statistics) {
        writeln!(out, "  {name:<10} {text}")?;
    }
    if let Some(lengths) = &statistics.lengths {
        show_histogram(lengths, out)?;
    }
    Ok(())
}

/// Each statistic with its name.
pub(super) fn statistic_lines(statistics: &GameStatistics) -> Vec<(&'static str, String)> {
    let mut lines = vec![("turns", statistics.turns.words.clone())];
    lines.extend(
        statistics
            .balance
            .iter()
            .map(|of| ("results", balance_line(of, &statistics.turns))),
    );
    lines.extend(
        statistics
            .depth_matches
            .iter()
            .map(|step| ("skill", depth_match_line(step))),
    );
    let branching = &statistics.branching;
    if let Some(mean) = branching.mean {
        let most = branching.most;
        lines.push((
            "moves",
            format!("{mean:.1} on average for a role that has a choice, at most {most}"),
        ));
    }
    if branching.compared > 0 {
        let share = 100.0 * branching.same as f64 / branching.moves.max(1) as f64;
        lines.push(("choices", format!(
            "{share:.0} % of the moves lead to the same position as another one; in {} of {} positions, all moves do",
            branching.without_effect, branching.compared
        )));
    }
    if let Some(lengths) = &statistics.lengths {
        lines.push(("length", length_line(lengths)));
    }
    let rules = &statistics.rules;
    let of = |possible: Option<usize>| possible.map_or(String::new(), |all| format!(" of {all}"));
    lines.push((
        "size",
        format!(
            "{} rules and facts in the file; games showed {}{} facts of positions and {}{} moves; {:.0} states/s while watching",
            rules.rules,
            rules.facts_seen,
            of(rules.facts_possible),
            rules.moves_seen,
            of(rules.moves_possible),
            statistics.states_per_second
        ),
    ));
    lines
}

fn balance_line(balance: &ResultBalance, turns: &Turns) -> String {
    let shares = balance.roles.iter().map(|of| {
        let first = match balance.first_mover.as_ref() == Some(&of.role) && balance.roles.len() > 1
        {
            true => " (first)",
            false => "",
        };
        let [low, high] = of.interval.map(|end| 100.0 * end);
        format!(
            "{}{first} wins {:.0} % ({low:.0} to {high:.0}), {:.0} points on average",
            of.role,
            100.0 * of.share,
            of.mean_goal
        )
    });
    let shares: Vec<String> = shares.collect();
    let (draws, nobody) = (balance.draws - balance.nobody, balance.nobody);
    let draws = match (balance.roles.len(), nobody) {
        (1, _) => String::new(),
        (_, 0) => format!("; draws {draws}"),
        _ => format!("; draws {draws}, nobody wins {nobody}"),
    };
    // Equal players who choose at once do the same where they are in the same place.
    let is_mirrored =
        turns.shared > 0 && balance.players != "random" && balance.draws == balance.games;
    let alike = match is_mirrored && balance.games > 0 {
        true => " (equal players who choose at once choose alike: random games tell more)",
        false => "",
    };
    format!(
        "{}: {}{draws}; {}{alike}",
        balance.players,
        shares.join(", "),
        counted(balance.games, "game")
    )
}

fn depth_match_line(step: &DepthMatch) -> String {
    let DepthMatch {
        weaker,
        stronger,
        games,
        won,
        drawn,
        ..
    } = step;
    let lost = games - won - drawn;
    let error = step
        .error
        .map_or(String::new(), |error| format!(" ± {error:.0}"));
    let points = step.points.map_or(String::new(), |points| {
        format!("{points:.0}{error} points, ")
    });
    format!(
        "{stronger} against {weaker}: {points}{won} won, {drawn} drawn, {lost} lost; {}",
        counted(*games, "game")
    )
}

fn length_line(lengths: &Lengths) -> String {
    format!(
        "{:.1} plies on average; median {}, quartiles {} and {}, from {} to {}; {}",
        lengths.mean,
        lengths.median,
        lengths.lower_quartile,
        lengths.upper_quartile,
        lengths.least,
        lengths.most,
        counted(lengths.games as u64, "random game")
    )
}

fn show_histogram(lengths: &Lengths, out: &mut impl Write) -> io::Result<()> {
    const WIDEST: usize = 40;
    if lengths.histogram.len() < 2 {
        return Ok(());
    }
    let most = lengths
        .histogram
        .iter()
        .map(|bar| bar.count)
        .max()
        .unwrap_or(1)
        .max(1);
    for bar in &lengths.histogram {
        let range = match bar.from == bar.to {
            true => bar.from.to_string(),
            false => format!("{}-{}", bar.from, bar.to),
        };
        let hashes = "#".repeat((bar.count * WIDEST).div_ceil(most));
        let line = format!("{range:>21}  {:>5} {hashes}", bar.count);
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// On how much it all rests, in words.
pub(super) fn sample_lines(samples: &SampleSizes) -> Vec<String> {
    let mut parts = vec![format!("{} ended", samples.ended)];
    let others = [
        (samples.without_goal, "of them without a score"),
        (samples.stuck, "got stuck"),
        (samples.given_up, "were given up"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0);
    parts.extend(others.map(|(count, what)| format!("{count} {what}")));
    let [proofs, random, players] = samples.seconds;
    let who = samples.players.as_ref().map_or(String::new(), |players| {
        let opened = match samples.opening {
            0 => String::new(),
            1 => ", after 1 random ply".to_owned(),
            plies => format!(", after {plies} random plies"),
        };
        format!(" (`{players}` that looks ahead so many plies{opened})")
    });
    let mut lines = vec![
        format!(
            "sample     {} from seed {} on: {}",
            counted(samples.random_games(), "random game"),
            samples.seed,
            parts.join(", ")
        ),
        format!(
            "           {} of players{who}; each rule tried in {}",
            counted(samples.games_of_players, "game"),
            counted(samples.probed_states, "state")
        ),
        format!(
            "time       proofs {proofs:.1} s, random games {random:.1} s, games of players {players:.1} s"
        ),
    ];
    if samples.random_games() == 0 && samples.fault.is_none() && !samples.stopped {
        lines.push(
            "           no game came to an end in this time: give more with `--seconds`".to_owned(),
        );
    }
    if !samples.proofs {
        lines.push("           no proofs: the rules are too large for the time given".to_owned());
    }
    if let Some(fault) = &samples.fault {
        lines.push(format!(
            "           ended early, since the engine failed: {fault}"
        ));
    }
    if samples.stopped {
        lines.push(format!("           {INTERRUPTED}"));
    }
    lines
}

/// How a finding is known, in words.
pub(super) fn evidence(finding: &Finding) -> &'static str {
    match finding.evidence {
        Evidence::Proved => "proved on the rules",
        Evidence::Seen => "seen in games",
        Evidence::NotSeen => "not seen in the games played",
    }
}
