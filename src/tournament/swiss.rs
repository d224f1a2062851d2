//! Swiss tournaments: in each round, who has as many points so far plays each other, if possible for the first time.

use std::collections::{BTreeMap, HashMap, HashSet};

/// A point in whole numbers, so that sums do not depend on their order. All shares of a point among up to ten players are whole.
const POINT: f64 = 5040.0;
/// How many tries it may take to pair everybody without a repetition. Beyond, repetitions are allowed.
const TRIES: usize = 100_000;

/// The results of a Swiss tournament, round by round.
#[derive(Debug, Clone, Default)]
pub(super) struct SwissResults {
    players: usize,
    rounds: BTreeMap<u64, RoundResults>,
    /// Who plays whom in a round, in groups of a size.
    groups: HashMap<(u64, usize), Vec<Vec<usize>>>,
}

/// What happened in one round.
#[derive(Debug, Clone, Default)]
struct RoundResults {
    points: HashMap<usize, u64>,
    met: HashSet<(usize, usize)>,
}

impl SwissResults {
    /// No results yet of so many players.
    pub(super) fn new(players: usize) -> Self {
        Self {
            players,
            ..Self::default()
        }
    }

    /// Counts a game of a round: who played, and how many points everybody got, 0 to 1.
    pub(super) fn add(&mut self, round: u64, players: &[(usize, f64)]) {
        let results = self.rounds.entry(round).or_default();
        for &(player, points) in players {
            *results.points.entry(player).or_default() += (points * POINT).round() as u64;
            let others = players.iter().filter(|(other, _)| *other != player);
            results
                .met
                .extend(others.map(|(other, _)| (player, *other)));
        }
    }

    /// Who plays whom in a round, in groups of `seats`. All games of the rounds before it must have been counted.
    pub(super) fn groups(&mut self, round: u64, seats: usize) -> &[Vec<usize>] {
        if !self.groups.contains_key(&(round, seats)) {
            let groups = self.draw(round, seats);
            self.groups.insert((round, seats), groups);
        }
        &self.groups[&(round, seats)]
    }

    fn draw(&self, round: u64, seats: usize) -> Vec<Vec<usize>> {
        let mut ranking = self.ranking(round);
        let over = ranking.len() % seats.max(1);
        self.sit_out(&mut ranking, round, over);
        if seats == 2
            && let Some(pairs) = self.pairs(&ranking, round)
        {
            return pairs;
        }
        ranking
            .chunks(seats.max(1))
            .map(<[usize]>::to_vec)
            .collect()
    }

    /// The players by their points before a round; of those with as many, the one that the plan names first.
    fn ranking(&self, round: u64) -> Vec<usize> {
        let points = |player: usize| -> u64 {
            let before = self.rounds.range(..round);
            before
                .filter_map(|(_, results)| results.points.get(&player))
                .sum()
        };
        let mut ranking: Vec<usize> = (0..self.players).collect();
        ranking.sort_by_key(|player| std::cmp::Reverse(points(*player)));
        ranking
    }

    /// Takes away those who do not play: who sat out least often, of those the last in the ranking.
    fn sit_out(&self, ranking: &mut Vec<usize>, round: u64, count: usize) {
        let sat_out = |player: &usize| {
            let before = self.rounds.range(..round);
            before
                .filter(|(_, results)| !results.points.contains_key(player))
                .count()
        };
        for _ in 0..count {
            let last = ranking.iter().enumerate().rev();
            let Some((place, _)) = last.min_by_key(|(_, player)| sat_out(player)) else {
                return;
            };
            ranking.remove(place);
        }
    }

    fn have_met(&self, round: u64, one: usize, other: usize) -> bool {
        let mut before = self.rounds.range(..round);
        before.any(|(_, results)| results.met.contains(&(one, other)))
    }

    /// Pairs of neighbours in the ranking who have not met; `None` if there are none within the tries.
    fn pairs(&self, ranking: &[usize], round: u64) -> Option<Vec<Vec<usize>>> {
        let mut free = ranking.to_vec();
        let mut pairs = Vec::new();
        let mut tries = TRIES;
        let is_done = self.pair_up(&mut free, &mut pairs, round, &mut tries);
        is_done.then_some(pairs)
    }

    fn pair_up(
        &self,
        free: &mut Vec<usize>,
        pairs: &mut Vec<Vec<usize>>,
        round: u64,
        tries: &mut usize,
    ) -> bool {
        let Some(&first) = free.first() else {
            return true;
        };
        for place in 1..free.len() {
            let other = free[place];
            if *tries == 0 || self.have_met(round, first, other) {
                continue;
            }
            *tries -= 1;
            free.remove(place);
            free.remove(0);
            pairs.push(vec![first, other]);
            if self.pair_up(free, pairs, round, tries) {
                return true;
            }
            pairs.pop();
            free.insert(0, first);
            free.insert(place, other);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tournament in which the player with the smaller number always wins.
    fn played(players: usize, rounds: u64) -> Vec<Vec<Vec<usize>>> {
        let mut table = SwissResults::new(players);
        let play = |round| {
            let groups = table.groups(round, 2).to_vec();
            for group in &groups {
                let mut sorted = group.clone();
                sorted.sort_unstable();
                table.add(round, &[(sorted[0], 1.0), (sorted[1], 0.0)]);
            }
            groups
        };
        (0..rounds).map(play).collect()
    }

    #[test]
    fn those_with_as_many_points_play_each_other() {
        let rounds = played(4, 3);
        assert_eq!(rounds[0], [[0, 1], [2, 3]]);
        assert_eq!(rounds[1], [[0, 2], [1, 3]]);
        assert_eq!(
            rounds[2],
            [[0, 3], [1, 2]],
            "the only ones who have not met"
        );
    }

    #[test]
    fn nobody_meets_twice_or_sits_out_twice_before_all_have() {
        for players in [5, 8, 9] {
            let rounds = played(players, 4);
            let mut met = HashSet::new();
            let mut games = vec![0; players];
            for pair in rounds.iter().flatten() {
                assert!(met.insert((pair[0].min(pair[1]), pair[0].max(pair[1]))));
                pair.iter().for_each(|player| games[*player] += 1);
            }
            let least = if players % 2 == 0 { 4 } else { 3 };
            assert!(games.iter().all(|count| *count >= least), "{games:?}");
        }
    }

    #[test]
    fn the_order_of_results_does_not_matter() {
        let results = [(0, 1, 0.5), (2, 3, 1.0), (4, 5, 0.0)];
        let drawn = |order: [usize; 3]| {
            let mut table = SwissResults::new(6);
            for (one, other, points) in order.map(|place| results[place]) {
                table.add(0, &[(one, points), (other, 1.0 - points)]);
            }
            table.groups(1, 2).to_vec()
        };
        assert_eq!(drawn([0, 1, 2]), drawn([2, 0, 1]));
        assert_eq!(drawn([0, 1, 2]), [[2, 5], [0, 3], [1, 4]]);
    }

    #[test]
    fn who_has_met_everybody_meets_somebody_again() {
        assert_eq!(played(2, 3), [[[0, 1]], [[0, 1]], [[0, 1]]]);
        let mut table = SwissResults::new(7);
        assert_eq!(table.groups(0, 3), [[0, 1, 2], [3, 4, 5]]);
    }
}
