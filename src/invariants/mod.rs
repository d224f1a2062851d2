//! Invariants of the reachable states: mutex groups, exactly-one groups and persistent facts; symmetries of the rules.
//!
//! A set of facts is a *mutex group* if at most one of them holds in every reachable state: one piece on a square, one
//! player in control, one number on the counter. Candidates are the facts of one functor that agree in some arguments, as
//! in `(cell 1 2 ?)`: the candidates of Helmert (*Concise finite-domain representations for PDDL planning tasks*, 2009)
//! with one counted argument or more. The proof is by induction over the plies: all candidates are assumed in a state, and
//! for each it is proved (`mutex_proof`) that every successor has at most one of its facts. A candidate that fails is split
//! or dropped, and the proofs that depended on it are repeated, until a fixpoint is reached: then all assumptions hold
//! together. Which groups always have exactly one (`exactly_one`) fact is proved afterwards. A proof may assume that of other groups, which
//! have one at the start: where who waits moves next, two can be in control next only where none is. If it turns out
//! not to be proved, the proofs that depended on it are repeated without it.
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

use std::collections::BTreeSet;

use self::candidates::MutexCandidates;
pub(crate) use self::clause_solver::{ClauseSolver, SolverAnswer};
use self::mutex_proof::{AssumptionId, MutexProver};
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
    let mut open: Vec<usize> = (0..induction.candidate_count()).collect();
    loop {
        induction.run(open);
        let active = induction.active();
        let exactly_one = induction.exactly_one(&active);
        open = induction.drop_unproved_assumptions(&active, &exactly_one);
        if open.is_empty() {
            return induction.groups(&active, &exactly_one);
        }
    }
}

/// The state of the inductive proof.
struct Induction<'w> {
    prover: MutexProver<'w>,
    terms: &'w Terms,
    /// For each candidate, what its proof depends on; `None` while it is not proved.
    depends_on: Vec<Option<Vec<AssumptionId>>>,
    /// The steps left for all proofs.
    left: u64,
}

/// How a proof ended.
enum ProofAttempt {
    /// With a proof, or there is nothing to prove.
    Done,
    Failed,
    OutOfSteps,
}

impl<'w> Induction<'w> {
    /// The steps of all proofs together: a second at most, and mostly milliseconds.
    const STEPS: u64 = 12_000_000;
    /// The steps of a single proof at first, how much more it gets each time, and at most.
    const FIRST_STEPS: u64 = 10_000;
    const GROWTH: u64 = 10;
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

    /// Proves or drops the candidates that are open, and those that are open then. A proof that takes many steps waits for those that
    /// take few: these refute much of what it assumes, and the steps for all proofs are limited.
    fn run(&mut self, mut open: Vec<usize>) {
        let mut steps = Self::FIRST_STEPS;
        let mut waiting = Vec::new();
        loop {
            while let Some(number) = open.pop() {
                match self.prove(number, steps) {
                    ProofAttempt::Done => {}
                    ProofAttempt::Failed => open.extend(self.drop_candidate(number)),
                    ProofAttempt::OutOfSteps => waiting.push(number),
                }
            }
            if waiting.is_empty() {
                return;
            }
            open.append(&mut waiting);
            open.reverse();
            steps = Self::STEPS_PER_PROOF.min(steps * Self::GROWTH);
        }
    }

    /// Tries to prove a candidate in so many steps.
    fn prove(&mut self, number: usize, steps: u64) -> ProofAttempt {
        self.depends_on.resize(self.candidate_count(), None);
        let is_alive = self.prover.candidates.all[number].active;
        if !is_alive || self.depends_on[number].is_some() {
            return ProofAttempt::Done;
        }
        let allowed = self.left.min(steps);
        let (depends_on, left) = self.prover.prove(number, allowed);
        self.left -= allowed - left;
        let may_go_on = steps < Self::STEPS_PER_PROOF && self.left > 0;
        match depends_on {
            None if left == 0 && may_go_on => ProofAttempt::OutOfSteps,
            None => ProofAttempt::Failed,
            found => {
                self.depends_on[number] = found;
                ProofAttempt::Done
            }
        }
    }

    fn candidate_count(&self) -> usize {
        self.prover.candidates.all.len()
    }

    /// Drops a candidate. Returns the candidates to prove next: its parts, and those whose proofs depended on it.
    fn drop_candidate(&mut self, number: usize) -> Vec<usize> {
        let first_new = self.candidate_count();
        let dropped = self.prover.drop_candidate(number);
        if self.left > 0 {
            let MutexProver {
                candidates, system, ..
            } = &mut self.prover;
            candidates.split(number, system, self.terms);
        }
        let mut open = self.reopen(dropped);
        open.extend(first_new..self.candidate_count());
        open
    }

    /// Takes back the proofs that depended on an assumption. Returns the candidates they were of.
    fn reopen(&mut self, dropped: AssumptionId) -> Vec<usize> {
        let rests = |used: &Option<Vec<AssumptionId>>| {
            let used = used.as_ref()?;
            used.binary_search(&dropped).ok()
        };
        let open: Vec<usize> = (0..self.depends_on.len())
            .filter(|&other| rests(&self.depends_on[other]).is_some())
            .collect();
        for &other in &open {
            self.depends_on[other] = None;
        }
        open
    }

    /// The candidates that are proved.
    fn active(&self) -> Vec<usize> {
        let all = &self.prover.candidates.all;
        (0..all.len())
            .filter(|&number| all[number].active)
            .collect()
    }

    /// For each of these candidates, whether one of its facts holds in every reachable state.
    fn exactly_one(&self, active: &[usize]) -> Vec<bool> {
        let all = &self.prover.candidates.all;
        let groups: Vec<&[AtomId]> = active
            .iter()
            .map(|&number| &all[number].facts[..])
            .collect();
        exactly_one::exactly_one(self.prover.system, &groups)
    }

    /// Drops the assumptions of proofs that one fact of a candidate holds, where that is not proved. Returns the candidates to prove anew.
    fn drop_unproved_assumptions(&mut self, active: &[usize], exactly_one: &[bool]) -> Vec<usize> {
        let is_proved = |number: &usize| {
            let place = active.binary_search(number);
            place.is_ok_and(|place| exactly_one[place])
        };
        let proofs = active
            .iter()
            .filter_map(|&number| self.depends_on[number].as_ref());
        let assumed = proofs.flat_map(|used| MutexProver::kept_ones(used));
        let unproved: BTreeSet<usize> = assumed.filter(|number| !is_proved(number)).collect();
        let mut open = Vec::new();
        for number in unproved {
            let dropped = self.prover.drop_kept_one(number);
            open.extend(self.reopen(dropped));
        }
        open
    }

    fn groups(&self, active: &[usize], exactly_one: &[bool]) -> Vec<MutexGroup> {
        let MutexProver {
            candidates, system, ..
        } = &self.prover;
        let term = |&fact: &AtomId| system.facts[fact as usize];
        let group = |(&number, &exactly_one): (&usize, &bool)| MutexGroup {
            facts: candidates.all[number].facts.iter().map(term).collect(),
            exactly_one,
        };
        active.iter().zip(exactly_one).map(group).collect()
    }
}
