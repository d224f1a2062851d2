//! The distance of each role from a win, by the implicants of its goal 100.

use indexmap::IndexMap;

use crate::game::{GameFacts, GoalValue};

/// The implicants of the goal 100 of each role, as bit masks.
#[derive(Debug, Clone, Default)]
pub(super) struct WinImplicants {
    by_role: Vec<Vec<ImplicantMasks>>,
}

/// The facts that an implicant needs, and those that block it.
#[derive(Debug, Clone)]
pub(super) struct ImplicantMasks {
    /// For each relevant word of a state: its index, the mask of needed facts, and the mask of blocking facts.
    masks: Vec<(usize, u64, u64)>,
    length: u32,
}

impl WinImplicants {
    /// Implicants with more facts are ignored, since they say little.
    const MAX_FACTS: usize = 12;

    pub(super) fn new(game_facts: &GameFacts) -> Self {
        let is_initial = |fact: u32| game_facts.initial.contains(&fact);
        let blockers = blockers(game_facts, |fact| !is_initial(fact));
        let of_role = |goal_values: &Vec<GoalValue>| {
            let wins = goal_values
                .iter()
                .filter(|goal_value| goal_value.goal == 100);
            let implicants = wins.flat_map(|goal_value| &goal_value.ways);
            let short = implicants
                .filter(|implicant| (2..=Self::MAX_FACTS).contains(&implicant.needs.len()));
            short
                .map(|implicant| ImplicantMasks::new(&implicant.needs, &blockers))
                .collect()
        };
        Self {
            by_role: game_facts.goals.iter().map(of_role).collect(),
        }
    }

    /// Whether a role has any.
    pub(super) fn has_any(&self, role: usize) -> bool {
        !self.by_role[role].is_empty()
    }

    /// The number of unblocked implicants of `role` that lack 1, 2 and 3 facts.
    pub(super) fn missing(&self, role: usize, words: &[u64]) -> [u32; 3] {
        let mut counts = [0; 3];
        for implicant in &self.by_role[role] {
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

/// For each fact the facts that block it: those mutually exclusive with it for which `counts` holds.
pub(super) fn blockers(game_facts: &GameFacts, counts: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
    let mut blockers: Vec<Vec<u32>> = vec![Vec::new(); game_facts.facts.len()];
    for group in &game_facts.groups {
        for fact in group {
            let others = group.iter().filter(|other| *other != fact);
            blockers[*fact as usize].extend(others.filter(|other| counts(**other)));
        }
    }
    blockers
}

impl ImplicantMasks {
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

    /// The number of missing facts, unless the implicant is blocked.
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

    /// Whether a blocking fact holds.
    pub(super) fn is_blocked(&self, words: &[u64]) -> bool {
        let mut masks = self.masks.iter();
        masks.any(|&(word, _, blocking)| words[word] & blocking != 0)
    }

    /// Whether any fact can block it.
    pub(super) fn can_be_blocked(&self) -> bool {
        self.masks.iter().any(|(_, _, blocking)| *blocking != 0)
    }
}
