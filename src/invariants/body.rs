//! One way in which a sentence comes to hold.

use super::needs::Needs;
use super::world::{Atom, World};
use crate::ground::{GroundRule, SentenceId};

/// One way in which a sentence comes to hold: by a rule, some of whose sentences are derived by rules in turn.
#[derive(Debug, Clone)]
pub(super) struct Body {
    /// The sentence.
    pub(super) head: SentenceId,
    /// What it needs of the state and the joint move, in increasing order.
    pub(super) atoms: Vec<Atom>,
    rule: u32,
    /// Which rules derive which sentences; all others may be derived in any way.
    unfolded: Vec<(SentenceId, u32)>,
}

impl Body {
    /// The way of a rule to make `head` hold.
    pub(super) fn new(
        head: SentenceId,
        rule: u32,
        world: &World<'_>,
        needs: &mut Needs<Atom>,
    ) -> Self {
        Self {
            head,
            atoms: needs.of_body(world, world.rule(rule)),
            rule,
            unfolded: Vec::new(),
        }
    }

    /// The same, with `sentence` derived by `rule`.
    pub(super) fn unfolded(
        &self,
        sentence: SentenceId,
        rule: u32,
        world: &World<'_>,
        needs: &mut Needs<Atom>,
    ) -> Self {
        let mut body = self.clone();
        body.unfolded.push((sentence, rule));
        body.atoms.extend(needs.of_body(world, world.rule(rule)));
        body.atoms.sort_unstable();
        body.atoms.dedup();
        body
    }

    /// The rules that are used.
    pub(super) fn rules<'w>(&self, world: &'w World<'_>) -> impl Iterator<Item = &'w GroundRule> {
        let rules = self.unfolded.iter().map(|&(_, rule)| rule);
        std::iter::once(self.rule)
            .chain(rules)
            .map(|rule| world.rule(rule))
    }

    /// The sentences that follow by rules and may be derived in any way.
    pub(super) fn derived(&self, world: &World<'_>) -> Vec<SentenceId> {
        let holds = self.rules(world).flat_map(|rule| &rule.holds).copied();
        let is_open = |sentence: &SentenceId| {
            let is_unfolded = self.unfolded.iter().any(|(of, _)| of == sentence);
            world.atom_of(*sentence).is_none() && !is_unfolded
        };
        holds.filter(is_open).collect()
    }

    /// The one of them with the fewest rules, and their number.
    pub(super) fn most_telling(&self, world: &World<'_>) -> Option<(usize, SentenceId)> {
        let open = self.derived(world).into_iter();
        open.map(|sentence| (world.rule_numbers(sentence).len(), sentence))
            .min()
    }
}
