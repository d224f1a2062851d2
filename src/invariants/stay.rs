//! Facts that stay: once they hold, they hold until the game is over, as a mark on paper does.

use rustc_hash::FxHashMap;

use super::MutexGroup;
use super::world::{Atom, World};
use crate::datalog::TermId;
use crate::ground::{Ground, GroundRule, SentenceId};

/// So many sentences are looked at for one fact, and for all of them.
const LOOKS_FOR_ONE: u32 = 2_000;
const LOOKS: u32 = 1_000_000;
/// How far conditions are followed.
const DEEPEST: u32 = 24;

/// Those of `facts` that stay, as far as that can be shown with little effort: wherever one of them holds, and so none of
/// those that `groups` tells apart from it, some rule for it applies whatever else holds and is done.
pub fn persistent(ground: &Ground, groups: &[MutexGroup], facts: &[TermId]) -> Vec<TermId> {
    let world = World::new(ground);
    let mut of_fact: FxHashMap<TermId, Vec<&MutexGroup>> = FxHashMap::default();
    for group in groups {
        for fact in &group.facts {
            of_fact.entry(*fact).or_default().push(group);
        }
    }
    let mut left = LOOKS;
    let stays = |fact: &&TermId| {
        let groups = of_fact.get(*fact).map_or(&[][..], Vec::as_slice);
        let mut case = Case::new(&world, **fact, groups, left.min(LOOKS_FOR_ONE));
        let begin = case.left;
        let stays = case.stays(**fact);
        left -= begin - case.left;
        stays
    };
    facts.iter().filter(stays).copied().collect()
}

/// The states in which one fact holds, as far as they have something in common.
struct Case<'w, 'g> {
    world: &'w World<'g>,
    known: FxHashMap<Atom, bool>,
    /// What was found out of sentences; nothing is known of those that are being looked at.
    found: FxHashMap<SentenceId, Option<bool>>,
    left: u32,
}

impl<'w, 'g> Case<'w, 'g> {
    fn new(world: &'w World<'g>, fact: TermId, groups: &[&MutexGroup], looks: u32) -> Self {
        let atom = |fact: &TermId| world.facts.get_index_of(fact).map(|atom| atom as Atom);
        let mates = groups.iter().flat_map(|group| &group.facts);
        let mut known: FxHashMap<Atom, bool> =
            mates.filter_map(atom).map(|mate| (mate, false)).collect();
        known.extend(atom(&fact).map(|fact| (fact, true)));
        Self {
            world,
            known,
            found: FxHashMap::default(),
            left: looks,
        }
    }

    fn stays(&mut self, fact: TermId) -> bool {
        let next = self.world.facts.get_index_of(&fact);
        let next = next.and_then(|fact| self.world.next[fact]);
        next.is_some_and(|next| self.value(next, DEEPEST) == Some(true))
    }

    /// Whether a sentence holds in all of the states, or in none.
    fn value(&mut self, sentence: SentenceId, deepest: u32) -> Option<bool> {
        if let Some(atom) = self.world.atom_of(sentence) {
            return self.value_of_atom(atom, deepest);
        }
        if let Some(found) = self.found.get(&sentence) {
            return *found;
        }
        let deepest = deepest.checked_sub(1)?;
        self.left = self.left.checked_sub(1)?;
        self.found.insert(sentence, None);
        let world = self.world;
        let mut value = Some(false);
        for rule in world.rules_of(sentence) {
            match self.applies(rule, deepest) {
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

    /// A move is not made where it is not legal.
    fn value_of_atom(&mut self, atom: Atom, deepest: u32) -> Option<bool> {
        match self.world.legality(atom) {
            Some(legal) => self.value(legal, deepest).filter(|is_legal| !is_legal),
            None => self.known.get(&atom).copied(),
        }
    }

    fn applies(&mut self, rule: &GroundRule, deepest: u32) -> Option<bool> {
        let holds = rule.holds.iter().map(|&condition| (condition, true));
        let fails = rule.fails.iter().map(|&condition| (condition, false));
        let mut all = Some(true);
        for (condition, wanted) in holds.chain(fails) {
            match self.value(condition, deepest) {
                Some(value) if value == wanted => {}
                Some(_) => return Some(false),
                None => all = None,
            }
        }
        all
    }
}
