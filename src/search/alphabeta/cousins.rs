//! Cousins: states of one ply with different parents, where these were expanded in the same call.
//!
//! Cousins that are likely to be searched are expanded in one call, too: of a cut node the first child, of other nodes all children.
//! Where states have few choices, the children of siblings alone would leave most lanes of an engine empty.

use std::cmp::Reverse;

use super::pvs::{SearchNode, Worker};
use super::siblings::{BatchParent, MadeChildren, SiblingBatch};
use super::stack::Side;

impl Worker<'_> {
    /// Adds the likely cousins of a node to its batch, in the order in which they are searched, as far as there is room.
    pub(super) fn add_cousins(&mut self, node: SearchNode, batch: &mut SiblingBatch) {
        let most = self.likely_children_at_once();
        let Some(ply) = node.ply.checked_sub(1).filter(|_| batch.len() < most) else {
            return;
        };
        if let Some(parents) = self.sibling_batches.get_mut(ply).map(std::mem::take) {
            self.add_children_of_later(node, &parents, batch, most);
            self.sibling_batches[ply] = parents;
        }
    }

    /// Adds the likely children of the states that were expanded together with the parent of a node, and are searched after it.
    fn add_children_of_later(
        &mut self,
        node: SearchNode,
        parents: &SiblingBatch,
        batch: &mut SiblingBatch,
        most: u32,
    ) {
        let ply = node.ply - 1;
        let mut later = parents.parents_from(node.index);
        let Some(parent) = later.next() else {
            return;
        };
        let are_cut_nodes = self.queues[ply].is_of_cut_node();
        for other in later {
            let mut likely = match other.made {
                MadeChildren::All(count) if are_cut_nodes => {
                    let first = self.likely_first(ply, &other, count);
                    first..first + 1
                }
                _ => other.children(),
            };
            if !likely.all(|child| self.add_if_room(batch, node, child, most)) {
                break;
            }
        }
        // The search goes on with the moves of this state.
        self.stack.enter(ply, parent.index);
    }

    /// The child that is likely to be searched first: that of the choice that the table remembers, or of the best one by history.
    fn likely_first(&mut self, ply: usize, parent: &BatchParent, count: u32) -> usize {
        let choice = self.remembered(ply, parent.index, count);
        let choice = choice.unwrap_or_else(|| self.best_by_history(ply, parent.index, parent.side));
        parent.children().start + choice as usize
    }

    /// The one of `count` choices that the table remembers.
    pub(super) fn remembered(&mut self, ply: usize, index: usize, count: u32) -> Option<u32> {
        // What it tells of a class of states is not the number of a choice.
        if self.shared.keeps_classes {
            return None;
        }
        let key = self.table_key(ply, index);
        let choice = u32::from(self.shared.probe(key)?.best?);
        Some(choice).filter(|choice| *choice < count)
    }

    /// The best choice of a state by killers and history, which is entered.
    pub(super) fn best_by_history(&mut self, ply: usize, index: usize, side: Side) -> u32 {
        self.stack.enter(ply, index);
        let keys = self.stack.keys(ply, side).iter().zip(0..);
        let best = keys.min_by_key(|(key, _)| Reverse(self.history.merit(ply, side, **key)));
        best.map_or(0, |(_, choice)| choice)
    }
}
