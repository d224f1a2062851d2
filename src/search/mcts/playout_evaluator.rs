//! The evaluation of leaves by playouts, on any engine.

use super::amaf::FactMean;
use super::leaf_batch::{EvaluatedLeaf, EvaluationRequest};
use super::move_facts::MoveFacts;
use super::node::LeafInfo;
use crate::game::{Ends, Engine, PositionBatch, Role, RolloutOptions, Stopped, TrackedFact};
use crate::search::end_goal::mean_goal_of_ends;
use crate::util::{Deadline, Expired};

/// Playouts that are longer are given up.
const MAX_PLIES: u32 = 1000;

/// Evaluates leaves by playouts, with the working memory of one thread.
pub(super) struct PlayoutEvaluator<'g, G: Engine> {
    game: &'g G,
    scratch: G::Scratch,
    parents: G::Batch,
    children: G::Batch,
    ends: Ends,
    move_facts: &'g MoveFacts<G::Move>,
    tracked: Vec<TrackedFact>,
    /// Whether facts are counted.
    pub(super) counts_facts: bool,
}

impl<'g, G: Engine> PlayoutEvaluator<'g, G> {
    /// Counts the facts that moves make.
    pub(super) fn new(game: &'g G, move_facts: &'g MoveFacts<G::Move>) -> Self {
        Self {
            game,
            scratch: game.kept_scratch(),
            parents: game.batch(),
            children: game.batch(),
            ends: Ends::default(),
            move_facts,
            tracked: move_facts.tracked(),
            counts_facts: !move_facts.is_empty(),
        }
    }

    /// A state about which nothing is known but its moves, or its goals.
    pub(super) fn look_at(&mut self, state: &G::State) -> EvaluatedLeaf<G::State> {
        let states = std::slice::from_ref(state);
        self.game
            .evaluate_batch(&mut self.scratch, states, &mut self.parents);
        let mut leaf = EvaluatedLeaf::of_batch(&self.parents, 0, self.game.roles());
        leaf.facts = facts::<G>(
            (&self.parents, 0),
            leaf.info.as_ref(),
            self.counts_facts.then_some(self.move_facts),
        );
        leaf
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
            tracked: match self.counts_facts {
                true => &self.tracked,
                false => &[],
            },
            deadline,
        };
        let (game, ends) = (self.game, &mut self.ends);
        game.rollouts(&mut self.scratch, &states, options, ends)?;
        for (number, leaf) in open.into_iter().enumerate() {
            for (role, value) in leaf.values.iter_mut().enumerate() {
                let goals = |role: Role| ends.goals(number, role.0);
                if let Some(mean) = mean_goal_of_ends(Role(role), game.roles(), goals) {
                    *value = mean;
                }
            }
            let means = ends.facts(number).iter();
            leaf.fact_means = means.map(|&ends| FactMean::of(ends, each)).collect();
        }
        Ok(evaluated)
    }

    /// Makes the requested moves.
    fn expand(
        &mut self,
        requests: Vec<EvaluationRequest<G::State>>,
    ) -> Result<Vec<EvaluatedLeaf<G::State>>, Stopped> {
        let game = self.game;
        let roles = game.roles();
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
        let move_facts = self.counts_facts.then_some(self.move_facts);
        let leaf = |request: EvaluationRequest<G::State>| {
            if request.picks.is_none() {
                return EvaluatedLeaf::unknown(request.state, roles.len());
            }
            let mut leaf = EvaluatedLeaf::of_batch(children, child, roles);
            leaf.facts = facts::<G>((children, child), leaf.info.as_ref(), move_facts);
            child += 1;
            leaf
        };
        Ok(requests.into_iter().map(leaf).collect())
    }
}

/// The facts that the moves of each role make in a state of a batch, if facts are counted.
fn facts<G: Engine>(
    (batch, index): (&G::Batch, usize),
    info: Option<&LeafInfo>,
    move_facts: Option<&MoveFacts<G::Move>>,
) -> Vec<u32> {
    let (Some(LeafInfo::NonTerminal(moves)), Some(move_facts)) = (info, move_facts) else {
        return Vec::new();
    };
    let (mut facts, mut legal) = (Vec::new(), Vec::new());
    for role in (0..moves.len()).map(Role) {
        batch.legal(index, role, &mut legal);
        facts.extend(legal.iter().map(|mv| move_facts.of(role, *mv)));
    }
    facts
}
