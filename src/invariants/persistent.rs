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
    let mut states = StatesWithFact::new(&system);
    let mut left = SENTENCES;
    let is_persistent = |fact: &&TermId| {
        let groups = of_fact.get(*fact).map_or(&[][..], Vec::as_slice);
        let allowed = left.min(SENTENCES_PER_FACT);
        states.assume(**fact, groups, allowed);
        let is_persistent = states.is_persistent(**fact);
        left -= allowed - states.left;
        is_persistent
    };
    facts.iter().filter(is_persistent).copied().collect()
}

/// A partial evaluation of all states in which one fact holds (three-valued: true, false, unknown).
struct StatesWithFact<'w, 'g> {
    system: &'w TransitionSystem<'g>,
    /// Per fact, what is assumed of it.
    known: Assumptions,
    /// Per sentence, its value if it was evaluated; unknown while it is being evaluated.
    found: Assumptions,
    left: u32,
}

/// Values that are all forgotten at once.
struct Assumptions {
    /// Per place, when the value was noted, and the value.
    of: Vec<(u32, Option<bool>)>,
    now: u32,
}

impl Assumptions {
    fn new(places: usize) -> Self {
        Self {
            of: vec![(0, None); places],
            now: 0,
        }
    }

    fn forget(&mut self) {
        self.now += 1;
    }

    fn note(&mut self, place: usize, value: Option<bool>) {
        self.of[place] = (self.now, value);
    }

    fn get(&self, place: usize) -> Option<Option<bool>> {
        let (noted, value) = self.of[place];
        (noted == self.now).then_some(value)
    }
}

impl<'w, 'g> StatesWithFact<'w, 'g> {
    fn new(system: &'w TransitionSystem<'g>) -> Self {
        Self {
            system,
            known: Assumptions::new(system.facts.len()),
            found: Assumptions::new(system.sentence_count()),
            left: 0,
        }
    }

    /// Evaluates the states with `fact`, a member of `groups`, from now on, up to so many sentences.
    fn assume(&mut self, fact: TermId, groups: &[&MutexGroup], sentences: u32) {
        self.left = sentences;
        self.known.forget();
        self.found.forget();
        let number = |fact: &TermId| self.system.facts.get_index_of(fact);
        let others = groups.iter().flat_map(|group| &group.facts);
        for other in others.filter_map(number) {
            self.known.note(other, Some(false));
        }
        if let Some(fact) = number(&fact) {
            self.known.note(fact, Some(true));
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
        let place = sentence.0 as usize;
        if let Some(found) = self.found.get(place) {
            return found;
        }
        let depth = depth.checked_sub(1)?;
        self.left = self.left.checked_sub(1)?;
        self.found.note(place, None);
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
        self.found.note(place, value);
        value
    }

    /// A move is not made where it is illegal.
    fn value_of_atom(&mut self, atom: AtomId, depth: u32) -> Option<bool> {
        match self.system.legality(atom) {
            Some(legal) => self.value(legal, depth).filter(|is_legal| !is_legal),
            None => self.known.get(atom as usize).flatten(),
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
