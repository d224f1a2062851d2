//! One search: threads that share a tree, until time is up.

use std::any::Any;
use std::fmt;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::descend::Paths;
use super::evaluate::{Evaluator, Finding, Portion};
use super::spell::{Reporter, Speller, steps};
use super::store::Store;
use super::verdict::Verdict;
use crate::game::{Engine, Fault, Role, Stopped, legal_of_all};
use crate::search::limits::SearchClock;
use crate::search::{Judged, Limits, Outcome, Value};

/// What a player by Monte-Carlo tree search is given to think with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Memory for states and what is known of them, in MiB.
    pub hash: usize,
    /// Random games per move, at most.
    pub playouts: Option<u64>,
}

impl Settings {
    /// MiB of memory where nobody says otherwise.
    pub const HASH: usize = 256;
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash: Self::HASH,
            playouts: None,
        }
    }
}

/// What such a player remembers from one move to the next.
pub struct Memory {
    settings: Settings,
    /// A [`Store`] of the game's states.
    pub(super) store: Option<Box<dyn Any + Send>>,
}

impl Memory {
    /// Nothing yet.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            store: None,
        }
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// Random games where there is no limit at all.
const PLAYOUTS: u64 = 10_000;

/// The best move of `role` in `state`; `None` if the game is over or the role has no legal move. At a given number of
/// random games, without a limit of time and on one thread, the outcome depends on the seed and on what the player
/// remembers.
pub fn best_move<G: Engine>(
    game: &G,
    state: &G::State,
    role: Role,
    limits: &Limits<'_>,
    memory: &mut Memory,
) -> Option<Outcome<G::Move>> {
    let clock = SearchClock::start(limits);
    let mut evaluator = Evaluator::new(game);
    let store = memory.store.take().and_then(|store| store.downcast().ok());
    let mut store: Box<Store<G::State>> = store
        .unwrap_or_else(|| Box::new(Store::new(game.roles(), role, memory.settings.hash << 20)));
    store.root_at(game, &mut evaluator.scratch, state);
    if store.tree.side(store.tree.root, role.0).moves == 0 {
        memory.store = Some(store);
        return None;
    }
    let mut root = Vec::new();
    legal_of_all(game, &mut evaluator.scratch, store.root(), &mut root);
    let usual = limits.time.is_none().then_some(PLAYOUTS);
    let playouts = memory.settings.playouts.or(usual).unwrap_or(u64::MAX);
    let search = Search {
        role,
        clock: &clock,
        time: limits.time,
        portion: Portion::suiting(game.lanes(), playouts),
        playouts,
        seed: limits.seed.unwrap_or(0),
        shared: Mutex::new(Shared {
            store: *store,
            begun: 0,
            playouts: 0,
            depth: 0,
            fault: None,
        }),
    };
    let mut reporter = limits.report.map(|report| Reporter {
        role,
        report,
        root: &root,
        begin: clock.begin,
        told: Duration::ZERO,
    });
    std::thread::scope(|scope| {
        for number in 1..limits.threads.max(1) as u64 {
            let search = &search;
            scope.spawn(move || search.work(&mut Evaluator::new(game), number, None));
        }
        search.work(&mut evaluator, 0, reporter.as_mut());
    });
    let shared = search.shared.into_inner();
    let shared = shared.unwrap_or_else(|poisoned| poisoned.into_inner());
    let verdict = shared.store.tree.verdict(role.0, limits.seed);
    let mut speller = Speller {
        game,
        scratch: &mut evaluator.scratch,
        root: &root,
        end: clock.line_deadline(),
    };
    let outcome = outcome(&mut speller, role, &shared, &verdict, limits);
    memory.store = Some(Box::new(shared.store));
    Some(outcome)
}

/// A search under way.
struct Search<'a, S> {
    role: Role,
    clock: &'a SearchClock,
    time: Option<Duration>,
    portion: Portion,
    /// Random games, at most.
    playouts: u64,
    seed: u64,
    shared: Mutex<Shared<S>>,
}

/// What all threads share.
struct Shared<S> {
    store: Store<S>,
    /// Random games begun, and ended.
    begun: u64,
    playouts: u64,
    /// The longest way gone down from the root.
    depth: usize,
    fault: Option<Fault>,
}

impl<S> Search<'_, S> {
    fn shared(&self) -> MutexGuard<'_, Shared<S>> {
        let shared = self.shared.lock();
        shared.unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<S: Clone + Eq + std::hash::Hash> Search<'_, S> {
    /// What one thread does.
    fn work<G: Engine<State = S>>(
        &self,
        evaluator: &mut Evaluator<'_, G>,
        number: u64,
        mut reporter: Option<&mut Reporter<'_, G::Move>>,
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed.wrapping_add(number));
        let (mut paths, mut portion) = (Paths::default(), self.portion);
        while self.set_out(&mut rng, &mut paths, portion) {
            let begin = Instant::now();
            let errands = self.shared().store.errands(&paths);
            let each = portion.each;
            let found = evaluator.evaluate(errands, each, rng.next_u64(), &self.clock.deadline);
            portion = portion.after(begin.elapsed(), self.time);
            match found {
                Ok(findings) => {
                    self.learn(&paths, findings, each);
                    if let Some(reporter) = reporter.as_mut().filter(|reporter| reporter.is_due()) {
                        self.tell(reporter, evaluator);
                    }
                }
                Err(stopped) => {
                    let mut shared = self.shared();
                    shared.store.give_up(&paths);
                    if let Stopped::Fault(fault) = stopped {
                        shared.fault = Some(fault);
                    }
                    return;
                }
            }
        }
    }

    fn learn(&self, paths: &Paths, findings: Vec<Finding<S>>, each: u32) {
        let mut shared = self.shared();
        shared.playouts += findings.len() as u64 * u64::from(each);
        shared.depth = shared.depth.max(paths.longest());
        shared.store.learn(paths, findings);
    }

    /// Tells how far the search has got. Others go on meanwhile.
    fn tell<G: Engine<State = S>>(
        &self,
        reporter: &mut Reporter<'_, G::Move>,
        evaluator: &mut Evaluator<'_, G>,
    ) {
        let (known, effort) = {
            let shared = self.shared();
            let effort = (shared.playouts, shared.depth as u32);
            (reporter.known(&shared.store), effort)
        };
        let engine = (evaluator.game, &mut evaluator.scratch);
        reporter.tell(engine, &known, effort, &self.clock.deadline);
    }

    /// Goes down from the root so often that a portion comes together; false if the search is over.
    fn set_out(&self, rng: &mut Xoshiro256PlusPlus, paths: &mut Paths, portion: Portion) -> bool {
        let mut shared = self.shared();
        paths.clear();
        let is_decided = shared.store.tree.is_decided(self.role.0);
        if is_decided || self.clock.is_over() || shared.fault.is_some() {
            return false;
        }
        let each = u64::from(portion.each);
        for _ in 0..portion.leaves {
            if shared.begun >= self.playouts {
                break;
            }
            shared.begun += each;
            shared.store.tree.descend(rng, paths);
        }
        paths.longest() > 0
    }
}

/// Says in the game's moves what was found.
fn outcome<G: Engine>(
    speller: &mut Speller<'_, G>,
    role: Role,
    shared: &Shared<G::State>,
    verdict: &Verdict,
    limits: &Limits<'_>,
) -> Outcome<G::Move> {
    let tree = &shared.store.tree;
    let value = |points: f64| Value::estimate((points * 1000.0) as i32);
    let moves = verdict.moves.iter().enumerate();
    let moves = moves.map(|(place, &(pick, points))| {
        let mut line = tree.line(role.0, pick);
        if place >= limits.lines.max(1) {
            line.truncate(1);
        }
        Judged {
            mv: speller.root[role.0][pick as usize],
            value: value(points),
            is_exact: true,
            is_sure: place == 0 && verdict.is_certain,
            line: speller.line(&steps(&shared.store, line)),
        }
    });
    let mut moves: Vec<Judged<G::Move>> = moves.collect();
    if verdict.is_certain && verdict.moves[0].1.fract() == 0.0 {
        moves[0].value = Value::end(verdict.moves[0].1 as u8, verdict.steps);
    }
    Outcome {
        best: moves[0].mv,
        value: moves[0].value,
        exact: verdict.is_certain,
        depth: shared.depth as u32,
        line: moves[0].line.clone(),
        nodes: shared.playouts,
        moves,
        fault: shared.fault.clone(),
    }
}
