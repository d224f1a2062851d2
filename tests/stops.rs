//! A search that is stopped returns a move at once: counted in calls of the game, not in seconds.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kolibri::catalog::GameSource;
use kolibri::datalog::{self, EvaluationLimits};
use kolibri::engine::{EngineChoice, LoadError, LoadOptions, Propnet, Reasoner, load};
use kolibri::game::{
    Ends, Engine, Expansion, InvalidFacts, PlayoutOptions, PlayoutTotals, Playouts, Role,
    RolloutOptions, StateMachine, Stopped, legal_of_all,
};
use kolibri::gdl;
use kolibri::search::{
    Heuristics, MAX_DEPTH, MctsSettings, MinimaxSettings, SearchLimits, Searcher, think,
};
use kolibri::util::{Deadline, StopFlag};

/// A game that says stop in the middle of a search: at its so-manieth call for states. It counts the calls.
pub(crate) struct Stopping<'g, G> {
    game: &'g G,
    calls: AtomicU64,
    stop_at: u64,
    stop: StopFlag,
}

impl<'g, G> Stopping<'g, G> {
    /// The game, which never says stop, and whose playouts tell of no facts.
    pub(crate) fn never(game: &'g G) -> Self {
        Self {
            game,
            calls: AtomicU64::new(0),
            stop_at: u64::MAX,
            stop: StopFlag::default(),
        }
    }

    fn count(&self) {
        if self.calls.fetch_add(1, Ordering::Relaxed) + 1 == self.stop_at {
            self.stop.raise();
        }
    }
}

impl<G: Engine> StateMachine for Stopping<'_, G> {
    type State = G::State;
    type Move = G::Move;
    type Scratch = G::Scratch;

    fn roles(&self) -> &[String] {
        self.game.roles()
    }

    fn initial(&self) -> G::State {
        self.game.initial()
    }

    fn scratch(&self) -> G::Scratch {
        self.game.scratch()
    }

    fn is_terminal(&self, scratch: &mut G::Scratch, state: &G::State) -> bool {
        self.game.is_terminal(scratch, state)
    }

    fn legal(
        &self,
        scratch: &mut G::Scratch,
        state: &G::State,
        role: Role,
        out: &mut Vec<G::Move>,
    ) {
        self.game.legal(scratch, state, role, out);
    }

    fn next(&self, scratch: &mut G::Scratch, state: &G::State, joint: &[G::Move]) -> G::State {
        self.count();
        self.game.next(scratch, state, joint)
    }

    fn goal(&self, scratch: &mut G::Scratch, state: &G::State, role: Role) -> Option<u8> {
        self.game.goal(scratch, state, role)
    }

    fn move_text(&self, mv: G::Move) -> String {
        self.game.move_text(mv)
    }

    fn state_text(&self, state: &G::State) -> Vec<String> {
        self.game.state_text(state)
    }

    fn state_from_text(&self, facts: &[String]) -> Result<G::State, InvalidFacts> {
        self.game.state_from_text(facts)
    }

    fn set_deadline(&self, scratch: &mut G::Scratch, deadline: Option<&Deadline>) {
        self.game.set_deadline(scratch, deadline);
    }

    fn is_cut_short(&self, scratch: &G::Scratch) -> bool {
        self.game.is_cut_short(scratch)
    }
}

impl<G: Engine> Expansion for Stopping<'_, G> {
    type Batch = G::Batch;

    fn batch(&self) -> G::Batch {
        self.game.batch()
    }

    fn batch_size(&self) -> usize {
        self.game.batch_size()
    }

    fn is_eager(&self) -> bool {
        self.game.is_eager()
    }

    fn children_at_once(&self, of_one: usize) -> usize {
        self.game.children_at_once(of_one)
    }

    fn evaluate_batch(&self, scratch: &mut G::Scratch, states: &[G::State], batch: &mut G::Batch) {
        self.count();
        self.game.evaluate_batch(scratch, states, batch);
    }

    fn expand(
        &self,
        scratch: &mut G::Scratch,
        parents: &G::Batch,
        of: &[u32],
        moves: &[G::Move],
        children: &mut G::Batch,
    ) {
        self.count();
        self.game.expand(scratch, parents, of, moves, children);
    }
}

impl<G: Engine> Playouts for Stopping<'_, G> {
    fn lanes(&self) -> usize {
        self.game.lanes()
    }

    fn playouts(
        &self,
        state: &G::State,
        options: PlayoutOptions<'_>,
    ) -> (PlayoutTotals, Result<(), Stopped>) {
        self.count();
        self.game.playouts(state, options)
    }

    fn rollouts(
        &self,
        scratch: &mut G::Scratch,
        states: &[G::State],
        options: RolloutOptions<'_>,
        ends: &mut Ends,
    ) -> Result<(), Stopped> {
        self.count();
        self.game.rollouts(scratch, states, options, ends)
    }
}

/// Far more calls than a search needs to begin, and far fewer than it needs to end by itself.
const BEFORE: u64 = 3000;

/// What each thread has under way may be finished, and the answer be made up.
const AFTER: u64 = 100;

fn assert_stops<G: Engine>(game: &G) {
    let mut legal = Vec::new();
    legal_of_all(game, &mut game.scratch(), &game.initial(), &mut legal);
    for threads in [1, 2] {
        let minimax = Searcher::minimax(MinimaxSettings {
            hash: 1,
            heuristics: Heuristics::NONE,
            ..MinimaxSettings::default()
        });
        let mcts = Searcher::mcts(MctsSettings {
            hash: 64,
            heuristics: Heuristics::NONE,
            ..MctsSettings::default()
        });
        for (name, mut searcher) in [("minimax", minimax), ("mcts", mcts)] {
            let stopping = Stopping {
                game,
                calls: AtomicU64::new(0),
                stop_at: BEFORE,
                stop: StopFlag::default(),
            };
            let limits = SearchLimits {
                // A search that ignores the flag fails the test instead of running for ever.
                time: Some(Duration::from_secs(60)),
                threads,
                stop: Some(&stopping.stop),
                ..SearchLimits::to_depth(MAX_DEPTH)
            };
            let start = game.initial();
            let found = think(&stopping, &start, Role(0), &limits, &mut searcher).unwrap();
            let calls = stopping.calls.load(Ordering::Relaxed);
            let said = format!("{name} on {threads} threads: {calls} calls");
            assert!(calls >= BEFORE, "it ended by itself: {said}");
            assert!(calls <= BEFORE + AFTER * threads as u64, "{said}");
            assert!(legal[0].contains(&found.best) && !found.exact, "{said}");
        }
    }
}

#[test]
fn a_search_ends_when_told_to() {
    let rules = gdl::load(&GameSource::find("connect-four").unwrap().text).rules;
    let rules = rules.unwrap();
    assert_stops(&Propnet::new(&rules, &datalog::EvaluationLimits::default()).unwrap());
    assert_stops(&Reasoner::new(&rules).unwrap());
}

/// Rules by which a relation has a row for each six of sixty numbers, before the first state.
fn exploding() -> GameSource {
    let numbers: String = (0..60).map(|n| format!("(n {n}) ")).collect();
    let rules = format!(
        "(role a) {numbers} (legal a go) terminal (goal a 50)
         (<= (p ?a ?b ?c ?d ?e ?f) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))
         (<= (init (q ?a)) (p ?a ?a ?a ?a ?a ?b))"
    );
    GameSource::from_text("exploding", &rules)
}

#[test]
fn loading_ends_when_told_to() {
    for engine in [EngineChoice::Auto, EngineChoice::Reasoner] {
        let options = LoadOptions::from(engine);
        let stop = options.stop.clone();
        let loaded = std::thread::scope(|scope| {
            let loading = scope.spawn(|| load(&exploding(), &options));
            // By now it is in the middle of it, which takes far longer.
            std::thread::sleep(Duration::from_millis(100));
            stop.raise();
            loading.join().unwrap()
        });
        assert!(matches!(loaded, Err(LoadError::Interrupted)), "{engine:?}");
    }
}

#[test]
fn loading_keeps_to_its_limits() {
    for engine in [EngineChoice::Auto, EngineChoice::Reasoner] {
        let options = LoadOptions {
            limits: EvaluationLimits {
                rows: 1_000,
                ..EvaluationLimits::default()
            },
            ..LoadOptions::from(engine)
        };
        let fault = load(&exploding(), &options).err().unwrap().to_string();
        assert!(fault.contains("more than 1000 facts"), "{fault}");
    }
}
