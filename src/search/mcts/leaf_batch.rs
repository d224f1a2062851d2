//! Batches of leaves: expansion and playouts, on any engine.

use std::time::Duration;

use super::node::LeafInfo;
use crate::game::{Ends, Engine, PositionBatch, Role, RolloutOptions, Stopped};
use crate::util::{Deadline, Expired};

/// Playouts that are longer are given up.
const MAX_PLIES: u32 = 1000;
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

    /// The size for a search limited to `time`, given that a batch of this size took `taken`.
    pub(super) fn adapted(self, taken: Duration, time: Option<Duration>) -> Self {
        let is_slow = time.is_some_and(|time| taken * MIN_BATCHES > time);
        match is_slow && self.leaves > Self::SMALL.leaves {
            true => Self::SMALL,
            false => self,
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
}

/// Evaluates leaves by playouts, with the working memory of one thread.
pub(super) struct PlayoutEvaluator<'g, G: Engine> {
    pub(super) game: &'g G,
    pub(super) scratch: G::Scratch,
    parents: G::Batch,
    children: G::Batch,
    ends: Ends,
}

impl<'g, G: Engine> PlayoutEvaluator<'g, G> {
    pub(super) fn new(game: &'g G) -> Self {
        Self {
            game,
            scratch: game.scratch(),
            parents: game.batch(),
            children: game.batch(),
            ends: Ends::default(),
        }
    }

    /// Evaluates leaves by `each` playouts from each.
    pub(super) fn evaluate(
        &mut self,
        requests: Vec<EvaluationRequest<G::State>>,
        each: u32,
        seed: u64,
        deadline: &Deadline,
    ) -> Result<Vec<EvaluatedLeaf<G::State>>, Stopped> {
        self.game.set_deadline(&mut self.scratch, Some(deadline));
        let evaluated = self.simulate(requests, each, seed, deadline);
        let is_whole = self.check();
        self.game.set_deadline(&mut self.scratch, None);
        if self.check().is_err() {
            self.scratch = self.game.scratch();
        }
        is_whole.and(evaluated)
    }

    /// An error if the engine was cut short or failed.
    fn check(&self) -> Result<(), Stopped> {
        match self.game.fault(&self.scratch) {
            Some(fault) => Err(Stopped::Fault(fault)),
            None if self.game.is_cut_short(&self.scratch) => {
                Err(Stopped::Expired(Expired::OutOfTime))
            }
            None => Ok(()),
        }
    }

    fn simulate(
        &mut self,
        requests: Vec<EvaluationRequest<G::State>>,
        each: u32,
        seed: u64,
        deadline: &Deadline,
    ) -> Result<Vec<EvaluatedLeaf<G::State>>, Stopped> {
        let mut evaluated = self.expand(requests)?;
        let is_open = |leaf: &&mut EvaluatedLeaf<G::State>| {
            matches!(leaf.info, None | Some(LeafInfo::NonTerminal(_)))
        };
        let open: Vec<&mut EvaluatedLeaf<_>> = evaluated.iter_mut().filter(is_open).collect();
        let states: Vec<G::State> = open.iter().map(|leaf| leaf.state.clone()).collect();
        let options = RolloutOptions {
            seed,
            each,
            max_plies: MAX_PLIES,
            deadline,
        };
        let (game, ends) = (self.game, &mut self.ends);
        game.rollouts(&mut self.scratch, &states, options, ends)?;
        for (number, leaf) in open.into_iter().enumerate() {
            for (role, value) in leaf.values.iter_mut().enumerate() {
                let (sum, count) = ends.goals(number, role);
                if count > 0 {
                    *value = sum as f64 / count as f64;
                }
            }
        }
        Ok(evaluated)
    }

    /// Makes the requested moves.
    fn expand(
        &mut self,
        requests: Vec<EvaluationRequest<G::State>>,
    ) -> Result<Vec<EvaluatedLeaf<G::State>>, Stopped> {
        let game = self.game;
        let roles = game.roles().len();
        let moving = requests.iter().filter(|request| request.picks.is_some());
        let parents: Vec<G::State> = moving.map(|request| request.state.clone()).collect();
        game.evaluate_batch(&mut self.scratch, &parents, &mut self.parents);
        // States cut short may lack the requested moves.
        self.check()?;
        let (mut moves, mut legal) = (Vec::new(), Vec::new());
        let picks = requests.iter().filter_map(|request| request.picks.as_ref());
        for (parent, picks) in picks.enumerate() {
            for (role, &pick) in picks.iter().enumerate() {
                self.parents.legal(parent, Role(role), &mut legal);
                moves.push(legal[pick as usize]);
            }
        }
        let of: Vec<u32> = (0..parents.len() as u32).collect();
        let children = &mut self.children;
        game.expand(&mut self.scratch, &self.parents, &of, &moves, children);
        let mut child = 0;
        let leaf = |request: EvaluationRequest<G::State>| {
            if request.picks.is_none() {
                return EvaluatedLeaf {
                    state: request.state,
                    info: None,
                    values: vec![UNKNOWN; roles],
                };
            }
            let info = state_info(children, child, roles);
            child += 1;
            EvaluatedLeaf {
                state: children.state(child - 1),
                values: values(&info, roles),
                info: Some(info),
            }
        };
        Ok(requests.into_iter().map(leaf).collect())
    }
}

/// What a position batch tells about one of its states.
pub(super) fn state_info<B: PositionBatch>(batch: &B, index: usize, roles: usize) -> LeafInfo {
    let all = (0..roles).map(Role);
    if batch.is_terminal(index) {
        let goal = |role| batch.goal(index, role).unwrap_or(UNKNOWN as u8);
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

/// The value for each role before any playout.
fn values(info: &LeafInfo, roles: usize) -> Vec<f64> {
    match info {
        LeafInfo::Terminal(goals) => goals.iter().map(|&goal| goal.into()).collect(),
        LeafInfo::NonTerminal(_) | LeafInfo::Stuck => vec![UNKNOWN; roles],
    }
}
