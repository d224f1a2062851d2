//! Sets of facts that a goal needs, and what keeps them from holding together.

use indexmap::IndexMap;

use crate::game::GameFacts;

/// Facts that must hold together.
#[derive(Debug, Clone)]
pub(super) struct NeededFacts {
    /// Per relevant word of a state: its index, the needed facts, and the facts that block them.
    masks: Vec<(usize, u64, u64)>,
}

/// For each fact its blockers: the facts of its mutex groups, of those that `counts` accepts.
pub(super) fn blockers(game_facts: &GameFacts, counts: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
    let mut blockers: Vec<Vec<u32>> = vec![Vec::new(); game_facts.facts.len()];
    for group in &game_facts.mutex_groups {
        for fact in group {
            let others = group.iter().filter(|other| *other != fact);
            blockers[*fact as usize].extend(others.filter(|other| counts(**other)));
        }
    }
    blockers
}

impl NeededFacts {
    pub(super) fn new(facts: &[u32], blockers: &[Vec<u32>]) -> Self {
        let mut masks: IndexMap<usize, (u64, u64)> = IndexMap::new();
        for fact in facts {
            masks.entry(*fact as usize / 64).or_default().0 |= 1 << (fact % 64);
            for blocker in &blockers[*fact as usize] {
                masks.entry(*blocker as usize / 64).or_default().1 |= 1 << (blocker % 64);
            }
        }
        Self {
            masks: masks
                .into_iter()
                .map(|(word, (needed, blocking))| (word, needed, blocking))
                .collect(),
        }
    }

    /// Whether a blocker holds.
    pub(super) fn is_blocked(&self, words: &[u64]) -> bool {
        let mut masks = self.masks.iter();
        masks.any(|&(word, _, blocking)| words[word] & blocking != 0)
    }

    /// Whether there are blockers.
    pub(super) fn can_be_blocked(&self) -> bool {
        self.masks.iter().any(|(_, _, blocking)| *blocking != 0)
    }
}
