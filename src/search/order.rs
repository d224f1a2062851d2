//! Which choice to look at first: what was good elsewhere is likely to be good here.

use super::ladder::Side;

/// What one thread has learned of moves: those that refuted something (*killers*), per rung, and how often any did
/// (*history*).
#[derive(Debug)]
pub(super) struct Order {
    killers: Vec<[u32; 2]>,
    history: [Vec<i32>; 2],
}

/// Moves share their place in the history with others that have the same lowest bits.
const PLACES: usize = 1 << 12;
/// No move is better than this by history alone.
const MOST: i32 = 1 << 14;

impl Order {
    pub(super) fn new() -> Self {
        Self {
            killers: Vec::new(),
            history: [vec![0; PLACES], vec![0; PLACES]],
        }
    }

    /// How much speaks for a move of `side` on `rung`: from `-MOST` on, killers above all others.
    pub(super) fn merit(&self, rung: usize, side: Side, key: u32) -> i32 {
        let is_killer = |keys: &[u32; 2]| keys.contains(&key);
        match self.killers.get(rung).is_some_and(is_killer) {
            true => 2 * MOST,
            false => self.history[side as usize][key as usize % PLACES],
        }
    }

    /// `keys[good]` made further looking needless, at this depth; the ones looked at before had not.
    pub(super) fn learn(&mut self, rung: usize, side: Side, depth: u32, good: u32, failed: &[u32]) {
        if self.killers.len() <= rung {
            self.killers.resize(rung + 1, [u32::MAX; 2]);
        }
        let killers = &mut self.killers[rung];
        if killers[0] != good {
            *killers = [good, killers[0]];
        }
        let weight = (depth * depth).min(400) as i32;
        self.adjust(side, good, weight);
        for key in failed {
            self.adjust(side, *key, -weight / 2);
        }
    }

    /// Moves the history of a move, the less the nearer it is to the limit.
    fn adjust(&mut self, side: Side, key: u32, weight: i32) {
        let history = &mut self.history[side as usize][key as usize % PLACES];
        *history += weight - *history * weight.abs() / MOST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_refutes_often_comes_first() {
        let mut order = Order::new();
        for _ in 0..1000 {
            order.learn(3, Side::Own, 20, 7, &[8, 9]);
        }
        let merit = |rung, key| order.merit(rung, Side::Own, key);
        assert!(merit(4, 7) > merit(4, 6) && merit(4, 6) > merit(4, 8));
        assert!(merit(3, 7) > merit(4, 7), "a killer on its rung");
        assert!(merit(4, 7) <= MOST && merit(4, 8) >= -MOST);
        assert_eq!(order.merit(4, Side::Others, 7), 0, "sides learn apart");
    }
}
