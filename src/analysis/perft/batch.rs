//! The children of many states, batch by batch.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::game::{Expansion, PositionBatch, Role, push_joint_moves};

/// How far the children of a batch have been made.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// The first state with children still to come.
    pub(super) parent: usize,
    /// How many of its joint moves have been made.
    pub(super) made: u64,
}

/// What is to be expanded next.
pub(super) struct Batch<'a, G: Expansion> {
    game: &'a G,
    /// Raised where the game goes on in a state, but a role has no move.
    stuck: &'a AtomicBool,
    legal: Vec<Vec<G::Move>>,
    /// Per child its parent, and the joint moves.
    pub(super) of: Vec<u32>,
    pub(super) moves: Vec<G::Move>,
}

impl<'a, G: Expansion> Batch<'a, G> {
    pub(super) fn new(game: &'a G, stuck: &'a AtomicBool) -> Self {
        Self {
            game,
            stuck,
            legal: vec![Vec::new(); game.roles().len()],
            of: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Lists the next joint moves, as many as a batch holds. Says whether there are any.
    pub(super) fn choose(&mut self, batch: &G::Batch, place: &mut Place) -> bool {
        let most = self.game.batch_size();
        self.of.clear();
        self.moves.clear();
        while self.of.len() < most && place.parent < batch.len() {
            let all = self.list(batch, place.parent);
            let room = (most - self.of.len()) as u64;
            let until = all.min(place.made.saturating_add(room));
            let children = (until - place.made) as usize;
            self.of
                .resize(self.of.len() + children, place.parent as u32);
            push_joint_moves(&self.legal, place.made..until, &mut self.moves);
            place.made = until;
            if until == all {
                place.parent += 1;
                place.made = 0;
            }
        }
        !self.of.is_empty()
    }

    /// Lists everybody's moves in a state. Answers how many joint moves there are: none in what is over.
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

    /// How many joint moves there are in one state of a batch. What is over has none.
    pub(super) fn joint_moves_of(&self, batch: &G::Batch, index: usize) -> u64 {
        if batch.is_terminal(index) {
            return 0;
        }
        let roles = (0..self.game.roles().len()).map(Role);
        let sizes = roles.map(|role| batch.legal_count(index, role) as u64);
        let all = sizes.fold(1, u64::saturating_mul);
        self.note(all);
        all
    }

    /// So many joint moves there are in a state that is not over.
    fn note(&self, joint_moves: u64) {
        if joint_moves == 0 {
            self.stuck.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a state without a move was seen, by whomever.
    pub(super) fn is_stuck(&self) -> bool {
        self.stuck.load(Ordering::Relaxed)
    }
}
