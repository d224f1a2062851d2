//! Invariants of the reachable states: mutex groups, exactly-one groups and persistent facts; symmetries of the rules.
//!
//! A set of facts is a *mutex group* if at most one of them holds in every reachable state: one piece on a square, one
//! player in control, one number on the counter. Candidates are the facts of one functor that agree in some arguments, as
//! in `(cell 1 2 ?)`: the candidates of Helmert (*Concise finite-domain representations for PDDL planning tasks*, 2009)
//! with one counted argument or more. The proof is by induction over the plies: all candidates are assumed in a state, and
//! for each it is proved (`mutex_proof`) that every successor has at most one of its facts. A candidate that fails is split
//! or dropped, and the proofs that depended on it are repeated, until a fixpoint is reached: then all assumptions hold
//! together. Which groups always have exactly one (`exactly_one`) fact is proved afterwards.
//!
//! Ground rules are not pruned by mutex groups: in seventeen games, chess-like ones and checkers among them, no rule has
//! two facts of one group as conditions. The network uses them, where gates combine the conditions of several rules.

mod candidates;
mod case_split;
mod clause_solver;
mod contradiction;
mod derivation;
mod exactly_one;
mod mutex_proof;
mod necessary_conditions;
mod persistent;
mod symmetries;
mod transition_system;

#[cfg(test)]
mod tests;

use self::candidates::MutexCandidates;
pub(crate) use self::clause_solver::{ClauseSolver, SolverAnswer};
use self::mutex_proof::MutexProver;
pub use self::persistent::persistent;
pub use self::symmetries::{Symmetries, symmetries};
use self::transition_system::{AtomId, TransitionSystem};
use crate::datalog::{TermId, Terms};
use crate::ground::Ground;

/// A set of mutually exclusive facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MutexGroup {
    /// The facts `f` of `(true f)`; at most one of them holds in every reachable state.
    pub facts: Vec<TermId>,
    /// Whether exactly one is proved to hold in every reachable state.
    pub exactly_one: bool,
}

/// The mutex groups of a game, as far as they can be proved within a bounded effort: a second or two at most.
pub fn mutex_groups(ground: &Ground) -> Vec<MutexGroup> {
    let system = TransitionSystem::new(ground);
    let mut induction = Induction::new(&system, &ground.terms);
    induction.run();
    induction.groups()
}

/// The state of the inductive proof.
struct Induction<'w> {
    prover: MutexProver<'w>,
    terms: &'w Terms,
    /// For each candidate, those that its proof depends on; `None` while it is not proved.
    depends_on: Vec<Option<Vec<u32>>>,
    /// The steps left for all proofs.
    left: u64,
}

impl<'w> Induction<'w> {
    /// The steps of all proofs together: a second at most, and mostly milliseconds.
    const STEPS: u64 = 12_000_000;
    /// The steps of a single proof.
    const STEPS_PER_PROOF: u64 = 1_000_000;

    fn new(system: &'w TransitionSystem<'w>, terms: &'w Terms) -> Self {
        let candidates = MutexCandidates::new(system, terms);
        Self {
            prover: MutexProver::new(system, candidates),
            terms,
            depends_on: Vec::new(),
            left: Self::STEPS,
        }
    }

    fn run(&mut self) {
        let mut open: Vec<usize> = (0..self.candidate_count()).collect();
        while let Some(number) = open.pop() {
            self.depends_on.resize(self.candidate_count(), None);
            let is_alive = self.prover.candidates.all[number].active;
            if !is_alive || self.depends_on[number].is_some() {
                continue;
            }
            let allowed = self.left.min(Self::STEPS_PER_PROOF);
            let (depends_on, left) = self.prover.prove(number, allowed);
            self.left -= allowed - left;
            match depends_on {
                Some(depends_on) => self.depends_on[number] = Some(depends_on),
                None => open.extend(self.drop_candidate(number)),
            }
        }
    }

    fn candidate_count(&self) -> usize {
        self.prover.candidates.all.len()
    }

    /// Drops a candidate. Returns the candidates to prove next: its parts, and those whose proofs depended on it.
    fn drop_candidate(&mut self, number: usize) -> Vec<usize> {
        let first_new = self.candidate_count();
        self.prover.drop_candidate(number);
        if self.left > 0 {
            let MutexProver {
                candidates, system, ..
            } = &mut self.prover;
            candidates.split(number, system, self.terms);
        }
        let rests = |used: &Option<Vec<u32>>| {
            let used = used.as_ref()?;
            used.binary_search(&(number as u32)).ok()
        };
        let mut open: Vec<usize> = (0..self.depends_on.len())
            .filter(|&other| rests(&self.depends_on[other]).is_some())
            .collect();
        for &other in &open {
            self.depends_on[other] = None;
        }
        open.extend(first_new..self.candidate_count());
        open
    }

    fn groups(&self) -> Vec<MutexGroup> {
        let MutexProver {
            candidates, system, ..
        } = &self.prover;
        let active = candidates.all.iter().filter(|candidate| candidate.active);
        let groups: Vec<&[AtomId]> = active.map(|candidate| &candidate.facts[..]).collect();
        let exactly_one = exactly_one::exactly_one(system, &groups);
        let term = |&fact: &AtomId| system.facts[fact as usize];
        let group = |(facts, exactly_one): (&&[AtomId], bool)| MutexGroup {
            facts: facts.iter().map(term).collect(),
            exactly_one,
        };
        groups.iter().zip(exactly_one).map(group).collect()
    }
}
