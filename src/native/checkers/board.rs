//! The numbers of the dark squares, and where pieces can go from there.

use crate::native::bits::squares;
use crate::native::grid::{Grid, Names};

/// The ways up to the right, up to the left, down to the left and down to the right, as rotations to the left.
pub(super) const WAYS: [u32; 4] = [1, 7, 31, 25];
/// All of [`WAYS`].
pub(super) const ALL_WAYS: [usize; 4] = [0, 1, 2, 3];
/// Files and ranks that each way adds.
const OFFSETS: [(i32, i32); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// The dark squares of a board of at most 8 files and ranks. Smaller ones are corners of the usual one.
#[derive(Debug, Clone)]
pub(super) struct CheckersBoard {
    /// The squares from which a step each way stays on the board.
    pub(super) can_step: [u32; 4],
    /// The squares from which a jump each way stays on the board.
    pub(super) can_jump: [u32; 4],
    /// Where black and red begin.
    pub(super) camps: [u32; 2],
    /// Where men of black and of red become kings.
    pub(super) last_ranks: [u32; 2],
    pub(super) grid: Grid,
    /// The bits of all dark squares.
    pub(super) dark: u32,
    width: i32,
}

/// The bit of a dark square. `a1` is bit 0; from there, a square is reached by steps up to the right and steps
/// up to the left.
pub(super) const fn bit(file: i32, rank: i32) -> u32 {
    let (right, left) = ((rank + file) / 2, (rank - file) / 2);
    (right + 7 * left).rem_euclid(32) as u32
}

/// The numbers of the dark squares of the usual board, 1 to 32: row by row, beginning with the highest rank.
pub(super) const NUMBERS: [u8; 32] = numbers();

const fn numbers() -> [u8; 32] {
    let mut numbers = [0; 32];
    let mut number = 1;
    while number <= 32 {
        let (row, column) = ((number - 1) / 4, (number - 1) % 4);
        let file = 2 * column + (row + 1) % 2;
        numbers[bit(file, 7 - row) as usize] = number as u8;
        number += 1;
    }
    numbers
}

impl CheckersBoard {
    /// The board of `width` files and `height` ranks, both from 4 to 8, with men on the first `ranks` of each side.
    pub(super) fn new(width: u8, height: u8, ranks: u8) -> Self {
        let columns = (Names::Letters, usize::from(width));
        let mut grid = Grid::new(columns, (Names::From(1), usize::from(height)));
        let (width, height, ranks) = (i32::from(width), i32::from(height), i32::from(ranks));
        let all = move || {
            let squares =
                (0..height).flat_map(move |rank| (0..width).map(move |file| (file, rank)));
            squares.filter(|(file, rank)| (file + rank) % 2 == 0)
        };
        let set = |holds: &dyn Fn(i32, i32) -> bool| {
            let squares = all().filter(|&(file, rank)| holds(file, rank));
            squares.fold(0, |set, (file, rank)| set | 1 << bit(file, rank))
        };
        let can_go = |far: i32| {
            OFFSETS.map(|(right, up)| {
                set(&|file, rank| {
                    let (file, rank) = (file + far * right, rank + far * up);
                    (0..width).contains(&file) && (0..height).contains(&rank)
                })
            })
        };
        grid.board = all().fold(0, |dark, (file, rank)| dark | 1 << (rank * width + file));
        Self {
            can_step: can_go(1),
            can_jump: can_go(2),
            camps: [
                set(&|_, rank| rank < ranks),
                set(&|_, rank| rank >= height - ranks),
            ],
            last_ranks: [
                set(&|_, rank| rank == height - 1),
                set(&|_, rank| rank == 0),
            ],
            grid,
            dark: set(&|_, _| true),
            width,
        }
    }

    /// Whether this is the usual board of 8 files and ranks.
    pub(super) fn is_usual(&self) -> bool {
        self.grid.board == 0xaa55_aa55_aa55_aa55
    }

    /// The bit of a dark square of the grid.
    fn bit_of(&self, square: u32) -> u32 {
        bit(square as i32 % self.width, square as i32 / self.width)
    }

    /// The square of the grid that a bit stands for.
    pub(super) fn square(&self, bit: u32) -> Option<u32> {
        squares(self.grid.board).find(|&square| self.bit_of(square) == bit)
    }

    /// Dark squares of the grid as bits.
    pub(super) fn of_grid(&self, set: u64) -> u32 {
        let dark = squares(set & self.grid.board);
        dark.fold(0, |bits, square| bits | 1 << self.bit_of(square))
    }

    /// The dark square as facts and moves have it: `c 3`.
    pub(super) fn name(&self, bit: u8) -> String {
        let square = self.square(u32::from(bit));
        square.map_or_else(String::new, |square| self.grid.name(square))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dark_square_has_its_bit() {
        let board = CheckersBoard::new(8, 8, 3);
        assert_eq!(board.grid.board, 0xaa55_aa55_aa55_aa55);
        assert_eq!(board.of_grid(board.grid.board), !0);
        let small = CheckersBoard::new(6, 4, 1);
        let dark = small.of_grid(small.grid.board);
        assert_eq!((dark.count_ones(), dark), (12, small.dark));
        for square in squares(small.grid.board) {
            assert_eq!(small.square(small.bit_of(square)), Some(square));
        }
        assert_eq!(small.name(bit(5, 1) as u8), "f 2");
    }

    #[test]
    fn ways_are_rotations() {
        for (width, height) in [(8, 8), (6, 8), (8, 6), (4, 4)] {
            let board = CheckersBoard::new(width, height, 1);
            let (width, height) = (i32::from(width), i32::from(height));
            for square in squares(board.grid.board) {
                let (file, rank) = (square as i32 % width, square as i32 / width);
                for way in ALL_WAYS {
                    let (file, rank) = (file + OFFSETS[way].0, rank + OFFSETS[way].1);
                    let from = board.of_grid(1 << square);
                    let arrives = (from & board.can_step[way]).rotate_left(WAYS[way]);
                    let is_on_board = (0..width).contains(&file) && (0..height).contains(&rank);
                    let expected = if is_on_board { 1 << bit(file, rank) } else { 0 };
                    assert_eq!(arrives, expected);
                }
            }
        }
    }
}
