//! Necessary conditions of sentences: what every derivation contains.
//!
//! They are the landmarks of the and/or graph of the rules (Keyder, Richter and Helmert 2010): those of a rule are the union
//! over its body, those of a sentence the intersection over its rules.

use std::sync::Arc;

use super::transition_system::{AtomId, TransitionSystem};
use crate::ground::{GroundRule, SentenceId};

/// A kind of condition that is collected along every derivation.
pub(super) trait NecessaryCondition: Copy + Ord {
    /// The conditions of a rule itself.
    fn of_rule(rule: &GroundRule) -> &[Self];
    /// The condition that an atom is.
    fn of_atom(atom: AtomId) -> Option<Self>;
}

impl NecessaryCondition for AtomId {
    fn of_rule(_: &GroundRule) -> &[Self] {
        &[]
    }

    fn of_atom(atom: AtomId) -> Option<Self> {
        Some(atom)
    }
}

impl NecessaryCondition for SentenceId {
    fn of_rule(rule: &GroundRule) -> &[Self] {
        &rule.fails
    }

    fn of_atom(_: AtomId) -> Option<Self> {
        None
    }
}

/// The necessary conditions of the sentences queried so far: atoms that must hold, or sentences that must not.
pub(super) struct NecessaryConditions<T> {
    known: Vec<Option<Arc<[T]>>>,
}

/// The necessary conditions of both kinds.
pub(super) struct AllConditions {
    pub(super) atoms: NecessaryConditions<AtomId>,
    pub(super) negated: NecessaryConditions<SentenceId>,
}

impl AllConditions {
    pub(super) fn new(sentences: usize) -> Self {
        Self {
            atoms: NecessaryConditions::new(sentences),
            negated: NecessaryConditions::new(sentences),
        }
    }
}

impl<T: NecessaryCondition> NecessaryConditions<T> {
    fn new(sentences: usize) -> Self {
        Self {
            known: vec![None; sentences],
        }
    }

    /// The necessary conditions of a sentence, in increasing order. Those of a move include those of its legality.
    pub(super) fn of(&mut self, system: &TransitionSystem<'_>, sentence: SentenceId) -> &[T] {
        let place = sentence.0 as usize;
        if self.known[place].is_none() {
            self.within(system, sentence, 0);
        }
        self.known[place].as_deref().unwrap_or_default()
    }

    /// Adds the necessary conditions of a rule's body, in increasing order, after those that are there.
    pub(super) fn add_of_body(
        &mut self,
        system: &TransitionSystem<'_>,
        rule: &GroundRule,
        all: &mut Vec<T>,
    ) {
        self.add_of_body_within(system, rule, 0, all);
    }

    fn within(
        &mut self,
        system: &TransitionSystem<'_>,
        sentence: SentenceId,
        depth: usize,
    ) -> Arc<[T]> {
        /// The limit on the depth of recursion, which bounds the stack.
        const MAX_DEPTH: usize = 100;
        let place = sentence.0 as usize;
        if let Some(known) = &self.known[place] {
            return Arc::clone(known);
        }
        if depth == MAX_DEPTH {
            return Arc::new([]);
        }
        // For recursive sentences: the inner occurrence contributes no conditions.
        self.known[place] = Some(Arc::new([]));
        let found: Arc<[T]> = match system.atom_of(sentence) {
            Some(atom) => {
                let legal = system
                    .legality(atom)
                    .map(|legal| self.within(system, legal, depth + 1));
                let mut all: Vec<T> = legal
                    .iter()
                    .flat_map(|legal| legal.iter().copied())
                    .collect();
                // Moves have higher numbers than facts, and legality depends on facts alone.
                all.extend(T::of_atom(atom));
                all.into()
            }
            None => self.common(system, sentence, depth).into(),
        };
        self.known[place] = Some(Arc::clone(&found));
        found
    }

    /// The conditions that all rules of a sentence share.
    fn common(
        &mut self,
        system: &TransitionSystem<'_>,
        sentence: SentenceId,
        depth: usize,
    ) -> Vec<T> {
        let mut common: Option<Vec<T>> = None;
        let mut body = Vec::new();
        for rule in system.rules_of(sentence) {
            body.clear();
            self.add_of_body_within(system, rule, depth, &mut body);
            match &mut common {
                None => common = Some(body.clone()),
                Some(common) => common.retain(|item| body.binary_search(item).is_ok()),
            }
            if common.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        common.unwrap_or_default()
    }

    fn add_of_body_within(
        &mut self,
        system: &TransitionSystem<'_>,
        rule: &GroundRule,
        depth: usize,
        all: &mut Vec<T>,
    ) {
        let first = all.len();
        all.extend_from_slice(T::of_rule(rule));
        for &sentence in &rule.holds {
            all.extend_from_slice(&self.within(system, sentence, depth + 1));
        }
        all[first..].sort_unstable();
        // `Vec::dedup` would look at those before, too.
        let mut end = first;
        for at in first..all.len() {
            if end == first || all[at] != all[end - 1] {
                all[end] = all[at];
                end += 1;
            }
        }
        all.truncate(end);
    }
}
