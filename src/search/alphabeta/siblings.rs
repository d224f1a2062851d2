//! Sibling batches: the children of several sibling states, expanded in one call. An engine that expands many states
//! at once takes hardly longer for all of them than for the children of one.

use super::ordering::MoveQueue;
use super::pvs::{SearchNode, Worker};
use super::stack::{Pick, Side, ToMove};

/// The states of a ply whose children were expanded in one call.
#[derive(Debug, Default)]
pub(super) struct SiblingBatch {
    parents: Vec<(u32, Side)>,
    /// Per state of the ply, the index of its first child.
    starts: Vec<Option<u32>>,
    len: u32,
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

    pub(super) fn clear(&mut self) {
        self.parents.clear();
        self.starts.clear();
        self.len = 0;
    }
}

impl Worker<'_> {
    /// Expands a state, in which `side` alone has the choice. If the engine makes many children at once, the siblings that are
    /// searched after it are expanded in the same call, up to the limit.
    pub(super) fn expand_all(&mut self, node: SearchNode, side: Side) {
        let SearchNode {
            ply, index, info, ..
        } = node;
        let mut batch = self.take_sibling_batch(ply);
        batch.add(index, side, info.choices.of(side));
        if self.stack.is_eager() {
            self.add_later_siblings(node, &mut batch);
        }
        self.expand_batch(ply, batch);
    }

    /// Adds the siblings of the only state of a batch that are searched after it, as far as there is room.
    fn add_later_siblings(&self, node: SearchNode, batch: &mut SiblingBatch) {
        let parent = node.ply.checked_sub(1);
        let queue = parent.and_then(|parent| self.queues.get(parent));
        let Some((own, later)) = queue.and_then(MoveQueue::later) else {
            return;
        };
        let start = node.index - own as usize;
        let most = self.stack.children_at_once(batch.len);
        for index in later.map(|choice| start + choice as usize) {
            let Some((side, children)) = self.chooser(node.ply, index) else {
                continue;
            };
            if batch.len + children > most {
                break;
            }
            batch.add(index, side, children);
        }
    }

    /// From now on, children of states of this ply have no siblings that are searched after them.
    pub(super) fn forget_siblings(&mut self, ply: usize) {
        if let Some(queue) = self.queues.get_mut(ply) {
            queue.clear();
        }
    }

    /// Expands the only child of a forced state, unless that was done, together with those of the other forced states
    /// of its ply, up to the limit. Returns its index on the next ply.
    pub(super) fn only_child(&mut self, node: SearchNode) -> usize {
        if let Some(start) = self.children_start(node) {
            return start;
        }
        let ply = node.ply;
        let most = self.stack.children_at_once(1);
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
