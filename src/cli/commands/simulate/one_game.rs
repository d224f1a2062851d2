//! One game, with its moves.

use std::io::{self, Write};

use super::SimulatedGame;
use super::tables::print_games;
use crate::cli::board::terminal_width;
use crate::cli::console::Stream;
use crate::cli::style;
use crate::native::checkers::published::{PublishedEnding, board_rows};

/// Prints the moves of a game, its last position, and its figures.
pub(super) fn print(simulated: &SimulatedGame, out: &mut Stream<'_>) -> io::Result<()> {
    let game = &simulated.game;
    let (strong, faint) = (style::STRONG, style::FAINT);
    print_moves(simulated, out)?;
    writeln!(out)?;
    for (row, letters) in board_rows(&game.last).iter().enumerate() {
        let squares: Vec<String> = letters.iter().map(char::to_string).collect();
        let indent = if row % 2 == 0 { "  " } else { "" };
        let first = 4 * row + 1;
        let line = format!("  {indent}{}", squares.join("   "));
        writeln!(out, "{line:<18}{faint}{first:>2} to {}{faint:#}", first + 3)?;
    }
    let result = match game.ending {
        PublishedEnding::Black => "black wins: red has no move",
        PublishedEnding::Red => "red wins: black has no move",
        PublishedEnding::Draw => "draw: black has made 80 turns",
    };
    writeln!(out, "\n{strong}{result}{strong:#}")?;
    print_games(&[simulated], out)
}

/// Numbered rounds, as many to a line as fit.
fn print_moves(simulated: &SimulatedGame, out: &mut Stream<'_>) -> io::Result<()> {
    const WIDTH: usize = 100;
    let width = terminal_width().unwrap_or(WIDTH);
    let rounds = simulated.game.turns.chunks(2).enumerate();
    let rounds = rounds.map(|(number, turns)| {
        let turns: Vec<String> = turns.iter().map(|played| played.turn.text()).collect();
        format!("{}. {}", number + 1, turns.join(" "))
    });
    let mut line = String::new();
    for round in rounds {
        if !line.is_empty() && line.len() + 2 + round.len() > width {
            writeln!(out, "{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push_str("  ");
        }
        line.push_str(&round);
    }
    writeln!(out, "{line}")
}
