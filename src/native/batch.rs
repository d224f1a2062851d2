//! Many positions at once: side by side, each with its places, and moves only where somebody asks for them.

use std::sync::Arc;

use crate::game::{Expansion, PositionBatch, Role};
use crate::native::engine::NativeEngine;
use crate::native::paths::{self, AT_ONCE, TURNS_AT_ONCE};
use crate::native::places::PlaceSet;
use crate::native::rules::Rules;

/// The [`PositionBatch`] of a [`NativeEngine`].
#[derive(Debug)]
pub struct Nodes<R: Rules> {
    rules: Arc<R>,
    nodes: Vec<(R::Position, R::Places)>,
}

impl<R: Rules> Expansion for NativeEngine<R> {
    type Batch = Nodes<R>;

    fn batch(&self) -> Nodes<R> {
        Nodes {
            rules: Arc::clone(&self.rules),
            nodes: Vec::new(),
        }
    }

    fn batch_size(&self) -> usize {
        64
    }

    fn evaluate_batch(&self, (): &mut (), states: &[R::Position], batch: &mut Nodes<R>) {
        let nodes = states
            .iter()
            .map(|state| (*state, self.rules.places(state)));
        batch.nodes.clear();
        batch.nodes.extend(nodes);
    }

    fn expand(
        &self,
        (): &mut (),
        parents: &Nodes<R>,
        of: &[u32],
        moves: &[R::Step],
        children: &mut Nodes<R>,
    ) {
        let joints = moves.chunks_exact(R::ROLES.len());
        let nodes = of.iter().zip(joints).map(|(&parent, joint)| {
            let (position, _) = &parents.nodes[parent as usize];
            self.rules.play(position, joint[self.rules.mover(position)])
        });
        children.nodes.clear();
        children.nodes.extend(nodes);
    }

    fn paths(&self, batch: &Nodes<R>, depth: u32) -> Option<u64> {
        let count = |(position, places)| paths::from(&*self.rules, position, places, depth);
        (depth <= AT_ONCE).then(|| batch.nodes.iter().copied().map(count).sum())
    }

    fn paths_by_turns(&self, state: &R::Position, turns: u32) -> Option<u64> {
        let count = || self.rules.count_turns(state, turns);
        (turns <= TURNS_AT_ONCE).then(count).flatten()
    }
}

impl<R: Rules> PositionBatch for Nodes<R> {
    type State = R::Position;
    type Move = R::Step;

    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn state(&self, index: usize) -> R::Position {
        self.nodes[index].0
    }

    fn is_terminal(&self, index: usize) -> bool {
        let (position, places) = &self.nodes[index];
        self.rules.is_over(position, places)
    }

    fn goal(&self, index: usize, role: Role) -> Option<u8> {
        let (position, places) = &self.nodes[index];
        let goals = self.rules.goals(position, places)?;
        Some(goals[role.0])
    }

    fn legal_count(&self, index: usize, role: Role) -> usize {
        let (position, places) = &self.nodes[index];
        if role.0 == self.rules.mover(position) {
            places.count() as usize
        } else {
            1
        }
    }

    fn legal(&self, index: usize, role: Role, moves: &mut Vec<R::Step>) {
        let (position, places) = &self.nodes[index];
        NativeEngine::list(&*self.rules, (position, *places), role, moves);
    }
}
