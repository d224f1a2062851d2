//! Lines, directions, and pieces that hang together.

/// What each way adds to a square: up, right, up right, down right, and the same backwards.
pub(super) const WAYS: [u32; 8] = {
    let mut ways = [0; 8];
    let mut way = 0;
    while way < 8 {
        let (x, y) = OFFSETS[way];
        ways[way] = (8 * y + x) as u32;
        way += 1;
    }
    ways
};

/// Files and ranks that each of [`WAYS`] adds.
const OFFSETS: [(i32, i32); 8] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (1, -1),
    (0, -1),
    (-1, 0),
    (-1, -1),
    (-1, 1),
];

/// Per way and square, the squares that lie there.
pub(super) const RAYS: [[u64; 64]; 8] = rays();
/// Per way and square, how many squares lie there.
pub(super) const ROOM: [[u8; 64]; 8] = room();
/// Per line, which is a way and its reverse, and square: the whole line with the square itself.
pub(super) const LINES: [[u64; 64]; 4] = lines();
/// Per line, all lines that run the same way, without those that are a corner.
pub(super) const PARALLELS: [[u64; 13]; 4] = parallels();
/// How far a piece goes at most.
pub(super) const MOST_ROOM: usize = 7;
/// Per way and number of squares, from where there is so much room.
pub(super) const HAS_ROOM: [[u64; MOST_ROOM + 1]; 8] = has_room();
/// Black's pieces and white's at the start.
pub(super) const START: [u64; 2] = [0x7e00_0000_0000_007e, 0x0081_8181_8181_8100];

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

const fn rays() -> [[u64; 64]; 8] {
    let mut rays = [[0; 64]; 8];
    let mut index = 0;
    while index < 8 * 64 {
        let (way, square) = (index / 64, index % 64);
        let (mut x, mut y) = (square as i32 % 8, square as i32 / 8);
        loop {
            (x, y) = (x + OFFSETS[way].0, y + OFFSETS[way].1);
            if x < 0 || 8 <= x || y < 0 || 8 <= y {
                break;
            }
            rays[way][square] |= 1 << (8 * y + x);
        }
        index += 1;
    }
    rays
}

const fn room() -> [[u8; 64]; 8] {
    let rays = rays();
    let mut room = [[0; 64]; 8];
    let mut index = 0;
    while index < 8 * 64 {
        room[index / 64][index % 64] = rays[index / 64][index % 64].count_ones() as u8;
        index += 1;
    }
    room
}

const fn lines() -> [[u64; 64]; 4] {
    let rays = rays();
    let mut lines = [[0; 64]; 4];
    let mut index = 0;
    while index < 4 * 64 {
        let (way, square) = (index / 64, index % 64);
        lines[way][square] = rays[way][square] | rays[way + 4][square] | 1 << square;
        index += 1;
    }
    lines
}

const fn parallels() -> [[u64; 13]; 4] {
    let mut parallels = [[0; 13]; 4];
    let mut way = 0;
    while way < 4 {
        let (mut square, mut found) = (0, 0);
        while square < 64 {
            // Each line is met on its first square.
            if ROOM[way + 4][square] == 0 && ROOM[way][square] > 0 {
                parallels[way][found] = LINES[way][square];
                found += 1;
            }
            square += 1;
        }
        way += 1;
    }
    parallels
}

const fn has_room() -> [[u64; MOST_ROOM + 1]; 8] {
    let mut has_room = [[0; MOST_ROOM + 1]; 8];
    let mut index = 0;
    while index < 8 * 64 {
        let (way, square) = (index / 64, index % 64);
        let mut far = 0;
        while far <= ROOM[way][square] as usize {
            has_room[way][far] |= 1 << square;
            far += 1;
        }
        index += 1;
    }
    has_room
}

/// The neighbours to the left and to the right.
#[inline(always)]
fn beside(set: u64) -> u64 {
    set << 1 & !FILE_A | set >> 1 & !FILE_H
}

/// Whether all of `pieces` hang together, straight or diagonally.
#[inline(always)]
pub(super) fn connected(pieces: u64) -> bool {
    if pieces & pieces.wrapping_sub(1) == 0 {
        return true;
    }
    // In most positions some piece is all alone, which is quicker to see than where chains end.
    let (sides, rows) = (beside(pieces), pieces | beside(pieces));
    if pieces & !(sides | rows << 8 | rows >> 8) != 0 {
        return false;
    }
    let mut group = pieces & pieces.wrapping_neg();
    loop {
        let rows = group | beside(group);
        let grown = pieces & (rows | rows << 8 | rows >> 8);
        if grown == group {
            return group == pieces;
        }
        group = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cross_the_whole_board() {
        // On d3, which is square 19: file d, rank 3, the diagonals from b1 to h7 and from f1 to a6.
        let diagonals = [1, 10, 19, 28, 37, 46, 55];
        let falling = [5, 12, 19, 26, 33, 40];
        let set = |squares: &[u32]| squares.iter().fold(0u64, |set, square| set | 1 << square);
        let expected = [FILE_A << 3, 0xff << 16, set(&diagonals), set(&falling)];
        assert_eq!(LINES.map(|line| line[19]), expected);
        assert_eq!(ROOM.map(|room| room[19]), [5, 4, 4, 2, 2, 3, 2, 3]);
    }

    #[test]
    fn groups_hang_together_in_all_directions() {
        assert!(connected(0) && connected(1 << 63));
        assert!(connected(1 | 1 << 9 | 1 << 16 | 1 << 25), "a zigzag");
        assert!(!connected(1 << 7 | 1 << 8), "h1 and a2 are far apart");
        assert!(!connected(1 << 56 | 1), "and so are a8 and a1");
        assert!(!connected(0b11 | 0b11 << 62), "two pairs");
        assert!(START.iter().all(|&side| !connected(side)));
    }
}
