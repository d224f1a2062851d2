//! A search by several threads that share one tree.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::leaf_batch::{BatchSize, EvaluatedLeaf, LeafEvaluator};
use super::player::MctsSearcher;
use super::progress::{Reporter, TreeLineFormatter, with_states};
use super::root_result::{MAX_LINE, RootResult};
use super::select::TreePaths;
use super::state_tree::StateTree;
use crate::game::{Engine, Fault, Role, Stopped, legal_of_all};
use crate::search::limits::SearchClock;
use crate::search::repetition::RepeatedStates;
use crate::search::{MoveValue, SearchLimits, SearchOutcome, Value};

/// The number of leaves, or of playouts, where neither time nor their number is limited.
const USUAL: u64 = 10_000;
/// So many threads take turns in the tree.
const FEW_THREADS: usize = 3;

/// The best move of `role` in `state`; `None` if the game is over or the role has no legal move. With a given number of
/// leaves or playouts, without a time limit and on one thread, the outcome depends only on the seed, on the states that occurred
/// twice, and on the tree kept from earlier moves.
pub(in crate::search) fn best_move<G: Engine>(
    game: &G,
    state: &G::State,
    role: Role,
    limits: &SearchLimits<'_>,
    memory: &mut MctsSearcher,
) -> Option<SearchOutcome<G::Move>> {
    let clock = SearchClock::start(limits);
    let learned = memory.evaluator().cloned();
    let is_evaluated = learned.is_some();
    let (method, move_facts) = memory.leaf_method(game, limits.time.is_some(), &clock);
    let evaluator = || LeafEvaluator::new(game, (state, role), learned.as_ref(), &move_facts);
    let mut evaluators = vec![evaluator()];
    let mut state_tree = memory.take_tree(game, role, method);
    state_tree.set_root(state, || evaluators[0].look_at(state, &clock.deadline));
    if state_tree.tree.stats(state_tree.tree.root, role.0).moves() == 0 {
        drop(evaluators);
        memory.keep(state_tree, move_facts);
        return None;
    }
    // Making an evaluator may take long.
    while evaluators.len() < limits.threads && !clock.is_over() {
        evaluators.push(evaluator());
    }
    let (mut scratch, mut root) = (game.kept_scratch(), Vec::new());
    legal_of_all(game, &mut scratch, state_tree.root(), &mut root);
    state_tree.tree.repetitions = match is_evaluated {
        true => repetitions(
            game,
            (state_tree.root(), &root),
            role,
            (&memory.past, &clock),
        ),
        false => Vec::new(),
    };
    let most = most_evaluations(limits, memory, is_evaluated);
    let search = MctsSearch {
        role,
        clock: &clock,
        time: limits.time,
        is_evaluated,
        size: match is_evaluated {
            true => BatchSize::CHILDREN,
            false => BatchSize::for_search(game.lanes(), most),
        },
        most,
        seed: limits.seed.unwrap_or(0),
        state_tree,
        turn: (evaluators.len() <= FEW_THREADS).then(Mutex::default),
        begun: AtomicU64::new(0),
        done: AtomicU64::new(0),
        depth: AtomicUsize::new(0),
        fault: OnceLock::new(),
    };
    let reporter = limits.report.map(|report| Reporter {
        engine: (game, &mut scratch),
        role,
        counts: if is_evaluated { "nodes" } else { "playouts" },
        report,
        root: &root,
        lines: limits.lines,
        begin: clock.begin,
        last_report: Duration::ZERO,
    });
    search.run(evaluators, reporter);
    let root_result = search.state_tree.tree.root_result(role.0, limits.seed);
    let mut formatter = TreeLineFormatter {
        game,
        scratch: &mut scratch,
        root: &root,
        end: clock.line_deadline(),
    };
    let outcome = outcome(&mut formatter, &search, &root_result, limits);
    memory.keep(search.state_tree, move_facts);
    Some(outcome)
}

/// The number of leaves, or of playouts, after which a search ends.
fn most_evaluations(limits: &SearchLimits<'_>, memory: &MctsSearcher, is_evaluated: bool) -> u64 {
    let usual = limits.time.is_none().then_some(USUAL);
    let most = match is_evaluated {
        true => limits.nodes,
        false => memory.settings.playouts.or(limits.nodes),
    };
    most.or(usual).unwrap_or(u64::MAX)
}

/// The moves of `role` that lead to a state that occurred twice in the match, if no other role has a choice.
fn repetitions<G: Engine>(
    game: &G,
    (state, legal): (&G::State, &[Vec<G::Move>]),
    role: Role,
    (past, clock): (&RepeatedStates, &SearchClock),
) -> Vec<u32> {
    let mut others = (0..legal.len()).filter(|&other| other != role.0);
    if past.is_empty() || others.any(|other| legal[other].len() != 1) {
        return Vec::new();
    }
    let (mut scratch, mut found) = (game.kept_scratch(), Vec::new());
    let mut joint: Vec<G::Move> = legal.iter().map(|moves| moves[0]).collect();
    for (pick, &mv) in (0..).zip(&legal[role.0]) {
        if clock.is_over() {
            break;
        }
        joint[role.0] = mv;
        if past.contains(&game.next(&mut scratch, state, &joint)) {
            found.push(pick);
        }
    }
    found
}

/// A search under way, which all threads share.
struct MctsSearch<'a, S> {
    role: Role,
    clock: &'a SearchClock,
    time: Option<Duration>,
    /// Whether leaves are evaluated with their children, and not by playouts.
    is_evaluated: bool,
    size: BatchSize,
    /// The maximum number of leaves, or of playouts.
    most: u64,
    seed: u64,
    state_tree: Box<StateTree<S>>,
    /// Few threads select and backpropagate in turn: what one of them needs of the tree then stays in the cache of its processor. More threads
    /// would mostly wait.
    turn: Option<Mutex<()>>,
    /// The number of leaves, or of playouts, begun.
    begun: AtomicU64,
    /// The number of those finished.
    done: AtomicU64,
    /// The length of the longest selected path.
    depth: AtomicUsize,
    fault: OnceLock<Fault>,
}

impl<S: Clone + Eq + std::hash::Hash + Send + Sync> MctsSearch<'_, S> {
    /// Searches with a thread for each evaluator, of which the first reports.
    fn run<G: Engine<State = S>>(
        &self,
        evaluators: Vec<LeafEvaluator<'_, G>>,
        mut reporter: Option<Reporter<'_, '_, G>>,
    ) {
        std::thread::scope(|scope| {
            let mut numbered = (0..).zip(evaluators);
            let first = numbered.next();
            for (number, evaluator) in numbered {
                scope.spawn(move || self.run_worker(evaluator, number, None));
            }
            if let Some((number, evaluator)) = first {
                self.run_worker(evaluator, number, reporter.as_mut());
            }
        });
    }

    /// The work of one thread.
    fn run_worker<G: Engine<State = S>>(
        &self,
        mut evaluator: LeafEvaluator<'_, G>,
        number: u64,
        mut reporter: Option<&mut Reporter<'_, '_, G>>,
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed.wrapping_add(number));
        let (mut paths, mut size) = (TreePaths::default(), self.size);
        while self.select_batch(&mut rng, &mut paths, size) {
            let begin = Instant::now();
            evaluator.count_facts(self.state_tree.tree.counts_facts());
            let requests = self.state_tree.requests(&paths);
            let each = size.playouts;
            let games = (each, rng.next_u64());
            let found = evaluator.evaluate(requests, games, &self.clock.deadline);
            size = size.adapted(begin.elapsed(), self.time);
            match found {
                Ok(evaluated) => {
                    self.backpropagate(&paths, evaluated, each);
                    if let Some(reporter) = reporter.as_mut().filter(|reporter| reporter.is_due()) {
                        self.report(reporter);
                    }
                }
                Err(stopped) => {
                    self.state_tree.cancel(&paths);
                    if let Stopped::Fault(fault) = stopped {
                        self.fault.get_or_init(|| fault);
                    }
                    return;
                }
            }
        }
    }

    fn backpropagate(&self, paths: &TreePaths, evaluated: Vec<EvaluatedLeaf<S>>, each: u32) {
        let leaves = evaluated.len() as u64 * u64::from(each);
        self.done.fetch_add(leaves, Relaxed);
        self.depth.fetch_max(paths.longest(), Relaxed);
        let _turn = self.turn();
        self.state_tree.backpropagate(paths, evaluated);
    }

    /// Reports progress.
    fn report<G: Engine<State = S>>(&self, reporter: &mut Reporter<'_, '_, G>) {
        let effort = (self.done.load(Relaxed), self.depth.load(Relaxed) as u32);
        let snapshot = reporter.snapshot(&self.state_tree);
        reporter.send(&snapshot, effort, &self.clock.deadline);
    }

    /// Selects the leaves of a batch; false if the search is over.
    fn select_batch(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        paths: &mut TreePaths,
        size: BatchSize,
    ) -> bool {
        paths.clear();
        let tree = &self.state_tree.tree;
        let is_decided = tree.is_decided(self.role.0);
        if is_decided || self.clock.is_over() || self.fault.get().is_some() {
            return false;
        }
        let leaves = match self.is_evaluated {
            true => size.leaves_after(self.begun.load(Relaxed)),
            false => size.leaves,
        };
        let _turn = self.turn();
        let fit = tree.amaf_fit();
        for _ in 0..leaves {
            if !self.begin_leaf(size.playouts) {
                break;
            }
            tree.select(rng, fit, paths);
        }
        paths.longest() > 0
    }

    /// The turn of the thread that asks, where threads take turns.
    fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        let turn = self.turn.as_ref()?.lock();
        Some(turn.unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts a leaf of so many playouts, unless there were enough.
    fn begin_leaf(&self, playouts: u32) -> bool {
        let count = |begun: u64| (begun < self.most).then_some(begun + u64::from(playouts));
        self.begun.try_update(Relaxed, Relaxed, count).is_ok()
    }
}

/// The outcome of the search in the game's moves.
fn outcome<G: Engine>(
    formatter: &mut TreeLineFormatter<'_, G>,
    search: &MctsSearch<'_, G::State>,
    root_result: &RootResult,
    limits: &SearchLimits<'_>,
) -> SearchOutcome<G::Move> {
    let (tree, role) = (&search.state_tree.tree, search.role);
    let value = |points: f64| Value::of_points(points);
    let moves = root_result.moves.iter().enumerate();
    let moves = moves.map(|(place, &(pick, points))| {
        let most = if place < limits.lines.max(1) {
            MAX_LINE
        } else {
            1
        };
        let line = tree.line(role.0, pick, most);
        MoveValue {
            mv: formatter.root[role.0][pick as usize],
            value: value(points),
            is_exact: true,
            is_sure: place == 0 && root_result.is_proved,
            line: formatter.line(&with_states(&search.state_tree, line)),
        }
    });
    let mut moves: Vec<MoveValue<G::Move>> = moves.collect();
    if root_result.is_proved && root_result.moves[0].1.fract() == 0.0 {
        moves[0].value = Value::end(root_result.moves[0].1 as u8, root_result.plies);
    }
    SearchOutcome {
        best: moves[0].mv,
        value: moves[0].value,
        exact: root_result.is_proved,
        depth: search.depth.load(Relaxed) as u32,
        line: moves[0].line.clone(),
        nodes: search.done.load(Relaxed),
        moves,
        fault: search.fault.get().cloned(),
    }
}
