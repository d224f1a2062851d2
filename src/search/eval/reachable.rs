//! The goal values that a role can still reach.

use super::features::holds;
use super::needed_facts::{NeededFacts, blockers};
use crate::game::{GameFacts, GoalValue, Implicant, Role};
use crate::search::{Heuristics, Value};

/// What the end of a game can be worth to a role, in increasing order: its own goals; what those of the other role leave of 100, where they can count
/// for it ([`goal_of_end`](crate::search::end_goal::goal_of_end)); and 50, where no goal counts.
#[derive(Debug, Clone)]
pub(super) struct ReachableGoals(Vec<ReachableGoal>);

#[derive(Debug, Clone)]
struct ReachableGoal {
    goal: u8,
    /// Once all are permanently blocked, the goal is unreachable. Without any, it always counts as reachable.
    implicants: Vec<GoalImplicant>,
}

/// An implicant of a goal, and what blocks it permanently: facts that exclude needed ones, and sets of other facts.
#[derive(Debug, Clone)]
struct GoalImplicant {
    needs: NeededFacts,
    unless: Vec<Vec<u32>>,
}

/// Between which goals a role of a game must end.
#[derive(Debug, Clone, Default)]
pub(super) struct GoalBounds {
    /// The goals that it can still reach.
    reach: Option<ReachableGoals>,
    /// Those that are left to it by the other role, where both share 100 points.
    left_by_other: Option<ReachableGoals>,
}

impl GoalBounds {
    pub(super) fn new(
        game_facts: Option<&GameFacts>,
        role: Role,
        shares_points: bool,
        heuristics: Heuristics,
    ) -> Self {
        let reach = |role| ReachableGoals::new(game_facts?, role, heuristics);
        Self {
            reach: reach(role),
            left_by_other: shares_points.then(|| reach(Role(1 - role.0))).flatten(),
        }
    }

    /// Whether they never tell anything.
    pub(super) fn are_idle(&self) -> bool {
        self.reach.is_none() && self.left_by_other.is_none()
    }

    /// The least and the greatest goal that the rules leave to the role, or to the other one, as far as they show.
    pub(super) fn reach(&self, words: &[u64], of_other: bool) -> (u8, u8) {
        let reach = match of_other {
            true => self.left_by_other.as_ref(),
            false => self.reach.as_ref(),
        };
        reach.map_or((0, 100), |reach| reach.range(words))
    }

    /// Clamps an expectation in thousandths to the reachable goals.
    pub(super) fn clamp(&self, expected: i32, words: &[u64]) -> i32 {
        let mut bounded = expected;
        if let Some(reach) = &self.left_by_other {
            let (least, greatest) = reach.range(words);
            bounded = bounded.clamp(
                100_000 - i32::from(greatest) * 1000,
                100_000 - i32::from(least) * 1000,
            );
        }
        if let Some(reach) = &self.reach {
            let (least, greatest) = reach.range(words);
            bounded = bounded.clamp(i32::from(least) * 1000, i32::from(greatest) * 1000);
        }
        bounded
    }
}

impl ReachableGoals {
    /// The goals of `role`, if the rules show that some of them can become unreachable.
    pub(super) fn new(game_facts: &GameFacts, role: Role, heuristics: Heuristics) -> Option<Self> {
        if !heuristics.has("certain") {
            return None;
        }
        let mut persists = vec![false; game_facts.facts.len()];
        game_facts
            .persistent
            .iter()
            .for_each(|&fact| persists[fact as usize] = true);
        let blockers = blockers(game_facts, |fact| persists[fact as usize]);
        let implicant = |implicant: &Implicant| GoalImplicant {
            needs: NeededFacts::new(&implicant.needs, &blockers),
            unless: implicant.unless.clone(),
        };
        let reachable = |goal_value: &GoalValue| {
            let implicants = goal_value.implicants.iter().map(implicant);
            let implicants: Vec<GoalImplicant> = implicants.collect();
            let can_be_blocked = implicants.iter().all(GoalImplicant::can_be_blocked);
            ReachableGoal {
                goal: goal_value.goal,
                implicants: if can_be_blocked {
                    implicants
                } else {
                    Vec::new()
                },
            }
        };
        let own = game_facts.goals[role.0].iter().map(reachable);
        let of_other = game_facts.goals_left_by_other(role).map(reachable);
        let left = of_other.map(|of_other| ReachableGoal {
            goal: 100_u8.saturating_sub(of_other.goal),
            ..of_other
        });
        let unknown = ReachableGoal {
            goal: Value::UNKNOWN.goal(),
            implicants: Vec::new(),
        };
        let mut goals: Vec<ReachableGoal> = own.chain(left).chain([unknown]).collect();
        goals.sort_by_key(|of| of.goal);
        let all = Self(goals);
        let is_of_use = all.range_of(|_| true) != all.range_of(|of| of.implicants.is_empty());
        is_of_use.then_some(all)
    }

    /// The least and the greatest of them that are reachable.
    pub(super) fn range(&self, words: &[u64]) -> (u8, u8) {
        self.range_of(|of| of.is_open(words))
    }

    /// The least and the greatest of those of which `is_open` says so.
    fn range_of(&self, is_open: impl Fn(&ReachableGoal) -> bool) -> (u8, u8) {
        let mut open = self.0.iter().filter(|of| is_open(of)).map(|of| of.goal);
        let least = open.next().unwrap_or(0);
        (least, open.next_back().unwrap_or(least))
    }
}

impl ReachableGoal {
    fn is_open(&self, words: &[u64]) -> bool {
        let mut implicants = self.implicants.iter();
        implicants.len() == 0 || !implicants.all(|implicant| implicant.is_blocked(words))
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

    /// Two squares for x or o. x gets 100 with both, 0 if o has both, and 50 is always reachable.
    fn squares(persistent: Vec<u32>) -> GameFacts {
        let facts = ["(cell 1 o)", "(cell 1 x)", "(cell 2 o)", "(cell 2 x)"];
        let implicant = |needs: &&[u32]| Implicant {
            needs: needs.to_vec(),
            unless: Vec::new(),
        };
        let goal_value = |goal, implicants: &[&[u32]]| GoalValue {
            goal,
            implicants: implicants.iter().map(implicant).collect(),
        };
        GameFacts {
            facts: facts.map(str::to_owned).to_vec(),
            mutex_groups: vec![vec![0, 1], vec![2, 3]],
            goals: vec![vec![
                goal_value(0, &[&[0, 2]]),
                goal_value(50, &[&[]]),
                goal_value(100, &[&[1, 3]]),
            ]],
            persistent,
            ..GameFacts::default()
        }
    }

    #[test]
    fn goals_whose_implicants_are_all_blocked_are_unreachable() {
        let reach =
            ReachableGoals::new(&squares(vec![0, 1, 2, 3]), Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reach.range(&[0]), (0, 100));
        assert_eq!(reach.range(&[0b0001]), (0, 50), "an o stands on 1");
        assert_eq!(reach.range(&[0b1000]), (50, 100), "an x stands on 2");
        assert_eq!(reach.range(&[0b1001]), (50, 50), "both");
    }

    #[test]
    fn facts_that_are_not_persistent_block_nothing() {
        assert!(ReachableGoals::new(&squares(Vec::new()), Role(0), Heuristics::ALL).is_none());
        let reach = ReachableGoals::new(&squares(vec![0]), Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reach.range(&[0b1000]), (0, 100), "the x may go again");
        assert_eq!(reach.range(&[0b0001]), (0, 50));
    }

    #[test]
    fn persistent_facts_that_must_not_hold_block_an_implicant() {
        let mut game_facts = squares(vec![1, 3]);
        game_facts.goals[0][0].implicants[0].unless = vec![vec![1, 3]];
        let reach = ReachableGoals::new(&game_facts, Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reach.range(&[0b0000]), (0, 100));
        assert_eq!(
            reach.range(&[0b1010]),
            (50, 100),
            "both squares are taken by x"
        );
    }

    #[test]
    fn an_end_without_a_goal_is_always_reachable() {
        let mut game_facts = squares(vec![0, 1, 2, 3]);
        game_facts.goals[0].remove(1);
        let reach = ReachableGoals::new(&game_facts, Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reach.range(&[0b1000]), (50, 100), "and not 100 to 100");
    }

    #[test]
    fn the_goals_of_the_other_role_bound_an_end_without_a_goal() {
        // Only the loser has a goal: x gets 0 if o has both squares, o gets 0 if x has.
        let mut game_facts = squares(vec![0, 1, 2, 3]);
        let goals = &game_facts.goals[0];
        let zero = |of_winner: &GoalValue| GoalValue {
            goal: 0,
            implicants: of_winner.implicants.clone(),
        };
        game_facts.goals = vec![vec![zero(&goals[0])], vec![zero(&goals[2])]];
        let range = |game_facts: &GameFacts, role, words| {
            let reach = ReachableGoals::new(game_facts, Role(role), Heuristics::ALL);
            reach.unwrap().range(&[words])
        };
        for (role, of_o, of_x) in [(0, (0, 50), (50, 100)), (1, (50, 100), (0, 50))] {
            assert_eq!(range(&game_facts, role, 0), (0, 100));
            let with_o = range(&game_facts, role, 0b0001);
            assert_eq!(with_o, of_o, "an o stands on 1");
            let with_x = range(&game_facts, role, 0b1000);
            assert_eq!(with_x, of_x, "an x stands on 2");
            assert_eq!(range(&game_facts, role, 0b1001), (50, 50), "both");
        }
        // Where the rules give each role a goal whenever the other has one, those of the other do not count.
        game_facts.goals_without_own = vec![Vec::new(); 2];
        assert_eq!(range(&game_facts, 0, 0b1000), (50, 50));
        assert_eq!(range(&game_facts, 0, 0b0001), (0, 50));
    }

    #[test]
    fn goals_between_those_that_are_always_open_tell_nothing() {
        let mut game_facts = squares(vec![0, 1, 2, 3]);
        for goal in [0, 100] {
            game_facts.goals[0].push(GoalValue {
                goal,
                implicants: vec![Implicant::default()],
            });
        }
        assert!(ReachableGoals::new(&game_facts, Role(0), Heuristics::ALL).is_none());
    }

    #[test]
    fn it_can_be_turned_off() {
        let off = "all-certain".parse().unwrap();
        assert!(ReachableGoals::new(&squares(vec![0, 1, 2, 3]), Role(0), off).is_none());
    }
}
