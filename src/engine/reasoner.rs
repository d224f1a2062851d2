//! A game that derives everything from its rules, state by state.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHasher;

use crate::datalog::{
    DatalogEngine, DatalogError, EvaluationLimits, Exhausted, PlanProfile, Pred, TermId, Terms,
    WorkingMemory,
};
use crate::game::{Fault, GameFacts, InvalidFacts, Role, Scalar, StateMachine};
use crate::gdl::{
    GdlRelations, InputRelations, JOINT_MOVE, Rules, STATE, intern, locate, locate_growth,
    translate,
};
use crate::info::game_facts_of;
use crate::kif::read_each;
use crate::util::{Deadline, StopFlag};

/// More terms than this are not kept with a profile: to read millions of them takes longer than to plan anew. Moves beyond are ordered
/// by their text.
const MOST_SETTLED: usize = 50_000;

/// Why no reasoner could be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rules cannot be evaluated: {0}")]
pub struct BuildError(#[from] DatalogError);

/// A state: the facts that hold, each once.
#[derive(Debug, Clone)]
pub struct Facts {
    /// In increasing order.
    facts: Arc<[TermId]>,
    hash: u64,
}

impl Facts {
    fn new(mut facts: Vec<TermId>) -> Self {
        facts.sort_unstable();
        facts.dedup();
        let mut hasher = FxHasher::default();
        facts.hash(&mut hasher);
        Self {
            facts: facts.into(),
            hash: hasher.finish(),
        }
    }
}

impl PartialEq for Facts {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.facts == other.facts
    }
}

impl Eq for Facts {}

impl Hash for Facts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// A move: a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveId(TermId);

/// Working memory: the state last asked about, and what was derived from it.
#[derive(Debug)]
pub struct ReasonerScratch {
    pub(super) memory: WorkingMemory,
    state: Option<Facts>,
    joint: Vec<MoveId>,
    facts: Vec<TermId>,
}

/// Checked rules, ready to be played by bottom-up derivation.
#[derive(Debug)]
pub struct Reasoner {
    pub(super) engine: DatalogEngine,
    relations: GdlRelations,
    roles: Vec<String>,
    initial: Facts,
    rules: Rules,
    game_facts: OnceLock<Option<GameFacts>>,
    /// How many terms have ids that are the same in every run: those stored before the first scratch was handed out.
    settled: usize,
    /// Whether plans rest on all that was to be measured: time ended no part of that.
    is_profiled: bool,
}

impl Reasoner {
    /// Prepares `rules` within the default [`EvaluationLimits`].
    ///
    /// # Errors
    /// [`BuildError`] where what never changes already passes a limit.
    pub fn new(rules: &Rules) -> Result<Self, BuildError> {
        Self::with_limits(rules, EvaluationLimits::default())
    }

    /// Prepares `rules`; `limits` hold for each state on its own.
    ///
    /// # Errors
    /// As [`Reasoner::new`].
    pub fn with_limits(rules: &Rules, limits: EvaluationLimits) -> Result<Self, BuildError> {
        let mut reasoner = Self::unprofiled(rules, limits)?;
        reasoner.plan_by_profile();
        Ok(reasoner)
    }

    /// The same, planned as the reasoner of these rules was that gave `profile`; `None` if that was of other rules.
    ///
    /// # Errors
    /// As [`Reasoner::new`].
    pub(super) fn with_profile(
        rules: &Rules,
        limits: EvaluationLimits,
        profile: PlanProfile,
    ) -> Result<Option<Self>, BuildError> {
        let (program, relations) = translate(rules);
        let asked = asked(&relations);
        let engine = DatalogEngine::with_profile(program, &asked, limits, profile);
        let engine = engine.map_err(|error| locate(error, rules))?;
        Ok(engine.map(|engine| Self::on_engine(engine, relations, rules)))
    }

    /// Lets all terms that are stored by now keep their ids; `is_profiled` says whether time ended no measurement.
    pub(super) fn settle(&mut self, is_profiled: bool) {
        self.settled = settled_terms(&self.engine);
        self.is_profiled = is_profiled;
    }

    /// What the plans of the rules rest on, unless time ended the measurements.
    pub(super) fn profile(&self) -> Option<PlanProfile> {
        self.is_profiled.then(|| self.engine.profile(self.settled))
    }

    /// The same game, its evaluations stopped by another flag from now on.
    #[must_use]
    pub fn stopped_by(self, stop: &StopFlag) -> Self {
        Self {
            engine: self.engine.stopped_by(stop),
            ..self
        }
    }

    /// The same game with these game facts, which need not be looked for any more; `None` says that there are none.
    #[must_use]
    pub fn with_game_facts(self, facts: Option<GameFacts>) -> Self {
        Self {
            game_facts: OnceLock::from(facts),
            ..self
        }
    }

    /// A reasoner whose rules are planned without a profile: it is ready sooner, and slower in use.
    pub(super) fn unprofiled(rules: &Rules, limits: EvaluationLimits) -> Result<Self, BuildError> {
        let (program, relations) = translate(rules);
        let engine = DatalogEngine::new(program, &asked(&relations), limits);
        let engine = engine.map_err(|error| locate(error, rules))?;
        Ok(Self::on_engine(engine, relations, rules))
    }

    fn on_engine(engine: DatalogEngine, relations: GdlRelations, rules: &Rules) -> Self {
        let initial = engine
            .static_rows(relations.init)
            .map(|rows| rows.map(|row| row[0]).collect());
        let terms = engine.terms().lock();
        let roles = relations.roles.iter().map(|&role| terms.text(role));
        let roles = roles.collect();
        drop(terms);
        Self {
            settled: settled_terms(&engine),
            is_profiled: true,
            initial: Facts::new(initial.unwrap_or_default()),
            rules: rules.clone(),
            game_facts: OnceLock::new(),
            engine,
            relations,
            roles,
        }
    }

    /// Makes `state` the one that answers are derived from.
    fn load(&self, scratch: &mut ReasonerScratch, state: &Facts) {
        if scratch.state.as_ref() == Some(state) {
            return;
        }
        scratch.memory.reset(&self.engine, STATE);
        scratch.joint.clear();
        for &fact in &*state.facts {
            supply(
                &mut scratch.memory,
                &self.relations.base,
                &mut scratch.facts,
                None,
                fact,
            );
        }
        scratch.state = Some(state.clone());
    }

    /// Makes `joint` the joint move that successors are derived from.
    fn load_joint_move(&self, scratch: &mut ReasonerScratch, joint: &[MoveId]) {
        if scratch.joint == joint {
            return;
        }
        scratch.memory.reset(&self.engine, JOINT_MOVE);
        for (&role, mv) in self.relations.roles.iter().zip(joint) {
            supply(
                &mut scratch.memory,
                &self.relations.input,
                &mut scratch.facts,
                Some(role),
                mv.0,
            );
        }
        scratch.joint.clear();
        scratch.joint.extend_from_slice(joint);
    }

    fn rows<'m>(
        &'m self,
        memory: &'m WorkingMemory,
        pred: Pred,
    ) -> Box<dyn Iterator<Item = &'m [TermId]> + 'm> {
        match self.engine.static_rows(pred) {
            Some(rows) => Box::new(rows),
            None => Box::new(memory.rows(pred)),
        }
    }
}

/// Adds a fact or a move to the relations that hold it.
pub(super) fn supply(
    memory: &mut WorkingMemory,
    given: &InputRelations,
    row: &mut Vec<TermId>,
    role: Option<TermId>,
    subject: TermId,
) {
    let terms = memory.knowing(subject);
    row.clear();
    row.extend(role);
    if let Some(&pred) = given.by_functor.get(&terms.functor_of(subject)) {
        row.extend_from_slice(terms.args_of(subject));
        memory.supply(pred, row);
        row.truncate(usize::from(role.is_some()));
    }
    if let Some(pred) = given.whole_terms {
        row.push(subject);
        memory.supply(pred, row);
    }
}

impl Scalar for Reasoner {}

impl StateMachine for Reasoner {
    type State = Facts;
    type Move = MoveId;
    type Scratch = ReasonerScratch;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Facts {
        self.initial.clone()
    }

    fn scratch(&self) -> ReasonerScratch {
        ReasonerScratch {
            memory: self.engine.memory(),
            state: None,
            joint: Vec::new(),
            facts: Vec::new(),
        }
    }

    fn is_terminal(&self, scratch: &mut ReasonerScratch, state: &Facts) -> bool {
        self.load(scratch, state);
        scratch.memory.derive(&self.engine, self.relations.terminal);
        let over = self
            .rows(&scratch.memory, self.relations.terminal)
            .next()
            .is_some();
        over || scratch.memory.exhausted().is_some()
    }

    fn legal(
        &self,
        scratch: &mut ReasonerScratch,
        state: &Facts,
        role: Role,
        moves: &mut Vec<MoveId>,
    ) {
        self.load(scratch, state);
        scratch.memory.derive(&self.engine, self.relations.legal);
        let role = self.relations.roles[role.0];
        let rows = self
            .rows(&scratch.memory, self.relations.legal)
            .filter(|row| row[0] == role);
        moves.clear();
        if scratch.memory.exhausted().is_some() || scratch.memory.gave_up() {
            // To sort what is there so far may take longer than to derive it did.
            return;
        }
        moves.extend(rows.map(|row| MoveId(row[1])));
        sort_moves(moves, scratch.memory.terms(), self.settled);
    }

    fn next(&self, scratch: &mut ReasonerScratch, state: &Facts, joint: &[MoveId]) -> Facts {
        self.load(scratch, state);
        self.load_joint_move(scratch, joint);
        scratch.memory.derive(&self.engine, self.relations.next);
        Facts::new(
            self.rows(&scratch.memory, self.relations.next)
                .map(|row| row[0])
                .collect(),
        )
    }

    fn goal(&self, scratch: &mut ReasonerScratch, state: &Facts, role: Role) -> Option<u8> {
        self.load(scratch, state);
        scratch.memory.derive(&self.engine, self.relations.goal);
        let role = self.relations.roles[role.0];
        let terms = scratch.memory.terms();
        let rows = self
            .rows(&scratch.memory, self.relations.goal)
            .filter(|row| row[0] == role);
        let mut values = rows.map(|row| {
            terms
                .text(row[1])
                .parse::<u8>()
                .ok()
                .filter(|&value| value <= 100)
        });
        let first = values.next()??;
        values.all(|value| value == Some(first)).then_some(first)
    }

    fn move_text(&self, mv: MoveId) -> String {
        self.engine.terms().lock().text(mv.0)
    }

    fn state_text(&self, state: &Facts) -> Vec<String> {
        let terms = self.engine.terms().lock();
        let mut texts: Vec<String> = state.facts.iter().map(|&fact| terms.text(fact)).collect();
        texts.sort_unstable();
        texts
    }

    fn game_facts(&self) -> Option<&GameFacts> {
        self.game_facts
            .get_or_init(|| game_facts_of(&self.rules))
            .as_ref()
    }

    fn state_from_text(&self, facts: &[String]) -> Result<Facts, InvalidFacts> {
        let facts = read_each(facts)?;
        let mut terms = self.engine.terms().lock();
        let facts = facts.iter().map(|fact| intern(&mut terms, fact));
        Ok(Facts::new(facts.collect()))
    }

    fn set_deadline(&self, scratch: &mut ReasonerScratch, deadline: Option<&Deadline>) {
        let deadline = deadline.cloned().unwrap_or_default();
        scratch.memory.set_deadline(deadline);
    }

    fn is_cut_short(&self, scratch: &ReasonerScratch) -> bool {
        scratch.memory.exhausted().is_some()
    }

    fn fault(&self, scratch: &ReasonerScratch) -> Option<Fault> {
        let exhausted = scratch.memory.exhausted();
        let exhausted = exhausted.filter(|why| *why != Exhausted::Late);
        let growth = || {
            let growth = self.engine.growth(&scratch.memory)?;
            locate_growth(growth, &self.rules)
        };
        exhausted.map(|why| {
            let error = DatalogError::Exhausted {
                growth: growth(),
                why,
            };
            Fault(error.to_string())
        })
    }
}

/// The relations that are asked about.
fn asked(relations: &GdlRelations) -> [Pred; 5] {
    [
        relations.init,
        relations.terminal,
        relations.legal,
        relations.goal,
        relations.next,
    ]
}

/// How many terms keep their ids from now on, and have them at the next start, too.
fn settled_terms(engine: &DatalogEngine) -> usize {
    engine.terms().lock().len().min(MOST_SETTLED)
}

/// Orders moves by id while ids are the same in every run, and by what the terms say where threads may have raced.
fn sort_moves(moves: &mut [MoveId], terms: &Terms, settled: usize) {
    moves.sort_unstable_by(|left, right| {
        let either_settled = left.0.index().min(right.0.index()) < settled;
        if either_settled {
            left.cmp(right)
        } else {
            terms.compare(left.0, right.0)
        }
    });
}
