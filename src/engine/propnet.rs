//! [`Propnet`]: the engine that runs a game on its compiled propositional network.

use std::slice;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::compile::{CompiledNetwork, NotGroundable};
use super::lanes::{Executors, Workspace};
use super::parts::{CompileReport, PropnetParts};
use super::report::Stages;
use crate::datalog::{EvaluationLimits, TermId, Terms};
use crate::game::{GameFacts, InvalidFacts, Role, StateMachine};
use crate::gdl::{Rules, intern};
use crate::kif::read_each;
use crate::propnet::lanes::{LaneProgram, Vectors};
use crate::util::{Deadline, ObjectPool, Texts};

/// A state: which fluents hold, one bit each, in the order of [`StateMachine::state_text`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bits(SmallVec<[u64; 8]>);

impl Bits {
    /// The packed state: bit `i % 64` of word `i / 64` for the `i`-th fluent.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// The state of these words, which are as in [`Bits::words`].
    pub fn from_words(words: &[u64]) -> Self {
        Self(SmallVec::from_slice(words))
    }

    /// The words, to be changed.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    /// How many bytes the words take besides the value itself.
    pub(crate) fn bytes_apart(&self) -> usize {
        match self.0.spilled() {
            true => self.0.capacity() * size_of::<u64>(),
            false => 0,
        }
    }

    fn new(len: usize) -> Self {
        Self(SmallVec::from_elem(0, len.div_ceil(64)))
    }

    fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn ones(&self) -> impl Iterator<Item = usize> {
        let bits = |(place, &word): (usize, &u64)| {
            let of_word = (0..64).filter(move |bit| word >> bit & 1 == 1);
            of_word.map(move |bit| place * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(bits)
    }
}

/// Checked rules compiled to a network, ready to be played.
#[derive(Debug)]
pub struct Propnet {
    roles: Vec<String>,
    /// Its facts are the bases.
    game_facts: GameFacts,
    base_of: FxHashMap<TermId, usize>,
    /// The static facts: they hold in every reachable state.
    static_facts: Vec<usize>,
    /// Bases of which at most one holds in a reachable state, and whether exactly one does.
    mutex_groups: Vec<(Vec<usize>, bool)>,
    terms: Terms,
    /// Per input, the move's text.
    moves: Texts,
    initial: Bits,
    program: LaneProgram,
    executors: Arc<ObjectPool<Executors>>,
    report: CompileReport,
}

impl Propnet {
    /// Compiles `rules` within `limits`, as [`CompiledNetwork::new`] does.
    ///
    /// # Errors
    /// [`NotGroundable`] if grounding exceeds the limits, or was stopped.
    pub fn new(rules: &Rules, limits: &EvaluationLimits) -> Result<Self, NotGroundable> {
        let mut stages = Stages::default();
        let network = CompiledNetwork::compile(rules, limits, &mut stages)?;
        let parts = PropnetParts::new(network, &mut stages);
        Ok(Self::of_parts(parts))
    }

    /// A propnet of its parts, of which circuits are packed when they are first run.
    pub(super) fn of_parts(parts: PropnetParts) -> Self {
        let program = parts.program();
        let initial = initial(&parts.initial);
        let PropnetParts {
            roles,
            game_facts,
            static_facts,
            mutex_groups,
            moves,
            report,
            ..
        } = parts;
        let mut terms = Terms::default();
        let facts = game_facts.facts.iter().zip(0..);
        let fact = |(fact, base): (&String, usize)| {
            let read = read_each(slice::from_ref(fact)).ok()?;
            Some((intern(&mut terms, read.first()?), base))
        };
        let base_of = facts.filter_map(fact).collect();
        Self {
            roles,
            game_facts,
            base_of,
            static_facts,
            mutex_groups,
            terms,
            moves,
            initial,
            executors: Executors::pool(&program),
            program,
            report,
        }
    }

    /// The same, computed with other vectors; `None` if this processor does not have them.
    #[must_use]
    pub fn with_vectors(mut self, vectors: Vectors) -> Option<Self> {
        self.program = self.program.with_vectors(vectors)?;
        self.executors = Executors::pool(&self.program);
        Some(self)
    }

    /// How this propnet was compiled.
    pub fn report(&self) -> &CompileReport {
        &self.report
    }

    /// Sets of fluents, by their numbers, of which at most one holds in a state that can be reached; with each, whether exactly
    /// one does.
    pub fn mutex_groups(&self) -> &[(Vec<usize>, bool)] {
        &self.mutex_groups
    }

    /// The fluents that hold in every state that can be reached, by their numbers.
    pub fn static_facts(&self) -> &[usize] {
        &self.static_facts
    }

    /// What the lanes execute.
    pub(super) fn program(&self) -> &LaneProgram {
        &self.program
    }
}

fn initial(facts: &[bool]) -> Bits {
    let mut state = Bits::new(facts.len());
    let holding = facts.iter().enumerate().filter(|(_, holds)| **holds);
    holding.for_each(|(base, _)| state.insert(base));
    state
}

impl StateMachine for Propnet {
    type State = Bits;
    /// The number of an input.
    type Move = u32;
    type Scratch = Workspace;

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Bits {
        self.initial.clone()
    }

    fn scratch(&self) -> Workspace {
        let nothing_kept = ObjectPool::new(0);
        Workspace::new(nothing_kept.take(|| Executors::new(&self.program)))
    }

    fn kept_scratch(&self) -> Workspace {
        let mut executors = self.executors.take(|| Executors::new(&self.program));
        executors.restart();
        Workspace::new(executors)
    }

    fn is_terminal(&self, scratch: &mut Workspace, state: &Bits) -> bool {
        scratch.executors.position.is_terminal(&state.0)
    }

    fn legal(&self, scratch: &mut Workspace, state: &Bits, role: Role, moves: &mut Vec<u32>) {
        scratch.executors.position.legal(&state.0, role.0, moves);
    }

    fn next(&self, scratch: &mut Workspace, state: &Bits, joint: &[u32]) -> Bits {
        let mut next = Bits::new(self.game_facts.facts.len());
        scratch
            .executors
            .position
            .next(&state.0, joint, &mut next.0);
        next
    }

    fn goal(&self, scratch: &mut Workspace, state: &Bits, role: Role) -> Option<u8> {
        scratch.executors.position.goal(&state.0, role.0)
    }

    fn move_text(&self, mv: u32) -> String {
        self.moves.text(mv as usize).to_owned()
    }

    fn state_text(&self, state: &Bits) -> Vec<String> {
        state
            .ones()
            .map(|base| self.game_facts.facts[base].clone())
            .collect()
    }

    fn game_facts(&self) -> Option<&GameFacts> {
        Some(&self.game_facts)
    }

    fn mark_facts(&self, state: &Bits, words: &mut [u64]) {
        words.copy_from_slice(&state.0);
    }

    fn set_deadline(&self, scratch: &mut Workspace, deadline: Option<&Deadline>) {
        scratch.deadline = deadline.cloned();
        scratch.is_cut_short = false;
    }

    fn is_cut_short(&self, scratch: &Workspace) -> bool {
        scratch.is_cut_short
    }

    fn state_from_text(&self, facts: &[String]) -> Result<Bits, InvalidFacts> {
        let mut terms = self.terms.clone();
        let mut state = Bits::new(self.game_facts.facts.len());
        let read = read_each(facts)?;
        for (fact, term) in facts.iter().zip(&read) {
            let term = intern(&mut terms, term);
            let base = self.base_of.get(&term).ok_or_else(|| {
                InvalidFacts(format!("`{fact}` can never hold in this game, so the propnet has no place for it; `--engine reasoner` takes any fact"))
            })?;
            state.insert(*base);
        }
        match self.violated_invariant(&state) {
            None => Ok(state),
            Some(invariant) => Err(InvalidFacts(format!(
                "{invariant}, and the propnet relies on it; `--engine reasoner` takes any facts"
            ))),
        }
    }
}

impl Propnet {
    /// An invariant of the reachable states that `state` violates, of those that simplification may have used.
    fn violated_invariant(&self, state: &Bits) -> Option<String> {
        let text = |base: &usize| format!("`{}`", self.game_facts.facts[*base]);
        let missing = self
            .static_facts
            .iter()
            .find(|&&base| !state.contains(base));
        let missing =
            missing.map(|base| format!("{} holds in every state of this game", text(base)));
        let in_group = |(bases, exactly_one): &(Vec<usize>, bool)| {
            let mut held = bases.iter().filter(|&&base| state.contains(base));
            match (held.next(), held.next()) {
                (Some(one), Some(other)) => Some(format!(
                    "{} and {} never hold together",
                    text(one),
                    text(other)
                )),
                (None, _) if *exactly_one => Some(format!(
                    "one of {} holds in every state of this game",
                    listed(bases.iter().map(text))
                )),
                _ => None,
            }
        };
        missing.or_else(|| self.mutex_groups.iter().find_map(in_group))
    }
}

/// The first few texts, and how many more there are.
fn listed(texts: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 4;
    let more = texts.len().saturating_sub(SHOWN);
    let shown: Vec<String> = texts.take(SHOWN).collect();
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}
