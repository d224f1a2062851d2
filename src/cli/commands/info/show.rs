//! What was found out, in text.

use std::io::{self, Write};

use super::sample::{EndReport, EndRuleReport, SampleReport, SpreadReport};
use super::{BoardReport, Info, LeftOutReport, NetworkReport, PassReport, RuleCounts};
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::faulty_game::hint_at_faulty_game;
use crate::cli::number::counted;
use crate::cli::style;
use crate::engine::SearchSavings;

pub(super) fn show(info: &Info, console: &mut Console<'_>) -> Result<(), Failure> {
    show_game(info, console)?;
    show_engine(info, console)?;
    let seen = &info.sample;
    console.hint(&format!(
        "from {} states of {} random games, seed {}",
        seen.states, seen.games, seen.seed
    ))?;
    if seen.stuck + seen.given_up + seen.without_goal > 0 {
        hint_at_faulty_game(seen.faulty_game.as_ref(), console)?;
    }
    Ok(())
}

fn show_game(info: &Info, console: &mut Console<'_>) -> io::Result<()> {
    let (strong, out) = (style::STRONG, &mut console.out);
    let how = match info.play {
        "single" => "one role",
        "turns" => "roles take turns",
        _ => "simultaneous moves",
    };
    let RuleCounts {
        init,
        legal,
        next,
        goal,
        terminal,
        other,
    } = &info.rules;
    let seen = &info.sample;
    writeln!(out, "{strong}{}{strong:#}", info.game)?;
    writeln!(out, "  roles      {}; {how}", info.roles.join(" "))?;
    writeln!(
        out,
        "  rules      {init} init, {legal} legal, {next} next, {goal} goal, {terminal} terminal, {other} other"
    )?;
    writeln!(
        out,
        "  positions  {} at the start, at most {} seen",
        counted(info.initial_facts as u64, "fact"),
        seen.most_facts
    )?;
    for board in &info.boards {
        let (size, fact) = (board_size(board), &board.fact);
        writeln!(out, "  board      {size}, from the facts `{fact}`")?;
    }
    show_sample(info, out)?;
    show_faults(seen, out)
}

/// Branching, lengths and ends.
fn show_sample(info: &Info, out: &mut impl Write) -> io::Result<()> {
    let seen = &info.sample;
    writeln!(
        out,
        "  moves      {} joint moves on average, {} to {}; a role has at most {}",
        mean(&seen.joint_moves, 2),
        seen.joint_moves.min,
        seen.joint_moves.max,
        seen.most_moves
    )?;
    let Some(lengths) = &seen.lengths else {
        return writeln!(out, "  length     no end seen in {} plies", seen.states);
    };
    writeln!(
        out,
        "  length     {} plies on average, {} to {}, in the {} games that ended",
        mean(lengths, 1),
        lengths.min,
        lengths.max,
        seen.ended
    )?;
    if info.play == "turns" && seen.repeated_turns > 0 {
        let each = seen.repeated_turns as f64 / seen.games as f64;
        writeln!(
            out,
            "  turns      a role moves again {each:.2} times a game, as the others have no turn"
        )?;
    }
    for end in seen.ends.iter().take(ENDS) {
        let EndReport {
            goals,
            count,
            share,
            interval: [low, high],
        } = end;
        let goals = info.roles.iter().zip(goals);
        let goals = goals.map(|(role, goal)| match goal {
            Some(goal) => format!("{role} {goal}"),
            None => format!("{role} none"),
        });
        let goals: Vec<String> = goals.collect();
        writeln!(
            out,
            "  end        {}: {}, {:.0} % ({:.0} to {:.0} %)",
            goals.join(", "),
            counted(*count, "game"),
            100.0 * share,
            100.0 * low,
            100.0 * high
        )?;
    }
    // One rule ends all games.
    if seen.ended_by.len() > 1 {
        show_end_rules(&seen.ended_by, out)?;
    }
    Ok(())
}

/// The rules that end games.
fn show_end_rules(rules: &[EndRuleReport], out: &mut impl Write) -> io::Result<()> {
    for end in rules {
        let EndRuleReport { line, rule, .. } = end;
        let games = counted(end.count, "game");
        let [share, low, high] = [end.share, end.interval[0], end.interval[1]].map(|x| 100.0 * x);
        writeln!(
            out,
            "  ended by   line {line}: {games}, {share:.0} % ({low:.0} to {high:.0} %)  {rule}"
        )?;
    }
    Ok(())
}

/// As many ends are shown, the most frequent ones.
const ENDS: usize = 5;

/// A mean with its interval.
fn mean(spread: &SpreadReport, decimals: usize) -> String {
    let mean = spread.mean;
    match spread.error {
        Some(error) => format!("{mean:.decimals$} ± {error:.decimals$}"),
        None => format!("{mean:.decimals$}"),
    }
}

fn board_size(board: &BoardReport) -> String {
    let (columns, rows) = (board.columns, board.rows);
    match (board.kind, board.panels) {
        ("strip", _) => format!("{columns} in a row"),
        ("points", _) => format!("{columns} points"),
        ("hexagons", _) => format!("{columns} by {rows} hexagons"),
        (_, 1) => format!("{columns} by {rows}"),
        (_, panels) => format!("{panels} parts of {columns} by {rows}"),
    }
}

/// Games that did not end with a score.
fn show_faults(seen: &SampleReport, out: &mut impl Write) -> io::Result<()> {
    let games = seen.games;
    let faults = [
        ("stuck", seen.stuck, "got stuck: a role had no legal move"),
        ("given up", seen.given_up, "were given up as too long"),
        (
            "no score",
            seen.without_goal,
            "ended without a score for some role",
        ),
    ];
    for (name, count, what) in faults {
        if count > 0 {
            writeln!(out, "  {name:<10} {count} of {games} games {what}")?;
        }
    }
    Ok(())
}

fn show_engine(info: &Info, console: &mut Console<'_>) -> io::Result<()> {
    let verbose = console.verbose;
    let out = &mut console.out;
    writeln!(out, "  engine     {}: {}", info.engine, info.reason)?;
    if let Some(network) = &info.network {
        let turns: Vec<String> = network
            .gates_in_phases
            .iter()
            .map(usize::to_string)
            .collect();
        let turns = match turns.len() {
            0 => String::new(),
            _ => format!(" ({} for each turn)", turns.join(" and ")),
        };
        writeln!(
            out,
            "  network    {}{turns}, for {} and {}",
            counted(network.gates as u64, "gate"),
            counted(network.reachable_facts as u64, "fact"),
            counted(network.reachable_moves as u64, "move")
        )?;
        if verbose {
            show_passes(network, out)?;
        }
    }
    if let Some(nothing) = &info.unchecked {
        writeln!(out, "  self-check {nothing}")?;
    }
    let stages = info.startup.0.iter();
    let stages: Vec<String> = stages
        .map(|(stage, seconds)| {
            let words = stage_in_words(stage);
            match info.sizes.of_stage(stage) {
                Some(size) if verbose => format!("{words} {seconds:.4} ({size})"),
                _ => format!("{words} {seconds:.4}"),
            }
        })
        .collect();
    writeln!(
        out,
        "  start-up   {:.4} s: {}",
        info.startup_seconds,
        stages.join(", ")
    )
}

/// One line for each time a pass was run, and for what was left out.
fn show_passes(network: &NetworkReport, out: &mut impl Write) -> io::Result<()> {
    let (ground_rules, slots) = (network.ground_rules, network.slots);
    writeln!(out, "             {ground_rules} rules without variables")?;
    let names = network.passes.iter().map(|pass| pass.name.chars().count());
    let width = names.max().unwrap_or(0);
    for pass in &network.passes {
        let PassReport {
            name,
            gates_before,
            gates_after,
        } = pass;
        writeln!(
            out,
            "             {name:<width$} {gates_before:>9} gates, then {gates_after:>9}"
        )?;
    }
    for LeftOutReport { what, above_gates } in &network.left_out {
        writeln!(out, "             no {what} above {above_gates} gates")?;
    }
    if let Some(savings) = &network.search_savings {
        let SearchSavings {
            guards,
            guarded_gates,
            move_sets,
        } = savings;
        writeln!(
            out,
            "             circuit for searches: {guarded_gates} gates under {guards} guards, {move_sets} sets of moves"
        )?;
    }
    writeln!(out, "             {slots} slots in use at a time")
}

/// The name of a start-up stage for people; the JSON fields keep their names.
fn stage_in_words(stage: &str) -> &str {
    match stage {
        "pack" => "lane program",
        _ => stage,
    }
}
