//! One engine behind an object-safe face: everything inside is statically dispatched, once per call.

use std::any::Any;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use super::found::{Found, MoveFound};
use super::words::LineFormatter;
use crate::analysis::{Control, DepthCount, Perft, Sample, SampleOptions, sample};
use crate::conformance::{Recorded, ReplayFault, Walk, Walker, replay};
use crate::game::{
    Engine, Fault, GameFacts, InvalidFacts, PlayoutOptions, PlayoutTotals, Role, StateMachine,
    Stopped,
};
use crate::search::{
    self, CourseResult, EvaluationPart, FeatureTuning, LearnedWeights, SearchLimits, SearchOutcome,
    Searcher, TrainingCourse, TunedFeatures,
};
use crate::symmetry::SymmetryGroup;
use crate::util::{Deadline, StopFlag, natural_order};

/// How long lines may be formatted after a search: on a slow engine each ply takes long.
const LINES: Duration = Duration::from_millis(300);
/// The same after a stopped search.
const LINES_ONCE_STOPPED: Duration = Duration::from_millis(4);

/// A game on some engine.
pub(super) trait AnyGame: Send + Sync {
    fn roles(&self) -> &[String];
    fn initial(self: Arc<Self>) -> Arc<dyn AnyState>;
    fn with_facts(self: Arc<Self>, facts: &[String]) -> Result<Arc<dyn AnyState>, InvalidFacts>;
    fn game_facts(&self) -> Option<&GameFacts>;
    fn evaluations(&self) -> &'static [&'static str];
    fn has_evaluation(&self, name: &str) -> bool;
    fn lanes_for(&self, playouts: u64, threads: usize) -> usize;
    fn walk(&self) -> Box<dyn Walk + '_>;
    fn train(&self, course: &TrainingCourse<'_>) -> Option<CourseResult>;
    fn tune(&self, tuning: &FeatureTuning<'_>) -> Option<TunedFeatures>;
    /// What `find` gave before, or gives now; it is kept if `deadline` did not cut it short.
    fn symmetries(
        &self,
        find: &dyn Fn() -> Option<Arc<SymmetryGroup>>,
        deadline: &Deadline,
    ) -> Option<Arc<SymmetryGroup>>;
    fn sample(&self, options: &mut SampleOptions<'_>) -> Result<Sample, Stopped>;
}

/// A state of such a game. `past` states given to a search belong to the same game; others are ignored.
pub(super) trait AnyState: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn view(&self) -> &View;
    fn facts(&self) -> Vec<String>;
    /// The role in control, if one is.
    fn control(&self) -> Option<Role>;
    fn is_same(&self, other: &dyn AnyState) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
    /// The state after a joint move: for each role, the place of its move in [`View::legal`].
    fn after(&self, joint: &[usize]) -> Arc<dyn AnyState>;
    fn prepare(&self, role: Role, searcher: &mut Searcher, time: Duration, stop: &StopFlag);
    fn search(
        &self,
        role: Role,
        limits: &SearchLimits<'_>,
        searcher: &mut Searcher,
        past: &mut dyn Iterator<Item = &dyn AnyState>,
        wants_lines: bool,
    ) -> Option<Found>;
    fn contributions(&self, role: Role, searcher: &Searcher) -> Vec<(&'static str, f64)>;
    fn explanation(&self, role: Role, searcher: &Searcher) -> Vec<EvaluationPart>;
    fn playouts(&self, options: PlayoutOptions<'_>) -> (PlayoutTotals, Result<(), Stopped>);
    fn replay(
        &self,
        record: &[Recorded],
        deadline: &Deadline,
        states: &mut usize,
    ) -> Result<(), ReplayFault>;
    fn perft(
        &self,
        perft: &Perft<'_>,
        pool: &ThreadPool,
        depth: u32,
    ) -> Result<DepthCount, Stopped>;
}

/// What people and programs ask of a state, in text.
#[derive(Debug)]
pub(super) struct View {
    pub(super) is_terminal: bool,
    pub(super) goals: Vec<Option<u8>>,
    /// Per role, in natural order.
    pub(super) legal: Vec<Vec<String>>,
    pub(super) fault: Option<Fault>,
}

/// An engine, and working memory for the threads that ask it.
pub(super) struct TypedGame<G: StateMachine> {
    engine: G,
    idle: Mutex<Vec<G::Scratch>>,
    learned: Mutex<LearnedWeights>,
    symmetries: OnceLock<Option<Arc<SymmetryGroup>>>,
}

struct TypedState<G: StateMachine> {
    game: Arc<TypedGame<G>>,
    state: G::State,
    evaluated: OnceLock<(View, Vec<Vec<G::Move>>)>,
}

impl<G: StateMachine> TypedGame<G> {
    pub(super) fn new(engine: G, learned: LearnedWeights) -> Self {
        Self {
            engine,
            idle: Mutex::default(),
            learned: Mutex::new(learned),
            symmetries: OnceLock::new(),
        }
    }

    /// Does `work` with working memory, which is kept for the next time unless a budget ran out.
    fn with_scratch<T>(&self, work: impl FnOnce(&G, &mut G::Scratch) -> T) -> T {
        let idle = locked(&self.idle).pop();
        let mut scratch = idle.unwrap_or_else(|| self.engine.scratch());
        let done = work(&self.engine, &mut scratch);
        if self.engine.fault(&scratch).is_none() {
            locked(&self.idle).push(scratch);
        }
        done
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Engine + Send + 'static> TypedGame<G> {
    fn at(self: Arc<Self>, state: G::State) -> Arc<dyn AnyState> {
        Arc::new(TypedState {
            game: self,
            state,
            evaluated: OnceLock::new(),
        })
    }
}

impl<G: Engine + Send + 'static> AnyGame for TypedGame<G> {
    fn roles(&self) -> &[String] {
        self.engine.roles()
    }

    fn initial(self: Arc<Self>) -> Arc<dyn AnyState> {
        let state = self.engine.initial();
        self.at(state)
    }

    fn with_facts(self: Arc<Self>, facts: &[String]) -> Result<Arc<dyn AnyState>, InvalidFacts> {
        let state = self.engine.state_from_text(facts)?;
        Ok(self.at(state))
    }

    fn game_facts(&self) -> Option<&GameFacts> {
        self.engine.game_facts()
    }

    fn evaluations(&self) -> &'static [&'static str] {
        self.engine.evaluations()
    }

    fn symmetries(
        &self,
        find: &dyn Fn() -> Option<Arc<SymmetryGroup>>,
        deadline: &Deadline,
    ) -> Option<Arc<SymmetryGroup>> {
        if let Some(known) = self.symmetries.get() {
            return known.clone();
        }
        let found = find();
        match deadline.is_due() {
            true => found,
            false => self.symmetries.get_or_init(|| found).clone(),
        }
    }

    fn has_evaluation(&self, name: &str) -> bool {
        self.engine.evaluation(name).is_some()
    }

    fn lanes_for(&self, playouts: u64, threads: usize) -> usize {
        self.engine.lanes_for(playouts, threads)
    }

    fn walk(&self) -> Box<dyn Walk + '_> {
        Box::new(Walker::new(&self.engine))
    }

    fn train(&self, course: &TrainingCourse<'_>) -> Option<CourseResult> {
        // A copy, so that others may search meanwhile.
        let mut learned = locked(&self.learned).clone();
        learned.train(&self.engine, course)
    }

    fn tune(&self, tuning: &FeatureTuning<'_>) -> Option<TunedFeatures> {
        let mut learned = locked(&self.learned).clone();
        learned.tune(&self.engine, tuning)
    }

    fn sample(&self, options: &mut SampleOptions<'_>) -> Result<Sample, Stopped> {
        sample(&self.engine, options)
    }
}

impl<G: Engine + Send + 'static> TypedState<G> {
    fn evaluated(&self) -> &(View, Vec<Vec<G::Move>>) {
        let evaluate =
            |engine: &G, scratch: &mut G::Scratch| evaluate(engine, scratch, &self.state);
        self.evaluated
            .get_or_init(|| self.game.with_scratch(evaluate))
    }

    /// Adds the lines as text. After a stopped search, little time is spent on that.
    fn add_lines(
        &self,
        found: &SearchOutcome<G::Move>,
        limits: &SearchLimits<'_>,
        in_text: &mut Found,
    ) {
        let is_stopped = limits.stop.is_some_and(StopFlag::is_raised);
        let time = if is_stopped {
            LINES_ONCE_STOPPED
        } else {
            LINES
        };
        let legal = self.evaluated().1.clone();
        let mut formatter = LineFormatter::new(&self.game.engine, &self.state, legal, time);
        in_text.line = formatter.format(&found.line);
        for (mv, of) in in_text.moves.iter_mut().zip(&found.moves) {
            mv.line = formatter.format(&of.line);
        }
    }
}

/// The view of a state for people, and the legal moves of each role in the order of their texts.
fn evaluate<G: StateMachine>(
    engine: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
) -> (View, Vec<Vec<G::Move>>) {
    let is_terminal = engine.is_terminal(scratch, state);
    let roles = (0..engine.roles().len()).map(Role);
    let goals = roles.clone().map(|role| engine.goal(scratch, state, role));
    let goals = goals.collect();
    let (mut legal, mut moves) = (Vec::new(), Vec::new());
    for role in roles {
        let mut of_role = Vec::new();
        if !is_terminal {
            engine.legal(scratch, state, role, &mut of_role);
        }
        if engine.fault(scratch).is_some() {
            // What was derived so far may be millions of moves, and means nothing.
            of_role.clear();
        }
        let mut pairs: Vec<_> = of_role
            .iter()
            .map(|&mv| (engine.move_text(mv), mv))
            .collect();
        pairs.sort_by(|one, other| natural_order(&one.0, &other.0));
        pairs.dedup_by(|one, other| natural_order(&one.0, &other.0) == Ordering::Equal);
        let (texts, of_role) = pairs.into_iter().unzip();
        legal.push(texts);
        moves.push(of_role);
    }
    let fault = engine.fault(scratch);
    let view = View {
        is_terminal: is_terminal || fault.is_some(),
        goals,
        legal,
        fault,
    };
    (view, moves)
}

impl<G: Engine + Send + 'static> AnyState for TypedState<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn view(&self) -> &View {
        &self.evaluated().0
    }

    fn facts(&self) -> Vec<String> {
        self.game.engine.state_text(&self.state)
    }

    fn control(&self) -> Option<Role> {
        match Control::of(&self.game.engine, &self.evaluated().1) {
            Control::One(role) => Some(role),
            _ => None,
        }
    }

    fn is_same(&self, other: &dyn AnyState) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.is_some_and(|other| Arc::ptr_eq(&self.game, &other.game) && self.state == other.state)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.state.hash(&mut hasher);
    }

    fn after(&self, joint: &[usize]) -> Arc<dyn AnyState> {
        let of_roles = joint.iter().zip(&self.evaluated().1);
        let moves: Vec<G::Move> = of_roles.map(|(&place, moves)| moves[place]).collect();
        let next = |engine: &G, scratch: &mut G::Scratch| engine.next(scratch, &self.state, &moves);
        let state = self.game.with_scratch(next);
        Arc::clone(&self.game).at(state)
    }

    fn prepare(&self, role: Role, searcher: &mut Searcher, time: Duration, stop: &StopFlag) {
        // With the lock, so that two roles that share what is learned do not both learn it.
        let mut learned = locked(&self.game.learned);
        search::prepare(
            &self.game.engine,
            role,
            searcher,
            &mut learned,
            (time, stop),
        );
    }

    fn search(
        &self,
        role: Role,
        limits: &SearchLimits<'_>,
        searcher: &mut Searcher,
        past: &mut dyn Iterator<Item = &dyn AnyState>,
        wants_lines: bool,
    ) -> Option<Found> {
        let past = past.filter_map(|state| state.as_any().downcast_ref::<Self>());
        searcher.set_past_states(past.map(|past| &past.state));
        let begin = Instant::now();
        let found = search::think(&self.game.engine, &self.state, role, limits, searcher)?;
        let mut in_text = in_text(&self.game.engine, &found, begin.elapsed());
        if wants_lines {
            self.add_lines(&found, limits, &mut in_text);
        }
        Some(in_text)
    }

    fn contributions(&self, role: Role, searcher: &Searcher) -> Vec<(&'static str, f64)> {
        searcher.contributions(&self.game.engine, &self.state, role)
    }

    fn explanation(&self, role: Role, searcher: &Searcher) -> Vec<EvaluationPart> {
        searcher.explanation(&self.game.engine, &self.state, role)
    }

    fn playouts(&self, options: PlayoutOptions<'_>) -> (PlayoutTotals, Result<(), Stopped>) {
        self.game.engine.playouts(&self.state, options)
    }

    fn replay(
        &self,
        record: &[Recorded],
        deadline: &Deadline,
        states: &mut usize,
    ) -> Result<(), ReplayFault> {
        let start = self.state.clone();
        replay(&self.game.engine, start, record, deadline, states)
    }

    fn perft(
        &self,
        perft: &Perft<'_>,
        pool: &ThreadPool,
        depth: u32,
    ) -> Result<DepthCount, Stopped> {
        perft.count(pool, &self.game.engine, &self.state, depth)
    }
}

fn in_text<G: StateMachine>(engine: &G, found: &SearchOutcome<G::Move>, time: Duration) -> Found {
    let line = |line: &[Vec<G::Move>]| -> Vec<Vec<String>> {
        let joint = |joint: &Vec<G::Move>| joint.iter().map(|&mv| engine.move_text(mv)).collect();
        line.iter().map(joint).collect()
    };
    let moves = found.moves.iter().map(|of| MoveFound {
        mv: engine.move_text(of.mv),
        value: of.value,
        is_exact: of.is_exact,
        is_decided: of.is_sure,
        pv: line(&of.line),
        line: Vec::new(),
    });
    Found {
        best: engine.move_text(found.best),
        value: found.value,
        exact: found.exact,
        depth: found.depth,
        pv: line(&found.line),
        line: Vec::new(),
        nodes: found.nodes,
        moves: moves.collect(),
        fault: found.fault.clone(),
        time,
    }
}
