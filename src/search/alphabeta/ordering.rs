//! Move ordering: in which order the choices of a state are searched.

use super::pvs::{SearchNode, Worker};
use super::stack::{Pick, Side, StateInfo};

/// A choice in the order of the search.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueuedMove {
    merit: i64,
    pub(super) choice: u32,
}

impl Worker<'_> {
    /// The choices of `side`, most promising first. The states they lead to are on the next ply, unless they are
    /// expanded one by one.
    pub(super) fn queue(
        &mut self,
        node: SearchNode,
        side: Side,
        hint: Option<u16>,
    ) -> Vec<QueuedMove> {
        let SearchNode { ply, depth, .. } = node;
        if self.queues.len() <= ply {
            self.queues.resize_with(ply + 1, Vec::new);
        }
        let mut queue = std::mem::take(&mut self.queues[ply]);
        queue.clear();
        let count = node.info.choices.of(side);
        let knows_moves = depth > 1 || !self.stack.is_eager();
        let is_to_make = self.children_start(node).is_none() && self.expands_all(depth);
        match is_to_make {
            true if count > 1 => self.expand_all(ply, node.index, side, count),
            true => {
                self.only_child(node);
            }
            false => {}
        }
        if knows_moves && (!is_to_make || count == 1) {
            self.stack.enter(ply, node.index);
        }
        let features = self.shared.features;
        queue.extend((0..count).map(|choice| QueuedMove { merit: 0, choice }));
        if features.ordering {
            self.rate(node, side, knows_moves, &mut queue);
        }
        if let Some(hint) = self.marked_choice(node, hint, count) {
            queue[hint as usize].merit = i64::MAX;
        }
        queue.sort_by_key(|queued| std::cmp::Reverse(queued.merit));
        if features.worst_first {
            queue.reverse();
        }
        queue
    }

    /// Scores choices by killers and history where the moves are known, and by their static values where the children are.
    fn rate(&mut self, node: SearchNode, side: Side, knows_moves: bool, queue: &mut [QueuedMove]) {
        let SearchNode { ply, depth, .. } = node;
        if knows_moves {
            let keys = self.stack.keys(ply, side);
            for (queued, key) in queue.iter_mut().zip(keys) {
                queued.merit = i64::from(self.history.merit(ply, side, *key));
            }
        }
        if self.expands_all(depth) {
            let start = self.children_start(node).unwrap_or(0);
            for queued in queue {
                let info = self.stack.info(ply + 1, start + queued.choice as usize);
                queued.merit += 2 * i64::from(static_score(side, info));
            }
        }
    }

    /// Whether all children of a state are expanded together at this depth.
    pub(super) fn expands_all(&self, depth: u32) -> bool {
        self.stack.is_eager() || depth > 1 && !self.is_slow
    }

    pub(super) fn expand_all(&mut self, ply: usize, index: usize, side: Side, count: u32) {
        let picks: Vec<Pick> = (0..count).map(|choice| Pick::of(side, choice)).collect();
        self.stack.enter(ply, index);
        self.expand(ply, &picks);
    }

    /// Updates killers and history after a cutoff by the last of the moves `searched` at.
    pub(super) fn learn(&mut self, node: SearchNode, side: Side, searched: &[QueuedMove]) {
        if !self.shared.features.ordering {
            return;
        }
        let keys = self.stack.keys(node.ply, side);
        let key = |queued: &QueuedMove| keys[queued.choice as usize];
        if let Some((good, failed)) = searched.split_last() {
            let failed: smallvec::SmallVec<[u32; 32]> = failed.iter().map(key).collect();
            let good = key(good);
            self.history
                .learn(node.ply, side, node.depth, good, &failed);
        }
    }
}

/// The static value of a state, from the point of view of `side`.
pub(in crate::search) fn static_score(side: Side, info: StateInfo) -> i32 {
    let expectation = match info.is_over {
        true => (i32::from(info.goal) - 50) * 1000 * 100,
        false => info.expectation - 50_000,
    };
    match side {
        Side::Own => expectation,
        Side::Others => -expectation,
    }
}
