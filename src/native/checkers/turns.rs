//! Whole turns: a step, or a chain of jumps to its end.

use smallvec::SmallVec;

use super::board::NUMBERS;
use super::{Checkers, CheckersMove, CheckersState, NO_CHAIN, middle};
use crate::native::places::PlaceSet;
use crate::native::rules::NativeRules;

/// What a player does before the other one is to move again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckersTurn {
    /// The step or the jumps.
    pub steps: SmallVec<[CheckersMove; 4]>,
    /// The position after them.
    pub after: CheckersState,
    /// The pieces taken.
    pub(super) taken: u32,
}

impl CheckersTurn {
    /// The numbers of the squares on which the piece lands, one after the other.
    pub fn landings(&self) -> impl Iterator<Item = u8> {
        self.steps.iter().map(|step| number(step.to))
    }

    /// The turn as players write it, such as `21-17` or `2x11x4`.
    pub fn text(&self) -> String {
        let mark = if self.taken == 0 { "-" } else { "x" };
        let start = self.steps.first().map(|step| number(step.from));
        let squares = start.into_iter().chain(self.landings());
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
            steps: SmallVec::new(),
            after: *position,
            taken: 0,
        };
        self.extend(&mut begun, &mut turns);
        turns
    }

    /// Adds all turns that begin with the steps of `begun`.
    fn extend(&self, begun: &mut CheckersTurn, turns: &mut Vec<CheckersTurn>) {
        let (position, taken) = (begun.after, begun.taken);
        let mut places = self.places(&position);
        let steps = std::iter::from_fn(|| places.pop()).map(|place| self.step(&position, place));
        let mut steps: SmallVec<[CheckersMove; 16]> = steps.collect();
        steps.sort_unstable_by_key(|step| (number(step.from), number(step.to)));
        for step in steps {
            begun.steps.push(step);
            begun.after = self.play(&position, step).0;
            if step.jumps {
                begun.taken = taken | 1 << middle(step);
            }
            if begun.after.chain == NO_CHAIN {
                turns.push(begun.clone());
            } else {
                self.extend(begun, turns);
            }
            begun.steps.pop();
            begun.taken = taken;
        }
    }

    /// The number of paths of `depth` turns from `position`. What is over is not extended, and steps that end the last
    /// turn are counted without being made.
    pub fn paths_by_turns(&self, position: &CheckersState, depth: u32) -> u64 {
        match depth {
            0 => 0,
            _ => self.count(position, self.places(position), depth),
        }
    }

    fn count(
        &self,
        position: &CheckersState,
        mut places: <Self as NativeRules>::Places,
        depth: u32,
    ) -> u64 {
        if self.is_over(position, &places) {
            return 0;
        }
        let mut paths = 0;
        let total = u64::from(places.count());
        while let Some(place) = places.pop() {
            let step = self.step(position, place);
            if depth == 1 && !step.jumps {
                // Whoever can step cannot jump.
                return total;
            }
            let (after, below) = self.play(position, step);
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
