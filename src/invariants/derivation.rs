//! Partial derivations of sentences.

use super::necessary_conditions::NecessaryConditions;
use super::transition_system::{AtomId, TransitionSystem};
use crate::ground::{GroundRule, SentenceId};

/// A partial derivation of a sentence: a rule for it, and rules for some of the derived sentences in its body.
#[derive(Debug, Clone)]
pub(super) struct Derivation {
    /// The sentence.
    pub(super) head: SentenceId,
    /// The facts and moves that it needs, in increasing order.
    pub(super) atoms: Vec<AtomId>,
    rule: u32,
    /// The sentences with a chosen rule; all others may be derived in any way.
    expanded: Vec<(SentenceId, u32)>,
}

impl Derivation {
    /// The derivation of `head` by `rule` alone.
    pub(super) fn new(
        head: SentenceId,
        rule: u32,
        system: &TransitionSystem<'_>,
        needs: &mut NecessaryConditions<AtomId>,
    ) -> Self {
        Self {
            head,
            atoms: needs.of_body(system, system.rule(rule)),
            rule,
            expanded: Vec::new(),
        }
    }

    /// The derivation with `sentence` derived by `rule`.
    pub(super) fn expanded(
        &self,
        sentence: SentenceId,
        rule: u32,
        system: &TransitionSystem<'_>,
        needs: &mut NecessaryConditions<AtomId>,
    ) -> Self {
        let mut body = self.clone();
        body.expanded.push((sentence, rule));
        body.atoms.extend(needs.of_body(system, system.rule(rule)));
        body.atoms.sort_unstable();
        body.atoms.dedup();
        body
    }

    /// The chosen rules.
    pub(super) fn rules<'w>(
        &self,
        system: &'w TransitionSystem<'_>,
    ) -> impl Iterator<Item = &'w GroundRule> {
        let rules = self.expanded.iter().map(|&(_, rule)| rule);
        std::iter::once(self.rule)
            .chain(rules)
            .map(|rule| system.rule(rule))
    }

    /// The derived sentences without a chosen rule.
    pub(super) fn derived(&self, system: &TransitionSystem<'_>) -> Vec<SentenceId> {
        let holds = self.rules(system).flat_map(|rule| &rule.holds).copied();
        let is_open = |sentence: &SentenceId| {
            let is_expanded = self.expanded.iter().any(|(of, _)| of == sentence);
            system.atom_of(*sentence).is_none() && !is_expanded
        };
        holds.filter(is_open).collect()
    }

    /// The derived sentence with the fewest rules, and their number.
    pub(super) fn fewest_rules(
        &self,
        system: &TransitionSystem<'_>,
    ) -> Option<(usize, SentenceId)> {
        let open = self.derived(system).into_iter();
        open.map(|sentence| (system.rule_numbers(sentence).len(), sentence))
            .min()
    }
}
