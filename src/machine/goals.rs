//! What each role needs for each goal, read off the rules.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::datalog::TermId;
use crate::game::Prospect;
use crate::ground::{Ground, GroundRule, SentenceId, Source, Sources};

/// Finds sets of facts that goals need.
pub(super) struct Goals<'g> {
    ground: &'g Ground,
    sources: Sources,
    numbers: &'g FxHashMap<TermId, u32>,
    by_head: FxHashMap<SentenceId, Vec<&'g GroundRule>>,
    /// What was found of sentences that follow by rules.
    found: FxHashMap<SentenceId, Option<Rc<[Conjunction]>>>,
}

/// Facts that are needed together, in increasing order.
type Conjunction = Vec<u32>;

impl<'g> Goals<'g> {
    /// Of what comes about in more ways nothing is known.
    const MOST: usize = 1000;
    const DEEPEST: u32 = 24;

    /// Facts go by their `numbers`.
    pub(super) fn new(ground: &'g Ground, numbers: &'g FxHashMap<TermId, u32>) -> Self {
        let mut by_head: FxHashMap<SentenceId, Vec<&GroundRule>> = FxHashMap::default();
        for rule in &ground.rules {
            by_head.entry(rule.head).or_default().push(rule);
        }
        Self {
            ground,
            sources: Sources::new(&ground.words),
            numbers,
            by_head,
            found: FxHashMap::default(),
        }
    }

    /// Per role, what each goal needs, in increasing order of goals.
    pub(super) fn of_all_roles(mut self) -> Vec<Vec<Prospect>> {
        let roles = self.ground.words.roles.clone();
        roles.into_iter().map(|role| self.of_role(role)).collect()
    }

    fn of_role(&mut self, role: TermId) -> Vec<Prospect> {
        let Ground {
            sentences,
            terms,
            words,
            ..
        } = self.ground;
        let goals = (0..).zip(sentences).filter_map(|(number, sentence)| {
            let is_own = sentence.pred == words.goal && sentence.args[0] == role;
            let goal = || terms.text(sentence.args[1]).parse().ok();
            Some((is_own.then(goal)??, SentenceId(number)))
        });
        let mut goals: Vec<(u8, SentenceId)> = goals.collect();
        goals.sort_unstable();
        let prospect = |(goal, sentence)| Prospect {
            goal,
            ways: match self.ways(sentence, Self::DEEPEST) {
                Some(ways) => ways.to_vec(),
                None => vec![Conjunction::new()],
            },
        };
        goals.into_iter().map(prospect).collect()
    }

    /// The sets of facts of which one must hold where a sentence does, as far as positive conditions tell; `None` if there
    /// are too many.
    fn ways(&mut self, sentence: SentenceId, deepest: u32) -> Option<Rc<[Conjunction]>> {
        let deepest = deepest.checked_sub(1)?;
        let row = self.ground.sentences.get_index(sentence.0 as usize)?;
        match self.sources.of(row, &self.ground.terms) {
            Some(Source::State(fact)) => return Some(Rc::new([vec![*self.numbers.get(&fact)?]])),
            Some(Source::JointMove(..)) => return None,
            None => {}
        }
        if let Some(found) = self.found.get(&sentence) {
            return found.clone();
        }
        let ways = self.by_rules(sentence, deepest);
        self.found.insert(sentence, ways.clone());
        ways
    }

    fn by_rules(&mut self, sentence: SentenceId, deepest: u32) -> Option<Rc<[Conjunction]>> {
        let mut all = Vec::new();
        for rule in self.by_head.get(&sentence)?.clone() {
            all.extend(self.of_rule(rule, deepest)?);
            if all.len() > Self::MOST {
                return None;
            }
        }
        all.sort_unstable();
        all.dedup();
        Some(all.into())
    }

    fn of_rule(&mut self, rule: &GroundRule, deepest: u32) -> Option<Vec<Conjunction>> {
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
