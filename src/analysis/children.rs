//! The children of many states, batch by batch.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::game::{Expansion, PositionBatch, Role, push_joint_moves};

/// The number of children of a batch that have been made.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ChildCursor {
    /// The first state with children that are not made.
    pub(crate) parent: usize,
    /// How many of its joint moves have been made.
    pub(crate) made: u64,
}

/// The next joint moves to expand, at most as many as the game takes at once.
pub(crate) struct JointMoveBatch<'a, G: Expansion> {
    game: &'a G,
    /// Raised where the game goes on in a state, but a role has no move.
    stuck: &'a AtomicBool,
    legal: Vec<Vec<G::Move>>,
    /// Per child its parent, and the joint moves.
    pub(crate) of: Vec<u32>,
    pub(crate) moves: Vec<G::Move>,
}

impl<'a, G: Expansion> JointMoveBatch<'a, G> {
    pub(crate) fn new(game: &'a G, stuck: &'a AtomicBool) -> Self {
        Self {
            game,
            stuck,
            legal: vec![Vec::new(); game.roles().len()],
            of: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Lists the next joint moves, as many as a batch holds. Says whether there are any.
    pub(crate) fn choose(&mut self, batch: &G::Batch, cursor: &mut ChildCursor) -> bool {
        let most = self.game.batch_size();
        self.of.clear();
        self.moves.clear();
        while self.of.len() < most && cursor.parent < batch.len() {
            let all = self.list(batch, cursor.parent);
            let room = (most - self.of.len()) as u64;
            let until = all.min(cursor.made.saturating_add(room));
            let children = (until - cursor.made) as usize;
            self.of
                .resize(self.of.len() + children, cursor.parent as u32);
            push_joint_moves(&self.legal, cursor.made..until, &mut self.moves);
            cursor.made = until;
            if until == all {
                cursor.parent += 1;
                cursor.made = 0;
            }
        }
        !self.of.is_empty()
    }

    /// Lists the moves of all roles in a state and returns the number of joint moves: 0 in terminal states.
    fn list(&mut self, batch: &G::Batch, state: usize) -> u64 {
        if batch.is_terminal(state) {
            return 0;
        }
        let mut all = 1_u64;
        for (role, moves) in self.legal.iter_mut().enumerate() {
            batch.legal(state, Role(role), moves);
            all = all.saturating_mul(moves.len() as u64);
        }
        self.note(all);
        all
    }

    /// The number of joint moves in one state of a batch: 0 in terminal states.
    pub(crate) fn joint_moves_of(&self, batch: &G::Batch, index: usize) -> u64 {
        if batch.is_terminal(index) {
            return 0;
        }
        let roles = (0..self.game.roles().len()).map(Role);
        let sizes = roles.map(|role| batch.legal_count(index, role) as u64);
        let all = sizes.fold(1, u64::saturating_mul);
        self.note(all);
        all
    }

    /// Notes the number of joint moves of a state that is not terminal.
    fn note(&self, joint_moves: u64) {
        if joint_moves == 0 {
            self.stuck.store(true, Ordering::Relaxed);
        }
    }
}
