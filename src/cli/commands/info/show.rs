//! What was found out, in text.

use std::io::{self, Write};

use super::{
    BoardReport, Info, LeftOutReport, NetworkReport, PassReport, RuleCounts, SampleReport,
};
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::faulty_game::hint_at_faulty_game;
use crate::cli::number::counted;
use crate::cli::style;

pub(super) fn show(info: &Info, console: &mut Console<'_>) -> Result<(), Failure> {
    show_game(info, console)?;
    show_engine(info, console)?;
    let seen = &info.sample;
    console.hint(&format!(
        "from {} states of {} random games, seed {}",
        seen.states,
        seen.games(),
        seen.seed
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
    writeln!(
        out,
        "  moves      {:.1} joint moves on average, a role has at most {}",
        seen.mean_joint_moves, seen.most_moves
    )?;
    match seen.mean_length {
        Some(length) => writeln!(
            out,
            "  length     {length:.1} plies on average in the {} games that ended",
            seen.ended
        )?,
        None => writeln!(out, "  length     no end seen in {} plies", seen.states)?,
    }
    show_faults(seen, out)
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
    let games = seen.games();
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
    writeln!(out, "             {slots} slots in use at a time")
}

/// The name of a start-up stage for people; the JSON fields keep their names.
fn stage_in_words(stage: &str) -> &str {
    match stage {
        "pack" => "lane program",
        "game_facts" => "game facts",
        _ => stage,
    }
}
