//! Candidates for mutex groups: facts of one functor that agree in some of their arguments.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::reached::ReachedStates;
use super::transition_system::{AtomId, TransitionSystem};
use crate::datalog::{Functor, TermId, Terms};

/// Functors of more arguments have no candidates: there would be too many subsets of arguments.
const MOST_ARGUMENTS: usize = 8;

/// Facts that may be mutually exclusive.
#[derive(Debug, Clone)]
pub(super) struct MutexCandidate {
    pub(super) facts: Vec<AtomId>,
    /// The arguments in which the facts may differ.
    open: Vec<usize>,
    /// Whether it is not refuted yet.
    pub(super) active: bool,
    /// Whether proofs may assume that one of its facts holds: one does at the start, and nothing refutes it yet.
    pub(super) may_keep_one: bool,
}

/// All candidates, numbered in order of creation.
#[derive(Clone)]
pub(super) struct MutexCandidates {
    pub(super) all: Vec<MutexCandidate>,
    /// For each fact, the active candidates that contain it.
    pub(super) of_fact: Vec<Vec<u32>>,
    /// How many of them are assumptions that the rules rest on. They come first.
    pub(super) assumed: usize,
    seen: FxHashSet<Vec<AtomId>>,
}

impl MutexCandidates {
    /// What the rules rest on, and the largest candidates of each functor that the initial state and those `reached` allow.
    pub(super) fn new(
        system: &TransitionSystem<'_>,
        terms: &Terms,
        reached: &ReachedStates,
        assumed: &[Vec<AtomId>],
    ) -> Self {
        let mut functors: BTreeMap<Functor, Vec<AtomId>> = BTreeMap::new();
        for (atom, &fact) in (0..).zip(&system.facts) {
            functors
                .entry(terms.functor_of(fact))
                .or_default()
                .push(atom);
        }
        let mut candidates = Self {
            all: Vec::new(),
            of_fact: vec![Vec::new(); system.facts.len()],
            assumed: 0,
            seen: FxHashSet::default(),
        };
        for facts in assumed {
            candidates.propose(facts.clone(), Vec::new(), system, terms, reached);
        }
        candidates.assumed = candidates.all.len();
        for (functor, facts) in functors {
            let arity = terms.arity(functor);
            if arity <= MOST_ARGUMENTS {
                candidates.propose(facts, (0..arity).collect(), system, terms, reached);
            }
        }
        candidates
    }

    /// Deactivates a candidate.
    pub(super) fn drop(&mut self, number: usize) {
        let candidate = &mut self.all[number];
        candidate.active = false;
        for &fact in &candidate.facts {
            self.of_fact[fact as usize].retain(|&of| of as usize != number);
        }
    }

    /// Proposes the parts of a candidate.
    pub(super) fn split(
        &mut self,
        number: usize,
        system: &TransitionSystem<'_>,
        terms: &Terms,
        reached: &ReachedStates,
    ) {
        let MutexCandidate { facts, open, .. } = &self.all[number];
        let (facts, open) = (facts.clone(), open.clone());
        self.divide(&facts, &open, system, terms, reached);
    }

    fn divide(
        &mut self,
        facts: &[AtomId],
        open: &[usize],
        system: &TransitionSystem<'_>,
        terms: &Terms,
        reached: &ReachedStates,
    ) {
        for &argument in open {
            let mut parts: BTreeMap<TermId, Vec<AtomId>> = BTreeMap::new();
            for &fact in facts {
                let value = terms.args_of(system.facts[fact as usize])[argument];
                parts.entry(value).or_default().push(fact);
            }
            let rest: Vec<usize> = open.iter().copied().filter(|&of| of != argument).collect();
            for part in parts.into_values() {
                self.propose(part, rest.clone(), system, terms, reached);
            }
        }
    }

    fn propose(
        &mut self,
        facts: Vec<AtomId>,
        open: Vec<usize>,
        system: &TransitionSystem<'_>,
        terms: &Terms,
        reached: &ReachedStates,
    ) {
        if facts.len() < 2 || self.is_part_of_another(&facts) || !self.seen.insert(facts.clone()) {
            return;
        }
        let at_start = facts.iter().filter(|&&fact| system.initial[fact as usize]);
        let at_start = at_start.count();
        if at_start > 1 || reached.have_two_of(&facts) {
            return self.divide(&facts, &open, system, terms, reached);
        }
        for &fact in &facts {
            self.of_fact[fact as usize].push(self.all.len() as u32);
        }
        self.all.push(MutexCandidate {
            facts,
            open,
            active: true,
            may_keep_one: at_start == 1,
        });
    }

    fn is_part_of_another(&self, facts: &[AtomId]) -> bool {
        self.of_fact[facts[0] as usize].iter().any(|&other| {
            let other = &self.all[other as usize].facts;
            facts.iter().all(|fact| other.binary_search(fact).is_ok())
        })
    }
}
