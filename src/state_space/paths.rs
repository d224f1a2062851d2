//! Paths of joint moves counted from class to class of states.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::expansion::StateExpansion;
use super::{SymmetryGroup, canonical};
use crate::engine::{Bits, Propnet};
use crate::game::Expansion;
use crate::util::{Deadline, Expired};

/// Counts the paths that begin in a state, one ply after the other. Paths that lead to states of the same class go on together, so that
/// a ply takes no longer than there are classes in it.
pub struct PathCounter<'g> {
    game: &'g Propnet,
    expansion: StateExpansion<'g>,
    /// For one state of each class that the paths lead to, how many do.
    ends: IndexMap<Bits, u64, FxBuildHasher>,
}

/// The paths of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathCount {
    /// How many there are, capped at the largest `u64`.
    pub paths: u64,
    /// To how many classes of states they lead.
    pub classes: u64,
}

impl<'g> PathCounter<'g> {
    /// Paths from `start`, which the game must be able to reach.
    pub fn new(game: &'g Propnet, symmetries: &'g SymmetryGroup, start: &Bits) -> Self {
        Self {
            game,
            expansion: StateExpansion::new(game, Some(symmetries)),
            ends: IndexMap::from_iter([(canonical(Some(symmetries), start), 1)]),
        }
    }

    /// Counts the paths that are a joint move longer.
    ///
    /// # Errors
    /// [`Expired`]: the deadline is due.
    pub fn advance(&mut self, deadline: &Deadline) -> Result<PathCount, Expired> {
        let before = std::mem::take(&mut self.ends);
        let before = before.as_slice();
        let mut first = 0;
        while first < before.len() {
            let batch = first..before.len().min(first + self.game.batch_size());
            self.expansion.states.clear();
            let states = before[batch.clone()].keys().cloned();
            self.expansion.states.extend(states);
            self.expansion.evaluate();
            while let Some((children, parents)) = self.expansion.next_children() {
                deadline.check()?;
                let words = children.len() / parents.len();
                for (place, parent) in parents.iter().enumerate() {
                    let child = Bits::from_words(&children[place * words..][..words]);
                    let paths = before[first + *parent as usize];
                    let known: &mut u64 = self.ends.entry(child).or_default();
                    *known = known.saturating_add(paths);
                }
            }
            first = batch.end;
        }
        let paths = self.ends.values().copied();
        Ok(PathCount {
            paths: paths.fold(0, u64::saturating_add),
            classes: self.ends.len() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{kolibrat, shipped};
    use super::*;
    use crate::analysis::Perft;
    use crate::game::StateMachine;
    use crate::state_space::tests::pool;

    #[test]
    fn paths_are_as_many_as_without_classes() {
        let deadline = Deadline::default();
        let perft = Perft {
            turns: false,
            deadline: &deadline,
        };
        for game in [shipped("tictactoe"), kolibrat(3, 3, 2, 2)] {
            let none = SymmetryGroup::of_generators(Vec::new()).unwrap();
            let mut counter = PathCounter::new(&game, &none, &game.initial());
            for depth in 1..=6 {
                let paths = perft
                    .count(&pool(1), &game, &game.initial(), depth)
                    .unwrap();
                assert_eq!(counter.advance(&deadline).unwrap().paths, paths.paths);
            }
        }
    }
}
