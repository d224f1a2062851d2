//! Training: temporal differences from self-play.
//!
//! Games are played ply by ply, many at a time, with one ply of look-ahead. The target of a state lies between the result of its
//! game and the values that a look at the next ply gave on the way: TD(λ) (Sutton 1988; Tesauro 1992, for games). What is
//! learned in a state is learned in its images under the symmetries of the game, too. The learning rate does not fall, so that the
//! weights keep changing and the games with them; the mean of the weights of the second half is what is used (Polyak and
//! Juditsky 1992).
//!
//! The weights depend on the game, the role and the heuristics alone, unless the deadline cuts the training short.

use std::sync::Arc;
use std::time::Instant;

use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::features::features;
use super::heuristics::FACTS;
use super::learned::LearnedEvaluator;
use super::model::{EvaluationModel, FeatureSpread, Parent, TurnWeights};
use super::reachable::ReachableGoals;
use super::self_play::{FinishedSelfPlay, GamesInProgress};
use super::shapes::tuples_of;
use super::symmetry::{FactSymmetry, symmetries};
use super::tuples::Tuples;
use super::turn::TurnFacts;
use crate::game::{Engine, PlayoutOptions, Role, is_chance};
use crate::search::Heuristics;
use crate::search::alphabeta::plies::EngineStack;
use crate::search::alphabeta::stack::{SearchStack, ToMove};
use crate::search::limits::SearchClock;

/// States of self-play after which the training ends.
const STATES: u64 = 4_000_000;
/// Groups of games that are played in parallel, and how many games each has at most: fewer where few states are asked for.
const GROUPS: u64 = 4;
const GAMES: u64 = 32;
const STATES_PER_GAME: u64 = 20_000;
/// Plies between two updates of the weights at most.
const PLIES: usize = 16;
/// Games that are played at random, to begin with.
const RANDOM_GAMES: usize = 500;
/// How far a value moves towards its target, in logits per unit of error.
const RATE: f32 = 1.5;
/// How much of a target comes from the target of the next state, λ.
const TRACE: f32 = 0.9;
/// From each game, as many images as this are learned from, beside the game itself.
const IMAGES: usize = 3;
/// Random games that tell whether two roles share 100 points.
const SAMPLED_ENDS: u64 = 40;

/// What is trained, and on how many states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct TrainingPlan {
    /// The heuristics that get weights.
    pub(in crate::search) heuristics: Heuristics,
    /// States of self-play at most; without it, what is usual.
    pub(in crate::search) states: Option<u64>,
}

/// The result of a training.
#[derive(Debug, Clone)]
pub(in crate::search) struct TrainingResult {
    /// An evaluator, if there was anything to learn.
    pub(in crate::search) evaluator: Option<Arc<LearnedEvaluator>>,
    /// Whether the deadline cut it short, so that another training may give other weights.
    pub(in crate::search) is_cut_short: bool,
}

impl TrainingResult {
    /// The same for the other one of two roles that share 100 points.
    pub(super) fn for_other(&self) -> Self {
        let evaluator = self.evaluator.as_ref();
        Self {
            evaluator: evaluator.map(|evaluator| Arc::new(evaluator.for_other())),
            ..*self
        }
    }
}

/// Whether the goals of the two roles of a game always add up to 100, as far as some random games tell.
pub(super) fn shares_points<G: Engine>(game: &G, clock: &SearchClock) -> bool {
    if game.roles().len() != 2 || game.roles().iter().any(|role| is_chance(role)) {
        return false;
    }
    let mut ended = 0;
    for seed in 0..SAMPLED_ENDS {
        let options = PlayoutOptions {
            seed,
            count: 1,
            max_plies: 1000,
            threads: 1,
            deadline: &clock.deadline,
        };
        let (totals, _) = game.playouts(&game.initial(), options);
        let adds_up = totals.goal_count == [1, 1] && totals.goal_sum.iter().sum::<u64>() == 100;
        if totals.ended() > 0 && !adds_up {
            return false;
        }
        ended += totals.ended();
    }
    ended > 0
}

/// Trains an evaluator for `role` until the deadline; where it `shares_points` with another role, for both.
pub(super) fn train<G: Engine>(
    game: &G,
    role: Role,
    shares_points: bool,
    plan: TrainingPlan,
    clock: &SearchClock,
) -> TrainingResult {
    let evaluator = (plan.heuristics != Heuristics::NONE)
        .then(|| evaluator(game, role, shares_points, plan, clock))
        .flatten();
    TrainingResult {
        is_cut_short: evaluator.is_some() && clock.is_over(),
        evaluator: evaluator.map(Arc::new),
    }
}

fn evaluator<G: Engine>(
    game: &G,
    role: Role,
    shares_points: bool,
    plan: TrainingPlan,
    clock: &SearchClock,
) -> Option<LearnedEvaluator> {
    let reach = |role| ReachableGoals::new(game.game_facts()?, role, plan.heuristics);
    let model = model(game, plan.heuristics);
    let groups = groups(game, role, plan, clock);
    let learned = if model.is_empty() || groups.is_empty() {
        None
    } else {
        let symmetries = symmetries(game, shares_points, clock);
        Training::new(model, symmetries, plan).run(groups, clock)
    };
    let bounds = reach(role);
    let left_by_other = shares_points.then(|| reach(Role(1 - role.0))).flatten();
    let is_bounded = bounds.is_some() || left_by_other.is_some();
    let bounded_alone = || is_bounded.then(|| self::model(game, Heuristics::NONE));
    let model = learned.or_else(bounded_alone)?;
    Some(LearnedEvaluator::new(model, bounds, left_by_other))
}

/// What is weighted in a game, without weights.
fn model<G: Engine>(game: &G, heuristics: Heuristics) -> EvaluationModel {
    let game_facts = game.game_facts();
    let facts = game_facts.map_or(0, |game_facts| game_facts.facts.len());
    let tuples = game_facts.map(|game_facts| tuples_of(game_facts, heuristics));
    let turns = game_facts.map(|game_facts| TurnFacts::new(game_facts, game.roles()));
    EvaluationModel::new(
        features(game_facts, heuristics),
        Tuples::new(&tuples.unwrap_or_default(), facts),
        turns.unwrap_or_default(),
        facts,
        heuristics.has(FACTS),
    )
}

/// Groups of games of self-play; none where the game cannot begin.
fn groups<'g, G: Engine>(
    game: &'g G,
    role: Role,
    plan: TrainingPlan,
    clock: &SearchClock,
) -> Vec<GamesInProgress<'g>> {
    let games = plan
        .states
        .map_or(GAMES, |states| states / GROUPS / STATES_PER_GAME);
    let games = games.clamp(1, GAMES) as usize;
    let group = |number: u64| {
        let mut stack = EngineStack::new(game, &game.initial(), role, None);
        stack.mark_facts();
        stack.set_deadline(Some(&clock.deadline));
        let info = stack.info(0, 0);
        let begins = !info.is_over && info.choices.turn() != ToMove::Stuck;
        begins.then(|| GamesInProgress::new(Box::new(stack), games, (number, GROUPS)))
    };
    (0..GROUPS).map_while(group).collect()
}

/// A training in progress.
struct Training {
    model: EvaluationModel,
    symmetries: Vec<FactSymmetry>,
    states: u64,
    plies: usize,
    games: usize,
    spread: Vec<FeatureSpread>,
    /// The mean of the weights, and of how many.
    mean: Option<(Vec<TurnWeights>, u32)>,
    parent: Parent,
}

impl Training {
    fn new(model: EvaluationModel, symmetries: Vec<FactSymmetry>, plan: TrainingPlan) -> Self {
        Self {
            model,
            symmetries,
            states: plan.states.unwrap_or(STATES),
            plies: if plan.states.is_some() { 1 } else { PLIES },
            games: 0,
            spread: Vec::new(),
            mean: None,
            parent: Parent::default(),
        }
    }

    /// Plays and learns until enough states were expanded or the time is up; nothing where no game ended.
    fn run(
        mut self,
        mut groups: Vec<GamesInProgress<'_>>,
        clock: &SearchClock,
    ) -> Option<EvaluationModel> {
        let begin = Instant::now();
        loop {
            let states: u64 = groups.iter().map(|group| group.states).sum();
            if states >= self.states || clock.is_over() {
                break;
            }
            let is_random = self.games < RANDOM_GAMES;
            let (plies, model) = (self.plies, (!is_random).then_some(&self.model));
            let groups = groups.par_iter_mut();
            let finished: Vec<Vec<FinishedSelfPlay>> =
                groups.map(|group| group.play(plies, model)).collect();
            let finished: Vec<FinishedSelfPlay> = finished.into_iter().flatten().collect();
            if is_random {
                self.observe(&finished);
            }
            finished.iter().for_each(|game| self.learn(game));
            self.model.refresh();
            let is_second_half = 2 * states > self.states || is_past_half(begin, clock);
            if is_second_half && !is_random {
                self.add_to_mean();
            }
        }
        if let Some((weights, _)) = self.mean {
            self.model.weights = weights;
            self.model.refresh();
        }
        (self.games > 0).then_some(self.model)
    }

    /// Scales the features by how much they vary in random games.
    fn observe(&mut self, games: &[FinishedSelfPlay]) {
        for sample in games.iter().flat_map(|game| &game.samples) {
            self.model.observe(
                &sample.words,
                sample.choices,
                &mut self.spread,
                &mut self.parent,
            );
        }
        self.model.scale(&self.spread);
    }

    /// Learns from a game, from its end to its beginning.
    fn learn(&mut self, game: &FinishedSelfPlay) {
        let number = self.games;
        self.games += 1;
        let is_random = game.samples.iter().all(|sample| sample.next.is_none());
        let mut target = game.result;
        for sample in game.samples.iter().rev() {
            match sample.next {
                Some(next) => target = TRACE * target + (1.0 - TRACE) * next,
                None if is_random => {}
                // A state is no worse because a random move was bad.
                None => {
                    target = self
                        .model
                        .value(&sample.words, sample.choices, &mut self.parent);
                    continue;
                }
            }
            self.model.learn(
                (&sample.words, sample.choices),
                target,
                RATE,
                &mut self.parent,
            );
            let count = self.symmetries.len();
            for image in 0..IMAGES.min(count) {
                let symmetry = &self.symmetries[(number * IMAGES + image) % count];
                let words = symmetry.apply(&sample.words);
                let (choices, target) = match symmetry.swaps_roles {
                    true => (sample.choices.swapped(), 1.0 - target),
                    false => (sample.choices, target),
                };
                self.model
                    .learn((&words, choices), target, RATE, &mut self.parent);
            }
        }
    }

    fn add_to_mean(&mut self) {
        let Some((mean, count)) = &mut self.mean else {
            self.mean = Some((self.model.weights.clone(), 1));
            return;
        };
        *count += 1;
        for (mean, weights) in mean.iter_mut().zip(&self.model.weights) {
            mean.approach(weights, 1.0 / *count as f32);
        }
    }
}

/// Whether more than half of the time is gone: then the weights count that there are, since the training may be cut short.
fn is_past_half(begin: Instant, clock: &SearchClock) -> bool {
    let all = clock
        .deadline
        .at
        .map(|at| at.saturating_duration_since(begin));
    all.is_some_and(|all| begin.elapsed() > all / 2)
}
