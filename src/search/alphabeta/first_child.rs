//! The first child of a cut node, made without the others.
//!
//! Where there is no evaluation, choices are ordered by what was found before, which takes no child, unless one ends the game. So a call
//! makes the first child of many cut nodes instead of all children of a few.

use super::pvs::{SearchNode, Worker};
use super::siblings::MadeChildren;
use super::stack::Side;
use super::tracker::BestMoveTracker;

/// Up to this remaining depth, first children are made alone. Above, there are few nodes, and what the table knows of all their children
/// saves more.
const DEEPEST: u32 = 3;

/// What it has saved lately, per remaining depth, to make first children alone, or might have saved: children that were not needed, less
/// what failures cost.
#[derive(Debug, Default)]
pub(super) struct FirstChildren {
    saved: [i32; DEEPEST as usize + 1],
}

impl FirstChildren {
    /// How many children the call costs that makes the others of a node after its first child has brought no cutoff.
    const FAILURE: i32 = 96;
    /// Earlier savings and failures count for so much at most.
    const MOST: i32 = 6 * Self::FAILURE;

    fn pay(&self, depth: u32) -> bool {
        self.saved[depth as usize] >= 0
    }

    /// The first child of a node of so many choices was made alone, and either brought a cutoff or not.
    fn record(&mut self, depth: u32, count: u32, is_cutoff: bool) {
        let change = if is_cutoff {
            others(count)
        } else {
            -Self::FAILURE
        };
        self.add(depth, change);
    }

    /// All children of a node of so many choices are made, since first children do not pay: they are tried again once they might have saved
    /// as much as a failure costs.
    fn record_all(&mut self, depth: u32, count: u32) {
        self.add(depth, others(count));
    }

    fn add(&mut self, depth: u32, change: i32) {
        let saved = &mut self.saved[depth as usize];
        *saved = (*saved + change).clamp(-Self::MOST, Self::MOST);
    }
}

/// The children of a node of so many choices beside the first one.
fn others(count: u32) -> i32 {
    i32::try_from(count - 1).map_or(FirstChildren::MOST, |count| count.min(FirstChildren::MOST))
}

impl Worker<'_> {
    /// Searches the likely first choice of a cut node, and makes its child alone unless it has been made, where that is likely to do.
    /// Returns the choice, if it was searched.
    pub(super) fn search_first_alone(
        &mut self,
        node: SearchNode,
        hint: Option<u16>,
        tracker: &mut BestMoveTracker,
    ) -> Option<u32> {
        let SearchNode { ply, depth, .. } = node;
        let side = tracker.side;
        let count = node.info.choices.of(side);
        if count < 2 || !tracker.window.is_null() || !self.may_make_first_alone(node) {
            return None;
        }
        if !self.first_children.pay(depth) {
            self.first_children.record_all(depth, count);
            return None;
        }
        let known = hint.map(u32::from).filter(|hint| *hint < count);
        let choice = self.first_choice(node, node.index, side, |_| known);
        let child = self.child_made(node, choice).unwrap_or_else(|| {
            self.expand_some(node, side, MadeChildren::Only(choice));
            0
        });
        self.queue_of(ply).take_only(choice);
        let child = self.next(node, child);
        let found = self.search_child(child, node, tracker);
        tracker.add(choice, found);
        if !self.is_over {
            self.first_children
                .record(depth, count, tracker.is_cutoff());
        }
        if self.knows_moves(depth) {
            self.stack.enter(ply, node.index);
        }
        Some(choice)
    }

    /// The choice of a state that is searched like `node` whose child is to be made alone, if any.
    pub(super) fn choice_alone(
        &mut self,
        node: SearchNode,
        index: usize,
        side: Side,
        count: u32,
    ) -> Option<u32> {
        let is_alone =
            count > 1 && self.may_make_first_alone(node) && self.first_children.pay(node.depth);
        let known = |worker: &mut Self| worker.remembered(node.ply, index, count);
        is_alone.then(|| self.first_choice(node, index, side, known))
    }

    /// The likely first choice of a state that is searched like `node`: what is known, or the best one by killers and history; the first one of
    /// all at the last ply, where there is nothing to tell.
    fn first_choice(
        &mut self,
        node: SearchNode,
        index: usize,
        side: Side,
        known: impl FnOnce(&mut Self) -> Option<u32>,
    ) -> u32 {
        if node.depth == 1 {
            return 0;
        }
        known(self).unwrap_or_else(|| self.best_by_history(node.ply, index, side))
    }

    fn may_make_first_alone(&self, node: SearchNode) -> bool {
        let features = self.shared.features;
        node.is_cut_node
            && node.depth <= DEEPEST
            && self.expands_all(node.depth)
            && !self.stack.has_evaluation()
            && features.ordering
            && !features.worst_first
            // The table tells choices by their children then.
            && !self.shared.keeps_classes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_children_are_made_alone_while_that_saves_more_than_failures_cost() {
        let mut first = FirstChildren::default();
        assert!(first.pay(1) && first.pay(3));
        first.record(2, 9, false);
        assert!(!first.pay(2) && first.pay(1), "depths are apart");
        // Twelve times eight other children are as many as a failure costs.
        for _ in 0..11 {
            first.record_all(2, 9);
            assert!(!first.pay(2));
        }
        first.record_all(2, 9);
        assert!(first.pay(2));
        for _ in 0..1000 {
            first.record(2, 100, true);
        }
        // What was saved long ago does not count.
        for _ in 0..7 {
            first.record(2, 100, false);
        }
        assert!(!first.pay(2));
    }

    #[test]
    fn states_of_very_many_choices_are_counted() {
        let mut first = FirstChildren::default();
        for count in [1 << 16, i32::MAX as u32, u32::MAX] {
            first.record(1, count, true);
            assert_eq!(first.saved[1], FirstChildren::MOST);
        }
    }
}
