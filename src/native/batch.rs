//! Many positions at once, each with the set of its legal moves. Moves are made from the set only on request.

use std::sync::Arc;

use crate::game::{Expansion, PositionBatch, Role};
use crate::native::engine::NativeEngine;
use crate::native::move_set::MoveSet;
use crate::native::paths::{self, AT_ONCE, TURNS_AT_ONCE};
use crate::native::rules::NativeRules;

/// The [`PositionBatch`] of a [`NativeEngine`].
#[derive(Debug)]
pub struct NativeBatch<R: NativeRules> {
    rules: Arc<R>,
    nodes: Vec<(R::State, R::Moves)>,
}

impl<R: NativeRules> Expansion for NativeEngine<R> {
    type Batch = NativeBatch<R>;

    fn batch(&self) -> NativeBatch<R> {
        NativeBatch {
            rules: Arc::clone(&self.rules),
            nodes: Vec::new(),
        }
    }

    fn batch_size(&self) -> usize {
        64
    }

    fn evaluate_batch(&self, (): &mut (), states: &[R::State], batch: &mut NativeBatch<R>) {
        let nodes = states.iter().map(|state| (*state, self.rules.moves(state)));
        batch.nodes.clear();
        batch.nodes.extend(nodes);
    }

    fn expand(
        &self,
        (): &mut (),
        parents: &NativeBatch<R>,
        of: &[u32],
        moves: &[R::Move],
        children: &mut NativeBatch<R>,
    ) {
        let joints = moves.chunks_exact(R::ROLES.len());
        let nodes = of.iter().zip(joints).map(|(&parent, joint)| {
            let (position, _) = &parents.nodes[parent as usize];
            self.rules
                .play(position, joint[self.rules.in_control(position)])
        });
        children.nodes.clear();
        children.nodes.extend(nodes);
    }

    fn paths(&self, (): &mut (), batch: &NativeBatch<R>, depth: u32) -> Option<u64> {
        let count = |(position, moves)| paths::from(&*self.rules, position, moves, depth);
        (depth <= AT_ONCE).then(|| batch.nodes.iter().copied().map(count).sum())
    }

    fn paths_by_turns(&self, state: &R::State, turns: u32) -> Option<u64> {
        let count = || self.rules.count_turns(state, turns);
        (turns <= TURNS_AT_ONCE).then(count).flatten()
    }
}

impl<R: NativeRules> PositionBatch for NativeBatch<R> {
    type State = R::State;
    type Move = R::Move;

    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn state(&self, index: usize) -> R::State {
        self.nodes[index].0
    }

    fn is_terminal(&self, index: usize) -> bool {
        let (position, moves) = &self.nodes[index];
        self.rules.is_over(position, moves)
    }

    fn goal(&self, index: usize, role: Role) -> Option<u8> {
        let (position, moves) = &self.nodes[index];
        let goals = self.rules.goals(position, moves)?;
        Some(goals[role.0])
    }

    fn legal_count(&self, index: usize, role: Role) -> usize {
        let (position, moves) = &self.nodes[index];
        if role.0 == self.rules.in_control(position) {
            moves.count() as usize
        } else {
            1
        }
    }

    fn legal(&self, index: usize, role: Role, moves: &mut Vec<R::Move>) {
        let (position, set) = &self.nodes[index];
        NativeEngine::list(&*self.rules, (position, *set), role, moves);
    }
}
