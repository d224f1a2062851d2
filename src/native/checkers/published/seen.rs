//! A position as the evaluations look at it: by the numbers of the squares, and with the turns of both sides.

use crate::native::bits::squares;
use crate::native::checkers::turns::number;
use crate::native::checkers::{Checkers, CheckersState, CheckersTurn, NO_CHAIN};

/// The position as the player in control sees it.
pub(super) struct Seen {
    pub(super) own: PieceSide,
    pub(super) opponent: PieceSide,
    pub(super) own_turns: Vec<CheckersTurn>,
    pub(super) opponent_turns: Vec<CheckersTurn>,
}

/// The pieces of one side: bit `n` stands for the square of number `n`, from 1 to 32.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PieceSide {
    pub(super) men: u64,
    pub(super) kings: u64,
    pub(super) is_red: bool,
}

impl Seen {
    pub(super) fn new(rules: &Checkers, position: &CheckersState) -> Self {
        let turned = turned(position);
        Self {
            own: PieceSide::of(position.own, position),
            opponent: PieceSide::of(position.enemy, &turned),
            own_turns: rules.turns(position),
            opponent_turns: rules.turns(&turned),
        }
    }
}

/// The same pieces, with the other player in control.
pub(super) fn turned(position: &CheckersState) -> CheckersState {
    CheckersState {
        own: position.enemy,
        enemy: position.own,
        control: 1 - position.control,
        chain: NO_CHAIN,
        ..*position
    }
}

impl PieceSide {
    fn of(pieces: u32, position: &CheckersState) -> Self {
        Self {
            men: numbered(pieces & !position.kings),
            kings: numbered(pieces & position.kings),
            is_red: position.control == 1,
        }
    }

    pub(super) fn men_count(&self) -> i32 {
        self.men.count_ones() as i32
    }

    pub(super) fn king_count(&self) -> i32 {
        self.kings.count_ones() as i32
    }

    pub(super) fn piece_count(&self) -> i32 {
        self.men_count() + self.king_count()
    }

    /// The row on which the side's men begin at the very back.
    pub(super) fn back_row(&self) -> [u8; 4] {
        match self.is_red {
            true => [1, 2, 3, 4],
            false => [29, 30, 31, 32],
        }
    }

    pub(super) fn has_king(&self, square: u8) -> bool {
        self.kings >> real(square) & 1 == 1
    }

    /// Whether the program finds a piece there. It also looks at square 0, where a negative shift shows it the king on 32.
    pub(super) fn has_piece(&self, square: u8) -> bool {
        let man = square != 0 && self.men >> square & 1 == 1;
        man || self.has_king(square)
    }
}

/// The square that is looked at in place of `square`.
fn real(square: u8) -> u8 {
    if square == 0 { 32 } else { square }
}

/// The numbers of the squares of a set, one bit each.
pub(super) fn numbered(set: u32) -> u64 {
    squares(u64::from(set)).fold(0, |numbers, bit| numbers | 1 << number(bit as u8))
}

/// The diagonal neighbours of a square.
pub(super) fn adjacent(square: u8) -> impl Iterator<Item = u8> {
    // Beside the square of the same number one row on, where the rows are shifted by half a square to either side.
    let row = (square - 1) / 4;
    let is_shifted_right = row.is_multiple_of(2);
    let (left, right) = if is_shifted_right { (0, 1) } else { (1, 0) };
    let is_left_edge = !is_shifted_right && square % 4 == 1;
    let is_right_edge = is_shifted_right && square.is_multiple_of(4);
    let ways = [
        (!is_left_edge && row > 0, i16::from(square) - 4 - left),
        (!is_right_edge && row > 0, i16::from(square) - 4 + right),
        (!is_left_edge && row < 7, i16::from(square) + 4 - left),
        (!is_right_edge && row < 7, i16::from(square) + 4 + right),
    ];
    let on_board = ways.into_iter().filter(|(is_on_board, _)| *is_on_board);
    on_board.map(|(_, square)| square as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_those_of_the_printed_board() {
        let known: [(u8, &[u8]); 6] = [
            (1, &[5, 6]),
            (4, &[8]),
            (5, &[1, 9]),
            (18, &[14, 15, 22, 23]),
            (15, &[10, 11, 18, 19]),
            (29, &[25]),
        ];
        for (square, neighbours) in known {
            let found: Vec<u8> = adjacent(square).collect();
            assert_eq!(found, neighbours, "{square}");
        }
    }
}
