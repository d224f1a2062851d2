//! Move ordering: in which order the choices of a state are searched.

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
    /// Queues the choices of `side`, most promising first. The states they lead to are on the next ply, unless they are
    /// expanded one by one.
    pub(super) fn queue(&mut self, node: SearchNode, side: Side, hint: Option<u16>) {
        let SearchNode { ply, depth, .. } = node;
        if self.queues.len() <= ply {
            self.queues.resize_with(ply + 1, MoveQueue::default);
        }
        let count = node.info.choices.of(side);
        let knows_moves = depth > 1 || !self.stack.is_eager();
        let is_to_make = self.children_start(node).is_none() && self.expands_all(depth);
        if is_to_make {
            self.expand_all(node, side);
        }
        if knows_moves {
            self.stack.enter(ply, node.index);
        }
        let MoveQueue {
            moves: mut queue, ..
        } = std::mem::take(&mut self.queues[ply]);
        queue.clear();
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
        self.queues[ply] = MoveQueue {
            moves: queue,
            taken: 0,
            is_cut_node: node.is_cut_node,
        };
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
