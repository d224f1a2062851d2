//! Values by retrograde analysis against those by their definition.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::graph::GraphPart;
use super::super::kind::StateKind;
use super::super::solution::UNSOLVED;
use super::*;

const STATES: u32 = 24;

/// A graph with cycles, double turns and several goals.
struct RandomGraph {
    kinds: Vec<StateKind>,
    targets: Vec<Vec<u32>>,
    goals: Vec<u8>,
}

impl RandomGraph {
    fn new(rng: &mut Xoshiro256PlusPlus) -> Self {
        let goals = vec![0, 30, 50, 70, 100];
        let (mut kinds, mut targets) = (Vec::new(), Vec::new());
        for _ in 0..STATES {
            if rng.random_range(0..4) == 0 {
                kinds.push(StateKind::ended(rng.random_range(0..goals.len())).unwrap());
                targets.push(Vec::new());
                continue;
            }
            let degree = rng.random_range(1..4);
            kinds.push(match degree {
                1 => StateKind::FORCED,
                _ => StateKind::of_role(rng.random_range(0..2)).unwrap(),
            });
            targets.push((0..degree).map(|_| rng.random_range(0..STATES)).collect());
        }
        Self {
            kinds,
            targets,
            goals,
        }
    }

    fn solved(&self) -> (Vec<u8>, Vec<u16>) {
        let mut part = GraphPart::default();
        for (state, (kind, targets)) in self.kinds.iter().zip(&self.targets).enumerate() {
            part.push(state as u32, *kind, targets.len() as u16);
            part.targets.extend(targets);
        }
        let deadline = Deadline::default();
        let mut graph = ReverseGraph::new(vec![part], STATES as usize, &deadline).unwrap();
        let degrees = mem::take(&mut graph.degrees);
        let mut retrograde = Retrograde {
            graph: &graph,
            deadline: &deadline,
            values: StateValues::new(degrees, &graph.kinds, Role(0)).unwrap(),
        };
        let ends: Vec<Vec<Option<u8>>> = self.goals.iter().map(|goal| vec![Some(*goal)]).collect();
        find_values(&mut retrograde, &ends, Role(0), false).unwrap();
        (retrograde.values.values, retrograde.values.plies)
    }

    /// The states from which a role can force an end that `is_good`: those that it can force in one ply more, until
    /// there are none.
    fn forced(&self, by: usize, is_good: impl Fn(u8) -> bool) -> Vec<bool> {
        let mut forced: Vec<bool> = self
            .kinds
            .iter()
            .map(|kind| kind.end().is_some_and(|end| is_good(self.goals[end])))
            .collect();
        loop {
            let before = forced.clone();
            for (state, targets) in self.targets.iter().enumerate() {
                let mut ends = targets.iter().map(|target| before[*target as usize]);
                forced[state] |= match self.kinds[state].role() {
                    _ if targets.is_empty() => false,
                    Some(role) if role != by => ends.all(|is_forced| is_forced),
                    _ => ends.any(|is_forced| is_forced),
                };
            }
            if forced == before {
                return forced;
            }
        }
    }

    fn by_definition(&self) -> Vec<u8> {
        let mut values = vec![UNSOLVED; STATES as usize];
        let mut set = |is_forced: Vec<bool>, goal: u8| {
            for (value, _) in values.iter_mut().zip(is_forced).filter(|(_, holds)| *holds) {
                *value = goal;
            }
        };
        set(self.forced(0, |goal| goal >= 50), 50);
        set(self.forced(1, |goal| goal <= 50), 50);
        for goal in [70, 100] {
            set(self.forced(0, |end| end >= goal), goal);
        }
        for goal in [30, 0] {
            set(self.forced(1, |end| end <= goal), goal);
        }
        values
    }
}

#[test]
fn values_are_what_can_be_forced() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut seen = [0; 256];
    for _ in 0..2_000 {
        let graph = RandomGraph::new(&mut rng);
        let (values, plies) = graph.solved();
        assert_eq!(values, graph.by_definition());
        values.iter().for_each(|value| seen[*value as usize] += 1);
        for (state, targets) in graph.targets.iter().enumerate() {
            let value = values[state];
            if targets.is_empty() || value == 50 || value == UNSOLVED {
                continue;
            }
            let same = targets
                .iter()
                .filter(|target| values[**target as usize] == value);
            let after = same.map(|target| plies[*target as usize]);
            // Whom the value favours chooses the shortest way, the other one the longest.
            let favoured = usize::from(value < 50);
            let after = match graph.kinds[state].role() {
                Some(role) if role == favoured => after.min(),
                _ => after.max(),
            };
            assert_eq!(plies[state], after.unwrap() + 1);
        }
    }
    for value in [0, 30, 50, 70, 100, UNSOLVED] {
        assert!(
            seen[value as usize] > 1_000,
            "{value}: {}",
            seen[value as usize]
        );
    }
}
