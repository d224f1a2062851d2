//! States expanded in the lanes of the network: one thread's working memory.

use std::sync::atomic::AtomicBool;

use crate::analysis::children::{ChildCursor, JointMoveBatch};
use crate::engine::{Bits, Propnet, Workspace};
use crate::game::{Expansion, StateMachine};
use crate::propnet::lanes::LaneBatch;
use crate::symmetry::{OrbitScratch, SymmetryGroup};

/// Some states with what comes after them, batch by batch.
pub(super) struct StateExpansion<'g> {
    game: &'g Propnet,
    symmetries: Option<&'g SymmetryGroup>,
    /// The states to expand, no more than a batch.
    pub(super) states: Vec<Bits>,
    /// The same, once they are evaluated.
    pub(super) evaluated: LaneBatch,
    scratch: Workspace,
    joints: JointMoveBatch<'g, Propnet>,
    cursor: ChildCursor,
    orbits: OrbitScratch,
    /// Children, packed by the engine, each the one that stands for its class.
    children: Vec<u64>,
}

/// Nobody asks it: stuck states are counted one by one.
static STUCK: AtomicBool = AtomicBool::new(false);

impl<'g> StateExpansion<'g> {
    pub(super) fn new(game: &'g Propnet, symmetries: Option<&'g SymmetryGroup>) -> Self {
        Self {
            game,
            symmetries,
            states: Vec::new(),
            evaluated: game.batch(),
            scratch: game.scratch(),
            joints: JointMoveBatch::new(game, &STUCK),
            cursor: ChildCursor::default(),
            orbits: OrbitScratch::default(),
            children: Vec::new(),
        }
    }

    /// Evaluates the states.
    pub(super) fn evaluate(&mut self) {
        self.game
            .evaluate_batch(&mut self.scratch, &self.states, &mut self.evaluated);
        self.cursor = ChildCursor::default();
    }

    /// How many states are counted for one of them.
    pub(super) fn stands_for(&mut self, state: usize) -> u64 {
        match self.symmetries {
            Some(group) if !group.swaps_roles() => {
                group.orbit(self.states[state].words(), &mut self.orbits)
            }
            _ => 1,
        }
    }

    /// Makes some more children: the packed states, and for each the place of its parent; nothing where all were made.
    pub(super) fn next_children(&mut self) -> Option<(&[u64], &[u32])> {
        if !self.joints.choose(&self.evaluated, &mut self.cursor) {
            return None;
        }
        let (of, moves) = (&self.joints.of, &self.joints.moves);
        self.game.successors(
            &mut self.scratch,
            &self.evaluated,
            of,
            moves,
            &mut self.children,
        );
        if let Some(symmetries) = self.symmetries {
            let words = self.children.len() / of.len();
            for child in self.children.chunks_exact_mut(words.max(1)) {
                symmetries.make_canonical(child, &mut self.orbits);
            }
        }
        Some((&self.children[..], &self.joints.of[..]))
    }
}
