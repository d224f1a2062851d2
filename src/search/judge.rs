//! What states are judged by where the search ends.

use std::sync::Arc;

use super::eval::LearnedEvaluator;
use crate::game::Evaluation;

/// What states are judged by where the search ends.
pub(super) enum Judge<'g, S> {
    /// Heuristics found in the rules, weighed by self-play.
    Learned(Arc<LearnedEvaluator>),
    /// A formula that somebody has made for the game.
    Made(Evaluation<'g, S>),
}

/// Thousandths of the goal to expect of a state that is worth so much by a formula: order counts, sizes are anybody's
/// guess.
pub(super) fn expectation_of(worth: i32) -> i32 {
    const MIDDLE: i64 = 50_000;
    /// Worth so much, a state is halfway between even and won.
    const HALFWAY: i64 = 1000;
    let worth = i64::from(worth);
    let expectation = MIDDLE + (MIDDLE - 1) * worth / (worth.abs() + HALFWAY);
    expectation as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worth_more_promises_more() {
        let worths = [i32::MIN, -5000, -1, 0, 1, 2, 1000, 5000];
        let expected = worths.map(expectation_of);
        assert!(expected.is_sorted() && expected[0] > 0 && expected[7] < 100_000);
        assert_eq!((expected[3], expected[6]), (50_000, 74_999));
    }
}
