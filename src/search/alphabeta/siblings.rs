//! Sibling batches: the children of several sibling states, expanded in one call. An engine that expands many states
//! at once takes hardly longer for all of them than for the children of one.

use super::ordering::QueuedMove;
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
    /// The most children in one call, unless one state has more: the lanes of one machine word.
    const MOST: u32 = 64;

    /// Whether there is room for `children` more children.
    fn has_room(&self, children: u32) -> bool {
        self.len == 0 || self.len + children <= Self::MOST
    }

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
    /// Expands the states that these choices of a node lead to, unless that was done: several in one call, up to the
    /// limit.
    pub(super) fn prepare(&mut self, node: SearchNode, queue: &[QueuedMove]) {
        let ply = node.ply + 1;
        let start = self.children_start(node).unwrap_or(0);
        let states = queue.iter().map(|queued| start + queued.choice as usize);
        let first = start + queue[0].choice as usize;
        if self.chooser(ply, first).is_none() || self.children_start_at(ply, first).is_some() {
            return;
        }
        let mut batch = self.take_sibling_batch(ply);
        for index in states {
            let Some((side, children)) = self.chooser(ply, index) else {
                continue;
            };
            if !batch.has_room(children) {
                break;
            }
            batch.add(index, side, children);
        }
        self.expand_batch(ply, batch);
    }

    /// Expands the only child of a forced state, unless that was done, together with those of the other forced states
    /// of its ply, up to the limit. Returns its index on the next ply.
    pub(super) fn only_child(&mut self, node: SearchNode) -> usize {
        if let Some(start) = self.children_start(node) {
            return start;
        }
        let ply = node.ply;
        let mut batch = self.take_sibling_batch(ply);
        let after = match self.stack.is_eager() {
            true => node.index + 1..self.stack.len(ply),
            false => 0..0,
        };
        for index in std::iter::once(node.index).chain(after) {
            let info = self.stack.info(ply, index);
            if !batch.has_room(1) {
                break;
            }
            if !info.is_over && info.choices.is_forced() {
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

    /// Replaces the states of the next ply.
    pub(super) fn expand(&mut self, ply: usize, picks: &[Pick]) {
        self.stack.expand(ply, picks);
        self.forget(ply);
    }

    /// The index of the first child of a node on the next ply, if the child was expanded as part of a batch.
    pub(super) fn children_start(&self, node: SearchNode) -> Option<usize> {
        self.children_start_at(node.ply, node.index)
    }

    fn children_start_at(&self, ply: usize, index: usize) -> Option<usize> {
        self.sibling_batches.get(ply)?.start(index)
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

    /// The side that has the choice in a state, and the number of its choices, if the state fits into a batch.
    fn chooser(&self, ply: usize, index: usize) -> Option<(Side, u32)> {
        let info = self.stack.info(ply, index);
        match info.choices.turn() {
            ToMove::Of(side) if !info.is_over => Some((side, info.choices.of(side))),
            _ => None,
        }
    }
}
