//! What follows from two bodies that are thought to apply at once.

use super::separate::Prover;
use super::world::Atom;
use crate::ground::SentenceId;

/// How deep rules are followed to see whether a sentence holds or fails.
const DEEPEST: usize = 4;

/// What two bodies that are thought to apply at once say.
pub(super) struct Both {
    atoms: Vec<Atom>,
    holds: Vec<SentenceId>,
    fails: Vec<SentenceId>,
}

impl Both {
    /// How much there is to look at.
    pub(super) fn size(&self) -> usize {
        self.atoms.len() + self.holds.len() + self.fails.len()
    }
}

impl Prover<'_> {
    /// What two bodies say.
    pub(super) fn both(&mut self, left: u32, right: u32) -> Both {
        let mut both = Both {
            atoms: Vec::new(),
            holds: Vec::new(),
            fails: Vec::new(),
        };
        for body in [left, right] {
            let body = &self.bodies[body as usize];
            both.atoms.extend(&body.atoms);
            for rule in body.rules(self.world) {
                both.holds.extend(&rule.holds);
                both.fails.extend(self.denied.of_body(self.world, rule));
            }
        }
        both
    }

    /// Whether a sentence that has to fail holds, or one that has to hold fails.
    pub(super) fn clash(&mut self, both: &Both) -> bool {
        let (mut holds, mut fails) = (both.holds.iter(), both.fails.iter());
        fails.any(|&sentence| self.must_hold(sentence, both, DEEPEST))
            || holds.any(|&sentence| self.must_fail(sentence, both, DEEPEST))
    }

    fn must_hold(&mut self, sentence: SentenceId, both: &Both, depth: usize) -> bool {
        if let Some(atom) = self.world.atom_of(sentence) {
            return both.atoms.contains(&atom);
        }
        both.holds.contains(&sentence)
            || self.may_follow(sentence, depth)
                && self.world.rules_of(sentence).any(|rule| {
                    rule.holds
                        .iter()
                        .all(|&of| self.must_hold(of, both, depth - 1))
                        && rule
                            .fails
                            .iter()
                            .all(|&of| self.must_fail(of, both, depth - 1))
                })
    }

    fn must_fail(&mut self, sentence: SentenceId, both: &Both, depth: usize) -> bool {
        if both.fails.contains(&sentence) {
            return true;
        }
        let needs = self.atoms.of(self.world, sentence);
        if !self.spend(needs.len() * both.atoms.len()) {
            return false;
        }
        let is_out =
            |prover: &mut Self, needed| both.atoms.iter().any(|&atom| prover.exclude(atom, needed));
        if needs.iter().any(|&needed| is_out(self, needed)) {
            return true;
        }
        self.world.atom_of(sentence).is_none()
            && self.may_follow(sentence, depth)
            && self.world.rules_of(sentence).all(|rule| {
                rule.holds
                    .iter()
                    .any(|&of| self.must_fail(of, both, depth - 1))
                    || rule
                        .fails
                        .iter()
                        .any(|&of| self.must_hold(of, both, depth - 1))
            })
    }

    /// Whether the rules of a sentence are to be looked at.
    fn may_follow(&mut self, sentence: SentenceId, depth: usize) -> bool {
        depth > 0 && self.spend(self.world.rule_numbers(sentence).len())
    }
}
