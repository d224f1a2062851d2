//! The heuristic `certain`: adds no feature; clamps the evaluation to the goals that are still reachable.
//!
//! A goal value is unreachable when each of its implicants is blocked permanently: by a persistent fact that is mutually
//! exclusive with a fact it needs, or by persistent facts that must not hold together.

use super::features::holds;
use super::implicants::{ImplicantMasks, blockers};
use crate::game::{GameFacts, GoalValue, Implicant, Role};
use crate::search::Heuristics;

/// The goal values of a role that are still reachable in a state.
#[derive(Debug, Clone)]
pub(super) struct ReachableGoals {
    /// In increasing order, with the implicants of each. A goal becomes unreachable when all of them are blocked
    /// permanently; one without implicants is always reachable.
    goals: Vec<(u8, Vec<GoalImplicant>)>,
}

/// An implicant of a goal value with what blocks it permanently: facts that exclude a needed one, and sets of others.
#[derive(Debug, Clone)]
struct GoalImplicant {
    needs: ImplicantMasks,
    unless: Vec<Vec<u32>>,
}

/// The goal of terminal states for which the rules define none; so it is always reachable.
const DEFAULT_GOAL: u8 = 50;

impl ReachableGoals {
    /// The goals of `role`, if the heuristic is on and some of them can become unreachable.
    pub(super) fn new(game_facts: &GameFacts, role: Role, heuristics: Heuristics) -> Option<Self> {
        if !heuristics.has("certain") {
            return None;
        }
        let mut is_persistent = vec![false; game_facts.facts.len()];
        game_facts
            .stay
            .iter()
            .for_each(|&fact| is_persistent[fact as usize] = true);
        let blockers = blockers(game_facts, |fact| is_persistent[fact as usize]);
        let implicant = |of: &Implicant| GoalImplicant {
            needs: ImplicantMasks::new(&of.needs, &blockers),
            unless: of.unless.clone(),
        };
        let implicants = |goal_value: &GoalValue| {
            let implicants: Vec<GoalImplicant> = goal_value.ways.iter().map(implicant).collect();
            match implicants.iter().all(GoalImplicant::can_be_blocked) {
                true => (goal_value.goal, implicants),
                false => (goal_value.goal, Vec::new()),
            }
        };
        let goals: Vec<(u8, Vec<GoalImplicant>)> =
            game_facts.goals[role.0].iter().map(implicants).collect();
        let is_useful = goals.iter().any(|(_, implicants)| !implicants.is_empty());
        is_useful.then_some(Self { goals })
    }

    /// The least and the greatest reachable goal; the full range if none is left.
    pub(super) fn range(&self, words: &[u64]) -> (u8, u8) {
        let is_reachable = |(_, implicants): &&(u8, Vec<GoalImplicant>)| {
            implicants.is_empty()
                || !implicants
                    .iter()
                    .all(|implicant| implicant.is_blocked(words))
        };
        let least = self.goals.iter().find(is_reachable);
        let greatest = self.goals.iter().rfind(is_reachable);
        match (least, greatest) {
            (Some((least, _)), Some((greatest, _))) => {
                (DEFAULT_GOAL.min(*least), DEFAULT_GOAL.max(*greatest))
            }
            _ => (0, 100),
        }
    }
}

impl GoalImplicant {
    fn can_be_blocked(&self) -> bool {
        !self.unless.is_empty() || self.needs.can_be_blocked()
    }

    fn is_blocked(&self, words: &[u64]) -> bool {
        let all_hold = |facts: &Vec<u32>| facts.iter().all(|fact| holds(words, *fact));
        self.needs.is_blocked(words) || self.unless.iter().any(all_hold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares for x or o: x has 100 with both, 0 if both are o, and 50 is always reachable.
    fn squares(stay: Vec<u32>) -> GameFacts {
        let facts = ["(cell 1 o)", "(cell 1 x)", "(cell 2 o)", "(cell 2 x)"];
        let way = |needs: &&[u32]| Implicant {
            needs: needs.to_vec(),
            unless: Vec::new(),
        };
        let goal_value = |goal, implicants: &[&[u32]]| GoalValue {
            goal,
            ways: implicants.iter().map(way).collect(),
        };
        GameFacts {
            facts: facts.map(str::to_owned).to_vec(),
            groups: vec![vec![0, 1], vec![2, 3]],
            goals: vec![vec![
                goal_value(0, &[&[0, 2]]),
                goal_value(50, &[&[]]),
                goal_value(100, &[&[1, 3]]),
            ]],
            stay,
            ..GameFacts::default()
        }
    }

    #[test]
    fn goals_with_all_implicants_blocked_are_unreachable() {
        let reachable =
            ReachableGoals::new(&squares(vec![0, 1, 2, 3]), Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reachable.range(&[0]), (0, 100));
        assert_eq!(reachable.range(&[0b0001]), (0, 50), "an o stands on 1");
        assert_eq!(reachable.range(&[0b1000]), (50, 100), "an x stands on 2");
        assert_eq!(reachable.range(&[0b1001]), (50, 50), "both");
    }

    #[test]
    fn facts_that_are_not_persistent_block_nothing() {
        assert!(ReachableGoals::new(&squares(Vec::new()), Role(0), Heuristics::ALL).is_none());
        let reachable = ReachableGoals::new(&squares(vec![0]), Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reachable.range(&[0b1000]), (0, 100), "the x may go again");
        assert_eq!(reachable.range(&[0b0001]), (0, 50));
    }

    #[test]
    fn persistent_facts_that_must_not_hold_block_an_implicant() {
        let mut game_facts = squares(vec![1, 3]);
        game_facts.goals[0][0].ways[0].unless = vec![vec![1, 3]];
        let reachable = ReachableGoals::new(&game_facts, Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reachable.range(&[0b0000]), (0, 100));
        assert_eq!(
            reachable.range(&[0b1010]),
            (50, 100),
            "both squares are taken by x"
        );
    }

    #[test]
    fn undefined_goals_are_always_reachable() {
        let mut game_facts = squares(vec![0, 1, 2, 3]);
        game_facts.goals[0].remove(1);
        let reachable = ReachableGoals::new(&game_facts, Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reachable.range(&[0b1000]), (50, 100), "and not 100 to 100");
    }

    #[test]
    fn the_heuristic_can_be_turned_off() {
        let off = "all-certain".parse().unwrap();
        assert!(ReachableGoals::new(&squares(vec![0, 1, 2, 3]), Role(0), off).is_none());
    }
}
