//! Sibling batches: children of several states of a ply, siblings and cousins, expanded in one call. An engine that expands many
//! states at once takes hardly longer for all of them than for the children of one.

use std::ops::Range;

use super::pvs::{SearchNode, Worker};
use super::stack::{Pick, Side, ToMove};

/// The states of a ply whose children were expanded in one call.
#[derive(Debug, Default)]
pub(super) struct SiblingBatch {
    parents: Vec<BatchParent>,
    /// Per state of the ply, its place among the parents.
    places: Vec<Option<u32>>,
    /// What leads to the children: states of the ply and choices in them.
    picks: Vec<(u32, Pick)>,
}

/// A state of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BatchParent {
    pub(super) index: usize,
    pub(super) side: Side,
    pub(super) made: MadeChildren,
    /// The index of its first child on the next ply.
    start: u32,
}

/// Which children of a state are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MadeChildren {
    /// As many as there are choices.
    All(u32),
    /// That of this choice.
    Only(u32),
}

impl BatchParent {
    /// The indices of its children on the next ply.
    pub(super) fn children(self) -> Range<usize> {
        let start = self.start as usize;
        start..start + self.made.choices().len()
    }
}

impl MadeChildren {
    /// The choices that lead to them.
    pub(super) fn choices(self) -> Range<u32> {
        match self {
            Self::All(count) => 0..count,
            Self::Only(choice) => choice..choice + 1,
        }
    }
}

impl SiblingBatch {
    pub(super) fn add(&mut self, index: usize, side: Side, made: MadeChildren) {
        if self.places.len() <= index {
            self.places.resize(index + 1, None);
        }
        self.places[index] = Some(self.parents.len() as u32);
        self.parents.push(BatchParent {
            index,
            side,
            made,
            start: self.len(),
        });
        let picks = made
            .choices()
            .map(|choice| (index as u32, Pick::of(side, choice)));
        self.picks.extend(picks);
    }

    /// The number of children.
    pub(super) fn len(&self) -> u32 {
        self.picks.len() as u32
    }

    /// A state whose children were expanded.
    pub(super) fn parent(&self, index: usize) -> Option<&BatchParent> {
        let place = self.places.get(index).copied().flatten()?;
        self.parents.get(place as usize)
    }

    /// The state that has this child, and all that were added after it.
    pub(super) fn parents_from(&self, child: usize) -> impl Iterator<Item = BatchParent> {
        let after = self
            .parents
            .partition_point(|parent| parent.start as usize <= child);
        let first = after.checked_sub(1).unwrap_or(after);
        self.parents[first..].iter().copied()
    }

    pub(super) fn clear(&mut self) {
        self.parents.clear();
        self.places.clear();
        self.picks.clear();
    }
}

impl Worker<'_> {
    /// Expands all children of a state, in which `side` alone has the choice, see [`Worker::expand_some`].
    pub(super) fn expand_all(&mut self, node: SearchNode, side: Side) {
        let count = node.info.choices.of(side);
        self.expand_some(node, side, MadeChildren::All(count));
    }

    /// Expands these children of a state, in which `side` alone has the choice. If the engine makes many children at once, siblings and
    /// cousins that are likely to be searched after it are expanded in the same call, up to the limit.
    pub(super) fn expand_some(&mut self, node: SearchNode, side: Side, made: MadeChildren) {
        let SearchNode { ply, index, .. } = node;
        let mut batch = self.take_sibling_batch(ply);
        batch.add(index, side, made);
        if self.stack.is_eager() {
            self.add_later_siblings(node, &mut batch);
            self.add_cousins(node, &mut batch);
        }
        self.expand_batch(ply, batch);
    }

    /// Adds siblings that are likely to be searched after the only state of a batch, as far as there is room.
    fn add_later_siblings(&mut self, node: SearchNode, batch: &mut SiblingBatch) {
        let Some(ply) = node
            .ply
            .checked_sub(1)
            .filter(|ply| *ply < self.queues.len())
        else {
            return;
        };
        let queue = std::mem::take(&mut self.queues[ply]);
        // While the first child is searched, the later ones may turn out not to be needed.
        let has_enough = queue.is_at_first() && batch.len() >= self.likely_children_at_once();
        if let Some((own, later)) = queue.later().filter(|_| !has_enough) {
            let start = node.index - own as usize;
            let most = self.children_at_once(batch.len());
            for index in later.map(|choice| start + choice as usize) {
                if !self.add_if_room(batch, node, index, most) {
                    break;
                }
            }
        }
        self.queues[ply] = queue;
    }

    /// Adds a state that is searched like `node`, if one side has the choice in it, to a batch of at most so many children. Whether there
    /// was room.
    pub(super) fn add_if_room(
        &mut self,
        batch: &mut SiblingBatch,
        node: SearchNode,
        index: usize,
        most: u32,
    ) -> bool {
        let Some((side, children)) = self.chooser(node.ply, index) else {
            return true;
        };
        let made = match self.choice_alone(node, index, side, children) {
            Some(choice) => MadeChildren::Only(choice),
            None => MadeChildren::All(children),
        };
        let has_room = batch.len() as usize + made.choices().len() <= most as usize;
        if has_room {
            batch.add(index, side, made);
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
            if batch.len() >= most {
                break;
            }
            if self.stack.choices(ply, index).is_forced() {
                batch.add(index, Side::Own, MadeChildren::All(1));
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
        self.poll.count_call();
        self.stack.expand_picks(ply, &batch.picks);
        self.forget(ply);
        self.sibling_batches[ply] = batch;
    }

    /// Replaces the states of the next ply by successors of the state entered last.
    pub(super) fn expand(&mut self, ply: usize, picks: &[Pick]) {
        self.poll.count_call();
        self.stack.expand(ply, picks);
        self.forget(ply);
    }

    /// The index of the first child of a node on the next ply, if all its children were made together.
    pub(super) fn children_start(&self, node: SearchNode) -> Option<usize> {
        let parent = self.sibling_batches.get(node.ply)?.parent(node.index)?;
        matches!(parent.made, MadeChildren::All(_)).then_some(parent.start as usize)
    }

    /// The index of the child of a node that this choice leads to, if it was made.
    pub(super) fn child_made(&self, node: SearchNode, choice: u32) -> Option<usize> {
        let parent = self.sibling_batches.get(node.ply)?.parent(node.index)?;
        let made = parent.made.choices();
        let place = choice.checked_sub(made.start)?;
        made.contains(&choice)
            .then(|| parent.children().start + place as usize)
    }

    /// The index of the child of a node all of whose children were made together.
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
        batch.add(5, Side::Own, MadeChildren::All(3));
        batch.add(2, Side::Others, MadeChildren::Only(6));
        batch.add(7, Side::Own, MadeChildren::All(4));
        let from = |child| -> Vec<_> {
            let parents = batch.parents_from(child);
            parents
                .map(|of| (of.index, of.side, of.children()))
                .collect()
        };
        let all = [
            (5, Side::Own, 0..3),
            (2, Side::Others, 3..4),
            (7, Side::Own, 4..8),
        ];
        for (child, first) in [0, 0, 0, 1, 2, 2, 2, 2].into_iter().enumerate() {
            assert_eq!(from(child), all[first..]);
        }
        assert_eq!(
            batch.parent(2).map(|of| of.made),
            Some(MadeChildren::Only(6))
        );
        assert_eq!(batch.parent(3), None);
    }
}
