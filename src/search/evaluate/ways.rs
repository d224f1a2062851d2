//! How far each role is from winning, by the sets of facts that win.

use indexmap::IndexMap;

use crate::game::Vocabulary;

/// The ways of each role to win, ready to be looked up in states.
#[derive(Debug, Clone, Default)]
pub(super) struct Ways {
    of_roles: Vec<Vec<Way>>,
}

#[derive(Debug, Clone)]
struct Way {
    /// Per word of a state that matters: which, the facts that are needed, and those that bar them.
    masks: Vec<(usize, u64, u64)>,
    length: u32,
}

impl Ways {
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        let mut bars: Vec<Vec<u32>> = vec![Vec::new(); vocabulary.facts.len()];
        for group in &vocabulary.groups {
            for fact in group {
                let others = group.iter().filter(|other| *other != fact);
                let bar = others.filter(|other| !vocabulary.initial.contains(other));
                bars[*fact as usize].extend(bar);
            }
        }
        let way = |facts: &Vec<u32>| Way::new(facts, &bars);
        let of_roles = vocabulary
            .wins
            .iter()
            .map(|ways| ways.iter().map(way).collect());
        Self {
            of_roles: of_roles.collect(),
        }
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

impl Way {
    fn new(facts: &[u32], bars: &[Vec<u32>]) -> Self {
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
}
