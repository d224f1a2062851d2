//! Cousins: states of one ply with different parents, where these were expanded in the same call.
//!
//! Cousins that are likely to be searched are expanded in one call, too: of a cut node the first child, of other nodes all children.
//! Where states have few choices, the children of siblings alone would leave most lanes of an engine empty.

use std::cmp::Reverse;

use super::pvs::{SearchNode, Worker};
use super::siblings::{BatchParent, SiblingBatch};

impl Worker<'_> {
    /// Adds the likely cousins of a node to its batch, in the order in which they are searched, as far as there is room.
    pub(super) fn add_cousins(&mut self, node: SearchNode, batch: &mut SiblingBatch) {
        let most = self.likely_children_at_once();
        let Some(ply) = node.ply.checked_sub(1).filter(|_| batch.len < most) else {
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
            let mut likely = match are_cut_nodes {
                true => {
                    let first = self.likely_first(ply, &other);
                    first..first + 1
                }
                false => other.children,
            };
            if !likely.all(|child| self.add_if_room(batch, (node.ply, child), most)) {
                break;
            }
        }
        // The search goes on with the moves of this state.
        self.stack.enter(ply, parent.index);
    }

    /// The child that is likely to be searched first: that of the choice that the table remembers, or of the best one by history.
    fn likely_first(&mut self, ply: usize, parent: &BatchParent) -> usize {
        let choice = self.remembered(ply, parent);
        parent.children.start + choice.unwrap_or_else(|| self.best_by_history(ply, parent))
    }

    fn remembered(&mut self, ply: usize, parent: &BatchParent) -> Option<usize> {
        // What it tells of a class of states is not the number of a choice.
        if self.shared.keeps_classes {
            return None;
        }
        let key = self.table_key(ply, parent.index);
        let choice = usize::from(self.shared.probe(key)?.best?);
        Some(choice).filter(|choice| *choice < parent.children.len())
    }

    fn best_by_history(&mut self, ply: usize, parent: &BatchParent) -> usize {
        self.stack.enter(ply, parent.index);
        let keys = self.stack.keys(ply, parent.side).iter().zip(0..);
        let best = keys.min_by_key(|(key, _)| Reverse(self.history.merit(ply, parent.side, **key)));
        best.map_or(0, |(_, choice)| choice)
    }
}
