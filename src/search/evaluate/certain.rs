//! What is certain of a goal while the game goes on: which goals are out of reach for good.

use super::features::holds;
use super::ways::{Needs, bars};
use crate::game::{GameFacts, GoalValue, Implicant, Role};
use crate::search::Heuristics;

/// The goals that a role can have.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    /// In increasing order, with the ways to each of them: once all are barred for good, the goal is out of reach. One
    /// without ways never is.
    goals: Vec<(u8, Vec<Path>)>,
}

/// A way to a goal, and what bars it for good: facts that exclude those needed, and sets of others.
#[derive(Debug, Clone)]
struct Path {
    needs: Needs,
    unless: Vec<Vec<u32>>,
}

/// What an end counts whose goal the rules do not tell; so it is never out of reach.
const UNTOLD: u8 = 50;

impl Reach {
    /// The goals of `role`, if some of them can get out of reach, as far as the rules show it.
    pub(super) fn new(game_facts: &GameFacts, role: Role, heuristics: Heuristics) -> Option<Self> {
        if !heuristics.has("certain") {
            return None;
        }
        let mut stays = vec![false; game_facts.facts.len()];
        game_facts
            .stay
            .iter()
            .for_each(|&fact| stays[fact as usize] = true);
        let bars = bars(game_facts, |fact| stays[fact as usize]);
        let path = |way: &Implicant| Path {
            needs: Needs::new(&way.needs, &bars),
            unless: way.unless.clone(),
        };
        let paths = |goal_value: &GoalValue| {
            let paths: Vec<Path> = goal_value.ways.iter().map(path).collect();
            match paths.iter().all(Path::can_be_barred) {
                true => (goal_value.goal, paths),
                false => (goal_value.goal, Vec::new()),
            }
        };
        let goals: Vec<(u8, Vec<Path>)> = game_facts.goals[role.0].iter().map(paths).collect();
        let is_of_use = goals.iter().any(|(_, paths)| !paths.is_empty());
        is_of_use.then_some(Self { goals })
    }

    /// The least and the greatest goal that are not out of reach; everything, if nothing is left.
    pub(super) fn range(&self, words: &[u64]) -> (u8, u8) {
        let is_open = |(_, paths): &&(u8, Vec<Path>)| {
            paths.is_empty() || !paths.iter().all(|path| path.is_barred(words))
        };
        let least = self.goals.iter().find(is_open);
        let greatest = self.goals.iter().rfind(is_open);
        match (least, greatest) {
            (Some((least, _)), Some((greatest, _))) => (UNTOLD.min(*least), UNTOLD.max(*greatest)),
            _ => (0, 100),
        }
    }
}

impl Path {
    fn can_be_barred(&self) -> bool {
        !self.unless.is_empty() || self.needs.can_be_barred()
    }

    fn is_barred(&self, words: &[u64]) -> bool {
        let all_hold = |facts: &Vec<u32>| facts.iter().all(|fact| holds(words, *fact));
        self.needs.is_barred(words) || self.unless.iter().any(all_hold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares for x or o; x needs both for 100, o one of them for that x has 0, and 50 is always in reach.
    fn squares(stay: Vec<u32>) -> GameFacts {
        let facts = ["(cell 1 o)", "(cell 1 x)", "(cell 2 o)", "(cell 2 x)"];
        let way = |needs: &&[u32]| Implicant {
            needs: needs.to_vec(),
            unless: Vec::new(),
        };
        let goal_value = |goal, ways: &[&[u32]]| GoalValue {
            goal,
            ways: ways.iter().map(way).collect(),
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
    fn goals_whose_ways_are_all_barred_for_good_are_out_of_reach() {
        let reach = Reach::new(&squares(vec![0, 1, 2, 3]), Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reach.range(&[0]), (0, 100));
        assert_eq!(reach.range(&[0b0001]), (0, 50), "an o stands on 1");
        assert_eq!(reach.range(&[0b1000]), (50, 100), "an x stands on 2");
        assert_eq!(reach.range(&[0b1001]), (50, 50), "both");
    }

    #[test]
    fn what_may_go_again_bars_nothing() {
        assert!(Reach::new(&squares(Vec::new()), Role(0), Heuristics::ALL).is_none());
        let reach = Reach::new(&squares(vec![0]), Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reach.range(&[0b1000]), (0, 100), "the x may go again");
        assert_eq!(reach.range(&[0b0001]), (0, 50));
    }

    #[test]
    fn what_stays_and_must_not_hold_bars_a_way() {
        let mut game_facts = squares(vec![1, 3]);
        game_facts.goals[0][0].ways[0].unless = vec![vec![1, 3]];
        let reach = Reach::new(&game_facts, Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reach.range(&[0b0000]), (0, 100));
        assert_eq!(
            reach.range(&[0b1010]),
            (50, 100),
            "both squares are taken by x"
        );
    }

    #[test]
    fn an_end_without_a_goal_is_never_out_of_reach() {
        let mut game_facts = squares(vec![0, 1, 2, 3]);
        game_facts.goals[0].remove(1);
        let reach = Reach::new(&game_facts, Role(0), Heuristics::ALL).unwrap();
        assert_eq!(reach.range(&[0b1000]), (50, 100), "and not 100 to 100");
    }

    #[test]
    fn it_can_be_turned_off() {
        let off = "all-certain".parse().unwrap();
        assert!(Reach::new(&squares(vec![0, 1, 2, 3]), Role(0), off).is_none());
    }
}
