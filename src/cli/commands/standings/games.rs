//! The games of a tournament, a row for each.

use std::io::Write;

use csv::Writer;

use super::tables::{Column, NEEDED, Table, UNKNOWN};
use super::{ReportArgs, markdown, text};
use crate::cli::board::terminal_width;
use crate::cli::console::{Console, Stream};
use crate::cli::failure::Failure;
use crate::tournament::{FinishedGame, GameEnd, TournamentLog};

/// Between what belongs to one role and the next.
const BETWEEN_ROLES: &str = " : ";

/// Prints each game in the form that was asked for.
pub(super) fn report(
    log: &TournamentLog,
    args: &ReportArgs,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let mut games = log.counted_games();
    games.sort_by_key(|game| game.number);
    let table = || table(&games, log.header.games.len() > 1);
    match args {
        ReportArgs { json: true, .. } => console.json(&games),
        ReportArgs { csv: true, .. } => print_csv(&table(), &mut console.out),
        ReportArgs { markdown: true, .. } => markdown::print_table(&table(), &mut console.out),
        _ => text::print_table(&table(), terminal_width(), &mut console.out),
    }
}

fn table(games: &[FinishedGame], has_names: bool) -> Table {
    let column = |title: &str, importance, cell: &dyn Fn(&FinishedGame) -> String| {
        Column::new(title, importance, games, cell)
    };
    let mut columns = vec![column("game", NEEDED, &|game| {
        (game.number + 1).to_string()
    })];
    if has_names {
        columns.push(column("rules", 80, &|game| game.game.clone()).of_words());
    }
    columns.extend([
        column("players", NEEDED, &players).of_words(),
        column("goals", NEEDED, &goals).of_words(),
        column("end", 70, &|game| words(game.end).to_owned()).of_words(),
        column("plies", 60, &|game| game.plies.to_string()),
    ]);
    if games.iter().any(|game| !game.facts.is_empty()) {
        columns.push(column("facts at the end", NEEDED, &|game| game.facts.join(" ")).of_words());
    }
    Table {
        caption: "Games",
        columns,
    }
}

fn players(game: &FinishedGame) -> String {
    let names = game.players.iter();
    let names: Vec<&str> = names
        .map(|name| name.as_deref().unwrap_or("(chance)"))
        .collect();
    names.join(BETWEEN_ROLES)
}

fn goals(game: &FinishedGame) -> String {
    if game.goals.is_empty() {
        return UNKNOWN.to_owned();
    }
    let goals = game.goals.iter();
    let goals: Vec<String> = goals
        .map(|goal| goal.map_or_else(|| UNKNOWN.to_owned(), |goal| goal.to_string()))
        .collect();
    goals.join(BETWEEN_ROLES)
}

fn words(end: GameEnd) -> &'static str {
    match end {
        GameEnd::Terminal => "over",
        GameEnd::Repetition => "endless: repetition",
        GameEnd::PlyLimit => "endless: limit of plies",
        GameEnd::Still => "endless: nothing changes",
        GameEnd::Stuck => "no legal move",
        GameEnd::Fault => "the engine failed",
    }
}

fn print_csv(table: &Table, out: &mut Stream<'_>) -> Result<(), Failure> {
    let mut writer = Writer::from_writer(Vec::new());
    let columns = &table.columns;
    let titles = columns.iter().map(|column| &column.title);
    writer.write_record(titles).map_err(std::io::Error::from)?;
    for row in 0..table.height() {
        let cells = columns.iter().map(|column| &column.cells[row]);
        writer.write_record(cells).map_err(std::io::Error::from)?;
    }
    let bytes = writer.into_inner().map_err(|fault| fault.into_error())?;
    Ok(out.write_all(&bytes)?)
}
