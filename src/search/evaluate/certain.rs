//! What is certain of a goal while the game goes on: which goals are out of reach for good.

use super::ways::{Way, bars};
use crate::game::{Prospect, Role, Vocabulary};
use crate::search::Heuristics;

/// The goals that a role can have.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    /// In increasing order, with the ways to each of them: once all are barred for good, the goal is out of reach. One
    /// without ways never is.
    goals: Vec<(u8, Vec<Way>)>,
}

impl Reach {
    /// The goals of `role`, if some of them can get out of reach, as far as the rules show it.
    pub(super) fn new(vocabulary: &Vocabulary, role: Role, heuristics: Heuristics) -> Option<Self> {
        if !heuristics.has("certain") {
            return None;
        }
        let mut stays = vec![false; vocabulary.facts.len()];
        vocabulary
            .stay
            .iter()
            .for_each(|&fact| stays[fact as usize] = true);
        let bars = bars(vocabulary, |fact| stays[fact as usize]);
        let ways = |prospect: &Prospect| {
            let ways = prospect.ways.iter().map(|way| Way::new(way, &bars));
            let ways: Vec<Way> = ways.collect();
            match ways.iter().all(Way::can_be_barred) {
                true => (prospect.goal, ways),
                false => (prospect.goal, Vec::new()),
            }
        };
        let goals: Vec<(u8, Vec<Way>)> = vocabulary.goals[role.0].iter().map(ways).collect();
        let is_of_use = goals.iter().any(|(_, ways)| !ways.is_empty());
        is_of_use.then_some(Self { goals })
    }

    /// The least and the greatest goal that are not out of reach; everything, if nothing is left.
    pub(super) fn range(&self, words: &[u64]) -> (u8, u8) {
        let is_open = |(_, ways): &&(u8, Vec<Way>)| {
            ways.is_empty() || !ways.iter().all(|way| way.is_barred(words))
        };
        let least = self.goals.iter().find(is_open);
        let greatest = self.goals.iter().rfind(is_open);
        match (least, greatest) {
            (Some((least, _)), Some((greatest, _))) => (*least, *greatest),
            _ => (0, 100),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares for x or o; x needs both for 100, o one of them for that x has 0, and 50 is always in reach.
    fn squares(stay: Vec<u32>) -> Vocabulary {
        let facts = ["(cell 1 o)", "(cell 1 x)", "(cell 2 o)", "(cell 2 x)"];
        let prospect = |goal, ways: &[&[u32]]| Prospect {
            goal,
            ways: ways.iter().map(|way| way.to_vec()).collect(),
        };
        Vocabulary {
            facts: facts.map(str::to_owned).to_vec(),
            groups: vec![vec![0, 1], vec![2, 3]],
            goals: vec![vec![
                prospect(0, &[&[0, 2]]),
                prospect(50, &[&[]]),
                prospect(100, &[&[1, 3]]),
            ]],
            stay,
            ..Vocabulary::default()
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
    fn it_can_be_turned_off() {
        let off = "all-certain".parse().unwrap();
        assert!(Reach::new(&squares(vec![0, 1, 2, 3]), Role(0), off).is_none());
    }
}
