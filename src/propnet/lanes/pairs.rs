//! States of a batch, each with each of its joint moves.

use crate::propnet::lanes::batch::LaneBatch;

/// Lists pairs of a state and a joint move, as many at a time as wanted.
#[derive(Debug, Default)]
pub(super) struct TransitionPairs {
    /// The numbers of the states.
    pub(super) of: Vec<u32>,
    /// Their joint moves, an input per role.
    pub(super) moves: Vec<u32>,
    /// The next state to be listed.
    state: usize,
    /// The moves of each role in the state before, of which there are joint moves left.
    legal: Vec<Vec<u32>>,
    /// Which of these moves come next.
    next: Vec<usize>,
    /// Whether joint moves are left.
    is_open: bool,
}

impl TransitionPairs {
    /// Begins with the first state.
    pub(super) fn restart(&mut self) {
        self.state = 0;
        self.is_open = false;
    }

    /// Lists the next pairs, at most `most`. Says whether there are any.
    pub(super) fn advance(&mut self, batch: &LaneBatch, most: usize) -> bool {
        self.of.clear();
        self.moves.clear();
        while self.of.len() < most {
            if self.is_open {
                self.is_open = self.list(most);
            } else if self.state < batch.len() {
                self.enter(batch);
            } else {
                break;
            }
        }
        !self.of.is_empty()
    }

    /// Goes on to the next state.
    fn enter(&mut self, batch: &LaneBatch) {
        self.state += 1;
        if batch.is_terminal(self.state - 1) {
            return;
        }
        self.legal.resize(batch.roles(), Vec::new());
        for (role, moves) in self.legal.iter_mut().enumerate() {
            batch.legal(self.state - 1, role, moves);
        }
        self.is_open = self.legal.iter().all(|moves| !moves.is_empty());
        self.next.clear();
        self.next.resize(self.legal.len(), 0);
    }

    /// Lists the next joint moves of the state; whether there are more.
    fn list(&mut self, most: usize) -> bool {
        let next = &mut self.next[..];
        let state = self.state as u32 - 1;
        // The role with the most moves goes through them while the others do not move on.
        let sizes = self.legal.iter().enumerate();
        let Some((fast, moves)) = sizes.max_by_key(|(_, moves)| moves.len()) else {
            self.of.push(state);
            return false;
        };
        loop {
            let room = most - self.of.len();
            let until = moves.len().min(next[fast] + room);
            for mv in &moves[next[fast]..until] {
                self.of.push(state);
                for (role, legal) in self.legal.iter().enumerate() {
                    let same = legal[next[role]];
                    self.moves.push(if role == fast { *mv } else { same });
                }
            }
            next[fast] = until;
            if until < moves.len() {
                return true;
            }
            next[fast] = 0;
            let slow = (0..next.len()).filter(|role| *role != fast);
            let mut is_over = true;
            for role in slow {
                next[role] += 1;
                if next[role] < self.legal[role].len() {
                    is_over = false;
                    break;
                }
                next[role] = 0;
            }
            if is_over {
                return false;
            }
        }
    }
}
