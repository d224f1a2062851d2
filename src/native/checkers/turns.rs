//! Whole turns: a move without a jump, or a chain of jumps to its end.

use smallvec::SmallVec;

use super::board::NUMBERS;
use super::{Checkers, CheckersMove, CheckersState, NO_CHAIN, middle};
use crate::native::move_set::MoveSet;
use crate::native::rules::NativeRules;

/// What a player does before the other one is to move again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckersTurn {
    /// The move, or the jumps of the chain.
    pub moves: SmallVec<[CheckersMove; 4]>,
    /// The position after them.
    pub after: CheckersState,
    /// The pieces taken.
    pub(super) taken: u32,
}

impl CheckersTurn {
    /// The numbers of the squares on which the piece lands, one after the other.
    pub fn landings(&self) -> impl Iterator<Item = u8> {
        self.moves.iter().map(|mv| number(mv.to))
    }

    /// The number of the square on which the piece stood.
    pub fn start(&self) -> Option<u8> {
        self.moves.first().map(|mv| number(mv.from))
    }

    /// How many pieces it takes.
    pub fn captures(&self) -> u32 {
        self.taken.count_ones()
    }

    /// The turn as players write it, such as `21-17` or `2x11x4`.
    pub fn text(&self) -> String {
        let mark = if self.taken == 0 { "-" } else { "x" };
        let squares = self.start().into_iter().chain(self.landings());
        let squares: Vec<String> = squares.map(|square| square.to_string()).collect();
        squares.join(mark)
    }
}

/// The number of the square, row by row from red's side of the usual board.
pub(super) fn number(bit: u8) -> u8 {
    NUMBERS[usize::from(bit % 32)]
}

impl Checkers {
    /// All turns of the player in control, ordered by the numbers of the squares, chain after chain.
    ///
    /// Where a chain can go on in several ways, each way to an end is a turn.
    pub fn turns(&self, position: &CheckersState) -> Vec<CheckersTurn> {
        let mut turns = Vec::new();
        let mut begun = CheckersTurn {
            moves: SmallVec::new(),
            after: *position,
            taken: 0,
        };
        self.extend(&mut begun, &mut turns);
        turns
    }

    /// Adds all turns that begin with the moves of `begun`.
    fn extend(&self, begun: &mut CheckersTurn, turns: &mut Vec<CheckersTurn>) {
        let (position, taken) = (begun.after, begun.taken);
        let mut set = self.moves(&position);
        let moves = std::iter::from_fn(|| set.pop()).map(|index| self.move_at(&position, index));
        let mut moves: SmallVec<[CheckersMove; 16]> = moves.collect();
        moves.sort_unstable_by_key(|mv| (number(mv.from), number(mv.to)));
        for mv in moves {
            begun.moves.push(mv);
            begun.after = self.play(&position, mv).0;
            if mv.jumps {
                begun.taken = taken | 1 << middle(mv);
            }
            if begun.after.chain == NO_CHAIN {
                turns.push(begun.clone());
            } else {
                self.extend(begun, turns);
            }
            begun.moves.pop();
            begun.taken = taken;
        }
    }

    /// The number of paths of `depth` turns from `position`. Finished games are not extended, and moves that end the
    /// last turn are counted without being made.
    pub fn paths_by_turns(&self, position: &CheckersState, depth: u32) -> u64 {
        match depth {
            0 => 0,
            _ => self.count(position, self.moves(position), depth),
        }
    }

    fn count(
        &self,
        position: &CheckersState,
        mut moves: <Self as NativeRules>::Moves,
        depth: u32,
    ) -> u64 {
        if self.is_over(position, &moves) {
            return 0;
        }
        let mut paths = 0;
        let total = u64::from(moves.count());
        while let Some(index) = moves.pop() {
            let mv = self.move_at(position, index);
            if depth == 1 && !mv.jumps {
                // Jumps are compulsory: where one move is no jump, none is.
                return total;
            }
            let (after, below) = self.play(position, mv);
            paths += match after.chain {
                NO_CHAIN if depth == 1 => 1,
                NO_CHAIN => self.count(&after, below, depth - 1),
                _ => self.count(&after, below, depth),
            };
        }
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published numbers.
    #[test]
    fn turns_from_the_start() {
        let rules = Checkers::default();
        let known = [
            7, 49, 302, 1469, 7361, 36768, 179_740, 845_931, 3_963_680, 18_391_564,
        ];
        for (depth, paths) in (1..).zip(known) {
            assert_eq!(
                rules.paths_by_turns(&rules.start(), depth),
                paths,
                "{depth}"
            );
        }
    }

    #[test]
    fn listing_and_counting_agree() {
        let rules = Checkers::default();
        let mut positions = vec![rules.start()];
        for depth in 1..=6 {
            let turns = positions.iter().flat_map(|position| rules.turns(position));
            positions = turns.map(|turn| turn.after).collect();
            let counted = rules.paths_by_turns(&rules.start(), depth);
            assert_eq!(positions.len() as u64, counted);
        }
    }

    #[test]
    fn turns_come_in_the_order_of_the_squares() {
        let rules = Checkers::default();
        let turns = rules.turns(&rules.start());
        let texts: Vec<String> = turns.iter().map(CheckersTurn::text).collect();
        let known = [
            "21-17", "22-17", "22-18", "23-18", "23-19", "24-19", "24-20",
        ];
        assert_eq!(texts, known);
    }
}
