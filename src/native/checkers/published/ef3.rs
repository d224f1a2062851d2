//! EF-3, in its final version.

use super::seen::{PieceSide, Seen, adjacent, numbered};
use crate::native::checkers::CheckersTurn;

/// What red's men are worth; for black's the table is reversed.
pub(super) const MEN: [i32; 32] = [
    7, 1, 7, 1, 1, 2, 2, 2, 1, 5, 5, 5, 1, 3, 3, 3, //
    1, 4, 4, 4, 1, 5, 250, 250, 1, 250, 500, 500, 50, 100, 100, 1000,
];
const KINGS: [i32; 32] = [
    1, 1, 1, 1, 1, 5, 5, 55, 5, 15, 45, 1, 1, 5, 35, 5, //
    5, 25, 25, 1, 1, 15, 5, 15, 5, 5, 5, 10, 1, 1, 1, 1,
];
/// The ends of the rows, where no piece can be jumped over.
pub(super) const EDGES: [u8; 6] = [5, 12, 13, 20, 21, 28];

/// The same with the differences of kings and men, as the listing has them in comments.
pub(super) fn value_with_bonus(seen: &Seen) -> i32 {
    let (own, opponent) = (&seen.own, &seen.opponent);
    let kings = own.king_count() - opponent.king_count();
    let men = own.men_count() - opponent.men_count();
    match value(seen) {
        decided @ (7_999_999 | -7_999_999) => decided,
        value => value + 40 * kings + 20 * men,
    }
}

/// What the position is worth; unlike the others without a limit.
pub(super) fn value(seen: &Seen) -> i32 {
    let (own, opponent) = (&seen.own, &seen.opponent);
    if seen.opponent_turns.is_empty() {
        return 7_999_999;
    }
    if seen.own_turns.is_empty() {
        return -7_999_999;
    }
    let gains = seen.own_turns.iter().map(|turn| gain(turn, own, opponent));
    let losses = seen.opponent_turns.iter();
    let losses = losses.map(|turn| loss(turn, own, opponent));
    4 * own.king_count()
        + 2 * own.men_count()
        + on_squares(own)
        + gains.sum::<i32>()
        + losses.sum::<i32>()
}

/// Kept slip: each square has the worth of the next one, and square 32 none; in its place a king there is found on
/// square 0.
fn on_squares(side: &PieceSide) -> i32 {
    let men = (1..32).filter(|&square| side.men >> square & 1 == 1);
    let men = men.map(|square: usize| match side.is_red {
        true => MEN[square],
        false => MEN[31 - square],
    });
    let kings = (0..32).filter(|&square| side.has_king(square));
    let kings = kings.map(|square| KINGS[usize::from(square)]);
    2 * men.sum::<i32>() + 4 * kings.sum::<i32>()
}

/// The one piece that a turn takes, as square and whether it is a king of `side`.
pub(super) enum Catch {
    Nothing,
    One { is_king: bool, landing: u8 },
    Many,
}

impl Catch {
    pub(super) fn of(turn: &CheckersTurn, victims: &PieceSide) -> Self {
        let taken = numbered(turn.taken);
        match (taken.count_ones(), turn.landings().last()) {
            (1, Some(landing)) => Self::One {
                is_king: victims.kings & taken != 0,
                landing,
            },
            (0 | 1, _) => Self::Nothing,
            _ => Self::Many,
        }
    }
}

/// What one of the own turns is worth. Kept slips: the bonus for a safe capture is out of reach for red, and black has
/// it for every square around.
fn gain(turn: &CheckersTurn, own: &PieceSide, opponent: &PieceSide) -> i32 {
    let (is_king, landing) = match Catch::of(turn, opponent) {
        Catch::Nothing => return 0,
        Catch::Many => return 2000,
        Catch::One { is_king, landing } => (is_king, landing),
    };
    let around = adjacent(landing).map(|square| {
        let is_ahead = (square > landing) == own.is_red;
        let is_attacked = match is_ahead {
            true => opponent.has_piece(square),
            false => opponent.has_king(square),
        };
        let attacked = if is_attacked { -100 } else { 0 };
        attacked + if own.is_red { 0 } else { 1000 }
    });
    around.sum::<i32>() + if is_king { 400 } else { 200 }
}

/// What one of the opponent's turns costs. Kept slips: what counts as able to retaliate are the opponent's own pieces,
/// and a capture that lands on 32 is on none of the rows, because 1 << 32 is 1.
fn loss(turn: &CheckersTurn, own: &PieceSide, opponent: &PieceSide) -> i32 {
    let landing = match Catch::of(turn, own) {
        Catch::Nothing => return 0,
        Catch::Many => return -40_000,
        Catch::One { is_king: true, .. } => return -4000,
        Catch::One { landing, .. } => landing,
    };
    let is_on = |row: [u8; 4]| landing != 32 && row.contains(&landing);
    if is_on(own.back_row()) {
        return -5000;
    }
    if is_on(opponent.back_row()) || EDGES.contains(&landing) {
        return -2000;
    }
    let around = adjacent(landing).map(|square| {
        let is_behind = (square > landing) == own.is_red;
        let retaliates = match is_behind {
            true => opponent.has_king(square),
            false => opponent.has_piece(square),
        };
        if retaliates { 1000 } else { 0 }
    });
    around.sum()
}
