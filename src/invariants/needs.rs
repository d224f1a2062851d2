//! What a sentence cannot hold without.

use std::rc::Rc;

use super::world::{Atom, World};
use crate::ground::{GroundRule, SentenceId};

/// Something that is collected along every derivation of a sentence.
pub(super) trait Collected: Copy + Ord {
    /// What a rule itself contributes.
    fn of_rule(rule: &GroundRule) -> &[Self];
    /// What an atom itself contributes.
    fn of_atom(atom: Atom) -> Option<Self>;
}

impl Collected for Atom {
    fn of_rule(_: &GroundRule) -> &[Self] {
        &[]
    }

    fn of_atom(atom: Atom) -> Option<Self> {
        Some(atom)
    }
}

impl Collected for SentenceId {
    fn of_rule(rule: &GroundRule) -> &[Self] {
        &rule.fails
    }

    fn of_atom(_: Atom) -> Option<Self> {
        None
    }
}

/// What every derivation of a sentence rests on, for each sentence that was asked about: the atoms that it needs, or the
/// sentences that it needs to fail.
pub(super) struct Needs<T> {
    known: Vec<Option<Rc<[T]>>>,
}

impl<T: Collected> Needs<T> {
    pub(super) fn new(sentences: usize) -> Self {
        Self {
            known: vec![None; sentences],
        }
    }

    /// What a sentence needs, in increasing order. A move needs what makes it legal.
    pub(super) fn of(&mut self, world: &World<'_>, sentence: SentenceId) -> Rc<[T]> {
        self.within(world, sentence, 0)
    }

    /// What a rule's body needs, in increasing order.
    pub(super) fn of_body(&mut self, world: &World<'_>, rule: &GroundRule) -> Vec<T> {
        self.of_body_within(world, rule, 0)
    }

    fn within(&mut self, world: &World<'_>, sentence: SentenceId, depth: usize) -> Rc<[T]> {
        /// Deeper chains of rules are not looked through: each takes some of the machine's stack.
        const DEEPEST: usize = 100;
        let place = sentence.0 as usize;
        if let Some(known) = &self.known[place] {
            return Rc::clone(known);
        }
        if depth == DEEPEST {
            return Rc::new([]);
        }
        // For sentences that rest on themselves: nothing is claimed of the inner one.
        self.known[place] = Some(Rc::new([]));
        let found: Rc<[T]> = match world.atom_of(sentence) {
            Some(atom) => {
                let legal = world
                    .legality(atom)
                    .map(|legal| self.within(world, legal, depth + 1));
                let mut all: Vec<T> = legal
                    .iter()
                    .flat_map(|legal| legal.iter().copied())
                    .collect();
                // Moves are numbered behind facts, and legality rests on facts alone.
                all.extend(T::of_atom(atom));
                all.into()
            }
            None => self.common(world, sentence, depth).into(),
        };
        self.known[place] = Some(Rc::clone(&found));
        found
    }

    /// What all rules of a sentence need.
    fn common(&mut self, world: &World<'_>, sentence: SentenceId, depth: usize) -> Vec<T> {
        let mut common: Option<Vec<T>> = None;
        for rule in world.rules_of(sentence) {
            let body = self.of_body_within(world, rule, depth);
            match &mut common {
                None => common = Some(body),
                Some(common) => common.retain(|item| body.binary_search(item).is_ok()),
            }
            if common.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        common.unwrap_or_default()
    }

    fn of_body_within(&mut self, world: &World<'_>, rule: &GroundRule, depth: usize) -> Vec<T> {
        let mut all = T::of_rule(rule).to_vec();
        for &sentence in &rule.holds {
            all.extend_from_slice(&self.within(world, sentence, depth + 1));
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}
