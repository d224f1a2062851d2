//! Move ordering by earlier cutoffs: killer moves and history heuristic.

use super::stack::Side;

/// The *killers* of each ply and the *history* of each side, as one thread has seen them.
#[derive(Debug)]
pub(in crate::search) struct MoveHistory {
    killers: Vec<[u32; 2]>,
    history: [Vec<i32>; 2],
}

/// Moves whose keys agree in the lowest bits share a history entry.
const PLACES: usize = 1 << 12;
/// Bound of the history scores.
const MOST: i32 = 1 << 14;

impl MoveHistory {
    pub(in crate::search) fn new() -> Self {
        Self {
            killers: Vec::new(),
            history: [vec![0; PLACES], vec![0; PLACES]],
        }
    }

    /// The ordering score of a move of `side` at `ply`: history from `-MOST` to `MOST`, killers above.
    pub(in crate::search) fn merit(&self, ply: usize, side: Side, key: u32) -> i32 {
        let is_killer = |keys: &[u32; 2]| keys.contains(&key);
        match self.killers.get(ply).is_some_and(is_killer) {
            true => 2 * MOST,
            false => self.history[side as usize][key as usize % PLACES],
        }
    }

    /// Updates killers and history: `good` caused a cutoff at this depth, the moves `failed`, searched before it, did
    /// not.
    pub(in crate::search) fn learn(
        &mut self,
        ply: usize,
        side: Side,
        depth: u32,
        good: u32,
        failed: &[u32],
    ) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [u32::MAX; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != good {
            *killers = [good, killers[0]];
        }
        let weight = (depth * depth).min(400) as i32;
        self.adjust(side, good, weight);
        for key in failed {
            self.adjust(side, *key, -weight / 2);
        }
    }

    /// Adds to a history entry, the less the closer it is to its bound.
    fn adjust(&mut self, side: Side, key: u32, weight: i32) {
        let history = &mut self.history[side as usize][key as usize % PLACES];
        *history += weight - *history * weight.abs() / MOST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_cause_cutoffs_come_first() {
        let mut order = MoveHistory::new();
        for _ in 0..1000 {
            order.learn(3, Side::Own, 20, 7, &[8, 9]);
        }
        let merit = |ply, key| order.merit(ply, Side::Own, key);
        assert!(merit(4, 7) > merit(4, 6) && merit(4, 6) > merit(4, 8));
        assert!(merit(3, 7) > merit(4, 7), "a killer on its ply");
        assert!(merit(4, 7) <= MOST && merit(4, 8) >= -MOST);
        assert_eq!(order.merit(4, Side::Others, 7), 0, "sides learn apart");
    }
}
