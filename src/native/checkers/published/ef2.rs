//! EF-2.

use super::clamped;
use super::seen::{PieceSide, Seen};
use crate::native::bits::squares;

/// What red's men are worth on the squares from 1 to 32; for black's the board is turned round.
pub(super) const MEN: [i32; 32] = [
    10, 1, 10, 1, 8, 5, 5, 2, 5, 3, 3, 5, 5, 3, 5, 3, //
    5, 8, 5, 8, 15, 8, 15, 8, 15, 25, 15, 25, 75, 75, 75, 75,
];
const KINGS: [i32; 32] = [
    1, 1, 1, 1, 3, 5, 5, 3, 7, 9, 9, 7, 8, 13, 13, 8, //
    8, 13, 13, 8, 7, 9, 9, 7, 3, 5, 5, 3, 1, 1, 1, 1,
];

/// Kept slips: the opponent's squares are those of the player's own men, and a role that has taken all pieces is worth less.
pub(super) fn value(seen: &Seen) -> i32 {
    let (own, opponent) = (&seen.own, &seen.opponent);
    let (men, kings) = (own.men_count(), own.king_count());
    let nothing_left = |side: &PieceSide, worth| if side.piece_count() == 0 { worth } else { 0 };
    let own_men = men_on_squares(own, opponent);
    let own_value = 560 * men + 3000 * kings + own_men + kings_on_squares(own, opponent)
        - nothing_left(own, 877_775);
    let (men, kings) = (opponent.men_count(), opponent.king_count());
    let position = own_men + kings_on_squares(opponent, opponent);
    let opponent_value = 560 * men + 3000 * kings + position + 99 * men + 1000 * kings;
    let weighed = 0.55 * f64::from(opponent_value) + f64::from(nothing_left(opponent, 777_775));
    clamped(own_value - weighed as i32)
}

/// The squares of a side's men. When the opponent has three men, which was to mean that only kings are left, columns
/// count instead.
fn men_on_squares(side: &PieceSide, opponent: &PieceSide) -> i32 {
    let worth = |place: usize| match opponent.men_count() {
        3 => [0, 3, 6, 9][place % 4],
        _ => MEN[place],
    };
    let on_square = |square: u32| match side.is_red {
        true => worth(square as usize - 1),
        false => worth(32 - square as usize),
    };
    squares(side.men).map(on_square).sum()
}

fn kings_on_squares(side: &PieceSide, opponent: &PieceSide) -> i32 {
    let on_square = |square: u32| 10 * KINGS[square as usize - 1] + cross(square as u8, opponent);
    squares(side.kings).map(on_square).sum()
}

/// The "cross of pain": 50 for each of four squares around with a piece of the opponent. Kept slips: the squares to the
/// left and right are those of the remainder, and around the opponent's kings too its own pieces count.
fn cross(square: u8, opponent: &PieceSide) -> i32 {
    let (before, after) = ((square - 1) % 4, (square + 1) % 4);
    let conditions = [
        before != 0 && opponent.has_piece(before),
        !square.is_multiple_of(4) && opponent.has_piece(after),
        square > 8 && opponent.has_piece(square - 8),
        square < 25 && opponent.has_piece(square + 8),
    ];
    conditions
        .into_iter()
        .map(|holds| i32::from(holds) * 50)
        .sum()
}
