//! The Min-Max player: what it remembers, and one search by it.

use std::hash::Hash;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use super::alpha_beta::{NOISE, Worker};
use super::deepening::{Deepened, Deepening};
use super::eval::{LearnedEvaluator, LearnedWeights, QUIESCENCE};
use super::judge::Judge;
use super::ladder::Ladder;
use super::limits::SearchClock;
use super::root::Root;
use super::rungs::{Rungs, key_of};
use super::shared::Shared;
use super::table::Table;
use super::{Judged, Limits, Outcome, Settings, Value};
use crate::game::{Engine, Role, is_chance};
use crate::util::Deadline;

/// What a Min-Max player remembers from one move to the next.
#[derive(Debug)]
pub struct Memory {
    settings: Settings,
    table: Option<Table>,
    /// What it expects of states, once it has trained.
    evaluator: Option<Arc<LearnedEvaluator>>,
    is_trained: bool,
    /// Whether its training was cut short by the clock.
    is_hasty: bool,
    /// The keys of the states that stood on the table twice or more.
    past: FxHashSet<u64>,
}

impl Memory {
    /// Nothing yet.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            table: None,
            evaluator: None,
            is_trained: false,
            is_hasty: false,
            past: FxHashSet::default(),
        }
    }

    /// Nothing yet, and a table of so many buckets, whatever the settings say.
    #[cfg(test)]
    pub(super) fn of_buckets(settings: Settings, buckets: usize) -> Self {
        Self {
            table: Some(Table::of_buckets(buckets)),
            ..Self::new(settings)
        }
    }

    /// Takes note of the states that stood on the table before the one it will be asked about.
    pub(super) fn recall<'s, S: Hash + 's>(&mut self, past: impl Iterator<Item = &'s S>) {
        let mut once = FxHashSet::default();
        let again = past.map(key_of).filter(|key| !once.insert(*key));
        self.past = again.collect();
    }

    /// Makes the table, and finds weights for the heuristics, if there are any to be found, unless that was done before.
    pub(super) fn train<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        learned: &mut LearnedWeights,
        clock: &SearchClock,
    ) {
        self.table();
        if !self.is_trained && self.settings.evaluation.is_none() {
            let trained = learned.learn(game, role, self.settings.heuristics, clock);
            self.evaluator = trained.evaluator;
            self.is_hasty = trained.is_cut_short;
            self.is_trained = true;
        }
    }

    /// The table, which takes a while to be made.
    fn table(&mut self) -> &Table {
        let mebibytes = self.settings.hash;
        self.table.get_or_insert_with(|| Table::new(mebibytes))
    }

    /// What states are judged by.
    fn judge<'g, G: Engine>(&self, game: &'g G) -> Option<Judge<'g, G::State>> {
        match self.settings.evaluation {
            Some(name) => game.evaluation(name).map(Judge::Made),
            None => self.evaluator.clone().map(Judge::Learned),
        }
    }

    /// What each heuristic says of a state in which `role` is to move.
    pub(super) fn opinions<G: Engine>(
        &self,
        game: &G,
        state: &G::State,
        role: Role,
    ) -> Vec<(&'static str, f64)> {
        let Some(evaluator) = &self.evaluator else {
            return Vec::new();
        };
        let learned = Judge::Learned(Arc::clone(evaluator));
        let rungs = Rungs::new(game, state, role, Some(learned));
        evaluator.contributions(rungs.words(0, 0), rungs.seen(0, 0).choices)
    }

    /// Whether the clock cut the search for weights short.
    pub(super) fn is_hasty(&self) -> bool {
        self.is_hasty
    }

    /// Heuristics, features and weights, if there are any.
    pub(super) fn weights(&self) -> Vec<(&'static str, String, f64)> {
        let weights = self
            .evaluator
            .iter()
            .flat_map(|evaluator| evaluator.weights());
        weights
            .map(|(name, about, weight)| (name, about.to_owned(), weight))
            .collect()
    }
}

/// The best move of `role` in `state`; `None` if the game is over or the role has no legal move.
pub fn best_move<G: Engine>(
    game: &G,
    state: &G::State,
    role: Role,
    limits: &Limits<'_>,
    memory: &mut Memory,
) -> Option<Outcome<G::Move>> {
    let clock = SearchClock::start(limits);
    memory.table().grow_older();
    let mut ladders = vec![Rungs::new(game, state, role, memory.judge(game))];
    // Each of them looks at the root, which may take long.
    while ladders.len() < limits.threads && !clock.is_over() {
        ladders.push(Rungs::new(game, state, role, memory.judge(game)));
    }
    let order = order_at_root(game, &mut ladders[0], limits.seed)?;
    let threads = ladders.len();
    let found = {
        let features = memory.settings.features;
        let mut shared = Shared::new(memory.table.as_ref()?, features, &clock, &memory.past);
        match limits.is_by_clock() {
            true => shared.takes_deeper = true,
            false => shared.tell_pasts_apart(),
        }
        shared.threads = threads;
        // Going round in circles is a draw where there is somebody to draw with.
        if players(game) == 1 {
            shared.again = Value::estimate(0);
        }
        let looks_on = memory.settings.heuristics.has(QUIESCENCE);
        shared.noise = looks_on.then_some(NOISE);
        let ladders = ladders
            .iter_mut()
            .map(|ladder| ladder as &mut (dyn Ladder + Send));
        let workers = ladders.map(|ladder| Worker::new(ladder, &shared)).collect();
        let root = Root {
            order,
            lines: limits.lines,
        };
        Deepening {
            root,
            workers,
            shared: &shared,
        }
        .run(limits)
    };
    Some(outcome(found, &mut ladders, &clock.line_deadline()))
}

fn players<G: Engine>(game: &G) -> usize {
    let is_player = |role: &&String| !is_chance(role);
    game.roles().iter().filter(is_player).count()
}

/// The choices of the searcher at the root, in an order that does not depend on the engine; shuffled if a seed is given.
fn order_at_root<G: Engine>(
    game: &G,
    ladder: &mut Rungs<'_, G>,
    seed: Option<u64>,
) -> Option<Vec<u32>> {
    if ladder.seen(0, 0).choices.joint() == 0 {
        return None;
    }
    let texts: Vec<String> = ladder
        .own_moves()
        .iter()
        .map(|&mv| game.move_text(mv))
        .collect();
    let mut order: Vec<u32> = (0..texts.len() as u32).collect();
    order.sort_by_key(|&choice| &texts[choice as usize]);
    if let Some(seed) = seed {
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    }
    Some(order)
}

/// Says in the game's moves what was found.
fn outcome<G: Engine>(
    found: Deepened,
    ladders: &mut [Rungs<'_, G>],
    end: &Deadline,
) -> Outcome<G::Move> {
    let own = ladders[0].own_moves().to_vec();
    let ladder = &mut ladders[0];
    let moves = found.judged.iter().map(|sentence| Judged {
        mv: own[sentence.choice as usize],
        value: sentence.found.value,
        is_exact: sentence.is_exact,
        is_sure: sentence.is_exact && (found.is_complete || sentence.found.value.is_decided()),
        line: ladder.line(&sentence.line, end),
    });
    let moves: Vec<_> = moves.collect();
    Outcome {
        best: moves[0].mv,
        value: moves[0].value,
        exact: found.exact,
        depth: found.depth,
        line: moves[0].line.clone(),
        nodes: found.nodes,
        fault: ladders.iter().find_map(Rungs::fault),
        moves,
    }
}
