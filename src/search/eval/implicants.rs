//! Winning implicants: sets of facts that make a role win, and how many of their facts are missing.

use indexmap::IndexMap;

use crate::game::{GameFacts, GoalValue};

/// The winning implicants of each role, as bit masks.
#[derive(Debug, Clone, Default)]
pub(super) struct WinningImplicants {
    of_roles: Vec<Vec<NeededFacts>>,
}

/// Facts that must hold together.
#[derive(Debug, Clone)]
pub(super) struct NeededFacts {
    /// Per relevant word of a state: its index, the needed facts, and the facts that block them.
    masks: Vec<(usize, u64, u64)>,
    length: u32,
}

impl WinningImplicants {
    /// Longer implicants say little about the next moves.
    const LONGEST: usize = 12;

    pub(super) fn new(game_facts: &GameFacts) -> Self {
        let is_there = |fact: u32| game_facts.initial.contains(&fact);
        let blockers = blockers(game_facts, |fact| !is_there(fact));
        let of_role = |goal_values: &Vec<GoalValue>| {
            let wins = goal_values
                .iter()
                .filter(|goal_value| goal_value.goal == 100);
            let implicants = wins.flat_map(|goal_value| &goal_value.implicants);
            let telling =
                implicants.filter(|implicant| (2..=Self::LONGEST).contains(&implicant.needs.len()));
            telling
                .map(|implicant| NeededFacts::new(&implicant.needs, &blockers))
                .collect()
        };
        Self {
            of_roles: game_facts.goals.iter().map(of_role).collect(),
        }
    }

    /// Whether any are known for a role.
    pub(super) fn has_any(&self, role: usize) -> bool {
        !self.of_roles[role].is_empty()
    }

    /// How many unblocked implicants of `role` lack 1, 2 and 3 facts.
    pub(super) fn missing(&self, role: usize, words: &[u64]) -> [u32; 3] {
        let mut counts = [0; 3];
        for implicant in &self.of_roles[role] {
            let missing = implicant.missing(words);
            if let Some(count) =
                missing.and_then(|facts| counts.get_mut(facts.wrapping_sub(1) as usize))
            {
                *count += 1;
            }
        }
        counts
    }
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
            length: facts.len() as u32,
        }
    }

    /// The number of missing facts; `None` if the implicant is blocked.
    fn missing(&self, words: &[u64]) -> Option<u32> {
        let mut held = 0;
        for &(word, needed, blocking) in &self.masks {
            if words[word] & blocking != 0 {
                return None;
            }
            held += (words[word] & needed).count_ones();
        }
        Some(self.length - held)
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
