//! How far each role is from winning, by the sets of facts that win.

use indexmap::IndexMap;

use crate::game::{GameFacts, GoalValue};

/// The ways of each role to win, ready to be looked up in states.
#[derive(Debug, Clone, Default)]
pub(super) struct Ways {
    of_roles: Vec<Vec<Needs>>,
}

/// Facts that are needed together.
#[derive(Debug, Clone)]
pub(super) struct Needs {
    /// Per word of a state that matters: which, the facts that are needed, and those that bar them.
    masks: Vec<(usize, u64, u64)>,
    length: u32,
}

impl Ways {
    /// Longer ways say little.
    const LONGEST: usize = 12;

    pub(super) fn new(game_facts: &GameFacts) -> Self {
        let is_there = |fact: u32| game_facts.initial.contains(&fact);
        let bars = bars(game_facts, |fact| !is_there(fact));
        let of_role = |goal_values: &Vec<GoalValue>| {
            let wins = goal_values
                .iter()
                .filter(|goal_value| goal_value.goal == 100);
            let ways = wins.flat_map(|goal_value| &goal_value.ways);
            let telling = ways.filter(|way| (2..=Self::LONGEST).contains(&way.needs.len()));
            telling.map(|way| Needs::new(&way.needs, &bars)).collect()
        };
        Self {
            of_roles: game_facts.goals.iter().map(of_role).collect(),
        }
    }

    /// Whether any are known of a role.
    pub(super) fn has_any(&self, role: usize) -> bool {
        !self.of_roles[role].is_empty()
    }

    /// How many ways of `role` are not barred and lack 1, 2 and 3 facts.
    pub(super) fn missing(&self, role: usize, words: &[u64]) -> [u32; 3] {
        let mut counts = [0; 3];
        for way in &self.of_roles[role] {
            let missing = way.missing(words);
            if let Some(count) =
                missing.and_then(|facts| counts.get_mut(facts.wrapping_sub(1) as usize))
            {
                *count += 1;
            }
        }
        counts
    }
}

/// For each fact those that bar it: they cannot hold together with it, and are among those that count.
pub(super) fn bars(game_facts: &GameFacts, counts: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
    let mut bars: Vec<Vec<u32>> = vec![Vec::new(); game_facts.facts.len()];
    for group in &game_facts.groups {
        for fact in group {
            let others = group.iter().filter(|other| *other != fact);
            bars[*fact as usize].extend(others.filter(|other| counts(**other)));
        }
    }
    bars
}

impl Needs {
    pub(super) fn new(facts: &[u32], bars: &[Vec<u32>]) -> Self {
        let mut masks: IndexMap<usize, (u64, u64)> = IndexMap::new();
        for fact in facts {
            masks.entry(*fact as usize / 64).or_default().0 |= 1 << (fact % 64);
            for bar in &bars[*fact as usize] {
                masks.entry(*bar as usize / 64).or_default().1 |= 1 << (bar % 64);
            }
        }
        Self {
            masks: masks
                .into_iter()
                .map(|(word, (needed, barring))| (word, needed, barring))
                .collect(),
            length: facts.len() as u32,
        }
    }

    /// How many facts are missing, unless the way is barred.
    fn missing(&self, words: &[u64]) -> Option<u32> {
        let mut held = 0;
        for &(word, needed, barring) in &self.masks {
            if words[word] & barring != 0 {
                return None;
            }
            held += (words[word] & needed).count_ones();
        }
        Some(self.length - held)
    }

    /// Whether something holds that bars it.
    pub(super) fn is_barred(&self, words: &[u64]) -> bool {
        let mut masks = self.masks.iter();
        masks.any(|&(word, _, barring)| words[word] & barring != 0)
    }

    /// Whether anything can bar it.
    pub(super) fn can_be_barred(&self) -> bool {
        self.masks.iter().any(|(_, _, barring)| *barring != 0)
    }
}
