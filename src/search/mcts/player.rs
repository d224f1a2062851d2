//! The player: its settings, and what it keeps from move to move.

use std::any::Any;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use super::move_facts::MoveFacts;
use super::node::LeafMethod;
use super::state_tree::StateTree;
use crate::game::{Engine, Role};
use crate::search::choice::takes_turns;
use crate::search::eval::{LearnedEvaluator, PlayerEvaluation, TrainingPlan};
use crate::search::limits::SearchClock;
use crate::search::repetition::RepeatedStates;
use crate::search::{Heuristics, LearnedWeights, SavedWeights};

/// The settings of a player by Monte-Carlo tree search.
#[derive(Debug, Clone)]
pub struct MctsSettings {
    /// Memory for the tree and its states, in MiB.
    pub hash: usize,
    /// The maximum number of playouts per move. Where it is given, leaves are evaluated by playouts, and nothing is learned.
    pub playouts: Option<u64>,
    /// The heuristics that evaluate leaves, in games of two roles that move in turn and share 100 points. Elsewhere, and
    /// without heuristics, playouts do.
    pub heuristics: Heuristics,
    /// States of self-play from which the weights of the heuristics are learned, at most; without it, what is usual, or with a clock, as
    /// many as fit into the time before the search.
    pub training_states: Option<u64>,
    /// What the games of that self-play are drawn from.
    pub training_seed: u64,
    /// Whether a clock runs while it searches.
    pub has_clock: bool,
    /// The weights that are used, in place of learning any.
    pub weights: Option<Arc<SavedWeights>>,
}

impl MctsSettings {
    /// The default of `hash`.
    pub const HASH: usize = 256;

    /// The same, with leaves evaluated by playouts.
    pub(in crate::search) fn by_playouts(&self) -> Self {
        Self {
            heuristics: Heuristics::NONE,
            weights: None,
            ..self.clone()
        }
    }

    /// How the weights are learned.
    fn training(&self) -> TrainingPlan {
        TrainingPlan {
            heuristics: self.heuristics,
            states: self.training_states,
            seed: self.training_seed,
            grows: self.has_clock,
            ..TrainingPlan::default()
        }
    }
}

impl Default for MctsSettings {
    fn default() -> Self {
        Self {
            hash: Self::HASH,
            playouts: None,
            heuristics: Heuristics::ALL,
            training_states: None,
            training_seed: 0,
            has_clock: true,
            weights: None,
        }
    }
}

/// What such a player keeps from one move to the next: what it has learned, and its tree.
pub struct MctsSearcher {
    pub(super) settings: MctsSettings,
    evaluation: PlayerEvaluation,
    /// The [`MoveFacts`] of the game's moves.
    move_facts: Option<Box<dyn Any + Send>>,
    /// A [`StateTree`] of the game's states.
    pub(super) state_tree: Option<Box<dyn Any + Send>>,
    pub(super) past: RepeatedStates,
}

impl MctsSearcher {
    /// Clocks will run while it searches.
    pub(in crate::search) fn use_clock(&mut self) {
        self.settings.has_clock = true;
        self.evaluation.plan(self.settings.training());
    }

    /// Without a tree.
    pub fn new(settings: MctsSettings) -> Self {
        Self {
            evaluation: PlayerEvaluation::new(settings.training(), settings.weights.clone()),
            settings,
            move_facts: None,
            state_tree: None,
            past: RepeatedStates::default(),
        }
    }

    /// Learns the weights of the heuristics, where they are to evaluate leaves, unless that was done before. Where playouts are to evaluate
    /// them, finds out which facts moves make.
    pub(in crate::search) fn train<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        learned: &mut LearnedWeights,
        clock: &SearchClock,
    ) {
        let is_wanted =
            self.settings.playouts.is_none() && self.settings.heuristics != Heuristics::NONE;
        if is_wanted && takes_turns(game, clock) {
            self.evaluation.learn(game, role, learned, clock);
        }
        if !self.evaluates_leaves() {
            let mut move_facts = MoveFacts::kept(&mut self.move_facts);
            move_facts.find(game, &clock.deadline);
            self.move_facts = Some(move_facts);
        }
    }

    /// What it evaluates leaves by.
    pub(in crate::search) fn evaluation(&self) -> &PlayerEvaluation {
        &self.evaluation
    }

    /// The same, to be changed.
    pub(in crate::search) fn evaluation_mut(&mut self) -> &mut PlayerEvaluation {
        &mut self.evaluation
    }

    /// The evaluator of leaves; `None` where playouts evaluate them.
    pub(super) fn evaluator(&self) -> Option<&Arc<LearnedEvaluator>> {
        let evaluator = self.evaluation.evaluator();
        evaluator.filter(|evaluator| self.settings.playouts.is_none() && evaluator.is_for_both())
    }

    /// Whether learned weights evaluate leaves.
    pub(in crate::search) fn evaluates_leaves(&self) -> bool {
        self.evaluator().is_some()
    }

    /// Sets the states that occurred in the match before the one to be searched.
    pub(in crate::search) fn set_past_states<'s, S: Hash + 's>(
        &mut self,
        past: impl Iterator<Item = &'s S>,
    ) {
        self.past = RepeatedStates::of(past);
    }

    /// Forgets its tree.
    pub(in crate::search) fn forget_tree(&mut self) {
        self.state_tree = None;
    }

    /// How leaves are evaluated now, with the facts that moves make where playouts are to count them. These are looked for in a small share of
    /// the time of a move; without a time limit, they are those that are found at once.
    pub(super) fn leaf_method<G: Engine>(
        &mut self,
        game: &G,
        has_time_limit: bool,
        clock: &SearchClock,
    ) -> (LeafMethod, Box<MoveFacts<G::Move>>) {
        const SHARE: f64 = 1.0 / 16.0;
        let mut move_facts = MoveFacts::kept(&mut self.move_facts);
        if self.evaluates_leaves() {
            return (LeafMethod::Children, move_facts);
        }
        if !has_time_limit && move_facts.is_partial() {
            (move_facts, self.state_tree) = (Box::default(), None);
        }
        move_facts.find(game, &clock.shortened(SHARE).deadline);
        let tracks_facts = !move_facts.is_empty();
        (LeafMethod::Playouts { tracks_facts }, move_facts)
    }

    /// Keeps these for the next move.
    pub(super) fn keep<S: Send + 'static, M: Send + 'static>(
        &mut self,
        state_tree: Box<StateTree<S>>,
        move_facts: Box<MoveFacts<M>>,
    ) {
        self.state_tree = Some(state_tree);
        self.move_facts = Some(move_facts);
    }

    /// The tree of earlier moves, if it holds states of this game, with leaves evaluated in the same way; otherwise a new one.
    pub(super) fn take_tree<G: Engine>(
        &mut self,
        game: &G,
        searcher: Role,
        method: LeafMethod,
    ) -> Box<StateTree<G::State>> {
        let kept = self.state_tree.take().and_then(|kept| kept.downcast().ok());
        match kept as Option<Box<StateTree<G::State>>> {
            Some(kept) if kept.tree.method == method => kept,
            _ => {
                let budget = self.settings.hash << 20;
                Box::new(StateTree::new(game.roles(), searcher, method, budget))
            }
        }
    }
}

impl fmt::Debug for MctsSearcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MctsSearcher")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
