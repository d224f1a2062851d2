//! Extensions beyond the depth limit: forced plies, in which no role has a choice.

use super::pvs::{SearchNode, Worker};
use super::stack::{Pick, Side, StateInfo};
use super::tracker::{NodeValue, Window};
use crate::search::Value;

/// The most forced plies.
pub(in crate::search) const FORCED_STEPS: u32 = 12;

impl Worker<'_> {
    /// The value of a state by its evaluation; where only proofs count, nothing is known of it.
    pub(super) fn estimated(&self, info: StateInfo) -> NodeValue {
        NodeValue::incomplete(match self.shared.only_proofs {
            true => Value::UNKNOWN,
            false => Value::estimate(info.expectation),
        })
    }

    /// The value of a state at the depth limit: its evaluation, once some role has a choice, or after so many forced plies.
    pub(super) fn extend(&mut self, node: SearchNode, window: Window, forced: u32) -> NodeValue {
        if forced == 0 || !node.info.choices.is_forced() {
            return self.estimated(node.info);
        }
        let only = self.only_child(node);
        let next = self.next(node, only);
        self.nodes += 1;
        self.clear_line(next.ply);
        let known = self.value_without_search(next);
        let found = known.unwrap_or_else(|| self.extend(next, window, forced - 1));
        if !window.is_null() {
            self.note(node.ply, Pick::of(Side::Own, 0));
        }
        found
    }
}
