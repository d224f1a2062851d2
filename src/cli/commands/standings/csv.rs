//! Results as comma-separated values.

use std::io::Write;

use csv::Writer;
use serde::Serialize;

use crate::cli::console::Stream;
use crate::cli::failure::Failure;
use crate::tournament::{PlayerStanding, RatingStatus, Standings};

/// A player in a game, or in all games where there is none.
#[derive(Serialize)]
struct Row<'s> {
    game: Option<&'s str>,
    place: usize,
    player: &'s str,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    points: Option<f64>,
    points_error: Option<f64>,
    elo: Option<f64>,
    error: Option<f64>,
    rating: RatingStatus,
    superiority: Option<f64>,
    decisions: u64,
    seconds_per_move: Option<f64>,
    errors: u64,
    late: u64,
}

/// Prints a line of titles, and one for each player in all games and in each game.
pub(super) fn print(standings: &Standings, out: &mut Stream<'_>) -> Result<(), Failure> {
    let mut writer = Writer::from_writer(Vec::new());
    let parts = standings.by_game.iter();
    let parts = parts.map(|part| (Some(part.game.as_str()), &part.table));
    for (game, table) in std::iter::once((None, &standings.all)).chain(parts) {
        for (place, one) in (1..).zip(&table.standings) {
            writer
                .serialize(row(game, place, one))
                .map_err(std::io::Error::from)?;
        }
    }
    let bytes = writer.into_inner().map_err(|fault| fault.into_error())?;
    Ok(out.write_all(&bytes)?)
}

fn row<'s>(game: Option<&'s str>, place: usize, one: &'s PlayerStanding) -> Row<'s> {
    Row {
        game,
        place,
        player: &one.player,
        games: one.games,
        won: one.won,
        drawn: one.drawn,
        lost: one.lost,
        points: one.points,
        points_error: one.points_error,
        elo: one.elo,
        error: one.error,
        rating: one.rating,
        superiority: one.superiority,
        decisions: one.decisions,
        seconds_per_move: one.seconds_per_move,
        errors: one.errors,
        late: one.late,
    }
}
