//! Logs of games, named and worded as those of the report.

use std::fmt::Write as _;

use super::game::{PublishedEnding, PublishedGame, PublishedTurn, board_rows};
use super::player::PublishedPlayer;
use super::simulation::PublishedPairing;
use crate::native::checkers::CheckersState;

/// The name of a game's log, red first: `min-1-abs-2-4-short.log`. Players of different depths have both in it, as `4x6`.
pub fn log_name(pairing: &PublishedPairing, is_full: bool) -> String {
    let of =
        |player: &PublishedPlayer| format!("{}-{}", player.algorithm.name(), player.evaluation);
    let (red, black) = (&pairing.red, &pairing.black);
    let depth = match red.depth == black.depth {
        true => red.depth.to_string(),
        false => format!("{}x{}", red.depth, black.depth),
    };
    let verbosity = if is_full { "full" } else { "short" };
    format!("{}-{}-{depth}-{verbosity}.log", of(red), of(black))
}

/// The moves, the nodes of both players, and how the game ended.
pub fn short_log(pairing: &PublishedPairing, game: &PublishedGame) -> String {
    let mut text = String::new();
    for (number, played) in game.turns.iter().enumerate() {
        write_turn(&mut text, number, played);
    }
    write_end(&mut text, pairing, game);
    text
}

/// The same with the board, what was taken, and the nodes of each search.
pub fn full_log(pairing: &PublishedPairing, game: &PublishedGame) -> String {
    let mut text = String::new();
    for (number, played) in game.turns.iter().enumerate() {
        let [round, who, shouted] = words(number);
        let _ = writeln!(text, "Round {round} {who}'s Move...");
        write_turn(&mut text, number, played);
        write_board(&mut text, &played.turn.after);
        match played.turn.captures() {
            0 => {}
            taken => {
                let _ = writeln!(text, "{shouted} player took {taken} piece(s).");
            }
        }
        let (leaf, expanded) = (played.counts.leaf, played.counts.expanded);
        let _ = writeln!(text, "Leaf Nodes: {leaf}, Expanded Nodes: {expanded}\n");
    }
    write_end(&mut text, pairing, game);
    text
}

/// The number of the round, and who moves, in two spellings.
fn words(number: usize) -> [String; 3] {
    let who = if number.is_multiple_of(2) {
        "Black"
    } else {
        "Red"
    };
    [
        (number / 2 + 1).to_string(),
        who.to_owned(),
        who.to_uppercase(),
    ]
}

fn write_turn(text: &mut String, number: usize, played: &PublishedTurn) {
    let [_, who, _] = words(number);
    let start = played.turn.start().map_or(0, u32::from);
    let _ = write!(
        text,
        "{who} moves from {start} to destination (in sequence):"
    );
    for square in played.turn.landings() {
        let _ = write!(text, " dest: {square}");
    }
    text.push('\n');
}

/// Two lines for each row: the pieces, and the numbers of the squares.
fn write_board(text: &mut String, position: &CheckersState) {
    let _ = writeln!(text, " {}", "_".repeat(31));
    for (row, letters) in board_rows(position).iter().enumerate() {
        let mut lines = [String::new(), String::new()];
        for column in 0..8 {
            let is_dark = (row + column) % 2 == 1;
            let letter = if is_dark { letters[column / 2] } else { ' ' };
            let letter = if letter == '.' { ' ' } else { letter };
            let number = 4 * row + column / 2 + 1;
            let number = if is_dark {
                number.to_string()
            } else {
                String::new()
            };
            let _ = write!(lines[0], "| {letter} ");
            let _ = write!(lines[1], "|{number:_>3}");
        }
        let [pieces, numbers] = lines;
        let _ = writeln!(text, "{pieces}|\n{numbers}|");
    }
}

fn write_end(text: &mut String, pairing: &PublishedPairing, game: &PublishedGame) {
    for (who, player) in [("Red", 1), ("Black", 0)] {
        let done = game.of_player(player);
        let counts = done.counts;
        let _ = writeln!(
            text,
            "{who}: Leaf Nodes {}, Expanded Nodes {}, Total Nodes {}, Captures {}, Rounds {}, Milliseconds {:.4}, Bytes {}",
            counts.leaf,
            counts.expanded,
            counts.nodes(),
            done.captures,
            done.turns,
            done.time.as_secs_f64() * 1000.0,
            counts.bytes()
        );
    }
    let result = match game.ending {
        PublishedEnding::Black => "BLACK WINS",
        PublishedEnding::Red => "RED WINS",
        PublishedEnding::Draw => "DRAW!!!",
    };
    let _ = writeln!(text, "{result}");
    for (who, player) in [("Red", &pairing.red), ("Black", &pairing.black)] {
        let (title, evaluation) = (player.algorithm.title(), player.evaluation);
        let _ = writeln!(
            text,
            "{who}: {title}, Evaluation {evaluation}, Depth {}",
            player.depth
        );
    }
}
