//! EF-3 before its final version.

use super::ef3::{Catch, EDGES};
use super::seen::{PieceSide, Seen};
use crate::native::bits::squares;
use crate::native::checkers::CheckersTurn;

/// What men are worth on the squares from 1 to 32.
type SquareTable = [i32; 32];

#[rustfmt::skip]
const RED_V1: SquareTable = [
    100, 1, 100, 1, 2, 1, 1, 2, 1, 1, 1, 2, 2, 3, 3, 1,
    2, 3, 3, 4, 2, 3, 3, 1, 3, 3, 3, 4, 10, 10, 10, 10,
];
#[rustfmt::skip]
const BLACK_V1: SquareTable = [
    10, 10, 10, 10, 4, 3, 3, 3, 1, 3, 3, 2, 4, 3, 3, 2,
    1, 3, 3, 2, 2, 1, 1, 1, 2, 1, 1, 2, 1, 100, 1, 100,
];
#[rustfmt::skip]
const RED_V2: SquareTable = [
    100, 0, 100, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 9, 9,
    10, 10, 10, 1, 1, 11, 11, 11, 12, 12, 12, 10, 110, 110, 110, 110,
];
#[rustfmt::skip]
const BLACK_V2: SquareTable = [
    110, 110, 110, 110, 10, 12, 12, 12, 11, 11, 11, 1, 1, 10, 10, 10,
    9, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 100, 0, 100,
];
#[rustfmt::skip]
const KINGS_V2: SquareTable = [
    3, 1, 1, 5, 5, 2, 2, 3, 3, 10, 10, 5, 5, 10, 10, 3,
    3, 10, 10, 5, 5, 10, 10, 10, 3, 2, 2, 5, 5, 1, 1, 3,
];

/// Pieces, kings ten times, the squares where moves end, and the squares of pieces.
///
/// Kept slip: the squares where moves end have the worth of the next one. Square 32, which the table does not have, counts 0.
pub(super) fn value_v1(seen: &Seen) -> i32 {
    let table = table(&seen.own, [&RED_V1, &BLACK_V1]);
    pieces_and_moves(seen, table) + of_pieces(&seen.own, table)
}

/// Captures decide; where there are none, the same as in the first version with other tables, and the opponent's squares are
/// taken away for red alone.
pub(super) fn value_v2(seen: &Seen) -> i32 {
    let (own, opponent) = (&seen.own, &seen.opponent);
    if seen.opponent_turns.is_empty() {
        return i32::MAX - 1000;
    }
    if seen.own_turns.is_empty() {
        return 0;
    }
    let gains = seen.own_turns.iter();
    match gains.map(|turn| gain(turn, opponent)).max() {
        Some(0) | None => {}
        Some(gain) => return gain,
    }
    let losses = seen.opponent_turns.iter().map(|turn| loss(turn, seen));
    let Some(casualties) = losses.sum::<Option<i32>>() else {
        return 0;
    };
    let of_side = |side: &PieceSide| {
        let kings = on_squares(side.kings, &KINGS_V2);
        kings + on_squares(side.men, table(side, [&RED_V2, &BLACK_V2]))
    };
    let enemy = if own.is_red { of_side(opponent) } else { 0 };
    let table = table(own, [&RED_V2, &BLACK_V2]);
    pieces_and_moves(seen, table) + of_side(own) - enemy + casualties
}

fn table<'t>(side: &PieceSide, [red, black]: [&'t SquareTable; 2]) -> &'t SquareTable {
    if side.is_red { red } else { black }
}

fn pieces_and_moves(seen: &Seen, table: &SquareTable) -> i32 {
    let own = &seen.own;
    let ends = seen
        .own_turns
        .iter()
        .filter_map(|turn| turn.landings().last());
    let ends = ends.map(|square| table.get(usize::from(square)).copied().unwrap_or(0));
    own.piece_count() + 10 * own.king_count() + ends.sum::<i32>()
}

fn of_pieces(side: &PieceSide, table: &SquareTable) -> i32 {
    on_squares(side.men | side.kings, table)
}

fn on_squares(set: u64, table: &SquareTable) -> i32 {
    squares(set).map(|square| table[square as usize - 1]).sum()
}

/// What an own turn is worth at once: nothing, unless it takes something.
fn gain(turn: &CheckersTurn, opponent: &PieceSide) -> i32 {
    match Catch::of(turn, opponent) {
        Catch::Nothing => 0,
        Catch::One { .. } => i32::MAX / 2,
        Catch::Many => i32::MAX - 10,
    }
}

/// What a turn of the opponent adds; `None` where it makes the position worth nothing. Kept slips: the squares around are
/// right on every other row only, and for both sides it is red's pieces that can retaliate.
fn loss(turn: &CheckersTurn, seen: &Seen) -> Option<i32> {
    let landing = match Catch::of(turn, &seen.own) {
        Catch::Nothing => return Some(0),
        Catch::Many | Catch::One { is_king: true, .. } => return None,
        Catch::One { landing, .. } => landing,
    };
    let is_on_back_row = [&seen.own, &seen.opponent].map(|side| side.back_row().contains(&landing));
    if is_on_back_row.contains(&true) || EDGES.contains(&landing) {
        return None;
    }
    let red = if seen.own.is_red {
        &seen.own
    } else {
        &seen.opponent
    };
    let around = [landing - 4, landing - 3, landing + 4, landing + 5];
    let retaliates = around.into_iter().any(|square| red.has_piece(square));
    Some(if retaliates { 500 } else { 0 })
}
