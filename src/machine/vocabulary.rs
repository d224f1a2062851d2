//! What a game is about, read off its rules.

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use super::choose::budget;
use crate::datalog::{Limits, TermId};
use crate::game::Vocabulary;
use crate::gdl::{Rules, Term};
use crate::ground::{Ground, GroundRule, SentenceId, Source, Sources, ground};
use crate::propnet::Interface;

/// Longer is not waited for the vocabulary of a game that runs without one.
const TIME: Duration = Duration::from_secs(4);

/// The vocabulary of a game, if its rules ground with little effort.
pub fn vocabulary_of(rules: &Rules) -> Option<Vocabulary> {
    let limits = Limits {
        time: TIME,
        ..budget(Arc::default())
    };
    let ground = ground(rules, &limits).ok()?;
    Some(vocabulary(rules, &ground, &Interface::new(&ground)))
}

/// The vocabulary of a game that was grounded.
pub(super) fn vocabulary(rules: &Rules, ground: &Ground, interface: &Interface) -> Vocabulary {
    let numbers: FxHashMap<TermId, u32> = interface.fluents.iter().copied().zip(0..).collect();
    let initial = interface.initial.iter().zip(0..);
    let groups = ground.groups().iter().map(|group| {
        let facts = group
            .facts
            .iter()
            .filter_map(|fact| numbers.get(fact).copied());
        facts.collect::<Vec<u32>>()
    });
    let fluents = interface.fluents.iter();
    Vocabulary {
        facts: fluents.map(|&fluent| ground.terms.text(fluent)).collect(),
        initial: initial
            .filter(|(holds, _)| **holds)
            .map(|(_, number)| number)
            .collect(),
        groups: groups.filter(|group| group.len() > 1).collect(),
        chains: chains(rules),
        wins: Wins::new(ground, &numbers).of_all_roles(),
    }
}

/// Orders that the rules spell out: binary relations that lead from each term to at most one other, through all of
/// them.
fn chains(rules: &Rules) -> Vec<Vec<String>> {
    let mut relations: Vec<(&str, Vec<(&str, &str)>)> = Vec::new();
    for rule in rules.rules().iter().filter(|rule| rule.body.is_empty()) {
        let Term::Compound(name, args) = &rule.head else {
            continue;
        };
        if let [Term::Constant(from), Term::Constant(to)] = &args[..] {
            let place = relations.iter().position(|(known, _)| *known == &**name);
            let place = place.unwrap_or_else(|| {
                relations.push((name, Vec::new()));
                relations.len() - 1
            });
            relations[place].1.push((from, to));
        }
    }
    relations
        .iter()
        .filter_map(|(_, pairs)| chain(pairs))
        .collect()
}

/// The terms in their order, if the pairs form a single chain of three terms or more.
fn chain(pairs: &[(&str, &str)]) -> Option<Vec<String>> {
    let next: FxHashMap<&str, &str> = pairs.iter().copied().collect();
    let targets: FxHashSet<&str> = pairs.iter().map(|(_, to)| *to).collect();
    if next.len() != pairs.len() || targets.len() != pairs.len() {
        return None;
    }
    let mut starts = next.keys().filter(|from| !targets.contains(**from));
    let (Some(start), None) = (starts.next(), starts.next()) else {
        return None;
    };
    let mut terms = vec![(*start).to_owned()];
    let mut at = *start;
    while let Some(to) = next.get(at) {
        terms.push((*to).to_owned());
        at = to;
    }
    (terms.len() == pairs.len() + 1 && terms.len() > 2).then_some(terms)
}

/// Finds the sets of facts that win.
struct Wins<'g> {
    ground: &'g Ground,
    sources: Sources,
    numbers: &'g FxHashMap<TermId, u32>,
    by_head: FxHashMap<SentenceId, Vec<&'g GroundRule>>,
}

/// Facts that are needed together, in increasing order.
type Conjunction = Vec<u32>;

impl<'g> Wins<'g> {
    /// A role with more ways to win has none that are of use.
    const MOST: usize = 1000;
    /// Longer ones are dropped.
    const LONGEST: usize = 12;
    const DEEPEST: u32 = 24;

    fn new(ground: &'g Ground, numbers: &'g FxHashMap<TermId, u32>) -> Self {
        let mut by_head: FxHashMap<SentenceId, Vec<&GroundRule>> = FxHashMap::default();
        for rule in &ground.rules {
            by_head.entry(rule.head).or_default().push(rule);
        }
        Self {
            ground,
            sources: Sources::new(&ground.words),
            numbers,
            by_head,
        }
    }

    fn of_all_roles(&self) -> Vec<Vec<Conjunction>> {
        let words = &self.ground.words;
        words.roles.iter().map(|&role| self.of_role(role)).collect()
    }

    fn of_role(&self, role: TermId) -> Vec<Conjunction> {
        let Ground {
            sentences,
            terms,
            words,
            ..
        } = self.ground;
        let is_won = |args: &[TermId]| args[0] == role && terms.text(args[1]) == "100";
        let won = sentences
            .iter()
            .zip(0..)
            .find(|(sentence, _)| sentence.pred == words.goal && is_won(&sentence.args));
        let ways = won.and_then(|(_, number)| self.ways(SentenceId(number), Self::DEEPEST));
        let mut ways = ways.unwrap_or_default();
        ways.retain(|way| way.len() > 1 && way.len() <= Self::LONGEST);
        ways
    }

    /// The sets of facts that make a sentence true, as far as positive conditions tell; `None` if there are too many.
    fn ways(&self, sentence: SentenceId, deepest: u32) -> Option<Vec<Conjunction>> {
        let deepest = deepest.checked_sub(1)?;
        let row = self.ground.sentences.get_index(sentence.0 as usize)?;
        match self.sources.of(row, &self.ground.terms) {
            Some(Source::State(fact)) => return Some(vec![vec![*self.numbers.get(&fact)?]]),
            Some(Source::JointMove(..)) => return None,
            None => {}
        }
        let mut all = Vec::new();
        for rule in self.by_head.get(&sentence)? {
            all.extend(self.of_rule(rule, deepest)?);
            if all.len() > Self::MOST {
                return None;
            }
        }
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    fn of_rule(&self, rule: &GroundRule, deepest: u32) -> Option<Vec<Conjunction>> {
        let mut all = vec![Conjunction::new()];
        for condition in &rule.holds {
            let ways = self.ways(*condition, deepest)?;
            if all.len() * ways.len() > Self::MOST {
                return None;
            }
            all = all
                .iter()
                .flat_map(|one| ways.iter().map(|other| both(one, other)))
                .collect();
        }
        Some(all)
    }
}

fn both(one: &Conjunction, other: &Conjunction) -> Conjunction {
    let mut facts: Conjunction = one.iter().chain(other).copied().collect();
    facts.sort_unstable();
    facts.dedup();
    facts
}
