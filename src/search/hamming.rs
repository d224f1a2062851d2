//! The Hamming distance to a goal: how many of the facts that it needs do not hold.

use crate::game::{GameFacts, Role};

/// How many facts differ, at least, between a state and those in which a role has its best goal, as far as the rules say what that
/// goal needs.
///
/// Where a ply makes at most one of these facts hold, no end with that goal is nearer than this: the distance is *admissible*.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HammingDistance {
    goal: u8,
    /// The facts that must hold together, as bits, for each way to have the goal.
    needed: Vec<Vec<u64>>,
}

/// The rules do not say which facts the best goal needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the rules name no facts that a goal of {0} needs")]
pub struct NoHammingDistance(pub u8);

impl HammingDistance {
    /// The distance to the best goal of a role.
    ///
    /// # Errors
    /// [`NoHammingDistance`].
    pub fn new(game_facts: &GameFacts, role: Role) -> Result<Self, NoHammingDistance> {
        let best = game_facts.goals[role.0]
            .last()
            .ok_or(NoHammingDistance(0))?;
        let bits = |needs: &Vec<u32>| {
            let mut words = vec![0; game_facts.words()];
            needs
                .iter()
                .for_each(|fact| words[*fact as usize / 64] |= 1 << (fact % 64));
            words
        };
        let needs = best.implicants.iter().map(|implicant| &implicant.needs);
        match needs.clone().any(Vec::is_empty) || best.implicants.is_empty() {
            true => Err(NoHammingDistance(best.goal)),
            false => Ok(Self {
                goal: best.goal,
                needed: needs.map(bits).collect(),
            }),
        }
    }

    /// The goal that it is about.
    pub fn goal(&self) -> u8 {
        self.goal
    }

    /// The distance of a state, given by the bits of its facts: see
    /// [`mark_facts`](crate::game::StateMachine::mark_facts).
    pub fn of(&self, words: &[u64]) -> u32 {
        let missing = |needed: &Vec<u64>| -> u32 {
            let pairs = needed.iter().zip(words);
            pairs.map(|(need, word)| (need & !word).count_ones()).sum()
        };
        self.needed.iter().map(missing).min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GoalValue, Implicant};

    fn facts(ways: &[&[u32]]) -> GameFacts {
        let implicants = ways.iter().map(|needs| Implicant {
            needs: needs.to_vec(),
            unless: Vec::new(),
        });
        let goal = |goal, implicants| GoalValue { goal, implicants };
        GameFacts {
            facts: (0..70).map(|fact| format!("{fact:02}")).collect(),
            goals: vec![vec![
                goal(0, vec![Implicant::default()]),
                goal(100, implicants.collect()),
            ]],
            ..GameFacts::default()
        }
    }

    #[test]
    fn the_nearest_way_to_the_goal_counts() {
        let distance = HammingDistance::new(&facts(&[&[0, 1, 69], &[2]]), Role(0)).unwrap();
        assert_eq!(distance.goal(), 100);
        for (words, expected) in [
            ([0, 0], 1),
            ([0b100, 0], 0),
            ([0b11, 1 << 5], 0),
            ([0b01, 1 << 5], 1),
        ] {
            assert_eq!(distance.of(&words), expected, "{words:?}");
        }
        let far = HammingDistance::new(&facts(&[&[0, 1, 69]]), Role(0)).unwrap();
        assert_eq!((far.of(&[0, 0]), far.of(&[2, 1 << 5])), (3, 1));
    }

    #[test]
    fn a_goal_of_which_nothing_is_known_has_no_distance() {
        for ways in [&[&[][..]][..], &[&[1], &[]], &[]] {
            let none = HammingDistance::new(&facts(ways), Role(0));
            assert_eq!(none, Err(NoHammingDistance(100)));
        }
    }
}
