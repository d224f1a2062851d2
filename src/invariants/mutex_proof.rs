//! The induction step of the mutex proof: no two facts of a candidate follow from one state and one joint move.
//!
//! Derivations of different facts must contradict each other. Most need different moves of one role or different facts of
//! one candidate, so the proof distinguishes cases by the exclusive set that most derivations need, and compares
//! derivations only within a case. Where that does not decide, a sentence that one derivation excludes may follow from the
//! other; at last a derived sentence is expanded by each of its rules.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::candidates::MutexCandidates;
use super::case_split::{ExclusiveSet, SplitCounter, exclusive_sets};
use super::contradiction::Conjunction;
use super::derivation::{Derivation, DerivationStack};
use super::exclusive_members::ExclusiveMembers;
use super::lookup_list::LookupList;
use super::necessary_conditions::AllConditions;
use super::transition_system::{AtomId, TransitionSystem};
use crate::ground::SentenceId;

/// A sentence with more rules is not expanded.
const MOST_RULES: usize = 64;
/// The depth to which proofs that two sentences are contradictory may be nested.
const MOST_NESTED: usize = 3;
/// So many sentences are expanded one within the other, at most: each takes some of the stack.
const MOST_EXPANDED: usize = 500;

/// What a proof depends on: that at most one fact of this candidate holds.
pub(super) type AssumptionId = u32;
/// Added to the number of a candidate, this means that at least one of its facts holds.
const AT_LEAST_ONE: AssumptionId = 1 << 31;

/// The state that all proofs share.
pub(super) struct MutexProver<'w> {
    pub(super) system: &'w TransitionSystem<'w>,
    pub(super) candidates: MutexCandidates,
    pub(super) conditions: AllConditions,
    counter: SplitCounter,
    /// What the atoms exclude of the derivation, or of the two, that was looked at last.
    pub(super) members: ExclusiveMembers,
    /// The conditions of two derivations that were last compared, kept for their memory.
    conjunction: Conjunction,
    /// The facts and moves that must not hold in the conjunction that was looked at last, kept for their memory.
    pub(super) failing: LookupList<AtomId>,
    /// The assumptions that the current proof has used.
    used: Vec<AssumptionId>,
    /// The steps left for the current proof.
    left: u64,
    derivations: DerivationStack,
    /// The derivations of the cases looked at, one case upon the other.
    listed: Vec<u32>,
    /// Derivations of these cases that need a member of an exclusive set, with this member.
    divided: Vec<(AtomId, u32)>,
    /// For each pair of sentences examined, the assumptions that prove them contradictory; `None` if there is no proof.
    contradictory: FxHashMap<(SentenceId, SentenceId), Option<Vec<AssumptionId>>>,
    nested: usize,
    expanded: usize,
}

/// What became of some candidates.
pub(super) struct MutexProofs {
    /// Candidates with what their proofs depend on, in increasing order.
    pub(super) proved: Vec<(usize, Vec<AssumptionId>)>,
    pub(super) dropped: Vec<usize>,
    /// Candidates whose proofs need more steps than each may take for now.
    pub(super) waiting: Vec<usize>,
    /// The steps left.
    pub(super) left: u64,
}

/// How many steps proofs may take.
#[derive(Clone, Copy)]
pub(super) struct ProofSteps {
    pub(super) all: u64,
    pub(super) each: u64,
    /// Whether a candidate may wait whose proof takes more; otherwise it is dropped.
    pub(super) may_wait: bool,
}

impl<'w> MutexProver<'w> {
    pub(super) fn new(system: &'w TransitionSystem<'w>, candidates: MutexCandidates) -> Self {
        Self {
            conditions: AllConditions::new(system.sentence_count()),
            counter: SplitCounter::default(),
            members: ExclusiveMembers::default(),
            conjunction: Conjunction::default(),
            failing: LookupList::default(),
            used: Vec::new(),
            left: 0,
            derivations: DerivationStack::default(),
            listed: Vec::new(),
            divided: Vec::new(),
            contradictory: FxHashMap::default(),
            nested: 0,
            expanded: 0,
            candidates,
            system,
        }
    }

    /// Tries to prove some candidates in so many steps. Those that cannot be proved are dropped.
    pub(super) fn prove_each(&mut self, numbers: &[usize], steps: ProofSteps) -> MutexProofs {
        let mut proofs = MutexProofs {
            proved: Vec::new(),
            dropped: Vec::new(),
            waiting: Vec::new(),
            left: steps.all,
        };
        for &number in numbers.iter().rev() {
            if !self.candidates.all[number].active {
                continue;
            }
            let allowed = proofs.left.min(steps.each);
            let (depends_on, left) = self.prove(number, allowed);
            proofs.left -= allowed - left;
            match depends_on {
                Some(depends_on) => proofs.proved.push((number, depends_on)),
                None if steps.may_wait && left == 0 && proofs.left > 0 => {
                    proofs.waiting.push(number)
                }
                None => {
                    self.drop_candidate(number);
                    proofs.dropped.push(number);
                }
            }
        }
        proofs
    }

    /// Tries to prove in `steps` steps that no two facts of a candidate hold in a successor. Returns the
    /// assumptions that the proof depends on, in increasing order, or `None`; and the number of steps left.
    fn prove(&mut self, number: usize, steps: u64) -> (Option<Vec<AssumptionId>>, u64) {
        self.left = steps;
        self.used.clear();
        let facts = self.candidates.all[number].facts.clone();
        let nexts = facts
            .iter()
            .filter_map(|&fact| self.system.next[fact as usize]);
        let is_group = self.are_mutex(&nexts.collect::<Vec<_>>());
        self.used.sort_unstable();
        self.used.dedup();
        (is_group.then(|| self.used.clone()), self.left)
    }

    /// Whether `sentences` are proved to be pairwise exclusive.
    fn are_mutex(&mut self, sentences: &[SentenceId]) -> bool {
        let (first, first_listed) = (self.derivations.len(), self.listed.len());
        let are_mutex = self.list_derivations(sentences)
            && self.all_contradict(first_listed..self.listed.len());
        self.listed.truncate(first_listed);
        self.derivations.truncate(first);
        are_mutex
    }

    /// Lists the derivations of sentences, by one rule each. Whether there are enough steps left for that.
    fn list_derivations(&mut self, sentences: &[SentenceId]) -> bool {
        for &sentence in sentences {
            for rule in self.system.rules_of(sentence) {
                let (system, conditions) = (self.system, &mut self.conditions);
                let derivation = self.derivations.push(sentence, rule, system, conditions);
                if !self.spend(self.derivations[derivation].atoms.len() + 1) {
                    return false;
                }
                self.list_if_possible(derivation);
            }
        }
        true
    }

    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let enough = self.left >= steps as u64;
        self.left = self.left.saturating_sub(steps as u64);
        enough
    }

    /// Lists the derivation that was pushed last, or drops it if it contradicts itself.
    fn list_if_possible(&mut self, derivation: u32) {
        match self.has_exclusive_pair(derivation) {
            true => self.derivations.truncate(derivation as usize),
            false => self.listed.push(derivation),
        }
    }

    /// Whether a derivation needs two members of one exclusive set. Notes which set that is.
    fn has_exclusive_pair(&mut self, derivation: u32) -> bool {
        let atoms = &self.derivations[derivation].atoms;
        if !self.members.note(atoms, self.system, &self.candidates) {
            return false;
        }
        let atoms = atoms.clone();
        let mut pairs = (1..).zip(&atoms).flat_map(|(next, &left)| {
            let others = atoms[next..].iter();
            others.map(move |&right| (left, right))
        });
        pairs.any(|(left, right)| self.are_exclusive(left, right))
    }

    /// The derivations of a case.
    fn case(&self, case: Range<usize>) -> impl Iterator<Item = &Derivation> {
        let numbers = self.listed[case].iter();
        numbers.map(|&number| &self.derivations[number])
    }

    /// Whether derivations of different sentences contradict each other in a case.
    fn all_contradict(&mut self, case: Range<usize>) -> bool {
        if self.derive_one_sentence(case.clone()) {
            return true;
        }
        let derivations = self.case(case.clone());
        let steps = derivations.map(|derivation| derivation.atoms.len() + 1);
        let steps = steps.sum();
        if !self.spend(steps) {
            return false;
        }
        match self.choice(case.clone()) {
            Some(choice) => self.contradict_in_each_case(case, choice),
            None => self.contradict_in_pairs(case),
        }
    }

    /// Whether a case has derivations of one sentence at most.
    fn derive_one_sentence(&self, case: Range<usize>) -> bool {
        let mut heads = self.case(case).map(|derivation| derivation.head);
        let first = heads.next();
        heads.all(|head| Some(head) == first)
    }

    /// The exclusive set that most derivations need, if they need different members.
    fn choice(&mut self, case: Range<usize>) -> Option<ExclusiveSet> {
        for &derivation in &self.listed[case] {
            for &atom in &self.derivations[derivation].atoms {
                for set in exclusive_sets(self.system, &self.candidates, atom) {
                    self.counter.note(set, atom);
                }
            }
        }
        self.counter.finish()
    }

    fn contradict_in_each_case(&mut self, case: Range<usize>, choice: ExclusiveSet) -> bool {
        self.note_use(choice);
        let (first, first_rest) = (self.divided.len(), self.listed.len());
        for at in case {
            let derivation = self.listed[at];
            match self.needed_of(choice, &self.derivations[derivation]) {
                Some(atom) => self.divided.push((atom, derivation)),
                None => self.listed.push(derivation),
            }
        }
        self.divided[first..].sort_by_key(|divided| divided.0);
        let rest = first_rest..self.listed.len();
        let mut at = first;
        let mut contradict = true;
        while contradict && at < self.divided.len() {
            let next = rest.end;
            let member = self.divided[at].0;
            let same = self.divided[at..].iter().take_while(|of| of.0 == member);
            self.listed.extend(same.map(|of| of.1));
            at += self.listed.len() - next;
            self.listed.extend_from_within(rest.clone());
            contradict = self.all_contradict(next..self.listed.len());
            self.listed.truncate(next);
        }
        self.listed.truncate(first_rest);
        self.divided.truncate(first);
        contradict
    }

    /// The member of an exclusive set that a derivation needs.
    fn needed_of(&self, choice: ExclusiveSet, derivation: &Derivation) -> Option<AtomId> {
        let roles = self.system.role_count();
        let mut atoms = derivation.atoms.iter().copied();
        match choice.checked_sub(roles) {
            None => atoms.find(|&atom| self.system.role_of(atom) == Some(choice)),
            Some(candidate) => atoms.find(|&atom| {
                let of = self.candidates.of_fact.get(atom as usize);
                of.is_some_and(|of| of.contains(&(candidate as u32)))
            }),
        }
    }

    fn note_use(&mut self, choice: ExclusiveSet) {
        if let Some(candidate) = choice.checked_sub(self.system.role_count()) {
            self.used.push(candidate as u32);
        }
    }

    fn contradict_in_pairs(&mut self, case: Range<usize>) -> bool {
        for at in case.clone() {
            let left = self.listed[at];
            let head = self.derivations[left].head;
            for other in at + 1..case.end {
                let right = self.listed[other];
                let differ = self.derivations[right].head != head;
                if differ && !self.contradict(left, right) {
                    return false;
                }
            }
        }
        true
    }

    fn contradict(&mut self, left: u32, right: u32) -> bool {
        let mut conjunction = std::mem::take(&mut self.conjunction);
        conjunction.join([&self.derivations[left], &self.derivations[right]]);
        let is_affordable = self.spend(conjunction.size());
        let is_contradictory = is_affordable && self.is_contradictory(&conjunction);
        self.conjunction = conjunction;
        is_affordable
            && (is_contradictory
                || self.need_contradictory_sentences(left, right)
                || self.contradict_after_expansion(left, right))
    }

    /// Whether two derivations need contradictory sentences.
    fn need_contradictory_sentences(&mut self, left: u32, right: u32) -> bool {
        let count = |of: u32| self.derivations[of].open.len();
        let (ones, others) = (count(left), count(right));
        (0..ones).any(|one| {
            let one = self.derivations[left].open[one];
            (0..others).any(|other| {
                let other = self.derivations[right].open[other];
                self.are_contradictory(one, other)
            })
        })
    }

    fn are_contradictory(&mut self, one: SentenceId, other: SentenceId) -> bool {
        let key = (one.min(other), one.max(other));
        if one == other || self.nested == MOST_NESTED {
            return false;
        }
        if let Some(known) = self.contradictory.get(&key) {
            known.iter().for_each(|used| self.used.extend(used));
            return known.is_some();
        }
        self.contradictory.insert(key, None);
        let outer = std::mem::take(&mut self.used);
        self.nested += 1;
        let are_contradictory = self.are_mutex(&[one, other]);
        self.nested -= 1;
        let mut used = std::mem::replace(&mut self.used, outer);
        used.sort_unstable();
        used.dedup();
        self.used.extend(&used);
        self.contradictory
            .insert(key, are_contradictory.then_some(used));
        are_contradictory
    }

    /// Notes that the current proof assumes one fact of a candidate to hold.
    pub(super) fn note_kept_one(&mut self, candidate: u32) {
        self.used.extend([candidate, candidate | AT_LEAST_ONE]);
    }

    /// Drops a candidate and every result that depended on it.
    pub(super) fn drop_candidate(&mut self, candidate: usize) {
        self.candidates.drop(candidate);
        self.forget(candidate as u32);
    }

    /// Drops the assumption that one fact of a candidate holds, and every result that depended on it. Returns that assumption.
    pub(super) fn drop_kept_one(&mut self, candidate: usize) -> AssumptionId {
        self.candidates.all[candidate].may_keep_one = false;
        let dropped = candidate as u32 | AT_LEAST_ONE;
        self.forget(dropped);
        dropped
    }

    /// Forgets what could not be proved: with more steps, it may be.
    pub(super) fn forget_failures(&mut self) {
        self.contradictory.retain(|_, used| used.is_some());
    }

    fn forget(&mut self, assumption: AssumptionId) {
        let rests = |used: &Vec<AssumptionId>| used.binary_search(&assumption).is_ok();
        self.contradictory
            .retain(|_, used| !used.as_ref().is_some_and(rests));
    }

    /// The candidates of which some assumptions take it that one fact holds.
    pub(super) fn kept_ones(assumptions: &[AssumptionId]) -> impl Iterator<Item = usize> {
        let of_groups = assumptions.iter().filter(|&&of| of >= AT_LEAST_ONE);
        of_groups.map(|of| (of - AT_LEAST_ONE) as usize)
    }

    /// Whether two atoms are members of one exclusive set.
    pub(super) fn are_exclusive(&mut self, left: AtomId, right: AtomId) -> bool {
        if left == right {
            return false;
        }
        match (self.system.role_of(left), self.system.role_of(right)) {
            (None, None) => {
                let of = |fact: AtomId| &self.candidates.of_fact[fact as usize];
                let others = of(right);
                let shared = of(left).iter().find(|choice| others.contains(choice));
                shared.inspect(|&&choice| self.used.push(choice)).is_some()
            }
            (Some(role), Some(other)) => role == other,
            _ => false,
        }
    }

    /// Whether two derivations contradict each other whichever rule derives a sentence that one of them needs.
    fn contradict_after_expansion(&mut self, left: u32, right: u32) -> bool {
        let sentence_of = |derivation: u32, other: u32| {
            let (rules, sentence) = self.derivations[derivation].fewest_rules(self.system)?;
            Some((rules, sentence, derivation, other))
        };
        let choices = [sentence_of(left, right), sentence_of(right, left)];
        let Some((rules, sentence, derivation, other)) = choices.into_iter().flatten().min() else {
            return false;
        };
        if rules > MOST_RULES || self.expanded == MOST_EXPANDED || !self.spend(rules) {
            return false;
        }
        let (first, first_listed) = (self.derivations.len(), self.listed.len());
        self.listed.push(other);
        for rule in self.system.rules_of(sentence) {
            let (system, conditions) = (self.system, &mut self.conditions);
            let by_rule = (sentence, rule);
            let expanded = self
                .derivations
                .push_expanded(derivation, by_rule, system, conditions);
            self.list_if_possible(expanded);
        }
        self.expanded += 1;
        let contradict = self.all_contradict(first_listed..self.listed.len());
        self.expanded -= 1;
        self.listed.truncate(first_listed);
        self.derivations.truncate(first);
        contradict
    }
}
