//! Batches of leaves that are to be evaluated, and who evaluates them.

use std::sync::Arc;
use std::time::Duration;

use super::amaf::FactMean;
use super::child_evaluator::ChildEvaluator;
use super::move_facts::MoveFacts;
use super::node::LeafInfo;
use super::playout_evaluator::PlayoutEvaluator;
use crate::game::{Engine, PositionBatch, Role, Stopped};
use crate::search::end_goal::goal_of_end;
use crate::search::eval::LearnedEvaluator;
use crate::util::Deadline;

/// The value of a state of which no playout ended.
const UNKNOWN: f64 = 50.0;

/// The size of a leaf batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct BatchSize {
    /// Leaves.
    pub(super) leaves: usize,
    /// Playouts from each leaf.
    pub(super) playouts: u32,
}

/// A search should consist of at least this many batches.
const MIN_BATCHES: u32 = 16;

impl BatchSize {
    /// Fills as many lanes as cost hardly more than a few do.
    const LARGE: Self = Self {
        leaves: 64,
        playouts: 8,
    };
    /// Fills the 64 lanes of one machine word.
    const SMALL: Self = Self {
        leaves: 32,
        playouts: 2,
    };
    const SINGLE: Self = Self {
        leaves: 1,
        playouts: 1,
    };
    /// With some dozens of children each, these fill hundreds of lanes.
    pub(super) const CHILDREN: Self = Self {
        leaves: 16,
        playouts: 1,
    };

    /// The size for an engine that plays `lanes` games at a time, in a search of `playouts` playouts. Few playouts go into
    /// small batches, since each selection is better the more results it knows.
    pub(super) fn for_search(lanes: usize, playouts: u64) -> Self {
        let share = usize::try_from(playouts / u64::from(MIN_BATCHES)).unwrap_or(usize::MAX);
        match share {
            _ if lanes < 64 => Self::SINGLE,
            _ if share >= Self::LARGE.games() => Self::LARGE,
            _ if share >= Self::SMALL.games() => Self::SMALL,
            _ => Self {
                leaves: share.clamp(1, Self::SMALL.leaves),
                playouts: 1,
            },
        }
    }

    fn games(self) -> usize {
        self.leaves * self.playouts as usize
    }

    /// The leaves of a batch in a search that has evaluated so many: few at first, since each selection is better the more results
    /// it knows.
    pub(super) fn leaves_after(self, evaluated: u64) -> usize {
        let share = evaluated / u64::from(MIN_BATCHES);
        usize::try_from(share).map_or(self.leaves, |share| share.clamp(1, self.leaves))
    }

    /// The size for a search limited to `time`, given that a batch of this size took `taken`.
    pub(super) fn adapted(self, taken: Duration, time: Option<Duration>) -> Self {
        let is_slow = time.is_some_and(|time| taken * MIN_BATCHES > time);
        match is_slow {
            true if self.leaves > Self::SMALL.leaves => Self::SMALL,
            true if self.playouts == 1 => Self {
                leaves: self.leaves.div_ceil(2),
                ..self
            },
            _ => self,
        }
    }
}

/// A request to evaluate a leaf.
pub(super) struct EvaluationRequest<S> {
    /// The leaf, or its parent if there are moves.
    pub(super) state: S,
    /// The joint move from the parent to the leaf, by the index of each legal move.
    pub(super) picks: Option<Vec<u32>>,
}

/// The result of an evaluation request.
pub(super) struct EvaluatedLeaf<S> {
    pub(super) state: S,
    /// What expansion found out, if the leaf was requested by a joint move.
    pub(super) info: Option<LeafInfo>,
    /// The value for each role.
    pub(super) values: Vec<f64>,
    /// Where children are evaluated with the leaf: what each move is worth for the only role with a choice.
    pub(super) children: Vec<f32>,
    /// The facts that the moves of each role make, where playouts count facts and expansion found the moves.
    pub(super) facts: Vec<u32>,
    /// The results of the playouts, by fact.
    pub(super) fact_means: Vec<FactMean>,
    /// Those of these children that are terminal, each by its move.
    pub(super) ends: Vec<TerminalChild<S>>,
}

/// A terminal child of a leaf.
pub(super) struct TerminalChild<S> {
    /// The move of the only role with a choice.
    pub(super) pick: u32,
    pub(super) state: S,
    pub(super) info: LeafInfo,
    /// The goal of each role.
    pub(super) goals: Vec<f64>,
}

impl<S> EvaluatedLeaf<S> {
    /// The goals of its terminal children.
    pub(super) fn goals_of_ends(&self) -> impl Iterator<Item = &[f64]> {
        self.ends.iter().map(|end| &end.goals[..])
    }

    /// A state of which nothing is known.
    pub(super) fn unknown(state: S, roles: usize) -> Self {
        Self {
            state,
            info: None,
            values: vec![UNKNOWN; roles],
            children: Vec::new(),
            facts: Vec::new(),
            fact_means: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// A state of a batch, with its goals if it is terminal.
    pub(super) fn of_batch<B: PositionBatch<State = S>>(
        batch: &B,
        index: usize,
        roles: &[String],
    ) -> Self {
        let info = state_info(batch, index, roles);
        let values = match &info {
            LeafInfo::Terminal(goals) => goals.iter().map(|&goal| goal.into()).collect(),
            LeafInfo::NonTerminal(_) | LeafInfo::Stuck => vec![UNKNOWN; roles.len()],
        };
        Self {
            info: Some(info),
            values,
            ..Self::unknown(batch.state(index), 0)
        }
    }
}

/// Evaluates leaves, with the working memory of one thread.
pub(super) enum LeafEvaluator<'g, G: Engine> {
    /// By playouts.
    Playouts(PlayoutEvaluator<'g, G>),
    /// By learned weights, together with their children.
    Children(Box<ChildEvaluator<'g, G>>),
}

impl<'g, G: Engine> LeafEvaluator<'g, G> {
    /// By learned weights where there is an evaluator, for a search by `role` from `root`; otherwise by playouts, which count the facts
    /// that moves make.
    pub(super) fn new(
        game: &'g G,
        (root, role): (&G::State, Role),
        evaluator: Option<&Arc<LearnedEvaluator>>,
        move_facts: &'g MoveFacts<G::Move>,
    ) -> Self {
        match evaluator {
            None => Self::Playouts(PlayoutEvaluator::new(game, move_facts)),
            Some(evaluator) => {
                let evaluator = ChildEvaluator::new(game, (root, role), evaluator);
                Self::Children(Box::new(evaluator))
            }
        }
    }

    /// Whether playouts count facts from now on.
    pub(super) fn count_facts(&mut self, counts_facts: bool) {
        if let Self::Playouts(playouts) = self {
            playouts.counts_facts = counts_facts;
        }
    }

    /// Evaluates leaves; where playouts do, by `each` playouts from each.
    pub(super) fn evaluate(
        &mut self,
        requests: Vec<EvaluationRequest<G::State>>,
        (each, seed): (u32, u64),
        deadline: &Deadline,
    ) -> Result<Vec<EvaluatedLeaf<G::State>>, Stopped> {
        match self {
            _ if requests.is_empty() => Ok(Vec::new()),
            Self::Playouts(playouts) => playouts.evaluate(requests, each, seed, deadline),
            Self::Children(children) => children.evaluate(&requests, deadline),
        }
    }

    /// What the tree needs of a root.
    pub(super) fn look_at(
        &mut self,
        root: &G::State,
        deadline: &Deadline,
    ) -> EvaluatedLeaf<G::State> {
        match self {
            Self::Playouts(playouts) => playouts.look_at(root),
            Self::Children(children) => children.look_at(root, deadline),
        }
    }
}

/// What a position batch tells about one of its states.
fn state_info<B: PositionBatch>(batch: &B, index: usize, roles: &[String]) -> LeafInfo {
    let all = (0..roles.len()).map(Role);
    if batch.is_terminal(index) {
        let goal = |role| goal_of_end(role, roles, |role| batch.goal(index, role));
        return LeafInfo::Terminal(all.map(goal).collect());
    }
    let moves: Vec<u32> = all
        .map(|role| batch.legal_count(index, role) as u32)
        .collect();
    match moves.contains(&0) {
        true => LeafInfo::Stuck,
        false => LeafInfo::NonTerminal(moves),
    }
}
