//! Persistent facts: once true, they remain true until the game is over, like a mark on paper.

use rustc_hash::FxHashMap;

use super::MutexGroup;
use super::transition_system::{AtomId, TransitionSystem};
use crate::datalog::TermId;
use crate::ground::{Ground, GroundRule, SentenceId};

/// The limits on sentences evaluated, for one fact and for all facts.
const SENTENCES_PER_FACT: u32 = 2_000;
const SENTENCES: u32 = 1_000_000;
/// The depth to which conditions are evaluated.
const MAX_DEPTH: u32 = 24;

/// Those of `facts` that are proved persistent within a bounded effort: in every state in which the fact holds, so that
/// no other fact of its mutex groups does, some rule derives it for the next state whatever else holds and is done.
pub fn persistent(ground: &Ground, groups: &[MutexGroup], facts: &[TermId]) -> Vec<TermId> {
    let system = TransitionSystem::new(ground);
    let mut of_fact: FxHashMap<TermId, Vec<&MutexGroup>> = FxHashMap::default();
    for group in groups {
        for fact in &group.facts {
            of_fact.entry(*fact).or_default().push(group);
        }
    }
    let mut left = SENTENCES;
    let is_persistent = |fact: &&TermId| {
        let groups = of_fact.get(*fact).map_or(&[][..], Vec::as_slice);
        let mut states = StatesWithFact::new(&system, **fact, groups, left.min(SENTENCES_PER_FACT));
        let begin = states.left;
        let is_persistent = states.is_persistent(**fact);
        left -= begin - states.left;
        is_persistent
    };
    facts.iter().filter(is_persistent).copied().collect()
}

/// A partial evaluation of all states in which one fact holds (three-valued: true, false, unknown).
struct StatesWithFact<'w, 'g> {
    system: &'w TransitionSystem<'g>,
    known: FxHashMap<AtomId, bool>,
    /// The values of sentences evaluated so far; unknown while a sentence is being evaluated.
    found: FxHashMap<SentenceId, Option<bool>>,
    left: u32,
}

impl<'w, 'g> StatesWithFact<'w, 'g> {
    fn new(
        system: &'w TransitionSystem<'g>,
        fact: TermId,
        groups: &[&MutexGroup],
        sentences: u32,
    ) -> Self {
        let atom = |fact: &TermId| system.facts.get_index_of(fact).map(|atom| atom as AtomId);
        let others = groups.iter().flat_map(|group| &group.facts);
        let mut known: FxHashMap<AtomId, bool> = others
            .filter_map(atom)
            .map(|other| (other, false))
            .collect();
        known.extend(atom(&fact).map(|fact| (fact, true)));
        Self {
            system,
            known,
            found: FxHashMap::default(),
            left: sentences,
        }
    }

    fn is_persistent(&mut self, fact: TermId) -> bool {
        let next = self.system.facts.get_index_of(&fact);
        let next = next.and_then(|fact| self.system.next[fact]);
        next.is_some_and(|next| self.value(next, MAX_DEPTH) == Some(true))
    }

    /// Whether a sentence holds in all of the states, or in none of them.
    fn value(&mut self, sentence: SentenceId, depth: u32) -> Option<bool> {
        if let Some(atom) = self.system.atom_of(sentence) {
            return self.value_of_atom(atom, depth);
        }
        if let Some(found) = self.found.get(&sentence) {
            return *found;
        }
        let depth = depth.checked_sub(1)?;
        self.left = self.left.checked_sub(1)?;
        self.found.insert(sentence, None);
        let system = self.system;
        let mut value = Some(false);
        for rule in system.rules_of(sentence) {
            match self.applies(rule, depth) {
                Some(true) => {
                    value = Some(true);
                    break;
                }
                Some(false) => {}
                None => value = None,
            }
        }
        self.found.insert(sentence, value);
        value
    }

    /// A move is not made where it is illegal.
    fn value_of_atom(&mut self, atom: AtomId, depth: u32) -> Option<bool> {
        match self.system.legality(atom) {
            Some(legal) => self.value(legal, depth).filter(|is_legal| !is_legal),
            None => self.known.get(&atom).copied(),
        }
    }

    fn applies(&mut self, rule: &GroundRule, depth: u32) -> Option<bool> {
        let holds = rule.holds.iter().map(|&condition| (condition, true));
        let fails = rule.fails.iter().map(|&condition| (condition, false));
        let mut all = Some(true);
        for (condition, wanted) in holds.chain(fails) {
            match self.value(condition, depth) {
                Some(value) if value == wanted => {}
                Some(_) => return Some(false),
                None => all = None,
            }
        }
        all
    }
}
