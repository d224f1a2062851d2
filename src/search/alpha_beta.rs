//! One thread's fail-soft alpha-beta search below the root.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Deadline, Value};
use crate::game::{Game, JointMoves, Role};

/// One thread's search below the root.
pub(super) struct Search<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) role: Role,
    pub(super) scratch: G::Scratch,
    pub(super) deadline: Deadline<'a>,
    /// Set by the thread that meets the deadline, for all.
    pub(super) over: &'a AtomicBool,
    /// States looked at so far.
    pub(super) nodes: u64,
    /// Whether some line was cut off at the depth limit.
    pub(super) cut: bool,
}

/// A state on the way down.
pub(super) struct Node<'s, S> {
    pub(super) state: &'s S,
    /// Steps still to be searched.
    pub(super) depth: u32,
    /// Steps from the root.
    pub(super) steps: u32,
}

/// The values a search is asked to tell apart: below the first and above the second, a bound will do.
pub(super) type Window = (Value, Value);

impl<G: Game> Search<'_, G> {
    /// The value of a state, and the line leading to it, last step first.
    fn value(
        &mut self,
        node: &Node<'_, G::State>,
        (mut alpha, beta): Window,
        line: &mut Vec<Vec<G::Move>>,
    ) -> Value {
        self.nodes += 1;
        line.clear();
        if self.game.is_terminal(&mut self.scratch, node.state) {
            return Value::end(self.goal(node.state), node.steps);
        }
        if node.depth == 0 || self.is_over() {
            self.cut = true;
            return Value::estimate(self.goal(node.state));
        }
        let mut best = Value::LOWEST;
        let mut below = Vec::new();
        for mv in self.legal(node.state, self.role) {
            let value = self.answer(node, mv, (alpha, beta), &mut below);
            if value > best {
                best = value;
                std::mem::swap(line, &mut below);
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if best == Value::LOWEST {
            return Value::estimate(self.goal(node.state));
        }
        best
    }

    /// The least the searcher gets by `mv`, whatever the others do at the same time.
    pub(super) fn answer(
        &mut self,
        node: &Node<'_, G::State>,
        mv: G::Move,
        (alpha, mut beta): Window,
        line: &mut Vec<Vec<G::Move>>,
    ) -> Value {
        line.clear();
        let choices = self.replies(node.state, mv);
        let mut replies = JointMoves::new(&choices);
        let mut worst = Value::HIGHEST;
        let mut below = Vec::new();
        while let Some(joint) = replies.advance() {
            let next = self.game.next(&mut self.scratch, node.state, joint);
            let child = Node {
                state: &next,
                depth: node.depth - 1,
                steps: node.steps + 1,
            };
            let value = self.value(&child, (alpha, beta), &mut below);
            if value < worst {
                worst = value;
                std::mem::swap(line, &mut below);
                line.push(joint.to_vec());
            }
            beta = beta.min(worst);
            if worst <= alpha {
                break;
            }
        }
        if worst == Value::HIGHEST {
            return Value::estimate(self.goal(node.state));
        }
        worst
    }

    /// What each role may do while the searcher plays `mv`.
    fn replies(&mut self, state: &G::State, mv: G::Move) -> Vec<Vec<G::Move>> {
        let roles = (0..self.game.roles().len()).map(Role);
        let choices = roles.map(|role| {
            if role == self.role {
                vec![mv]
            } else {
                self.legal(state, role)
            }
        });
        choices.collect()
    }

    fn legal(&mut self, state: &G::State, role: Role) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.legal(&mut self.scratch, state, role, &mut moves);
        moves
    }

    /// The searcher's goal: where the rules give none, 50 stands for not knowing.
    fn goal(&mut self, state: &G::State) -> u8 {
        let goal = self.game.goal(&mut self.scratch, state, self.role);
        goal.unwrap_or(50)
    }

    /// Whether to give up. The clock is read once in many nodes, since reading it costs more than a small node.
    pub(super) fn is_over(&mut self) -> bool {
        const NODES_PER_LOOK: u64 = 16;
        if self.nodes.is_multiple_of(NODES_PER_LOOK) && self.deadline.is_over() {
            self.over.store(true, Ordering::Relaxed);
        }
        self.over.load(Ordering::Relaxed)
    }
}
