//! Which choice is looked at first, and what is learned from how that went.

use super::{Node, Worker};
use crate::search::ladder::{Pick, Seen, Side};

/// A choice that waits to be looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Queued {
    merit: i64,
    pub(super) choice: u32,
}

impl Worker<'_> {
    /// The choices of `side`, most promising first; the states they lead to are on the next rung, unless they are to be
    /// looked at one by one.
    pub(super) fn queue(&mut self, node: Node, side: Side, hint: Option<u16>) -> Vec<Queued> {
        let Node { rung, depth, .. } = node;
        if self.queues.len() <= rung {
            self.queues.resize_with(rung + 1, Vec::new);
        }
        let mut queue = std::mem::take(&mut self.queues[rung]);
        queue.clear();
        let count = node.seen.choices.of(side);
        let knows_moves = depth > 1 || !self.ladder.is_eager();
        let is_to_make = self.family_start(node).is_none() && self.looks_at_all(depth);
        match is_to_make {
            true if count > 1 => self.expand_all(rung, node.index, side, count),
            true => {
                self.only_child(node);
            }
            false => {}
        }
        if knows_moves && (!is_to_make || count == 1) {
            self.ladder.enter(rung, node.index);
        }
        let features = self.shared.features;
        queue.extend((0..count).map(|choice| Queued { merit: 0, choice }));
        if features.ordering && knows_moves {
            self.rate(node, side, &mut queue);
        }
        if let Some(hint) = hint.map(u32::from).filter(|hint| *hint < count) {
            queue[hint as usize].merit = i64::MAX;
        }
        queue.sort_by_key(|queued| std::cmp::Reverse(queued.merit));
        queue
    }

    /// Rates choices by what was good elsewhere and, where the next states are known, by how they look.
    fn rate(&mut self, node: Node, side: Side, queue: &mut [Queued]) {
        let Node { rung, depth, .. } = node;
        let looks = self.looks_at_all(depth);
        let keys = self.ladder.keys(rung, side);
        for (queued, key) in queue.iter_mut().zip(keys) {
            queued.merit = i64::from(self.order.merit(rung, side, *key));
        }
        if looks {
            let start = self.family_start(node).unwrap_or(0);
            for queued in queue {
                let seen = self.ladder.seen(rung + 1, start + queued.choice as usize);
                queued.merit += 2 * i64::from(look(side, seen));
            }
        }
    }

    /// Whether all states that come of one at this depth are looked at together.
    pub(super) fn looks_at_all(&self, depth: u32) -> bool {
        self.ladder.is_eager() || depth > 1 && !self.is_slow
    }

    pub(super) fn expand_all(&mut self, rung: usize, index: usize, side: Side, count: u32) {
        let picks: Vec<Pick> = (0..count).map(|choice| Pick::of(side, choice)).collect();
        self.ladder.enter(rung, index);
        self.expand(rung, &picks);
    }

    /// Learns from the choice that ended a contest, the last of those `looked` at.
    pub(super) fn learn(&mut self, node: Node, side: Side, looked: &[Queued]) {
        if !self.shared.features.ordering {
            return;
        }
        let keys = self.ladder.keys(node.rung, side);
        let key = |queued: &Queued| keys[queued.choice as usize];
        if let Some((good, failed)) = looked.split_last() {
            let failed: smallvec::SmallVec<[u32; 32]> = failed.iter().map(key).collect();
            let good = key(good);
            self.order.learn(node.rung, side, node.depth, good, &failed);
        }
    }
}

/// How a state looks to `side` at first sight.
pub(in crate::search) fn look(side: Side, seen: Seen) -> i32 {
    let expectation = match seen.is_over {
        true => (i32::from(seen.goal) - 50) * 1000 * 100,
        false => seen.expectation - 50_000,
    };
    match side {
        Side::Own => expectation,
        Side::Others => -expectation,
    }
}
