//! A batch of states that were looked at one after the other.

use crate::game::{PositionBatch, Role, StateMachine};

/// The [`PositionBatch`] of a [`Scalar`](crate::game::Scalar) engine.
#[derive(Debug)]
pub struct ScalarBatch<G: StateMachine> {
    roles: usize,
    states: Vec<G::State>,
    terminal: Vec<bool>,
    /// Per state and role, its goal; `None` where the game goes on.
    goals: Vec<Option<u8>>,
    /// All legal moves, one state and role after the other; none where the game is over.
    moves: Vec<G::Move>,
    /// Per state and role, where its moves end.
    ends: Vec<usize>,
    /// The moves of one role, before they find their place.
    list: Vec<G::Move>,
}

impl<G: StateMachine> ScalarBatch<G> {
    pub(super) fn new(roles: usize) -> Self {
        Self {
            roles,
            states: Vec::new(),
            terminal: Vec::new(),
            goals: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
            list: Vec::new(),
        }
    }

    /// See [`Expansion::evaluate_batch`](crate::game::Expansion::evaluate_batch).
    pub(super) fn evaluate_batch(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        states: &[G::State],
    ) {
        self.clear();
        for state in states {
            self.add(game, scratch, state.clone());
        }
    }

    /// See [`Expansion::expand`](crate::game::Expansion::expand).
    pub(super) fn expand(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        parents: &Self,
        of: &[u32],
        moves: &[G::Move],
    ) {
        self.clear();
        for (&parent, joint) in of.iter().zip(moves.chunks_exact(self.roles)) {
            let state = game.next(scratch, &parents.states[parent as usize], joint);
            self.add(game, scratch, state);
        }
    }

    fn clear(&mut self) {
        self.states.clear();
        self.terminal.clear();
        self.goals.clear();
        self.moves.clear();
        self.ends.clear();
    }

    fn add(&mut self, game: &G, scratch: &mut G::Scratch, state: G::State) {
        let is_terminal = game.is_terminal(scratch, &state);
        for role in (0..self.roles).map(Role) {
            self.goals.push(match is_terminal {
                true => game.goal(scratch, &state, role),
                false => None,
            });
            if !is_terminal {
                game.legal(scratch, &state, role, &mut self.list);
                self.moves.append(&mut self.list);
            }
            self.ends.push(self.moves.len());
        }
        self.terminal.push(is_terminal);
        self.states.push(state);
    }

    fn moves(&self, index: usize, role: Role) -> &[G::Move] {
        let list = index * self.roles + role.0;
        let begin = list.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[begin..self.ends[list]]
    }
}

impl<G: StateMachine> PositionBatch for ScalarBatch<G> {
    type State = G::State;
    type Move = G::Move;

    fn len(&self) -> usize {
        self.states.len()
    }

    fn state(&self, index: usize) -> G::State {
        self.states[index].clone()
    }

    fn is_terminal(&self, index: usize) -> bool {
        self.terminal[index]
    }

    fn goal(&self, index: usize, role: Role) -> Option<u8> {
        self.goals[index * self.roles + role.0]
    }

    fn legal_count(&self, index: usize, role: Role) -> usize {
        self.moves(index, role).len()
    }

    fn legal(&self, index: usize, role: Role, moves: &mut Vec<G::Move>) {
        moves.clear();
        moves.extend_from_slice(self.moves(index, role));
    }
}
