//! Move ordering: in which order the choices of a state are searched.

use std::cmp::Reverse;

use super::pvs::{SearchNode, Worker};
use super::stack::Side;

/// The choices in a state, in the order of the search.
#[derive(Debug, Default)]
pub(super) struct MoveQueue {
    moves: Vec<QueuedMove>,
    /// How many of them were taken.
    taken: usize,
    /// Whether the first one is expected to bring a cutoff.
    is_cut_node: bool,
    /// Whether those after the first one are not in order yet.
    is_rest_unordered: bool,
}

#[derive(Debug, Clone, Copy)]
struct QueuedMove {
    merit: i64,
    choice: u32,
}

impl MoveQueue {
    /// Takes the next choice.
    pub(super) fn next(&mut self) -> Option<u32> {
        let next = self.moves.get(self.taken)?;
        self.taken += 1;
        Some(next.choice)
    }

    /// Puts the choice that was taken last behind all others.
    pub(super) fn put_off(&mut self) {
        self.moves.extend_from_within(self.taken - 1..self.taken);
    }

    /// Holds this choice of a cut node alone, which is taken.
    pub(super) fn take_only(&mut self, choice: u32) {
        self.moves.clear();
        self.moves.push(QueuedMove { merit: 0, choice });
        self.taken = 1;
        self.is_cut_node = true;
        self.is_rest_unordered = false;
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.taken = 0;
    }

    /// Whether only the first choice was taken so far.
    pub(super) fn is_at_first(&self) -> bool {
        self.taken == 1
    }

    /// Whether what was taken last is one of this number of choices at the end.
    pub(super) fn is_among_last(&self, count: usize) -> bool {
        self.taken > self.moves.len() - count
    }

    /// All choices.
    pub(super) fn choices(&self) -> impl ExactSizeIterator<Item = u32> {
        self.moves.iter().map(|queued| queued.choice)
    }

    /// Whether the first choice is expected to bring a cutoff.
    pub(super) fn is_of_cut_node(&self) -> bool {
        self.is_cut_node
    }

    /// The choice that was taken last, and those that are left; nothing while the first one of a cut node is searched, since after a cutoff
    /// no other is needed.
    pub(super) fn later(&self) -> Option<(u32, impl Iterator<Item = u32>)> {
        let is_likely = |last: &usize| *last > 0 || !self.is_cut_node;
        let last = self.taken.checked_sub(1).filter(is_likely)?;
        let mut rest = self.moves[last..].iter().map(|queued| queued.choice);
        Some((rest.next()?, rest))
    }
}

impl Worker<'_> {
    /// The queue of a ply.
    pub(super) fn queue_of(&mut self, ply: usize) -> &mut MoveQueue {
        if self.queues.len() <= ply {
            self.queues.resize_with(ply + 1, MoveQueue::default);
        }
        &mut self.queues[ply]
    }

    /// Queues the choices of `side`, most promising first; of a cut node, those after the one that the table remembers are
    /// put in order by [`Worker::order_rest`]. The states they lead to are on the next ply, unless they are
    /// expanded one by one.
    pub(super) fn queue(&mut self, node: SearchNode, side: Side, hint: Option<u16>) {
        let SearchNode { ply, depth, .. } = node;
        let count = node.info.choices.of(side);
        let is_to_make = self.children_start(node).is_none() && self.expands_all(depth);
        if is_to_make {
            self.expand_all(node, side);
        }
        if self.knows_moves(depth) {
            self.stack.enter(ply, node.index);
        }
        let MoveQueue {
            moves: mut queue, ..
        } = std::mem::take(self.queue_of(ply));
        queue.clear();
        let features = self.shared.features;
        queue.extend((0..count).map(|choice| QueuedMove { merit: 0, choice }));
        let hint = self.marked_choice(node, hint, count);
        let is_hint_enough = node.is_cut_node && hint.is_some() && !features.worst_first;
        if features.ordering && !is_hint_enough {
            self.rate(node, side, &mut queue);
        }
        if let Some(hint) = hint {
            queue[hint as usize].merit = i64::MAX;
        }
        queue.sort_by_key(|queued| Reverse(queued.merit));
        if features.worst_first {
            queue.reverse();
        }
        self.queues[ply] = MoveQueue {
            moves: queue,
            taken: 0,
            is_cut_node: node.is_cut_node,
            is_rest_unordered: features.ordering && is_hint_enough,
        };
    }

    /// Orders the choices of a cut node after the first one, which the table remembered, once they are needed.
    pub(super) fn order_rest(&mut self, node: SearchNode, side: Side) {
        let queue = &mut self.queues[node.ply];
        if queue.is_rest_unordered && queue.taken > 0 {
            let mut queue = std::mem::take(queue);
            let rest = &mut queue.moves[queue.taken..];
            self.rate(node, side, rest);
            rest.sort_by_key(|queued| Reverse(queued.merit));
            queue.is_rest_unordered = false;
            self.queues[node.ply] = queue;
        }
    }

    /// Scores choices by killers and history where the moves are known, and by their static values where the children are.
    fn rate(&mut self, node: SearchNode, side: Side, queue: &mut [QueuedMove]) {
        let SearchNode { ply, depth, .. } = node;
        if self.knows_moves(depth) {
            let keys = self.stack.keys(ply, side);
            for queued in &mut *queue {
                let key = keys[queued.choice as usize];
                queued.merit = i64::from(self.history.merit(ply, side, key));
            }
        }
        if self.expands_all(depth) {
            for queued in queue {
                let child = self.child_index(node, queued.choice);
                let score = self.stack.score(ply + 1, child);
                let score = match side {
                    Side::Own => score,
                    Side::Others => -score,
                };
                queued.merit += 2 * i64::from(score);
            }
        }
    }

    /// Whether a state is entered to order its choices at this depth, so that its moves are known.
    pub(super) fn knows_moves(&self, depth: u32) -> bool {
        depth > 1 || !self.stack.is_eager()
    }

    /// Whether all children of a state are expanded together at this depth.
    pub(super) fn expands_all(&self, depth: u32) -> bool {
        self.stack.is_eager() || depth > 1 && !self.is_slow
    }

    /// Updates killers and history after a cutoff by the choice that was taken last.
    pub(super) fn learn(&mut self, node: SearchNode, side: Side) {
        if !self.shared.features.ordering {
            return;
        }
        let keys = self.stack.keys(node.ply, side);
        let MoveQueue { moves, taken, .. } = &self.queues[node.ply];
        let key = |queued: &QueuedMove| keys[queued.choice as usize];
        if let Some((good, failed)) = moves[..*taken].split_last() {
            let failed: smallvec::SmallVec<[u32; 32]> = failed.iter().map(key).collect();
            let good = key(good);
            self.history
                .learn(node.ply, side, node.depth, good, &failed);
        }
    }
}
