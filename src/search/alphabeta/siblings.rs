//! Sibling batches: the children of several states of a ply, siblings and cousins, expanded in one call. An engine that expands many
//! states at once takes hardly longer for all of them than for the children of one.

use std::ops::Range;

use super::pvs::{SearchNode, Worker};
use super::stack::{Pick, Side, ToMove};

/// The states of a ply whose children were expanded in one call.
#[derive(Debug, Default)]
pub(super) struct SiblingBatch {
    parents: Vec<(u32, Side)>,
    /// Per state of the ply, the index of its first child.
    starts: Vec<Option<u32>>,
    /// The number of children.
    pub(super) len: u32,
}

/// A state of a batch, with the indices of its children on the next ply.
#[derive(Debug, Clone)]
pub(super) struct BatchParent {
    pub(super) index: usize,
    pub(super) side: Side,
    pub(super) children: Range<usize>,
}

impl SiblingBatch {
    pub(super) fn add(&mut self, index: usize, side: Side, children: u32) {
        if self.starts.len() <= index {
            self.starts.resize(index + 1, None);
        }
        self.parents.push((index as u32, side));
        self.starts[index] = Some(self.len);
        self.len += children;
    }

    /// The index of the first child of a state on the next ply, if its children were expanded.
    pub(super) fn start(&self, index: usize) -> Option<usize> {
        let start = self.starts.get(index).copied().flatten();
        start.map(|start| start as usize)
    }

    /// The state that has this child, and all that were added after it.
    pub(super) fn parents_from(&self, child: usize) -> impl Iterator<Item = BatchParent> {
        let begins_before = |&(index, _): &(u32, Side)| self.start(index as usize) <= Some(child);
        let after = self.parents.partition_point(begins_before);
        let places = after.checked_sub(1).map(|place| place..self.parents.len());
        places
            .into_iter()
            .flatten()
            .filter_map(|place| self.parent(place))
    }

    /// The state at a place of the batch.
    fn parent(&self, place: usize) -> Option<BatchParent> {
        let start_of = |place: usize| self.start(self.parents.get(place)?.0 as usize);
        let &(index, side) = self.parents.get(place)?;
        let end = start_of(place + 1).unwrap_or(self.len as usize);
        Some(BatchParent {
            index: index as usize,
            side,
            children: start_of(place)?..end,
        })
    }

    pub(super) fn clear(&mut self) {
        self.parents.clear();
        self.starts.clear();
        self.len = 0;
    }
}

impl Worker<'_> {
    /// Expands a state, in which `side` alone has the choice. If the engine makes many children at once, siblings and cousins that are
    /// likely to be searched after it are expanded in the same call, up to the limit.
    pub(super) fn expand_all(&mut self, node: SearchNode, side: Side) {
        let SearchNode {
            ply, index, info, ..
        } = node;
        let mut batch = self.take_sibling_batch(ply);
        batch.add(index, side, info.choices.of(side));
        if self.stack.is_eager() {
            self.add_later_siblings(node, &mut batch);
            self.add_cousins(node, &mut batch);
        }
        self.expand_batch(ply, batch);
    }

    /// Adds siblings that are likely to be searched after the only state of a batch, as far as there is room.
    fn add_later_siblings(&self, node: SearchNode, batch: &mut SiblingBatch) {
        let parent = node.ply.checked_sub(1);
        let Some(queue) = parent.and_then(|parent| self.queues.get(parent)) else {
            return;
        };
        let Some((own, later)) = queue.later() else {
            return;
        };
        let start = node.index - own as usize;
        // While the first child is searched, the later ones may turn out not to be needed.
        if queue.is_at_first() && batch.len >= self.likely_children_at_once() {
            return;
        }
        let most = self.children_at_once(batch.len);
        for index in later.map(|choice| start + choice as usize) {
            if !self.add_if_room(batch, (node.ply, index), most) {
                break;
            }
        }
    }

    /// Adds a state, if one side has the choice in it, to a batch of at most so many children. Whether there was room.
    pub(super) fn add_if_room(
        &self,
        batch: &mut SiblingBatch,
        (ply, index): (usize, usize),
        most: u32,
    ) -> bool {
        let Some((side, children)) = self.chooser(ply, index) else {
            return true;
        };
        let has_room = batch.len + children <= most;
        if has_room {
            batch.add(index, side, children);
        }
        has_room
    }

    /// From now on, children of states of this ply have no siblings or cousins that are searched after them.
    pub(super) fn forget_siblings(&mut self, ply: usize) {
        if let Some(queue) = self.queues.get_mut(ply) {
            queue.clear();
        }
        if let Some(batch) = self.sibling_batches.get_mut(ply) {
            batch.clear();
        }
    }

    /// Expands the only child of a forced state, unless that was done, together with those of the other forced states
    /// of its ply, up to the limit. Returns its index on the next ply.
    pub(super) fn only_child(&mut self, node: SearchNode) -> usize {
        if let Some(start) = self.children_start(node) {
            return start;
        }
        let ply = node.ply;
        let most = self.children_at_once(1);
        let mut batch = self.take_sibling_batch(ply);
        let after = match self.stack.is_eager() {
            true => node.index + 1..self.stack.len(ply),
            false => 0..0,
        };
        for index in std::iter::once(node.index).chain(after) {
            if batch.len >= most {
                break;
            }
            if self.stack.choices(ply, index).is_forced() {
                batch.add(index, Side::Own, 1);
            }
        }
        self.expand_batch(ply, batch);
        0
    }

    /// An empty batch, with the memory of the last one of this ply.
    fn take_sibling_batch(&mut self, ply: usize) -> SiblingBatch {
        if self.sibling_batches.len() <= ply {
            self.sibling_batches
                .resize_with(ply + 1, SiblingBatch::default);
        }
        let mut batch = std::mem::take(&mut self.sibling_batches[ply]);
        batch.clear();
        batch
    }

    fn expand_batch(&mut self, ply: usize, batch: SiblingBatch) {
        self.stack.expand_siblings(ply, &batch.parents);
        self.forget(ply);
        self.sibling_batches[ply] = batch;
    }

    /// Replaces the states of the next ply by successors of the state entered last.
    pub(super) fn expand(&mut self, ply: usize, picks: &[Pick]) {
        self.stack.expand(ply, picks);
        self.forget(ply);
    }

    /// The index of the first child of a node on the next ply, if its children were made together.
    pub(super) fn children_start(&self, node: SearchNode) -> Option<usize> {
        self.sibling_batches.get(node.ply)?.start(node.index)
    }

    /// The index of the child of a node whose children were made together.
    pub(super) fn child_index(&self, node: SearchNode, choice: u32) -> usize {
        let start = self.children_start(node);
        debug_assert!(start.is_some(), "no children of {node:?}");
        start.unwrap_or(0) + choice as usize
    }

    /// Drops the batches of the plies above: their states were replaced, or are meaningless.
    fn forget(&mut self, ply: usize) {
        self.is_over |= self.stack.is_cut_short();
        let from = ply.min(self.sibling_batches.len());
        self.sibling_batches[from..]
            .iter_mut()
            .take(2)
            .for_each(SiblingBatch::clear);
    }

    /// The side that has the choice in a state, and the number of its choices, if one side alone has it.
    fn chooser(&self, ply: usize, index: usize) -> Option<(Side, u32)> {
        let choices = self.stack.choices(ply, index);
        match choices.turn() {
            ToMove::Of(side) => Some((side, choices.of(side))),
            ToMove::Stuck | ToMove::Mixed => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_found_by_their_children() {
        let mut batch = SiblingBatch::default();
        assert!(batch.parents_from(0).next().is_none());
        batch.add(5, Side::Own, 3);
        batch.add(2, Side::Others, 1);
        batch.add(7, Side::Own, 4);
        let from = |child| -> Vec<_> {
            let parents = batch.parents_from(child);
            parents.map(|of| (of.index, of.side, of.children)).collect()
        };
        let all = [
            (5, Side::Own, 0..3),
            (2, Side::Others, 3..4),
            (7, Side::Own, 4..8),
        ];
        for (child, first) in [0, 0, 0, 1, 2, 2, 2, 2].into_iter().enumerate() {
            assert_eq!(from(child), all[first..]);
        }
        assert_eq!((batch.start(2), batch.start(3)), (Some(3), None));
    }
}
