//! The evaluator of states at the depth limit.

use std::sync::Arc;

use super::learned::LearnedEvaluator;
use crate::game::Evaluation;

/// The evaluator of states at the depth limit.
pub(in crate::search) enum Evaluator<'g, S> {
    /// Heuristics found in the rules, weighted by self-play.
    Learned(Arc<LearnedEvaluator>),
    /// A hand-written evaluation function of the game.
    HandWritten(Evaluation<'g, S>),
}

/// The expected goal, in thousandths, of a state with this score of a hand-written evaluation. Only the order of
/// scores is meaningful, so any increasing function will do.
pub(in crate::search) fn expectation_of(worth: i32) -> i32 {
    const MIDDLE: i64 = 50_000;
    /// A state of this score lies halfway between even and won.
    const HALFWAY: i64 = 1000;
    let worth = i64::from(worth);
    let expectation = MIDDLE + (MIDDLE - 1) * worth / (worth.abs() + HALFWAY);
    expectation as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greater_scores_give_greater_expectations() {
        let worths = [i32::MIN, -5000, -1, 0, 1, 2, 1000, 5000];
        let expected = worths.map(expectation_of);
        assert!(expected.is_sorted() && expected[0] > 0 && expected[7] < 100_000);
        assert_eq!((expected[3], expected[6]), (50_000, 74_999));
    }
}
