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
//! not to be proved, the proofs that depended on it are repeated without it. What some state reached in random games (`reached`) refutes is
//! not tried. Groups that the ground rules themselves rest on are proved last, in the same induction and with more steps: a quarter of a
//! second in chess.
//!
//! Ground rules are not pruned by mutex groups: in seventeen games, chess-like ones and checkers among them, no rule has
//! two facts of one group as conditions. The network uses them, where gates combine the conditions of several rules.

mod candidates;
mod case_split;
mod clause_solver;
mod contradiction;
mod derivation;
mod exactly_one;
mod exclusive_members;
mod lookup_list;
mod mutex_proof;
mod necessary_conditions;
mod persistent;
mod reached;
mod symmetries;
mod transition_system;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use self::candidates::MutexCandidates;
pub(crate) use self::clause_solver::{ClauseSolver, SolverAnswer};
use self::mutex_proof::{AssumptionId, MutexProofs, MutexProver, ProofSteps};
pub use self::persistent::persistent;
use self::reached::ReachedStates;
pub use self::symmetries::{Symmetries, symmetries};
use self::transition_system::{AtomId, TransitionSystem};
use crate::datalog::{TermId, Terms};
use crate::ground::Ground;
use crate::util::join_if;

/// So few proofs are done on one thread.
const FEW: usize = 8;

/// A set of mutually exclusive facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MutexGroup {
    /// The facts `f` of `(true f)`; at most one of them holds in every reachable state.
    pub facts: Vec<TermId>,
    /// Whether exactly one is proved to hold in every reachable state.
    pub exactly_one: bool,
}

/// The mutex groups of a game, as far as they can be proved within a bounded effort: a second or two at most. None, where what
/// the rules rest on ([`Ground::assumed`]) is not proved.
pub fn mutex_groups(ground: &Ground) -> Vec<MutexGroup> {
    let system = TransitionSystem::new(ground);
    let reached = ReachedStates::sample(&system);
    let assumed: Vec<Vec<AtomId>> = ground
        .assumed
        .iter()
        .map(|of| system.atoms_of(of))
        .collect();
    if assumed.iter().any(|facts| reached.have_two_of(facts)) {
        return Vec::new();
    }
    let mut induction = Induction::new(&system, &ground.terms, &reached, &assumed);
    let mut open: Vec<usize> = (0..induction.candidates().all.len()).collect();
    loop {
        induction.run(open);
        if !induction.prove_assumed() {
            return Vec::new();
        }
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
    /// Two provers with the same candidates, which share the proofs whatever the number of threads, so that the same is
    /// proved everywhere.
    provers: [MutexProver<'w>; 2],
    terms: &'w Terms,
    reached: &'w ReachedStates,
    /// For each candidate, what its proof depends on; `None` while it is not proved.
    depends_on: Vec<Option<Vec<AssumptionId>>>,
    /// The steps left for all proofs.
    left: u64,
}

impl<'w> Induction<'w> {
    /// The steps of all proofs together: a second at most, and mostly milliseconds.
    const STEPS: u64 = 12_000_000;
    /// The steps of a single proof at first, how much more it gets each time, and at most.
    const FIRST_STEPS: u64 = 10_000;
    const GROWTH: u64 = 10;
    const STEPS_PER_PROOF: u64 = 1_000_000;
    /// The steps of the proofs of what the rules rest on, for each prover.
    const STEPS_PER_ASSUMPTION: u64 = 100_000_000;

    fn new(
        system: &'w TransitionSystem<'w>,
        terms: &'w Terms,
        reached: &'w ReachedStates,
        assumed: &[Vec<AtomId>],
    ) -> Self {
        let candidates = MutexCandidates::new(system, terms, reached, assumed);
        let prover = |candidates| MutexProver::new(system, candidates);
        Self {
            provers: [prover(candidates.clone()), prover(candidates)],
            terms,
            reached,
            depends_on: Vec::new(),
            left: Self::STEPS,
        }
    }

    fn candidates(&self) -> &MutexCandidates {
        &self.provers[0].candidates
    }

    /// Proves or drops the candidates that are open, and those that are open then. A proof that takes many steps waits for those that
    /// take few: these refute much of what it assumes, and the steps for all proofs are limited.
    fn run(&mut self, mut open: Vec<usize>) {
        let (mut each, mut waiting) = (Self::FIRST_STEPS, Vec::new());
        let assumed = self.candidates().assumed;
        while !open.is_empty() {
            self.depends_on.resize(self.candidates().all.len(), None);
            open.retain(|number| *number >= assumed);
            let steps = ProofSteps {
                all: self.left / 2,
                each,
                may_wait: each < Self::STEPS_PER_PROOF,
            };
            let proofs = self.prove(&open, open.len() > FEW, steps);
            self.left = proofs.left;
            waiting.extend(proofs.waiting);
            open = self.drop_candidates(&proofs.dropped);
            if open.is_empty() {
                open = std::mem::take(&mut waiting);
                each = Self::STEPS_PER_PROOF.min(each * Self::GROWTH);
            }
        }
    }

    /// Proves the assumptions that the rules rest on, as far as they are open. Whether that succeeds.
    fn prove_assumed(&mut self) -> bool {
        let assumed = 0..self.candidates().assumed;
        let open: Vec<usize> = assumed
            .filter(|&number| self.depends_on[number].is_none())
            .collect();
        let provers = self.provers.iter_mut();
        provers.for_each(MutexProver::forget_failures);
        let steps = ProofSteps {
            all: Self::STEPS_PER_ASSUMPTION,
            each: Self::STEPS_PER_ASSUMPTION,
            may_wait: false,
        };
        self.prove(&open, open.len() > 1, steps).dropped.is_empty()
    }

    /// Tries to prove some candidates with both provers, which share them, each of which has `steps`.
    fn prove(&mut self, open: &[usize], on_two_threads: bool, steps: ProofSteps) -> MutexProofs {
        let [one, other] = &mut self.provers;
        let (first, second) = open.split_at(open.len().div_ceil(2));
        let (mut proofs, more) = join_if(
            on_two_threads,
            || one.prove_each(first, steps),
            || other.prove_each(second, steps),
        );
        for &number in &more.dropped {
            one.drop_candidate(number);
        }
        for &number in &proofs.dropped {
            other.drop_candidate(number);
        }
        for (number, depends_on) in proofs.proved.drain(..).chain(more.proved) {
            self.depends_on[number] = Some(depends_on);
        }
        proofs.left += more.left;
        proofs.waiting.extend(more.waiting);
        proofs.dropped.extend(more.dropped);
        proofs
    }

    /// The candidates to prove next: the parts of those dropped, and those whose proofs depended on them.
    fn drop_candidates(&mut self, dropped: &[usize]) -> Vec<usize> {
        let first_new = self.candidates().all.len();
        if self.left > 0 {
            for MutexProver {
                candidates, system, ..
            } in &mut self.provers
            {
                for &number in dropped {
                    candidates.split(number, system, self.terms, self.reached);
                }
            }
        }
        let dropped: Vec<AssumptionId> = dropped.iter().map(|&number| number as u32).collect();
        let mut open = self.reopen(&dropped);
        open.extend(first_new..self.candidates().all.len());
        open
    }

    /// Takes back the proofs that depended on assumptions. Returns the candidates they were of.
    fn reopen(&mut self, dropped: &[AssumptionId]) -> Vec<usize> {
        let rests = |used: &[AssumptionId]| dropped.iter().any(|of| used.binary_search(of).is_ok());
        let mut open: Vec<usize> = Vec::new();
        for (number, depends_on) in self.depends_on.iter_mut().enumerate() {
            if depends_on.as_deref().is_some_and(rests) {
                *depends_on = None;
                open.push(number);
            }
        }
        open
    }

    /// The candidates that are proved.
    fn active(&self) -> Vec<usize> {
        let all = &self.candidates().all;
        (0..all.len())
            .filter(|&number| all[number].active)
            .collect()
    }

    /// For each of these candidates, whether one of its facts holds in every reachable state.
    fn exactly_one(&self, active: &[usize]) -> Vec<bool> {
        let all = &self.candidates().all;
        let groups: Vec<&[AtomId]> = active
            .iter()
            .map(|&number| &all[number].facts[..])
            .collect();
        exactly_one::exactly_one(self.provers[0].system, &groups)
    }

    /// Drops the assumptions of proofs that one fact of a candidate holds, where that is not proved. Returns the candidates to prove
    /// anew.
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
        let mut dropped = Vec::new();
        for number in unproved {
            let [one, other] = &mut self.provers;
            one.drop_kept_one(number);
            dropped.push(other.drop_kept_one(number));
        }
        self.reopen(&dropped)
    }

    fn groups(&self, active: &[usize], exactly_one: &[bool]) -> Vec<MutexGroup> {
        let (all, facts) = (&self.candidates().all, &self.provers[0].system.facts);
        let term = |&fact: &AtomId| facts[fact as usize];
        let group = |(&number, &exactly_one): (&usize, &bool)| MutexGroup {
            facts: all[number].facts.iter().map(term).collect(),
            exactly_one,
        };
        active.iter().zip(exactly_one).map(group).collect()
    }
}
