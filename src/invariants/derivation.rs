//! Partial derivations of sentences.

use std::ops::Index;

use super::necessary_conditions::AllConditions;
use super::transition_system::{AtomId, TransitionSystem};
use crate::ground::{GroundRule, SentenceId};

/// A partial derivation of a sentence: a rule for it, and rules for some of the derived sentences in its body.
#[derive(Debug)]
pub(super) struct Derivation {
    /// The sentence.
    pub(super) head: SentenceId,
    /// The facts and moves that it needs, in increasing order.
    pub(super) atoms: Vec<AtomId>,
    /// The sentences in the bodies of its rules.
    pub(super) holds: Vec<SentenceId>,
    /// The sentences that must not hold.
    pub(super) fails: Vec<SentenceId>,
    /// The derived sentences in the bodies that may be derived in any way.
    pub(super) open: Vec<SentenceId>,
    /// The sentences with a chosen rule.
    expanded: Vec<SentenceId>,
}

impl Derivation {
    /// Of `head`, by no rule.
    fn new(head: SentenceId) -> Self {
        Self {
            head,
            atoms: Vec::new(),
            holds: Vec::new(),
            fails: Vec::new(),
            open: Vec::new(),
            expanded: Vec::new(),
        }
    }

    /// Becomes the same as another one, in the memory it has.
    fn copy(&mut self, other: &Self) {
        self.head = other.head;
        self.atoms.clone_from(&other.atoms);
        self.holds.clone_from(&other.holds);
        self.fails.clone_from(&other.fails);
        self.open.clone_from(&other.open);
        self.expanded.clone_from(&other.expanded);
    }

    /// Derives `sentence` by a rule.
    fn expand(
        &mut self,
        sentence: SentenceId,
        rule: &GroundRule,
        system: &TransitionSystem<'_>,
        conditions: &mut AllConditions,
    ) {
        self.expanded.push(sentence);
        self.open.retain(|&of| of != sentence);
        self.add(rule, system, conditions);
        // What was added is in order, and may be known.
        self.atoms.sort_unstable();
        self.atoms.dedup();
    }

    fn add(
        &mut self,
        rule: &GroundRule,
        system: &TransitionSystem<'_>,
        conditions: &mut AllConditions,
    ) {
        conditions.atoms.add_of_body(system, rule, &mut self.atoms);
        conditions
            .negated
            .add_of_body(system, rule, &mut self.fails);
        self.holds.extend_from_slice(&rule.holds);
        let expanded = &self.expanded;
        let is_open = |of: &SentenceId| system.atom_of(*of).is_none() && !expanded.contains(of);
        self.open.extend(rule.holds.iter().copied().filter(is_open));
    }

    /// The derived sentence with the fewest rules, and their number.
    pub(super) fn fewest_rules(
        &self,
        system: &TransitionSystem<'_>,
    ) -> Option<(usize, SentenceId)> {
        let open = self.open.iter();
        open.map(|&sentence| (system.rule_numbers(sentence).len(), sentence))
            .min()
    }
}

/// A stack of derivations that reuses the memory of those dropped.
#[derive(Debug, Default)]
pub(super) struct DerivationStack {
    all: Vec<Derivation>,
    count: usize,
}

impl DerivationStack {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }

    /// Pushes the derivation of `head` by a rule alone.
    pub(super) fn push(
        &mut self,
        head: SentenceId,
        rule: &GroundRule,
        system: &TransitionSystem<'_>,
        conditions: &mut AllConditions,
    ) -> u32 {
        let number = self.grow(head);
        let new = &mut self.all[number];
        new.copy(&Derivation::new(head));
        new.add(rule, system, conditions);
        number as u32
    }

    /// Pushes a derivation with `sentence` derived by a rule.
    pub(super) fn push_expanded(
        &mut self,
        derivation: u32,
        (sentence, rule): (SentenceId, &GroundRule),
        system: &TransitionSystem<'_>,
        conditions: &mut AllConditions,
    ) -> u32 {
        let number = self.grow(self[derivation].head);
        let (before, new) = self.all.split_at_mut(number);
        new[0].copy(&before[derivation as usize]);
        new[0].expand(sentence, rule, system, conditions);
        number as u32
    }

    /// The number of one more derivation, which is still to be written.
    fn grow(&mut self, head: SentenceId) -> usize {
        if self.all.len() == self.count {
            self.all.push(Derivation::new(head));
        }
        self.count += 1;
        self.count - 1
    }
}

impl Index<u32> for DerivationStack {
    type Output = Derivation;

    fn index(&self, number: u32) -> &Derivation {
        debug_assert!((number as usize) < self.count, "a dropped derivation");
        &self.all[number as usize]
    }
}
