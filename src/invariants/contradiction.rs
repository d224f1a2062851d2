//! Whether two derivations contradict each other if both are assumed.

use super::case_split::exclusive_sets;
use super::derivation::Derivation;
use super::lookup_list::LookupList;
use super::mutex_proof::MutexProver;
use super::transition_system::AtomId;
use crate::ground::SentenceId;

/// The depth to which rules are expanded to decide whether a sentence holds or fails.
const MAX_DEPTH: usize = 4;

/// The conditions of two derivations that are assumed to apply together.
#[derive(Debug, Default)]
pub(super) struct Conjunction {
    atoms: LookupList<AtomId>,
    holds: LookupList<SentenceId>,
    fails: LookupList<SentenceId>,
}

impl Conjunction {
    /// Takes the conditions of two derivations, in place of those so far.
    pub(super) fn join(&mut self, derivations: [&Derivation; 2]) {
        let Self {
            atoms,
            holds,
            fails,
        } = self;
        atoms.clear();
        holds.clear();
        fails.clear();
        for derivation in derivations {
            atoms.extend_from_slice(&derivation.atoms);
            holds.extend_from_slice(&derivation.holds);
            fails.extend_from_slice(&derivation.fails);
        }
    }

    /// The number of conditions.
    pub(super) fn size(&self) -> usize {
        self.atoms.len() + self.holds.len() + self.fails.len()
    }
}

impl MutexProver<'_> {
    /// Whether a sentence that must fail holds, or one that must hold fails, or all facts of a group fail that keeps one.
    pub(super) fn is_contradictory(&mut self, conjunction: &Conjunction) -> bool {
        self.members
            .note(&conjunction.atoms, self.system, &self.candidates);
        let (mut holds, mut fails) = (conjunction.holds.iter(), conjunction.fails.iter());
        fails.any(|&sentence| self.must_hold(sentence, conjunction, MAX_DEPTH))
            || holds.any(|&sentence| self.must_fail(sentence, conjunction, MAX_DEPTH))
            || self.leaves_no_fact(conjunction)
    }

    /// Whether all facts of a group fail of which one is assumed to hold.
    fn leaves_no_fact(&mut self, conjunction: &Conjunction) -> bool {
        let mut failing = std::mem::take(&mut self.failing);
        failing.clear();
        for &sentence in conjunction.fails.iter() {
            failing.extend_from_slice(self.system.atom_of(sentence).as_slice());
        }
        let candidates = failing
            .iter()
            .filter_map(|&atom| self.candidates.of_fact.get(atom as usize));
        let emptied = candidates.flatten().copied().find(|&number| {
            let candidate = &self.candidates.all[number as usize];
            let is_small = candidate.may_keep_one && candidate.facts.len() <= failing.len();
            is_small && candidate.facts.iter().all(|&fact| failing.has(fact))
        });
        self.failing = failing;
        emptied
            .inspect(|&number| self.note_kept_one(number))
            .is_some()
    }

    fn must_hold(&mut self, sentence: SentenceId, conjunction: &Conjunction, depth: usize) -> bool {
        if let Some(atom) = self.system.atom_of(sentence) {
            return conjunction.atoms.has(atom);
        }
        conjunction.holds.has(sentence)
            || self.may_expand(sentence, depth)
                && self.system.rules_of(sentence).any(|rule| {
                    rule.holds
                        .iter()
                        .all(|&of| self.must_hold(of, conjunction, depth - 1))
                        && rule
                            .fails
                            .iter()
                            .all(|&of| self.must_fail(of, conjunction, depth - 1))
                })
    }

    fn must_fail(&mut self, sentence: SentenceId, conjunction: &Conjunction, depth: usize) -> bool {
        if conjunction.fails.has(sentence) {
            return true;
        }
        let needs = self.conditions.atoms.of(self.system, sentence).len();
        if !self.spend(needs * conjunction.atoms.len()) {
            return false;
        }
        if let Some(needed) = self.excluded_need(sentence) {
            // This also notes what excludes it.
            let mut atoms = conjunction.atoms.iter();
            return atoms.any(|&atom| self.are_exclusive(atom, needed));
        }
        self.system.atom_of(sentence).is_none()
            && self.may_expand(sentence, depth)
            && self.system.rules_of(sentence).all(|rule| {
                rule.holds
                    .iter()
                    .any(|&of| self.must_fail(of, conjunction, depth - 1))
                    || rule
                        .fails
                        .iter()
                        .any(|&of| self.must_hold(of, conjunction, depth - 1))
            })
    }

    /// The first atom that a sentence needs and that the atoms of the conjunction exclude.
    fn excluded_need(&mut self, sentence: SentenceId) -> Option<AtomId> {
        let (system, members) = (self.system, &self.members);
        let mut needs = self.conditions.atoms.of(system, sentence).iter().copied();
        needs.find(|&needed| {
            let mut sets = exclusive_sets(system, &self.candidates, needed);
            sets.any(|set| members.has_other(set, needed))
        })
    }

    /// Whether the rules of a sentence may be expanded.
    fn may_expand(&mut self, sentence: SentenceId, depth: usize) -> bool {
        depth > 0 && self.spend(self.system.rule_numbers(sentence).len())
    }
}
