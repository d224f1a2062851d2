//! States with those that come after them, many at a time.

use std::sync::atomic::AtomicBool;

use crate::analysis::children::{ChildCursor, JointMoveBatch};
use crate::engine::{Bits, Propnet, Workspace};
use crate::game::{Expansion, StateMachine};
use crate::propnet::lanes::LaneBatch;

/// Nobody asks it: stuck states are counted one by one.
static STUCK: AtomicBool = AtomicBool::new(false);

/// One thread's working memory to expand states.
pub(super) struct Expanding<'g> {
    game: &'g Propnet,
    scratch: Workspace,
    /// The states that are expanded.
    pub(super) parents: LaneBatch,
    parent_states: Vec<Bits>,
    joints: JointMoveBatch<'g, Propnet>,
    cursor: ChildCursor,
    /// Some of those that come after them, as the engine packs them.
    pub(super) children: Vec<u64>,
}

impl<'g> Expanding<'g> {
    pub(super) fn new(game: &'g Propnet) -> Self {
        Self {
            game,
            scratch: game.scratch(),
            parents: game.batch(),
            parent_states: Vec::new(),
            joints: JointMoveBatch::new(game, &STUCK),
            cursor: ChildCursor::default(),
            children: Vec::new(),
        }
    }

    /// Evaluates the states that `list` appends.
    pub(super) fn begin(&mut self, list: impl FnOnce(&mut Vec<Bits>)) {
        self.parent_states.clear();
        list(&mut self.parent_states);
        self.game
            .evaluate_batch(&mut self.scratch, &self.parent_states, &mut self.parents);
        self.cursor = ChildCursor::default();
    }

    /// Makes the next children, in the order of their parents; nothing if there are no more.
    pub(super) fn next_children(&mut self) -> bool {
        if !self.joints.choose(&self.parents, &mut self.cursor) {
            return false;
        }
        let (of, moves) = (&self.joints.of, &self.joints.moves);
        self.game.successors(
            &mut self.scratch,
            &self.parents,
            of,
            moves,
            &mut self.children,
        );
        true
    }

    /// The words of each of these children.
    #[cfg(feature = "cluster")]
    pub(super) fn words_of_children(&self) -> impl Iterator<Item = &[u64]> {
        let words = self.children.len() / self.joints.of.len().max(1);
        self.children.chunks_exact(words.max(1))
    }

    /// Of each of these children, its parent's place.
    pub(super) fn parents_of(&self) -> &[u32] {
        &self.joints.of
    }
}
