//! The moves of one position, found by trying.

use super::board::{HAS_ROOM, LINES, MOST_ROOM, PARALLELS, RAYS, ROOM, WAYS};
use crate::native::bits::Ranks;
use crate::native::move_set::MoveSet;

/// The indices of a square's moves: one for each direction.
const DIRECTIONS: u32 = WAYS.len() as u32;
/// The index of passing.
const PASS: u32 = 64 * DIRECTIONS;
/// Makes another number of a random one (D. Knuth's MMIX).
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
/// The number of random draws before the legal moves are counted.
const TRIES: u32 = 64;

/// All moves of the player who has the pieces `own`, or those that are left of them.
#[derive(Debug, Clone, Copy)]
pub struct LinesOfActionMoves {
    own: u64,
    enemy: u64,
    /// Moves below this index have been taken out.
    next: u32,
    /// Whether any move has been taken out.
    taken: bool,
}

impl LinesOfActionMoves {
    #[inline(always)]
    pub(super) fn new(own: u64, enemy: u64) -> Self {
        Self {
            own,
            enemy,
            next: 0,
            taken: false,
        }
    }

    /// Where the piece on `from` arrives, and whether it may: by as many squares as there are pieces on the line.
    #[inline(always)]
    fn arrival(&self, from: u32, way: u32) -> (u32, bool) {
        let (square, way) = (from as usize % 64, way as usize % 8);
        let far = ((self.own | self.enemy) & LINES[way % 4][square]).count_ones();
        let to = from.wrapping_add(WAYS[way].wrapping_mul(far)) % 64;
        // Beyond the edge, `to` is some other square, and what lies between means nothing.
        let path = RAYS[way][square] & !RAYS[way][to as usize] & !(1 << to);
        let is_free = (path & self.enemy == 0) & (self.own >> to & 1 == 0);
        (to, is_free & (far <= u32::from(ROOM[way][square])))
    }

    /// The squares from and to which the move at `index` leads; `None` for passing.
    #[inline(always)]
    pub(super) fn way(&self, index: u32) -> Option<(u32, u32)> {
        let from = index / DIRECTIONS;
        (index < PASS).then(|| (from, self.arrival(from, index % DIRECTIONS).0))
    }

    /// Per way, the pieces that may go there: those on all lines of one kind at a time, by the number of pieces there.
    #[inline(always)]
    fn movable(&self) -> [u64; 8] {
        let mut movable = [0; 8];
        for line in 0..4 {
            let (way, back) = (line, line + 4);
            let by_count = self.by_count(line);
            // From where there is an enemy nearer than `far` squares.
            let (mut blocked, mut blocked_back) = (0, 0);
            for far in 1..=MOST_ROOM {
                let to = WAYS[way].wrapping_mul(far as u32) % 64;
                let to_back = (64 - to) % 64;
                let free = by_count[far] & !self.own.rotate_right(to) & !blocked;
                let free_back = by_count[far] & !self.own.rotate_right(to_back) & !blocked_back;
                movable[way] |= free & HAS_ROOM[way][far];
                movable[back] |= free_back & HAS_ROOM[back][far];
                blocked |= self.enemy.rotate_right(to);
                blocked_back |= self.enemy.rotate_right(to_back);
            }
        }
        movable
    }

    /// Own pieces, by the number of pieces on their lines of one kind.
    #[inline(always)]
    fn by_count(&self, line: usize) -> [u64; 16] {
        let mut by_count = [0; 16];
        for line in PARALLELS[line] {
            let pieces = (self.own | self.enemy) & line;
            by_count[pieces.count_ones() as usize % 16] |= self.own & line;
        }
        by_count
    }

    /// A random move, found by counting all. Only where random draws found none.
    #[cold]
    fn draw_counted(mut self, random: u64) -> Option<u32> {
        let n = ((random >> 32) * u64::from(self.count())) >> 32;
        let moves = std::iter::from_fn(|| self.pop());
        moves.take(n as usize + 1).last()
    }
}

impl MoveSet for LinesOfActionMoves {
    #[inline(always)]
    fn count(&self) -> u32 {
        if self.taken {
            let mut left = *self;
            return std::iter::from_fn(|| left.pop()).map(|_| 1).sum();
        }
        let moves: u32 = self.movable().iter().map(|set| set.count_ones()).sum();
        moves.max(1)
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<u32> {
        while self.next < PASS {
            let left = self.own >> (self.next / DIRECTIONS);
            if left == 0 {
                self.next = PASS;
            } else if left & 1 == 0 {
                self.next = (self.next / DIRECTIONS + left.trailing_zeros()) * DIRECTIONS;
            } else {
                let index = self.next;
                self.next += 1;
                if self.arrival(index / DIRECTIONS, index % DIRECTIONS).1 {
                    self.taken = true;
                    return Some(index);
                }
            }
        }
        let passes = !self.taken;
        self.taken = true;
        passes.then_some(PASS)
    }

    #[inline(always)]
    fn draw(&self, random: u64) -> Option<u32> {
        let ranks = Ranks::new(self.own);
        let ways = u64::from(ranks.count() * DIRECTIONS);
        let mut chance = random;
        for _ in 0..if self.taken { 0 } else { TRIES } {
            let nth = (((chance >> 32) * ways) >> 32) as u32;
            let from = ranks.select(self.own, nth / DIRECTIONS);
            if self.arrival(from, nth % DIRECTIONS).1 {
                return Some(from * DIRECTIONS + nth % DIRECTIONS);
            }
            chance = chance.wrapping_mul(MULTIPLIER).wrapping_add(1);
        }
        self.draw_counted(chance)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::START;
    use super::*;

    fn all(mut moves: LinesOfActionMoves) -> Vec<u32> {
        std::iter::from_fn(|| moves.pop()).collect()
    }

    /// From a drawn rank 5, `W . . B . B . W`: white's pieces have no move along it, black's f5 goes to b5 only, and
    /// d5 captures h5. Files are squares 32 to 39.
    #[test]
    fn pieces_pass_over_their_own_only() {
        let (white, black) = (0b1000_0001 << 32, 0b0010_1000 << 32);
        let across = |own, enemy| {
            let moves = LinesOfActionMoves::new(own, enemy);
            let ways = all(moves).into_iter().filter_map(|index| moves.way(index));
            let along: Vec<_> = ways.filter(|(_, to)| to / 8 == 4).collect();
            along
        };
        assert_eq!(across(white, black), []);
        assert_eq!(across(black, white), [(35, 39), (37, 33)]);
    }

    #[test]
    fn what_is_left_is_counted_and_drawn() {
        let start = LinesOfActionMoves::new(START[0], START[1]);
        let moves = all(start);
        assert_eq!((moves.len(), start.count()), (36, 36));
        let mut left = start;
        for taken in 1..=36 {
            assert_eq!(left.pop(), Some(moves[taken - 1]));
            assert_eq!(left.count() as usize, 36 - taken);
            let drawn = left.draw(u64::MAX / 3 + (1 << 40));
            assert_eq!(drawn, moves[taken..].get((36 - taken) / 3).copied());
        }
    }

    #[test]
    fn every_move_is_drawn_as_often() {
        let start = LinesOfActionMoves::new(START[0], START[1]);
        let mut drawn = [0; PASS as usize];
        for round in 0..36_000u64 {
            let random = round.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            drawn[start.draw(random).unwrap() as usize] += 1;
        }
        for index in all(start) {
            assert!((850..1150).contains(&drawn[index as usize]), "{index}");
        }
    }

    #[test]
    fn who_cannot_move_passes() {
        // A piece in the corner, with an enemy next to it in each of the three ways, and so too far to go.
        let moves = LinesOfActionMoves::new(1, 1 << 1 | 1 << 8 | 1 << 9);
        assert_eq!((all(moves), moves.count()), (vec![PASS], 1));
        assert_eq!((moves.draw(7), moves.way(PASS)), (Some(PASS), None));
    }
}
