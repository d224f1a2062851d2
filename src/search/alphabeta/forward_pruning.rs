//! Forward pruning: near the depth limit, states are not searched whose evaluation for the side to move lies far beyond the window (*static null
//! move pruning*).

use super::pvs::{SearchNode, Worker};
use super::stack::{Side, ToMove};
use super::tracker::{NodeValue, Window};
use crate::search::Value;
use crate::search::eval::{expectation_at, logit};

/// The greatest depth left at which states are pruned.
const DEPTH: u32 = 3;
/// How far beyond the window the evaluation must be, for each ply of depth, in logits. These mean the same in every game: near an even game, a
/// quarter of a logit is six points of a hundred.
const MARGIN: f32 = 0.3;

impl Worker<'_> {
    /// What a state is worth at least for the side to move, in all likelihood, if that is beyond the window.
    pub(super) fn beyond_window(&self, node: SearchNode, window: Window) -> Option<NodeValue> {
        let is_near = self.shared.is_selective && node.depth <= DEPTH && node.ply > 0;
        let ToMove::Of(side) = node.info.choices.turn() else {
            return None;
        };
        if !is_near || !window.is_null() {
            return None;
        }
        let margin = MARGIN * node.depth as f32;
        let least = lowered(side, node.info.expectation, margin);
        let is_beyond = window.causes_cutoff(side, least);
        is_beyond.then_some(NodeValue::incomplete(least))
    }
}

/// The value of an evaluation from which `margin` is taken, from the point of view of `side`.
fn lowered(side: Side, expectation: i32, margin: f32) -> Value {
    let argument = match side {
        Side::Own => logit(expectation) - margin,
        Side::Others => logit(expectation) + margin,
    };
    Value::estimate(expectation_at(argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_taken_from_the_side_to_move() {
        let [own, others] = [Side::Own, Side::Others].map(|side| lowered(side, 50_000, 0.3));
        assert!((own.points() - 42.556).abs() < 0.01, "{own:?}");
        assert!((others.points() - 57.444).abs() < 0.01, "{others:?}");
        assert!(!lowered(Side::Own, 100_000, 0.0).is_decided());
    }
}
