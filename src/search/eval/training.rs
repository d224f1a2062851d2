//! Training: temporal differences from self-play.
//!
//! Games are played ply by ply, many at a time, with one ply of look-ahead. The target of a state lies between the result of its
//! game and the values that a look at the next ply gave on the way: TD(λ) (Sutton 1988; Tesauro 1992, for games). What is
//! learned in a state is learned in its images under the symmetries of the game, too. The learning rate does not fall, so that the
//! weights keep changing and the games with them; the mean of the weights of the second half, or of the last third, is what is used
//! (Polyak and Juditsky 1992).
//!
//! The weights depend on the game, the role, the heuristics and the number of states alone, unless the deadline cuts the training short. A
//! training that grows goes on, to twice as many states and again, as long as that fits into the time, and to half as many more in the end; a
//! short match tells each time whether that was better. Where there is time for it, it goes on with larger tuples.

use std::mem;
use std::sync::Arc;
use std::time::Instant;

use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::duel::share_of_points;
use super::game_model::game_model;
use super::learned::LearnedEvaluator;
use super::model::{EvaluationModel, FeatureSpread, FollowedStates, Parent, TurnWeights};
use super::reachable::GoalBounds;
use super::self_play::{FinishedSelfPlay, GamesInProgress, SelfPlayNumbers, SelfPlayers};
use super::shapes::TupleSize;
use super::taught::TaughtTargets;
use super::threats::Threats;
use super::training_plan::{TrainingPlan, TrainingRecord, TrainingResult, can_take, growth};
use crate::game::{Engine, Role};
use crate::search::Heuristics;
use crate::search::alphabeta::plies::EngineStack;
use crate::search::alphabeta::stack::{SearchStack, ToMove};
use crate::search::limits::SearchClock;
use crate::symmetry::{FactSymmetry, fact_symmetries};

/// States of self-play after which the training ends, unless it grows.
const STATES: u64 = 4_000_000;
/// States after which a training that grows goes on with larger tuples: with fewer, there is too little to learn them from.
const STATES_OF_USUAL_TUPLES: u64 = 2 * STATES;
/// With larger tuples, a state takes so many times as long.
const COST_OF_LARGE_TUPLES: f64 = 2.0;
/// Groups of games that are played in parallel, and how many games each has at most: fewer where few states are asked for.
pub(super) const GROUPS: u64 = 4;
const GAMES: u64 = 32;
const STATES_PER_GAME: u64 = 20_000;
/// Plies between two updates of the weights at most.
const PLIES: usize = 16;
/// Games that are played at random, to begin with: as many as are played at a time at most. Where a pass over the rules takes long, random games
/// take as long as others, and tell less.
const RANDOM_GAMES: usize = (GROUPS * GAMES) as usize;
/// Where no game comes back to a state, one move in this number is random: more than usual, so that states are learned that good moves do not
/// lead to, as a search looks at them. Where a game can go on for ever, that keeps players from making progress; where a counter ends it, no
/// state comes back.
const EXPLORATION_WITHOUT_CYCLES: u32 = 50;
/// The same where a teacher tells what states are worth, so that no game need be played well.
const EXPLORATION_WHEN_TAUGHT: u32 = 4;
/// How far a value moves towards its target, in logits per unit of error.
const RATE: f32 = 1.5;
/// The same where a game can come back to a state: how such a game ends says less of the states on the way.
const RATE_WITH_CYCLES: f32 = 0.75;
/// How much of a target comes from the target of the next state, λ.
const TRACE: f32 = 0.9;
/// From each game, as many images as this are learned from, beside the game itself; where both turns share their weights, images that keep the
/// roles.
const IMAGES: usize = 3;
/// Games that tell whether what was learned last is better.
const COMPARED_GAMES: u64 = 200;
/// Trains an evaluator for `role` until the deadline; where it `shares_points` with another role, for both.
pub(super) fn train<G: Engine>(
    game: &G,
    role: Role,
    shares_points: bool,
    plan: TrainingPlan,
    clock: &SearchClock,
) -> TrainingResult {
    let (evaluator, record) = match plan.heuristics == Heuristics::NONE {
        true => (None, TrainingRecord::default()),
        false => evaluator(game, role, shares_points, plan, clock),
    };
    TrainingResult {
        is_cut_short: evaluator.is_some() && record.cut_short,
        evaluator: evaluator.map(Arc::new),
        record,
    }
}

fn evaluator<G: Engine>(
    game: &G,
    role: Role,
    shares_points: bool,
    plan: TrainingPlan,
    clock: &SearchClock,
) -> (Option<LearnedEvaluator>, TrainingRecord) {
    let model = game_model(game, plan);
    let groups = groups(game, role, (plan, model.threats.as_ref()), 0, clock);
    let (learned, record) = if model.is_empty() || groups.is_empty() {
        (None, TrainingRecord::of(0, 0, clock))
    } else {
        let symmetries = fact_symmetries(game, shares_points, &clock.deadline);
        let is_better = |models: [&EvaluationModel; 2]| {
            let share = share_of_points(game, role, models, (COMPARED_GAMES, 0), clock);
            share.is_none_or(|share| share >= 0.5)
        };
        let wider = || {
            let size = TupleSize::Large;
            game_model(game, TrainingPlan { size, ..plan })
        };
        Training::new(model, symmetries, plan).run(groups, clock, (is_better, wider))
    };
    let bounds = GoalBounds::new(game.game_facts(), role, shares_points, plan.heuristics);
    let unweighted = TrainingPlan {
        heuristics: Heuristics::NONE,
        ..plan
    };
    let bounded_alone = || (!bounds.are_idle()).then(|| game_model(game, unweighted));
    let model = learned.or_else(bounded_alone);
    (
        model.map(|model| LearnedEvaluator::new(model, bounds, shares_points)),
        record,
    )
}

/// Groups of games of self-play, after so many of them were played; none where the game cannot begin.
pub(super) fn groups<'g, G: Engine>(
    game: &'g G,
    role: Role,
    (plan, threats): (TrainingPlan, Option<&Arc<Threats>>),
    played: u64,
    clock: &SearchClock,
) -> Vec<GamesInProgress<'g>> {
    let games = plan
        .states
        .map_or(GAMES, |states| states / GROUPS / STATES_PER_GAME);
    let games = games.clamp(1, GAMES) as usize;
    let group = |number: u64| {
        let mut stack = EngineStack::new(game, &game.initial(), role, None);
        stack.mark_facts(threats.cloned());
        stack.evaluate_from(1);
        stack.set_deadline(Some(&clock.deadline));
        let info = stack.info(0, 0);
        let begins = !info.is_over && info.choices.turn() != ToMove::Stuck;
        let numbers = SelfPlayNumbers {
            first: played + number,
            step: GROUPS,
            seed: plan.seed,
            alike: 1,
        };
        begins.then(|| GamesInProgress::new(Box::new(stack), games, numbers))
    };
    (0..GROUPS).map_while(group).collect()
}

/// A training in progress.
pub(super) struct Training<'t> {
    model: EvaluationModel,
    symmetries: Vec<FactSymmetry>,
    /// The symmetries that give images to learn from.
    imaged: Vec<FactSymmetry>,
    taught: Option<TaughtTargets<'t>>,
    /// How many states are to be expanded.
    states: u64,
    grows: bool,
    /// After so many, it grows with larger tuples.
    states_of_usual_tuples: u64,
    /// States that were expanded.
    expanded: u64,
    plies: usize,
    games: usize,
    /// Whether some game came back to a state.
    repeats: bool,
    /// Whether the last games were no random ones.
    is_averaged: bool,
    spread: Vec<FeatureSpread>,
    /// The mean of the weights, and of how many.
    mean: Option<(Vec<TurnWeights>, u32)>,
    parent: Parent,
    /// The places of the states that were learned from last: of games as they were played, then of each image.
    followed: [FollowedStates; 1 + IMAGES],
    /// The weights after the last step but one, which choose the moves, so that playing and learning need not wait for each other.
    known: Arc<EvaluationModel>,
    /// The games that ended in the last step, or were given up.
    ended: Vec<FinishedSelfPlay>,
}

impl<'t> Training<'t> {
    pub(super) fn new(
        model: EvaluationModel,
        symmetries: Vec<FactSymmetry>,
        plan: TrainingPlan,
    ) -> Self {
        let symmetries = match &model.threats {
            Some(threats) => symmetries
                .iter()
                .filter_map(|symmetry| threats.extended(symmetry))
                .collect(),
            None => symmetries,
        };
        let mut training = Self {
            known: Arc::new(model.clone()),
            ended: Vec::new(),
            model,
            symmetries,
            imaged: Vec::new(),
            taught: None,
            states: plan.states.unwrap_or(STATES),
            grows: plan.grows && plan.states.is_none(),
            states_of_usual_tuples: STATES_OF_USUAL_TUPLES,
            plies: if plan.states.is_some() { 1 } else { PLIES },
            expanded: 0,
            games: 0,
            repeats: false,
            is_averaged: false,
            spread: Vec::new(),
            mean: None,
            parent: Parent::default(),
            followed: Default::default(),
        };
        training.tie_turns();
        training
    }

    /// Ties the weights of two turns of a new model where a symmetry exchanges them, and takes the images for learning from the other symmetries.
    fn tie_turns(&mut self) {
        self.model.tie_turns(&self.symmetries);
        let is_tied = self.model.turns_are_tied();
        let symmetries = self.symmetries.iter();
        let imaged = symmetries.filter(|symmetry| !(is_tied && symmetry.swaps_roles));
        self.imaged = imaged.cloned().collect();
        self.known = Arc::new(self.model.clone());
    }

    /// The same, after so many games that the model has learned from.
    pub(super) fn resumed(self, games: u64) -> Self {
        Self {
            games: games as usize,
            ..self
        }
    }

    /// The same with a teacher, if there is one.
    pub(super) fn taught(self, taught: Option<TaughtTargets<'t>>) -> Self {
        Self { taught, ..self }
    }

    /// Plays and learns until enough states were expanded or the time is up, and goes on from there if it grows. Then `is_better` tells
    /// whether what was learned since is better than what was learned before; `wider` gives a model with larger tuples. Nothing where no game
    /// ended.
    fn run(
        mut self,
        mut groups: Vec<GamesInProgress<'_>>,
        clock: &SearchClock,
        (is_better, wider): (
            impl Fn([&EvaluationModel; 2]) -> bool,
            impl FnOnce() -> EvaluationModel,
        ),
    ) -> (Option<EvaluationModel>, TrainingRecord) {
        let mut wider = Some(wider);
        let mut again = self.expand(&mut groups, clock);
        let (mut best, mut record) = self.found(clock);
        while self.grows {
            let until_now = clock.begin.elapsed().as_secs_f64();
            record.seconds_to_double = until_now + again;
            let Some(times) = growth(again, clock) else {
                break;
            };
            let is_due = self.states >= self.states_of_usual_tuples
                && can_take(until_now + COST_OF_LARGE_TUPLES * again, clock);
            if let Some(wider) = wider.take_if(|_| is_due) {
                self.widen(wider());
            }
            self.states = (times * self.states as f64) as u64;
            self.forget_mean();
            again = self.expand(&mut groups, clock);
            let (learned, of_learned) = self.found(clock);
            let models = learned.as_ref().zip(best.as_ref());
            let is_taken = models.is_none_or(|(learned, best)| is_better([learned, best]));
            // Weights of part of the way, or of part of a match, are others each time.
            if clock.is_over() {
                record.seconds_to_double = clock.begin.elapsed().as_secs_f64();
                break;
            }
            if is_taken {
                best = learned;
            }
            record = of_learned;
        }
        (best, record)
    }

    /// Goes on with the weights of a model that has larger tuples beside those so far.
    fn widen(&mut self, mut wider: EvaluationModel) {
        if wider.tuples.weights > self.model.tuples.weights {
            wider.take_over(&self.model);
            self.model = wider;
            self.tie_turns();
            self.followed = Default::default();
        }
    }

    /// Plays and learns until enough states were expanded or the time is up. Tells how many seconds as many states as all so far would take at this
    /// pace.
    fn expand(&mut self, groups: &mut [GamesInProgress<'_>], clock: &SearchClock) -> f64 {
        let (begin, before) = (Instant::now(), self.expanded);
        while self.expanded < self.states && !clock.is_over() {
            let is_second_half = 2 * self.expanded > self.states || is_past_half(begin, clock);
            self.step(groups);
            if is_second_half {
                self.add_to_mean();
            }
        }
        self.catch_up();
        let new = self.expanded.saturating_sub(before).max(1);
        begin.elapsed().as_secs_f64() * self.expanded as f64 / new as f64
    }

    /// What was learned so far; nothing where no game ended.
    fn found(&self, clock: &SearchClock) -> (Option<EvaluationModel>, TrainingRecord) {
        let record = TrainingRecord::of(self.expanded, self.games(), clock);
        ((self.games > 0).then(|| self.averaged()), record)
    }

    /// Plays some plies of all games, and at the same time learns from those that ended before.
    pub(super) fn step(&mut self, groups: &mut [GamesInProgress<'_>]) {
        let (plies, is_random) = (self.plies, self.is_random());
        let known = Arc::clone(&self.known);
        let players = (!is_random).then(|| self.players(&known));
        let (ended, ()) = rayon::join(|| play(groups, plies, players), || self.catch_up());
        drop(known);
        let known = Arc::make_mut(&mut self.known);
        known.weights.clone_from(&self.model.weights);
        self.ended = ended;
        self.expanded = groups.iter().map(|group| group.states).sum();
        self.is_averaged = !is_random;
    }

    /// Learns from the games that ended in the last step.
    pub(super) fn catch_up(&mut self) {
        let mut ended = mem::take(&mut self.ended);
        self.repeats = self.repeats || ended.iter().any(FinishedSelfPlay::repeats);
        ended.retain(|game| game.result.is_some());
        if ended.iter().any(FinishedSelfPlay::is_random) {
            self.observe(&ended);
        }
        ended.iter().for_each(|game| self.learn(game));
        self.model.refresh();
    }

    /// The same weights for both sides.
    fn players<'m>(&self, model: &'m EvaluationModel) -> SelfPlayers<'m> {
        let players = SelfPlayers::alone(model);
        match (self.taught, self.repeats) {
            (Some(_), _) => players.exploring(EXPLORATION_WHEN_TAUGHT),
            (None, true) => players,
            (None, false) => players.exploring(EXPLORATION_WITHOUT_CYCLES),
        }
    }

    /// How far values move.
    fn rate(&self) -> f32 {
        match self.repeats && self.taught.is_none() {
            true => RATE_WITH_CYCLES,
            false => RATE,
        }
    }

    /// Whether games are still played at random.
    fn is_random(&self) -> bool {
        self.games < RANDOM_GAMES
    }

    /// Whether there is nothing to learn.
    pub(super) fn weighs_nothing(&self) -> bool {
        self.model.is_empty()
    }

    /// How many states were expanded.
    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// How many games were learned from.
    pub(super) fn games(&self) -> u64 {
        self.games as u64
    }

    /// The mean of the weights, as the search uses them; those that there are where there is no mean.
    pub(super) fn averaged(&self) -> EvaluationModel {
        let mut model = self.model.clone();
        if let Some((weights, _)) = &self.mean {
            model.weights.clone_from(weights);
        }
        model.round();
        model.untied()
    }

    /// Begins the mean anew.
    pub(super) fn forget_mean(&mut self) {
        self.mean = None;
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
        let Some(mut target) = game.result else {
            return;
        };
        let (number, rate) = (self.games, self.rate());
        self.games += 1;
        let is_random = game.is_random();
        let (parent, [followed, images @ ..]) = (&mut self.parent, &mut self.followed);
        for sample in game.samples.iter().rev() {
            let known = self.taught.and_then(|taught| taught.target(&sample.words));
            match (known, sample.next) {
                (Some(known), _) => target = known,
                (None, Some(next)) => target = TRACE * target + (1.0 - TRACE) * next,
                (None, None) if is_random => {}
                // A state is no worse because a random move was bad.
                (None, None) => {
                    target = self.model.value(&sample.words, sample.choices, parent);
                    continue;
                }
            }
            let learned = (&sample.words[..], sample.choices);
            self.model.learn(learned, target, rate, (followed, parent));
            let count = self.imaged.len();
            for (image, followed) in images.iter_mut().enumerate().take(count) {
                let symmetry = &self.imaged[(number * IMAGES + image) % count];
                let words = symmetry.apply(&sample.words);
                let (choices, target) = match symmetry.swaps_roles {
                    true => (sample.choices.swapped(), 1.0 - target),
                    false => (sample.choices, target),
                };
                self.model
                    .learn((&words, choices), target, rate, (followed, parent));
            }
        }
    }

    /// Adds the weights to their mean, unless they come from random games.
    pub(super) fn add_to_mean(&mut self) {
        if !self.is_averaged {
            return;
        }
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

/// Plays some plies of all games; returns those that came to an end, or were given up.
fn play(
    groups: &mut [GamesInProgress<'_>],
    plies: usize,
    players: Option<SelfPlayers<'_>>,
) -> Vec<FinishedSelfPlay> {
    let played = groups
        .par_iter_mut()
        .map(|group| group.play(plies, players));
    let finished: Vec<Vec<FinishedSelfPlay>> = played.collect();
    finished.into_iter().flatten().collect()
}

/// Whether more than half of the time is gone: then the weights count that there are, since the training may be cut short.
fn is_past_half(begin: Instant, clock: &SearchClock) -> bool {
    let all = clock
        .deadline
        .at
        .map(|at| at.saturating_duration_since(begin));
    all.is_some_and(|all| begin.elapsed() > all / 2)
}

#[cfg(test)]
mod tests;
