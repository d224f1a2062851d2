//! The totals of a series of matches, printed.

use std::io::Write;

use serde::Serialize;

use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::number::counted;
use crate::cli::style;
use crate::play::{PlayerTotals, SeriesTotals};

#[derive(Serialize)]
struct TotalsReport<'t> {
    game: &'t str,
    totals: Vec<PlayerTotals<'t>>,
    games: u64,
    without_result: u64,
    different: usize,
}

/// Prints the totals as one JSON object.
pub(super) fn print_json(
    totals: &SeriesTotals,
    game: &str,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    console.json(&TotalsReport {
        game,
        totals: totals.of_players().collect(),
        games: totals.games,
        without_result: totals.without_result,
        different: totals.different(),
    })
}

/// Prints a line for each player who has a result, and remarks on the games, of which `wanted` were asked for.
pub(super) fn print(
    totals: &SeriesTotals,
    wanted: u64,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    for (number, line) in totals.of_players().enumerate() {
        let PlayerTotals {
            player,
            won,
            drawn,
            lost,
            points: Some(points),
            error,
            errors,
            ..
        } = line
        else {
            continue;
        };
        let error = error.map_or(String::new(), |error| format!(" ± {error:.1}"));
        let errors = match errors {
            0 => String::new(),
            many => format!(", {}", counted(many.into(), "error")),
        };
        let strong = style::STRONG;
        writeln!(
            console.out,
            "{strong}player {}{strong:#} {player}: {won} won, {drawn} drawn, {lost} lost, {points:.1}{error} points a game{errors}",
            number + 1
        )?;
    }
    let without = totals.without_result;
    for remark in remarks((totals.games, without, totals.different() as u64), wanted) {
        writeln!(console.out, "{remark}")?;
    }
    Ok(())
}

/// Remarks on a series of games: those without a result, those that differ, those not played.
fn remarks((games, without, different): (u64, u64, u64), wanted: u64) -> Vec<String> {
    let mut remarks = Vec::new();
    if without > 0 {
        remarks.push(format!("{} without a result", counted(without, "game")));
    }
    match (different, counted(games, "game")) {
        (different, _) if different == games => {}
        (1, games) => remarks.push(format!("{games}, all of them the same")),
        (different, games) => remarks.push(format!("{games}, {different} of them different")),
    }
    if games < wanted {
        remarks.push(format!("stopped after {games} of {wanted} games"));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_and_missing_games_are_remarked_on() {
        let expected = [
            "2 games without a result",
            "3 games, 2 of them different",
            "stopped after 3 of 4 games",
        ];
        assert_eq!(remarks((3, 2, 2), 4), expected);
        assert!(remarks((4, 0, 4), 4).is_empty());
    }
}
