//! What a search found.

use crate::game::Fault;

/// How good a state is for the searching role: its goal, then how soon (a good end) or how late (a bad one) it comes.
///
/// Ordered: greater is better. A sure end with goal 100 beats every estimate, every estimate beats a sure 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i32);

/// Steps are counted up to here; ends further away are equally far.
const FARTHEST: i32 = 400;
/// One point of goal outweighs any difference in distance.
const POINT: i32 = 2 * FARTHEST + 1;

impl Value {
    /// Below every value.
    pub(super) const LOWEST: Self = Self(-POINT);
    /// Above every value.
    pub(super) const HIGHEST: Self = Self(101 * POINT);

    /// The game ends `steps` from the root, and gives `goal`.
    pub(super) fn end(goal: u8, steps: u32) -> Self {
        let steps = i32::try_from(steps).map_or(FARTHEST, |steps| steps.min(FARTHEST));
        let haste = match goal {
            0..50 => steps - FARTHEST,
            50 => 0,
            51.. => FARTHEST - steps,
        };
        Self(i32::from(goal) * POINT + haste)
    }

    /// The game goes on, and `goal` is a guess: never as good as a sure win, never as bad as a sure loss.
    pub(super) fn estimate(goal: u8) -> Self {
        Self(i32::from(goal.clamp(1, 99)) * POINT)
    }

    /// The value just below, as a bound that admits equals.
    pub(super) fn just_below(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The goal value (0..=100) this stands for.
    pub fn goal(self) -> u8 {
        let rounded = (self.0 + POINT / 2).div_euclid(POINT);
        u8::try_from(rounded.clamp(0, 100)).unwrap_or(100)
    }

    /// Whether no deeper search can change the goal: a sure 100 or a sure 0.
    pub fn is_decided(self) -> bool {
        self >= Self::end(100, u32::MAX) || self <= Self::end(0, u32::MAX)
    }

    pub(super) fn raw(self) -> i32 {
        self.0
    }

    pub(super) fn from_raw(raw: i32) -> Self {
        Self(raw)
    }
}

/// What a search found for one role in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome<M> {
    /// The move to play.
    pub best: M,
    /// What the role can be sure of by it, as far as the search looked.
    pub value: Value,
    /// Whether looking deeper cannot change the value's goal.
    pub exact: bool,
    /// The depth completed, in steps; 0 where time ran out before one was.
    pub depth: u32,
    /// The joint moves expected, beginning with the move to play.
    pub line: Vec<Vec<M>>,
    /// States looked at, in all iterations.
    pub nodes: u64,
    /// The engine's budget that ran out on the way, if one did: then the value means little.
    pub fault: Option<Fault>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_wins_and_later_losses_are_better() {
        assert!(Value::end(100, 1) > Value::end(100, 3));
        assert!(Value::end(0, 9) > Value::end(0, 2));
        assert_eq!(Value::end(50, 1), Value::end(50, 9));
        assert!(Value::end(100, u32::MAX) > Value::estimate(100));
        assert!(Value::estimate(0) > Value::end(0, u32::MAX));
        assert!(Value::LOWEST < Value::end(0, 0) && Value::HIGHEST > Value::end(100, 0));
    }

    #[test]
    fn the_goal_can_be_read_back() {
        for goal in 0..=100 {
            for steps in [0, 1, 17, 200, 100_000] {
                assert_eq!(Value::end(goal, steps).goal(), goal);
            }
        }
    }
}
