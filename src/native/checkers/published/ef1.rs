//! EF-1.

use super::clamped;
use super::seen::{PieceSide, Seen};

/// What the parts of one side count for.
struct Weights {
    man: i32,
    king: i32,
    mobility: i32,
    back: i32,
}

impl Weights {
    fn sum(&self, side: &PieceSide, mobility: i32, bonus: i32) -> i32 {
        let back_row = side.back_row().into_iter();
        let back = back_row.filter(|&square| side.men >> square & 1 == 1);
        side.men_count() * self.man
            + side.king_count() * self.king
            + mobility * self.mobility
            + back.count() as i32 * self.back
            + bonus
    }
}

/// Kept slips: once the player is ahead, its own pieces count for next to nothing, which rewards exchanges; control of
/// the centre and the weights from turn 60 on, which the report describes, are never used by the program.
pub(super) fn value(seen: &Seen, made: u32) -> i32 {
    let mut balance = Balance::of(made);
    if seen.own_turns.is_empty() {
        balance = Balance::of(0);
        balance.penalty += 6_000_000;
    } else if takes_all(seen) {
        balance = Balance::of(0);
        balance.bonus += 6_000_000;
    } else {
        balance.compare(&seen.own, &seen.opponent);
    }
    let [own, opponent] = [&seen.own_turns, &seen.opponent_turns].map(|turns| turns.len() as i32);
    let own = balance.own.sum(&seen.own, own, balance.bonus);
    let opponent = balance
        .opponent
        .sum(&seen.opponent, opponent, balance.penalty);
    clamped(own - opponent)
}

/// Kept slip: the program takes a turn with as many landings as the opponent has pieces for one that takes them all. A
/// move without a jump has one landing.
fn takes_all(seen: &Seen) -> bool {
    let left = seen.opponent.piece_count();
    let mut turns = seen.own_turns.iter();
    turns.any(|turn| turn.moves.len() as i32 == left)
}

/// What both sides' parts count for.
struct Balance {
    own: Weights,
    opponent: Weights,
    bonus: i32,
    penalty: i32,
}

impl Balance {
    fn of(made: u32) -> Self {
        let ([man, king, mobility], own_back, opponent_back) = match made {
            40.. => ([20, 80, 3], 2, 1),
            _ => ([40, 90, 5], 5, 2),
        };
        let weights = |back| Weights {
            man,
            king,
            mobility,
            back,
        };
        Self {
            own: weights(own_back),
            opponent: weights(opponent_back),
            bonus: 0,
            penalty: 0,
        }
    }

    fn compare(&mut self, own: &PieceSide, opponent: &PieceSide) {
        match own.piece_count() - opponent.piece_count() {
            ahead @ 2.. => {
                self.bonus += if ahead < 4 { 1000 } else { 11_000 };
                (self.own.man, self.own.king) = (1, 1);
                (self.opponent.man, self.opponent.king) = match ahead {
                    ..4 => (600, 1600),
                    _ => (6000, 16_000),
                };
            }
            ..=-2 => {
                self.penalty += 1000;
                (self.own.man, self.own.king) = (60, 160);
            }
            _ => {}
        }
        match own.king_count() - opponent.king_count() {
            2.. => self.bonus += 100,
            ..=-2 => self.penalty += 100,
            _ => {}
        }
    }
}
