//! The evaluation of leaves by learned weights, together with all their children.
//!
//! An engine makes all children of some leaves in one pass over its rules, so that each leaf is worth what its best move is. The
//! evaluations of its moves tell where to look first, and a terminal child is found before it is selected.

use std::sync::Arc;

use super::leaf_batch::{EvaluatedLeaf, EvaluationRequest, TerminalChild};
use super::node::LeafInfo;
use crate::game::{Engine, Role, Stopped};
use crate::search::alphabeta::plies::EngineStack;
use crate::search::alphabeta::stack::{SearchStack, Side, ToMove};
use crate::search::eval::{Evaluator, LearnedEvaluator};
use crate::util::{Deadline, Expired};

/// The plies of the stack: parents of leaves, leaves, their children.
const PARENTS: usize = 0;
const LEAVES: usize = 1;
const CHILDREN: usize = 2;

/// Evaluates leaves of a game of two roles that share 100 points.
pub(super) struct ChildEvaluator<'g, G: Engine> {
    stack: EngineStack<'g, G>,
    /// The number of the role that the evaluations are for.
    role: usize,
}

impl<'g, G: Engine> ChildEvaluator<'g, G> {
    /// For a search by `role` from `root`.
    pub(super) fn new(
        game: &'g G,
        (root, role): (&G::State, Role),
        evaluator: &Arc<LearnedEvaluator>,
    ) -> Self {
        let evaluator = Evaluator::Learned(Arc::clone(evaluator));
        Self {
            stack: EngineStack::new(game, root, role, Some(evaluator)),
            role: role.0,
        }
    }

    /// Evaluates leaves, each requested by a joint move.
    pub(super) fn evaluate(
        &mut self,
        requests: &[EvaluationRequest<G::State>],
        deadline: &Deadline,
    ) -> Result<Vec<EvaluatedLeaf<G::State>>, Stopped> {
        self.stack.set_deadline(Some(deadline));
        let leaves = self.leaves(requests);
        self.stack.set_deadline(None);
        match (leaves, self.stack.fault()) {
            (_, Some(fault)) => Err(Stopped::Fault(fault)),
            (Some(leaves), None) => Ok(leaves),
            (None, None) => Err(Stopped::Expired(Expired::OutOfTime)),
        }
    }

    /// A state with its moves, which are evaluated as far as there is time.
    pub(super) fn look_at(
        &mut self,
        state: &G::State,
        deadline: &Deadline,
    ) -> EvaluatedLeaf<G::State> {
        self.stack.evaluate_from(LEAVES);
        self.stack.load(std::slice::from_ref(state));
        let mut leaves = vec![self.leaf(PARENTS, 0)];
        self.stack.set_deadline(Some(deadline));
        let is_whole = self.add_children(PARENTS, &mut leaves).is_some();
        self.stack.set_deadline(None);
        match leaves.pop() {
            Some(leaf) if is_whole => leaf,
            _ => {
                let mut leaf = self.leaf(PARENTS, 0);
                self.evaluate_alone(PARENTS, 0, &mut leaf);
                leaf
            }
        }
    }

    /// The leaves with their children; `None` if there is no time.
    fn leaves(
        &mut self,
        requests: &[EvaluationRequest<G::State>],
    ) -> Option<Vec<EvaluatedLeaf<G::State>>> {
        let parents: Vec<G::State> = requests
            .iter()
            .map(|request| request.state.clone())
            .collect();
        self.stack.evaluate_from(CHILDREN);
        self.stack.load(&parents);
        // States cut short may lack the requested moves.
        self.check()?;
        let mut picks = Vec::with_capacity(parents.len());
        for (parent, request) in requests.iter().enumerate() {
            self.stack.enter(PARENTS, parent);
            let numbers = request.picks.iter().flatten();
            let numbers: Vec<usize> = numbers.map(|&number| number as usize).collect();
            picks.push((parent as u32, self.stack.pick(PARENTS, &numbers)));
        }
        self.stack.expand_picks(PARENTS, &picks);
        self.check()?;
        let mut leaves: Vec<_> = (0..parents.len())
            .map(|leaf| self.leaf(LEAVES, leaf))
            .collect();
        self.add_children(LEAVES, &mut leaves)?;
        Some(leaves)
    }

    fn check(&self) -> Option<()> {
        (!self.stack.is_cut_short()).then_some(())
    }

    /// A state of a ply, which is not evaluated yet.
    fn leaf(&self, ply: usize, index: usize) -> EvaluatedLeaf<G::State> {
        EvaluatedLeaf::of_batch(self.stack.batch(ply), index, self.stack.roles())
    }

    /// Evaluates a leaf, a state of a ply, by itself.
    fn evaluate_alone(&mut self, ply: usize, index: usize, leaf: &mut EvaluatedLeaf<G::State>) {
        let Some(LeafInfo::NonTerminal(_)) = leaf.info else {
            return;
        };
        if let Some(expected) = self.stack.expectation(ply, index) {
            let own = f64::from(expected) / 1000.0;
            leaf.values[self.role] = own;
            leaf.values[1 - self.role] = 100.0 - own;
        }
    }

    /// Evaluates the leaves of a ply: by their children where one role alone has a choice, otherwise alone; `None` if there is no time.
    fn add_children(&mut self, ply: usize, leaves: &mut [EvaluatedLeaf<G::State>]) -> Option<()> {
        let mut parents: Vec<(u32, Side)> = Vec::with_capacity(leaves.len());
        for (index, leaf) in leaves.iter_mut().enumerate() {
            match self.stack.choices(ply, index).turn() {
                ToMove::Of(side) => parents.push((index as u32, side)),
                ToMove::Stuck | ToMove::Mixed => self.evaluate_alone(ply, index, leaf),
            }
        }
        if parents.is_empty() {
            return Some(());
        }
        self.stack.expand_siblings(ply, &parents);
        self.check()?;
        let mut child = 0;
        for (leaf, side) in parents {
            let choices = self.stack.choices(ply, leaf as usize).of(side);
            self.evaluate_moves(ply + 1, child, choices, &mut leaves[leaf as usize]);
            child += choices as usize;
        }
        Some(())
    }

    /// Fills in what the moves of a leaf are worth, whose children are `count` states of a ply from `first` on.
    fn evaluate_moves(
        &mut self,
        ply: usize,
        first: usize,
        count: u32,
        leaf: &mut EvaluatedLeaf<G::State>,
    ) {
        let Some(LeafInfo::NonTerminal(moves)) = &leaf.info else {
            return;
        };
        let mover = moves.iter().position(|&moves| moves > 1).unwrap_or(0);
        for pick in 0..count {
            let child = first + pick as usize;
            let info = self.stack.info(ply, child);
            let own = match info.is_over {
                true => f32::from(info.goal),
                false => info.expectation as f32 / 1000.0,
            };
            leaf.children
                .push(if mover == self.role { own } else { 100.0 - own });
            if info.is_over {
                let end = EvaluatedLeaf::of_batch(self.stack.batch(ply), child, self.stack.roles());
                let info = end
                    .info
                    .filter(|info| matches!(info, LeafInfo::Terminal(_)));
                leaf.ends.extend(info.map(|info| TerminalChild {
                    pick,
                    state: end.state,
                    info,
                    goals: end.values,
                }));
            }
        }
        let best = leaf
            .children
            .iter()
            .copied()
            .fold(f32::NEG_INFINITY, f32::max);
        leaf.values[mover] = best.into();
        leaf.values[1 - mover] = 100.0 - f64::from(best);
    }
}
