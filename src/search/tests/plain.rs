//! Min-Max to the letter: every state up to the depth is looked at, and nothing is remembered.

use crate::game::{Game, JointMoves, Role, is_chance, legal_of_all};
use crate::search::Value;
use crate::search::alpha_beta::FORCED_STEPS;

/// A Min-Max that prunes nothing.
pub(super) struct Plain<'g, G: Game> {
    pub(super) game: &'g G,
    pub(super) role: Role,
}

impl<G: Game> Plain<'_, G> {
    /// The value of `state`, `steps` from the root, to `depth`.
    pub(super) fn value(&self, state: &G::State, depth: u32, steps: u32) -> Value {
        let scratch = &mut self.game.scratch();
        if self.game.is_terminal(scratch, state) {
            let goal = self.game.goal(scratch, state, self.role);
            return Value::end(goal.unwrap_or(50), steps);
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

    /// Beyond the depth limit, as long as nobody has a choice.
    fn beyond(&self, state: &G::State, steps: u32, left: u32) -> Value {
        let scratch = &mut self.game.scratch();
        if self.game.is_terminal(scratch, state) {
            let goal = self.game.goal(scratch, state, self.role);
            return Value::end(goal.unwrap_or(50), steps);
        }
        let legal = self.legal(state);
        let mut joints = JointMoves::new(&legal);
        match joints.advance() {
            Some(joint) if joints_count(&legal) == 1 && left > 0 => {
                let next = self.game.next(scratch, state, joint);
                self.beyond(&next, steps + 1, left - 1)
            }
            _ => Value::UNKNOWN,
        }
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

fn joints_count<M>(legal: &[Vec<M>]) -> usize {
    legal.iter().map(Vec::len).product()
}
