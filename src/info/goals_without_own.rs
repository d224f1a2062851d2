//! Ends at which only one of two players has a goal that counts.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::goals::goals_of;
use crate::game::is_chance;
use crate::ground::{Ground, GroundRule, SentenceId};

/// With more conditions than this, any goal may hold beside any other.
const MOST_CONDITIONS: usize = 10;

/// Per role, the goals that the only other player can have alone where the role has none or several, whatever of the conditions of the rules for goals
/// holds: an assignment that no state has counts as well. Nothing for roles that are not two players.
pub(super) fn goals_without_own(ground: &Ground) -> Vec<Vec<u8>> {
    let roles = &ground.relations.roles;
    let are_players = !roles
        .iter()
        .any(|&role| is_chance(&ground.terms.text(role)));
    let [one, other] = roles[..] else {
        return vec![Vec::new(); roles.len()];
    };
    let goals = [one, other].map(|role| goals_of(ground, role));
    if !are_players {
        return vec![Vec::new(); 2];
    }
    let Some(rules) = GoalRules::new(ground, goals.iter().flatten().map(|(_, goal)| *goal)) else {
        return [1, 0].map(|other: usize| values(&goals[other])).to_vec();
    };
    let mut found = vec![Vec::new(); 2];
    for assignment in 0..1 << rules.conditions.len() {
        let given = goals.each_ref().map(|goals| {
            let given = goals
                .iter()
                .filter(|(_, goal)| rules.give(*goal, assignment));
            given.map(|(value, _)| *value).collect::<Vec<u8>>()
        });
        for (role, found) in found.iter_mut().enumerate() {
            match (&given[role][..], &given[1 - role][..]) {
                ([_], _) => {}
                (_, [alone]) if !found.contains(alone) => found.push(*alone),
                _ => {}
            }
        }
    }
    found.iter_mut().for_each(|goals| goals.sort_unstable());
    found
}

/// The rules for the goals of two roles.
struct GoalRules<'g> {
    ground: &'g Ground,
    goals: Vec<SentenceId>,
    /// What they ask for, goals left out.
    conditions: IndexSet<SentenceId, FxBuildHasher>,
}

impl<'g> GoalRules<'g> {
    /// Of these goals, if there are few conditions, and none of the goals that are conditions of others asks for further ones.
    fn new(ground: &'g Ground, goals: impl Iterator<Item = SentenceId>) -> Option<Self> {
        let mut rules = Self {
            ground,
            goals: goals.collect(),
            conditions: IndexSet::default(),
        };
        let asked = rules
            .goals
            .iter()
            .flat_map(|&goal| rules.conditions_of(goal));
        let (asked_goals, mut conditions): (Vec<SentenceId>, Vec<SentenceId>) =
            asked.partition(|condition| rules.goals.contains(condition));
        let of_asked = asked_goals.into_iter();
        conditions.extend(of_asked.flat_map(|goal| rules.conditions_of(goal)));
        rules.conditions = conditions.into_iter().collect();
        let are_few = rules.conditions.len() <= MOST_CONDITIONS;
        let is_known = are_few
            && !rules
                .goals
                .iter()
                .any(|goal| rules.conditions.contains(goal));
        is_known.then_some(rules)
    }

    fn of(&self, goal: SentenceId) -> impl Iterator<Item = &'g GroundRule> + use<'g> {
        let ground = self.ground;
        let rules = ground.by_head.of(goal).iter();
        rules.map(|&number| &ground.rules[number as usize])
    }

    fn conditions_of(&self, goal: SentenceId) -> impl Iterator<Item = SentenceId> + use<'g> {
        self.of(goal)
            .flat_map(|rule| rule.holds.iter().chain(&rule.fails).copied())
    }

    /// Whether some rule gives the goal where those conditions hold whose bits are set.
    fn give(&self, goal: SentenceId, assignment: u32) -> bool {
        let holds = |condition: &SentenceId| match self.conditions.get_index_of(condition) {
            Some(place) => assignment >> place & 1 == 1,
            None => self.give(*condition, assignment),
        };
        self.of(goal)
            .any(|rule| rule.holds.iter().all(holds) && !rule.fails.iter().any(holds))
    }
}

fn values(goals: &[(u8, SentenceId)]) -> Vec<u8> {
    goals.iter().map(|(value, _)| *value).collect()
}
