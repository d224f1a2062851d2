//! The numbers of the dark squares, and where pieces can go from there.

/// The ways up to the right, up to the left, down to the left and down to the right, as rotations to the left.
pub(super) const WAYS: [u32; 4] = [1, 7, 31, 25];
/// All of [`WAYS`].
pub(super) const ALL_WAYS: [usize; 4] = [0, 1, 2, 3];
/// Files and ranks that each way adds.
const OFFSETS: [(i32, i32); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// The squares from which a step that way stays on the board.
pub(super) const CAN_STEP: [u32; 4] = can_go(1);
/// The squares from which a jump that way stays on the board.
pub(super) const CAN_JUMP: [u32; 4] = can_go(2);
/// Where black and red begin.
pub(super) const CAMPS: [u32; 2] = [ranks(0, 2), ranks(5, 7)];
/// Where men of black and of red become kings.
pub(super) const LAST_RANKS: [u32; 2] = [ranks(7, 7), ranks(0, 0)];
/// The square of the grid, `rank * 8 + file`, of each bit.
pub(super) const SQUARES: [u32; 32] = squares();

/// The bit of a dark square. `a1` is bit 0; from there, a square is reached by so many steps up to the right and so
/// many up to the left.
const fn bit(file: i32, rank: i32) -> u32 {
    let (right, left) = ((rank + file) / 2, (rank - file) / 2);
    (right + 7 * left).rem_euclid(32) as u32
}

const fn is_dark(file: i32, rank: i32) -> bool {
    (file + rank) % 2 == 0
}

const fn is_on_board(file: i32, rank: i32) -> bool {
    0 <= file && file < 8 && 0 <= rank && rank < 8
}

const fn squares() -> [u32; 32] {
    let mut squares = [0; 32];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        if is_dark(file, rank) {
            squares[bit(file, rank) as usize] = square as u32;
        }
        square += 1;
    }
    squares
}

const fn can_go(far: i32) -> [u32; 4] {
    let squares = squares();
    let mut sets = [0; 4];
    let mut bit = 0;
    while bit < 32 {
        let (file, rank) = (squares[bit] as i32 % 8, squares[bit] as i32 / 8);
        let mut way = 0;
        while way < 4 {
            let (right, up) = OFFSETS[way];
            if is_on_board(file + far * right, rank + far * up) {
                sets[way] |= 1 << bit;
            }
            way += 1;
        }
        bit += 1;
    }
    sets
}

const fn ranks(first: u32, last: u32) -> u32 {
    let squares = squares();
    let mut set = 0;
    let mut bit = 0;
    while bit < 32 {
        let rank = squares[bit] / 8;
        if first <= rank && rank <= last {
            set |= 1 << bit;
        }
        bit += 1;
    }
    set
}

/// Bits of dark squares as squares of the grid.
pub(super) fn to_grid(set: u32) -> u64 {
    let bits = (0..32).filter(|bit| set >> bit & 1 == 1);
    bits.fold(0, |squares, bit| squares | 1 << SQUARES[bit])
}

/// Squares of the grid as bits of dark squares.
pub(super) fn of_grid(squares: u64) -> u32 {
    let bits = (0..32).filter(|&bit| squares >> SQUARES[bit] & 1 == 1);
    bits.fold(0, |set, bit| set | 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dark_square_has_its_bit() {
        let dark = to_grid(!0);
        assert_eq!(dark, 0xaa55_aa55_aa55_aa55);
        assert_eq!(of_grid(dark), !0);
    }

    #[test]
    fn ways_are_rotations() {
        for (bit, &square) in SQUARES.iter().enumerate() {
            let (file, rank) = (square as i32 % 8, square as i32 / 8);
            for way in ALL_WAYS {
                let (right, up) = (file + OFFSETS[way].0, rank + OFFSETS[way].1);
                let arrives = ((1 << bit) & CAN_STEP[way]).rotate_left(WAYS[way]);
                let expected = if is_on_board(right, up) {
                    1 << (up * 8 + right)
                } else {
                    0
                };
                assert_eq!(to_grid(arrives), expected);
            }
        }
    }
}
