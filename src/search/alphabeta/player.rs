//! The minimax player: its state, and one search.

use std::hash::Hash;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::call_width::CallWidth;
use super::deepening::{Deepening, DeepeningResult};
use super::plies::EngineStack;
use super::pvs::Worker;
use super::root::Root;
use super::settings::MinimaxSettings;
use super::shared::SharedSearch;
use super::stack::SearchStack;
use super::transposition::TranspositionTable;
use crate::game::{Engine, Role, is_chance};
use crate::search::eval::{Evaluator, LearnedWeights, PlayerEvaluation};
use crate::search::limits::SearchClock;
use crate::search::repetition::{REPETITION_POINTS, RepeatedStates};
use crate::search::{MoveValue, SearchLimits, SearchOutcome, Value};
use crate::symmetry::SymmetryGroup;
use crate::util::Deadline;

/// The state that a minimax player keeps from move to move.
#[derive(Debug)]
pub struct MinimaxSearcher {
    settings: MinimaxSettings,
    table: Option<TranspositionTable>,
    evaluation: PlayerEvaluation,
    past: RepeatedStates,
    call_width: CallWidth,
}

impl MinimaxSearcher {
    /// A player that has not searched yet.
    pub fn new(settings: MinimaxSettings) -> Self {
        Self {
            evaluation: PlayerEvaluation::new(settings.training(), settings.weights.clone()),
            settings,
            table: None,
            past: RepeatedStates::default(),
            call_width: CallWidth::default(),
        }
    }

    /// A player with a table of `buckets` buckets, regardless of the settings.
    #[cfg(test)]
    pub(in crate::search) fn of_buckets(settings: MinimaxSettings, buckets: usize) -> Self {
        Self {
            table: Some(TranspositionTable::of_buckets(buckets)),
            ..Self::new(settings)
        }
    }

    /// Calls of the engine have this width at first.
    #[cfg(test)]
    pub(in crate::search) fn with_call_width(self, call_width: CallWidth) -> Self {
        Self { call_width, ..self }
    }

    /// How wide calls of the engine are.
    #[cfg(test)]
    pub(in crate::search) fn call_width(&self) -> &CallWidth {
        &self.call_width
    }

    /// Clocks will run while it searches.
    pub(in crate::search) fn use_clock(&mut self) {
        self.settings.has_clock = true;
        self.evaluation.plan(self.settings.training());
    }

    /// Sets the states that occurred in the match before the one to be searched.
    pub(in crate::search) fn set_past_states<'s, S: Hash + 's>(
        &mut self,
        past: impl Iterator<Item = &'s S>,
    ) {
        self.past = RepeatedStates::of(past);
    }

    /// Allocates the table and learns the weights of the heuristics, unless that was done before.
    pub(in crate::search) fn train<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        learned: &mut LearnedWeights,
        clock: &SearchClock,
    ) {
        self.table();
        if self.settings.evaluation.is_none() {
            self.evaluation.learn(game, role, learned, clock);
        }
    }

    /// From now on, states that these symmetries make of each other share table entries.
    pub(in crate::search) fn use_symmetries(&mut self, symmetries: Arc<SymmetryGroup>) {
        self.settings.symmetries = Some(symmetries);
    }

    /// What it evaluates states by, unless the engine has a hand-written evaluation for it.
    pub(in crate::search) fn evaluation(&self) -> &PlayerEvaluation {
        &self.evaluation
    }

    /// The same, to be changed.
    pub(in crate::search) fn evaluation_mut(&mut self) -> &mut PlayerEvaluation {
        &mut self.evaluation
    }

    /// The transposition table; allocating it takes a while.
    fn table(&mut self) -> &TranspositionTable {
        let MinimaxSettings {
            hash, has_clock, ..
        } = self.settings;
        self.table.get_or_insert_with(|| {
            let table = TranspositionTable::new(hash);
            if has_clock {
                table.map_memory();
            }
            table
        })
    }

    /// The evaluator for states at the depth limit.
    fn evaluator<'g, G: Engine>(&self, game: &'g G) -> Option<Evaluator<'g, G::State>> {
        match &self.settings.evaluation {
            Some(name) => game.evaluation(name).map(Evaluator::HandWritten),
            None => self.evaluation.evaluator().cloned().map(Evaluator::Learned),
        }
    }

    /// How many states the table holds, once it was needed.
    pub(in crate::search) fn table_entries(&self) -> Option<u64> {
        self.table.as_ref().map(TranspositionTable::used)
    }
}

/// The best move of `role` in `state`; `None` if the game is over or the role has no legal move.
pub fn best_move<G: Engine>(
    game: &G,
    state: &G::State,
    role: Role,
    limits: &SearchLimits<'_>,
    memory: &mut MinimaxSearcher,
) -> Option<SearchOutcome<G::Move>> {
    let clock = SearchClock::start(limits);
    memory.table().grow_older();
    let mut stacks = vec![EngineStack::new(game, state, role, memory.evaluator(game))];
    // Building a stack evaluates the root, which may take long.
    while stacks.len() < limits.threads && !clock.is_over() {
        stacks.push(EngineStack::new(game, state, role, memory.evaluator(game)));
    }
    let selection = memory.settings.selection;
    let seed = limits.seed.filter(|_| selection.shuffles());
    let order = order_at_root(game, &mut stacks[0], seed)?;
    let threads = stacks.len();
    let found = {
        let features = memory.settings.features;
        let mut shared = SharedSearch::new(memory.table.as_ref()?, features, &clock, &memory.past);
        match limits.is_by_clock() {
            true => shared.accepts_deeper = true,
            false => shared.salt_with_repetitions(),
        }
        shared.threads = threads;
        let of_each = |nodes: u64| nodes.div_ceil(threads as u64);
        shared.most_nodes = limits.nodes.map_or(u64::MAX, of_each);
        let has_learned = memory.evaluation.evaluator().is_some();
        let only_proofs = memory.settings.only_proofs;
        shared.repetition_value = match players(game) {
            // In a game for one, a repetition gains nothing.
            1 => Value::estimate(0),
            2 if has_learned && !only_proofs => Value::of_points(REPETITION_POINTS),
            _ => Value::UNKNOWN,
        };
        // Where nothing is evaluated, nothing is known to be far beyond a window.
        let is_evaluated = memory.settings.evaluation.is_some() || has_learned;
        shared.only_proofs = only_proofs;
        shared.is_selective = memory.settings.selective && is_evaluated && !only_proofs;
        // Where the depth is given, values must not depend on which of several states was met first, and what is learned may tell them
        // apart; a repetition is one of a state, not of its class.
        let tells_apart =
            is_evaluated && !only_proofs && !limits.is_by_clock() || !memory.past.is_empty();
        if let Some(symmetries) = memory.settings.symmetries.as_ref().filter(|_| !tells_apart) {
            shared.keep_classes();
            stacks
                .iter_mut()
                .for_each(|stack| stack.use_symmetries(Arc::clone(symmetries)));
        }
        let stacks = stacks
            .iter_mut()
            .map(|stack| stack as &mut (dyn SearchStack + Send));
        let workers = stacks.map(|stack| Worker::new(stack, &shared, memory.call_width.clone()));
        let root = Root {
            order,
            lines: limits.lines,
            selection,
        };
        Deepening {
            root,
            workers: workers.collect(),
            shared: &shared,
        }
        .run(limits)
    };
    memory.call_width.clone_from(&found.call_width);
    Some(outcome(found, &mut stacks, &clock.line_deadline()))
}

fn players<G: Engine>(game: &G) -> usize {
    let is_player = |role: &&String| !is_chance(role);
    game.roles().iter().filter(is_player).count()
}

/// The searcher's choices at the root, in an order that does not depend on the engine; shuffled if a seed is given.
fn order_at_root<G: Engine>(
    game: &G,
    stack: &mut EngineStack<'_, G>,
    seed: Option<u64>,
) -> Option<Vec<u32>> {
    if stack.info(0, 0).choices.joint() == 0 {
        return None;
    }
    let texts: Vec<String> = stack
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

/// The result in terms of the game's moves.
fn outcome<G: Engine>(
    found: DeepeningResult,
    stacks: &mut [EngineStack<'_, G>],
    end: &Deadline,
) -> SearchOutcome<G::Move> {
    let own = stacks[0].own_moves().to_vec();
    let stack = &mut stacks[0];
    let moves = found.root_moves.iter().map(|root_move| MoveValue {
        mv: own[root_move.choice as usize],
        value: root_move.found.value,
        is_exact: root_move.is_exact,
        is_sure: found.is_sure(root_move),
        line: stack.line(&root_move.line, end),
    });
    let moves: Vec<_> = moves.collect();
    SearchOutcome {
        best: moves[0].mv,
        value: moves[0].value,
        exact: found.exact,
        depth: found.depth,
        line: moves[0].line.clone(),
        nodes: found.nodes,
        fault: stacks.iter().find_map(EngineStack::fault),
        moves,
    }
}
