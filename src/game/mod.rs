//! The interface of all engines: a finite game with simultaneous moves, whose states are sets of facts.
//!
//! Every role moves in every ply; a role that waits has a single legal move, by custom `noop`. An engine is immutable and
//! shared between threads; its working memory is a [`StateMachine::Scratch`], one per thread.
//!
//! Every engine implements [`StateMachine`]. Some implement [`Playouts`] and [`Expansion`] themselves; the others implement
//! [`Scalar`], which provides both. Code that needs all three requires an [`Engine`].

mod expansion;
mod facts;
#[cfg(test)]
pub(crate) mod fixture;
mod joint;
mod playouts;
mod scalar;
mod stopped;

use std::fmt::Debug;
use std::hash::Hash;

use crate::kif::FactError;
use crate::util::Deadline;

pub use expansion::{Expansion, PositionBatch};
pub(crate) use facts::held_facts;
pub use facts::{GameFacts, GoalValue, Implicant};
pub use joint::{JointMoves, is_chance, legal_of_all, push_joint_moves, random_joint_move};
pub use playouts::{Ends, PlayoutOptions, PlayoutTotals, Playouts, RolloutOptions, TrackedFact};
pub use scalar::{Scalar, ScalarBatch};
pub use stopped::Stopped;

/// A player's number, counted from 0 in the order of [`StateMachine::roles`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Role(pub usize);

/// Why an engine's answers can no longer be trusted: a budget on facts, terms or time ran out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

/// Facts that make no state of the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidFacts(pub String);

impl From<FactError> for InvalidFacts {
    fn from(fault: FactError) -> Self {
        Self(fault.to_string())
    }
}

/// An evaluation made for one game: the value of a state for a role. Greater is better, and in games for two, the values
/// for both roles add up to zero. Terminal states are evaluated like all others.
pub type Evaluation<'g, S> = Box<dyn Fn(&S, Role) -> i32 + Send + Sync + 'g>;

/// A game: initial state, legal moves, next state, end and goals.
///
/// Calls on the hot path return plain values: errors in a rule file are found by the checker, or become a [`Fault`]. After
/// a fault, [`StateMachine::is_terminal`] is `true`, so that every walk ends; its caller checks [`StateMachine::fault`]
/// before it uses the outcome.
pub trait StateMachine: Sync {
    /// Exactly the set of facts that hold: two states are equal, and hash equally, if and only if these sets are equal.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move of one role. Equal moves have equal texts.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// Working memory of one thread. It may remember what was asked last; answers never depend on it.
    type Scratch: Send;

    /// The names of the roles, as KIF terms.
    fn roles(&self) -> &[String];

    /// The initial state.
    fn initial(&self) -> Self::State;

    /// Fresh working memory.
    fn scratch(&self) -> Self::Scratch;

    /// Working memory that may have been used before and is kept for the next user, for work that begins often: new memory has to be
    /// cleared. It is not cut short.
    fn kept_scratch(&self) -> Self::Scratch {
        self.scratch()
    }

    /// Whether the game is over in `state`.
    fn is_terminal(&self, scratch: &mut Self::Scratch, state: &Self::State) -> bool;

    /// Replaces the contents of `moves` by the legal moves of `role`, without duplicates, in an order that depends on
    /// the game and the state alone. Empty where the rules define none, which in a non-terminal state means that the
    /// game is stuck.
    fn legal(
        &self,
        scratch: &mut Self::Scratch,
        state: &Self::State,
        role: Role,
        moves: &mut Vec<Self::Move>,
    );

    /// The state after `joint`, one legal move per role in role order.
    fn next(
        &self,
        scratch: &mut Self::Scratch,
        state: &Self::State,
        joint: &[Self::Move],
    ) -> Self::State;

    /// The goal of `role` in `state`: `None` where the rules give no value, several, or one outside 0..=100.
    fn goal(&self, scratch: &mut Self::Scratch, state: &Self::State, role: Role) -> Option<u8>;

    /// The move as a KIF term, such as `(mark 2 2)`.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The facts of the state as KIF terms, in the order of [`str`].
    fn state_text(&self, state: &Self::State) -> Vec<String>;

    /// The state in which exactly `facts` (KIF terms) hold.
    ///
    /// # Errors
    /// Says which text is not a ground KIF term, or cannot be a fact of this game as far as the engine knows.
    fn state_from_text(&self, facts: &[String]) -> Result<Self::State, InvalidFacts>;

    /// The game facts, if the engine has them; found at the first call.
    fn game_facts(&self) -> Option<&GameFacts> {
        None
    }

    /// Sets in `words` the bits of exactly the facts that hold in `state`, by their numbers in the game facts.
    fn mark_facts(&self, state: &Self::State, words: &mut [u64]) {
        words.fill(0);
        let Some(game_facts) = self.game_facts() else {
            return;
        };
        for fact in self.state_text(state) {
            if let Some(number) = game_facts.number(&fact) {
                words[number / 64] |= 1 << (number % 64);
            }
        }
    }

    /// The names of the evaluations that come with the engine: rule files have none.
    fn evaluations(&self) -> &'static [&'static str] {
        &[]
    }

    /// The evaluation of this name: one of [`StateMachine::evaluations`], or where the engine takes weights, those.
    fn evaluation(&self, name: &str) -> Option<Evaluation<'_, Self::State>> {
        let _ = name;
        None
    }

    /// Sets the deadline at which long computations are cut short; `None` takes it away, and makes the scratch usable again
    /// where that is possible: see [`StateMachine::is_cut_short`]. Engines that never take long may ignore it.
    fn set_deadline(&self, scratch: &mut Self::Scratch, deadline: Option<&Deadline>) {
        let _ = (scratch, deadline);
    }

    /// Whether a computation was cut short, by the deadline or by a budget: from then on answers are meaningless. Where this
    /// still holds after [`StateMachine::set_deadline`] took the deadline away, a fresh scratch is needed.
    fn is_cut_short(&self, scratch: &Self::Scratch) -> bool {
        let _ = scratch;
        false
    }

    /// Whether a budget ran out since `scratch` was made, and which.
    fn fault(&self, scratch: &Self::Scratch) -> Option<Fault> {
        let _ = scratch;
        None
    }
}

/// A game with playouts and expansion.
pub trait Engine: Playouts + Expansion {}

impl<G: Playouts + Expansion> Engine for G {}
