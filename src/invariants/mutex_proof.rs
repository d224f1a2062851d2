//! The induction step of the mutex proof: no two facts of a candidate follow from one state and one joint move.
//!
//! Derivations of different facts must contradict each other. Most need different moves of one role or different facts of
//! one candidate, so the proof distinguishes cases by the exclusive set that most derivations need, and compares
//! derivations only within a case. Where that does not decide, a sentence that one derivation excludes may follow from the
//! other; at last a derived sentence is expanded by each of its rules.

use rustc_hash::FxHashMap;

use super::candidates::MutexCandidates;
use super::case_split::{ExclusiveSet, SplitCounter};
use super::derivation::Derivation;
use super::necessary_conditions::NecessaryConditions;
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
    pub(super) atoms: NecessaryConditions<AtomId>,
    pub(super) negated: NecessaryConditions<SentenceId>,
    counter: SplitCounter,
    /// The assumptions that the current proof has used.
    used: Vec<AssumptionId>,
    /// The steps left for the current proof.
    left: u64,
    pub(super) derivations: Vec<Derivation>,
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
            atoms: NecessaryConditions::new(system.sentence_count()),
            negated: NecessaryConditions::new(system.sentence_count()),
            counter: SplitCounter::default(),
            used: Vec::new(),
            left: 0,
            derivations: Vec::new(),
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
        self.derivations.clear();
        self.used.sort_unstable();
        self.used.dedup();
        (is_group.then(|| self.used.clone()), self.left)
    }

    /// Whether `sentences` are proved to be pairwise exclusive.
    fn are_mutex(&mut self, sentences: &[SentenceId]) -> bool {
        let first_new = self.derivations.len();
        let mut derivations = Vec::new();
        for &sentence in sentences {
            for &rule in self.system.rule_numbers(sentence) {
                let derivation = Derivation::new(sentence, rule, self.system, &mut self.atoms);
                if !self.spend(derivation.atoms.len() + 1) {
                    return false;
                }
                derivations.extend(self.keep_if_possible(derivation));
            }
        }
        let contradict = self.all_contradict(&derivations);
        self.derivations.truncate(first_new);
        contradict
    }

    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let enough = self.left >= steps as u64;
        self.left = self.left.saturating_sub(steps as u64);
        enough
    }

    /// Stores a derivation that does not contradict itself.
    fn keep_if_possible(&mut self, derivation: Derivation) -> Option<u32> {
        let pairs = derivation.atoms.iter().enumerate();
        let mut pairs = pairs.flat_map(|(at, &left)| {
            derivation.atoms[at + 1..]
                .iter()
                .map(move |&right| (left, right))
        });
        if pairs.any(|(left, right)| self.are_exclusive(left, right)) {
            return None;
        }
        self.derivations.push(derivation);
        Some(self.derivations.len() as u32 - 1)
    }

    fn derivation(&self, number: u32) -> &Derivation {
        &self.derivations[number as usize]
    }

    /// Whether derivations of different sentences contradict each other.
    fn all_contradict(&mut self, derivations: &[u32]) -> bool {
        let Some(&first) = derivations.first() else {
            return true;
        };
        let head = self.derivation(first).head;
        if derivations
            .iter()
            .all(|&derivation| self.derivation(derivation).head == head)
        {
            return true;
        }
        let steps = derivations
            .iter()
            .map(|&derivation| self.derivation(derivation).atoms.len() + 1);
        let steps = steps.sum();
        if !self.spend(steps) {
            return false;
        }
        match self.choice(derivations) {
            Some(choice) => self.contradict_in_each_case(derivations, choice),
            None => self.contradict_in_pairs(derivations),
        }
    }

    /// The exclusive set that most derivations need, if they need different members.
    fn choice(&mut self, derivations: &[u32]) -> Option<ExclusiveSet> {
        let mut counter = std::mem::take(&mut self.counter);
        for &derivation in derivations {
            for &atom in &self.derivation(derivation).atoms {
                self.each_choice(atom, |choice| counter.note(choice, atom));
            }
        }
        let choice = counter.finish();
        self.counter = counter;
        choice
    }

    fn each_choice(&self, atom: AtomId, mut see: impl FnMut(ExclusiveSet)) {
        match self.system.role_of(atom) {
            Some(role) => see(role),
            None => {
                let first = self.system.role_count();
                let candidates = &self.candidates.of_fact[atom as usize];
                candidates.iter().for_each(|&of| see(first + of as usize));
            }
        }
    }

    fn contradict_in_each_case(&mut self, derivations: &[u32], choice: ExclusiveSet) -> bool {
        self.note_use(choice);
        let (mut cases, mut rest): (Vec<(AtomId, u32)>, Vec<u32>) = (Vec::new(), Vec::new());
        for &derivation in derivations {
            match self.needed_of(choice, self.derivation(derivation)) {
                Some(atom) => cases.push((atom, derivation)),
                None => rest.push(derivation),
            }
        }
        cases.sort_by_key(|case| case.0);
        cases.chunk_by(|a, b| a.0 == b.0).all(|case| {
            let case = case
                .iter()
                .map(|&(_, derivation)| derivation)
                .chain(rest.iter().copied());
            self.all_contradict(&case.collect::<Vec<_>>())
        })
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

    fn contradict_in_pairs(&mut self, derivations: &[u32]) -> bool {
        for (at, &left) in derivations.iter().enumerate() {
            for &right in &derivations[at + 1..] {
                let differ = self.derivation(left).head != self.derivation(right).head;
                if differ && !self.contradict(left, right) {
                    return false;
                }
            }
        }
        true
    }

    fn contradict(&mut self, left: u32, right: u32) -> bool {
        let conjunction = self.conjunction(left, right);
        self.spend(conjunction.size())
            && (self.is_contradictory(&conjunction)
                || self.need_contradictory_sentences(left, right)
                || self.contradict_after_expansion(left, right))
    }

    /// Whether two derivations need contradictory sentences.
    fn need_contradictory_sentences(&mut self, left: u32, right: u32) -> bool {
        let [left, right] =
            [left, right].map(|derivation| self.derivation(derivation).derived(self.system));
        left.iter().any(|&one| {
            right
                .iter()
                .any(|&other| self.are_contradictory(one, other))
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
            let (rules, sentence) = self.derivation(derivation).fewest_rules(self.system)?;
            Some((rules, sentence, derivation, other))
        };
        let choices = [sentence_of(left, right), sentence_of(right, left)];
        let Some((rules, sentence, derivation, other)) = choices.into_iter().flatten().min() else {
            return false;
        };
        if rules > MOST_RULES || self.expanded == MOST_EXPANDED || !self.spend(rules) {
            return false;
        }
        let first_new = self.derivations.len();
        let mut derivations = vec![other];
        for &rule in self.system.rule_numbers(sentence) {
            let derivation = self.derivation(derivation).clone();
            let expanded = derivation.expanded(sentence, rule, self.system, &mut self.atoms);
            derivations.extend(self.keep_if_possible(expanded));
        }
        self.expanded += 1;
        let contradict = self.all_contradict(&derivations);
        self.expanded -= 1;
        self.derivations.truncate(first_new);
        contradict
    }
}
