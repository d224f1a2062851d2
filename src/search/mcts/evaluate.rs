//! What is asked of the engine: what comes of moves, and how random games end.

use std::time::Duration;

use super::node::Fresh;
use crate::game::{Ends, Engine, PositionBatch, Role, RolloutOptions, Stopped};
use crate::util::Deadline;

/// Random games that are longer are given up.
const MAX_PLIES: u32 = 1000;
/// What a role is expected to get where no random game says.
const UNKNOWN: f64 = 50.0;

/// How much is evaluated at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portion {
    /// States.
    pub(super) leaves: usize,
    /// Random games from each.
    pub(super) each: u32,
}

/// A search should consist of at least so many portions.
const PORTIONS: u32 = 16;

impl Portion {
    /// Fills as many lanes as cost hardly more than a few.
    const LARGE: Self = Self {
        leaves: 64,
        each: 8,
    };
    /// Fills the lanes that one word has.
    const SMALL: Self = Self {
        leaves: 32,
        each: 2,
    };
    const SINGLE: Self = Self { leaves: 1, each: 1 };

    /// What suits an engine that plays so many games at a time, in a search of so many random games: of few, each is
    /// worth more than the time it takes, and where the next one goes depends on how the last ones ended.
    pub(super) fn suiting(lanes: usize, playouts: u64) -> Self {
        let share = usize::try_from(playouts / u64::from(PORTIONS)).unwrap_or(usize::MAX);
        match share {
            _ if lanes < 64 => Self::SINGLE,
            _ if share >= Self::LARGE.games() => Self::LARGE,
            _ if share >= Self::SMALL.games() => Self::SMALL,
            _ => Self {
                leaves: share.clamp(1, Self::SMALL.leaves),
                each: 1,
            },
        }
    }

    fn games(self) -> usize {
        self.leaves * self.each as usize
    }

    /// What suits a search that may take `time`, when one such portion took `taken`.
    pub(super) fn after(self, taken: Duration, time: Option<Duration>) -> Self {
        let is_slow = time.is_some_and(|time| taken * PORTIONS > time);
        match is_slow && self.leaves > Self::SMALL.leaves {
            true => Self::SMALL,
            false => self,
        }
    }
}

/// A state to be evaluated.
pub(super) struct Errand<S> {
    /// The state itself, or the one before it.
    pub(super) state: S,
    /// What was picked there by each role: the numbers of legal moves.
    pub(super) picks: Option<Vec<u32>>,
}

/// What was found out about a state.
pub(super) struct Finding<S> {
    pub(super) state: S,
    /// What is known of it, if it came of a move.
    pub(super) fresh: Option<Fresh>,
    /// What each role is worth.
    pub(super) values: Vec<f64>,
}

/// One thread's working memory for asking the engine.
pub(super) struct Evaluator<'g, G: Engine> {
    pub(super) game: &'g G,
    pub(super) scratch: G::Scratch,
    parents: G::Batch,
    children: G::Batch,
    ends: Ends,
}

impl<'g, G: Engine> Evaluator<'g, G> {
    pub(super) fn new(game: &'g G) -> Self {
        Self {
            game,
            scratch: game.scratch(),
            parents: game.batch(),
            children: game.batch(),
            ends: Ends::default(),
        }
    }

    /// Evaluates states, with so many random games from each.
    pub(super) fn evaluate(
        &mut self,
        errands: Vec<Errand<G::State>>,
        each: u32,
        seed: u64,
        deadline: &Deadline,
    ) -> Result<Vec<Finding<G::State>>, Stopped> {
        self.game.set_deadline(&mut self.scratch, Some(deadline));
        let findings = self.find_out(errands, each, seed, deadline);
        let is_whole = self.check();
        self.game.set_deadline(&mut self.scratch, None);
        if self.check().is_err() {
            self.scratch = self.game.scratch();
        }
        is_whole.and(findings)
    }

    /// Whether nothing was cut short.
    fn check(&self) -> Result<(), Stopped> {
        match self.game.fault(&self.scratch) {
            Some(fault) => Err(Stopped::Fault(fault)),
            None if self.game.is_cut_short(&self.scratch) => Err(Stopped::OutOfTime),
            None => Ok(()),
        }
    }

    fn find_out(
        &mut self,
        errands: Vec<Errand<G::State>>,
        each: u32,
        seed: u64,
        deadline: &Deadline,
    ) -> Result<Vec<Finding<G::State>>, Stopped> {
        let mut findings = self.follow(errands)?;
        let goes_on =
            |finding: &&mut Finding<G::State>| matches!(finding.fresh, None | Some(Fresh::Open(_)));
        let rolled: Vec<&mut Finding<_>> = findings.iter_mut().filter(goes_on).collect();
        let states: Vec<G::State> = rolled.iter().map(|finding| finding.state.clone()).collect();
        let options = RolloutOptions {
            seed,
            each,
            max_plies: MAX_PLIES,
            deadline,
        };
        let (game, ends) = (self.game, &mut self.ends);
        game.rollouts(&mut self.scratch, &states, options, ends)?;
        for (number, finding) in rolled.into_iter().enumerate() {
            for (role, value) in finding.values.iter_mut().enumerate() {
                let (sum, count) = ends.goals(number, role);
                if count > 0 {
                    *value = sum as f64 / count as f64;
                }
            }
        }
        Ok(findings)
    }

    /// Makes the moves picked.
    fn follow(
        &mut self,
        errands: Vec<Errand<G::State>>,
    ) -> Result<Vec<Finding<G::State>>, Stopped> {
        let game = self.game;
        let roles = game.roles().len();
        let moving = errands.iter().filter(|errand| errand.picks.is_some());
        let parents: Vec<G::State> = moving.map(|errand| errand.state.clone()).collect();
        game.evaluate_batch(&mut self.scratch, &parents, &mut self.parents);
        // Half-known states may lack the moves that were picked.
        self.check()?;
        let (mut moves, mut legal) = (Vec::new(), Vec::new());
        let picks = errands.iter().filter_map(|errand| errand.picks.as_ref());
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
        let finding = |errand: Errand<G::State>| {
            if errand.picks.is_none() {
                return Finding {
                    state: errand.state,
                    fresh: None,
                    values: vec![UNKNOWN; roles],
                };
            }
            let fresh = fresh(children, child, roles);
            child += 1;
            Finding {
                state: children.state(child - 1),
                values: values(&fresh, roles),
                fresh: Some(fresh),
            }
        };
        Ok(errands.into_iter().map(finding).collect())
    }
}

/// What is known of a state that was looked at.
pub(super) fn fresh<B: PositionBatch>(batch: &B, index: usize, roles: usize) -> Fresh {
    let all = (0..roles).map(Role);
    if batch.is_terminal(index) {
        let goal = |role| batch.goal(index, role).unwrap_or(UNKNOWN as u8);
        return Fresh::End(all.map(goal).collect());
    }
    let moves: Vec<u32> = all
        .map(|role| batch.legal_count(index, role) as u32)
        .collect();
    match moves.contains(&0) {
        true => Fresh::Stuck,
        false => Fresh::Open(moves),
    }
}

/// What each role is worth, before anything was played.
fn values(fresh: &Fresh, roles: usize) -> Vec<f64> {
    match fresh {
        Fresh::End(goals) => goals.iter().map(|&goal| goal.into()).collect(),
        Fresh::Open(_) | Fresh::Stuck => vec![UNKNOWN; roles],
    }
}
