//! A reference minimax: searches every state up to the depth, without a table.

use crate::game::{JointMoves, Role, StateMachine, is_chance, legal_of_all};
use crate::search::Value;
use crate::search::alphabeta::extension::FORCED_STEPS;
use crate::search::end_goal::goal_of_end;
use crate::search::eval::expectation_of;

/// A minimax without pruning.
pub(super) struct ReferenceMinimax<'g, G: StateMachine> {
    pub(super) game: &'g G,
    pub(super) role: Role,
    /// The name of the hand-written evaluation, if any.
    pub(super) evaluation: Option<&'static str>,
}

impl<G: StateMachine> ReferenceMinimax<'_, G> {
    /// The value of the root, to `depth`.
    pub(super) fn value_of_root(&self, state: &G::State, depth: u32) -> Value {
        self.value(state, depth, 0)
    }

    /// The value of a move at the root, to `depth`.
    pub(super) fn value_of_move(&self, state: &G::State, own: G::Move, depth: u32) -> Value {
        self.least(state, own, depth, 0)
    }

    /// The value of `state`, `steps` from the root, to `depth`.
    fn value(&self, state: &G::State, depth: u32, steps: u32) -> Value {
        let scratch = &mut self.game.scratch();
        if self.game.is_terminal(scratch, state) {
            let goal = |role| self.game.goal(scratch, state, role);
            return Value::end(goal_of_end(self.role, self.game.roles(), goal), steps);
        }
        if depth == 0 {
            return self.beyond(state, steps, FORCED_STEPS);
        }
        let legal = self.legal(state);
        let own = legal[self.role.0].iter();
        let least = own.map(|&mv| self.least(state, mv, depth, steps));
        least.max().unwrap_or(Value::UNKNOWN)
    }

    fn least(&self, state: &G::State, own: G::Move, depth: u32, steps: u32) -> Value {
        let mut legal = self.legal(state);
        legal[self.role.0] = vec![own];
        let mut chances = legal.clone();
        for (role, name) in self.game.roles().iter().enumerate() {
            let list = if self.is_chance(role, name) {
                &mut legal
            } else {
                &mut chances
            };
            list[role].truncate(1);
        }
        let mut least = Value::HIGHEST;
        let mut replies = JointMoves::new(&legal);
        while let Some(reply) = replies.advance() {
            let mut all = chances.clone();
            for (role, name) in self.game.roles().iter().enumerate() {
                if !self.is_chance(role, name) {
                    all[role] = vec![reply[role]];
                }
            }
            least = least.min(self.mean(state, &all, depth, steps));
        }
        least
    }

    fn mean(&self, state: &G::State, legal: &[Vec<G::Move>], depth: u32, steps: u32) -> Value {
        let mut values = Vec::new();
        let mut joints = JointMoves::new(legal);
        while let Some(joint) = joints.advance() {
            let next = self.game.next(&mut self.game.scratch(), state, joint);
            values.push(self.value(&next, depth - 1, steps + 1));
        }
        match values[..] {
            [only] => only,
            _ => Value::mean(&values),
        }
    }

    /// Extensions beyond the depth limit, by at most so many forced plies.
    fn beyond(&self, state: &G::State, steps: u32, forced: u32) -> Value {
        let scratch = &mut self.game.scratch();
        if self.game.is_terminal(scratch, state) {
            let goal = |role| self.game.goal(scratch, state, role);
            return Value::end(goal_of_end(self.role, self.game.roles(), goal), steps);
        }
        match &self.children(state, &self.legal(state))[..] {
            [only] if forced > 0 => self.beyond(only, steps + 1, forced - 1),
            _ => Value::estimate(self.expectation(state)),
        }
    }

    fn children(&self, state: &G::State, legal: &[Vec<G::Move>]) -> Vec<G::State> {
        let (mut children, mut joints) = (Vec::new(), JointMoves::new(legal));
        while let Some(joint) = joints.advance() {
            children.push(self.game.next(&mut self.game.scratch(), state, joint));
        }
        children
    }

    /// The evaluation of a state that is not terminal, in thousandths of the goal.
    fn expectation(&self, state: &G::State) -> i32 {
        let evaluation = self.evaluation.and_then(|name| self.game.evaluation(name));
        evaluation.map_or(50_000, |evaluation| {
            expectation_of(evaluation(state, self.role))
        })
    }

    fn is_chance(&self, role: usize, name: &str) -> bool {
        role != self.role.0 && is_chance(name)
    }

    fn legal(&self, state: &G::State) -> Vec<Vec<G::Move>> {
        let mut legal = Vec::new();
        legal_of_all(self.game, &mut self.game.scratch(), state, &mut legal);
        legal
    }
}
