//! Extensions beyond the depth limit: forced plies, in which no role has a choice, and *noisy* states, whose evaluation
//! differs much from their parent's.

use std::cmp::Reverse;

use smallvec::SmallVec;

use super::ordering::static_score;
use super::pvs::{SearchNode, Worker};
use super::stack::{Pick, Side, ToMove};
use super::tracker::{BestMoveTracker, NodeValue, Window};
use crate::search::Value;

/// The most forced plies.
pub(in crate::search) const FORCED_STEPS: u32 = 12;
/// A state is noisy if its evaluation differs from its parent's by this, in thousandths of a goal point. In matches at 20 ms
/// a move, a quarter of this cost more than it gained.
pub(in crate::search) const NOISE: u32 = 16_000;
/// The most noisy plies.
pub(in crate::search) const NOISY_STEPS: u32 = 6;

/// The extensions that are left.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExtensionBudget {
    forced: u32,
    noisy: u32,
}

impl ExtensionBudget {
    pub(super) const FULL: Self = Self {
        forced: FORCED_STEPS,
        noisy: NOISY_STEPS,
    };
}

impl Worker<'_> {
    /// The value of a state at the depth limit: its evaluation, once it is quiet and some role has a choice.
    pub(super) fn extend(
        &mut self,
        node: SearchNode,
        window: Window,
        extensions: ExtensionBudget,
    ) -> NodeValue {
        let info = node.info;
        let quiet = NodeValue::incomplete(Value::estimate(info.expectation));
        if info.choices.is_forced() {
            return match extensions.forced {
                0 => quiet,
                _ => self.forced(node, window, extensions),
            };
        }
        let jump = info.expectation.abs_diff(node.before);
        match (info.choices.turn(), self.shared.noise) {
            (ToMove::Of(side), Some(noise)) if extensions.noisy > 0 && jump >= noise => {
                let least = static_score(side, info).saturating_add_unsigned(noise);
                self.noisy(node, (side, least), window, extensions)
            }
            _ => quiet,
        }
    }

    fn further(
        &mut self,
        node: SearchNode,
        window: Window,
        extensions: ExtensionBudget,
    ) -> NodeValue {
        self.nodes += 1;
        self.clear_line(node.ply);
        let known = self.value_without_search(node);
        known.unwrap_or_else(|| self.extend(node, window, extensions))
    }

    fn forced(
        &mut self,
        node: SearchNode,
        window: Window,
        extensions: ExtensionBudget,
    ) -> NodeValue {
        let only = self.only_child(node);
        let next = self.next(node, only);
        let forced = extensions.forced - 1;
        let found = self.further(
            next,
            window,
            ExtensionBudget {
                forced,
                ..extensions
            },
        );
        if !window.is_null() {
            self.note(node.ply, Pick::of(Side::Own, 0));
        }
        found
    }

    /// The child of one pick, expanded alone.
    fn only(&mut self, node: SearchNode, pick: Pick) -> SearchNode {
        self.expand(node.ply, &[pick]);
        self.next(node, 0)
    }

    /// A noisy state: the side to move either stands pat at the static evaluation, or makes a move that improves its
    /// evaluation to at least `least`.
    fn noisy(
        &mut self,
        node: SearchNode,
        (side, least): (Side, i32),
        window: Window,
        extensions: ExtensionBudget,
    ) -> NodeValue {
        let mut tracker = BestMoveTracker::new(side, window);
        tracker.add(
            0,
            NodeValue::incomplete(Value::estimate(node.info.expectation)),
        );
        if tracker.is_cutoff() {
            return tracker.found();
        }
        let noisy = extensions.noisy - 1;
        for choice in self.promising(node, side, least) {
            if tracker.is_cutoff() || self.must_end() {
                break;
            }
            let child = match self.is_slow {
                true => self.only(node, Pick::of(side, choice)),
                false => self.next(node, choice as usize),
            };
            if static_score(side, child.info) >= least {
                let found = self.further(
                    child,
                    tracker.window,
                    ExtensionBudget {
                        noisy,
                        ..extensions
                    },
                );
                if tracker.add(choice, found) && !window.is_null() {
                    self.note(node.ply, Pick::of(side, choice));
                }
            }
        }
        NodeValue::incomplete(tracker.found().value)
    }

    /// The choices that improve the evaluation to at least `least`, best first; with a slow engine, all of them, to be
    /// expanded one by one.
    fn promising(&mut self, node: SearchNode, side: Side, least: i32) -> SmallVec<[u32; 16]> {
        let count = node.info.choices.of(side);
        if self.is_slow {
            self.stack.enter(node.ply, node.index);
            return (0..count).collect();
        }
        self.expand_all(node.ply, node.index, side, count);
        let score = |choice| static_score(side, self.stack.info(node.ply + 1, choice as usize));
        let mut choices: SmallVec<[u32; 16]> = (0..count)
            .filter(|&choice| score(choice) >= least)
            .collect();
        choices.sort_by_key(|&choice| Reverse(score(choice)));
        choices
    }
}
