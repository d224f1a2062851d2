//! Paths of joint moves counted from class to class of states.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::expansion::StateExpansion;
use super::{SpaceError, canonical};
use crate::engine::{Bits, Propnet};
use crate::game::Expansion;
use crate::symmetry::SymmetryGroup;
use crate::util::Deadline;

/// Counts the paths that begin in a state, one ply after the other. Paths that lead to states of the same class go on together, so that
/// a ply takes no longer than there are classes in it.
pub struct PathCounter<'g> {
    game: &'g Propnet,
    expansion: StateExpansion<'g>,
    /// For one state of each class that the paths lead to, how many do.
    ends: PathEnds,
    /// Two plies of them may take so many bytes.
    most_bytes: u64,
}

type PathEnds = IndexMap<Bits, u64, FxBuildHasher>;

/// The paths of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathCount {
    /// How many there are, capped at the largest `u64`.
    pub paths: u64,
    /// To how many classes of states they lead.
    pub classes: u64,
}

impl<'g> PathCounter<'g> {
    /// Paths from `start`, which the game must be able to reach. The classes of a ply and of the one before may take `most_bytes`.
    pub fn new(
        game: &'g Propnet,
        symmetries: &'g SymmetryGroup,
        start: &Bits,
        most_bytes: u64,
    ) -> Self {
        Self {
            game,
            expansion: StateExpansion::new(game, Some(symmetries)),
            ends: IndexMap::from_iter([(canonical(Some(symmetries), start), 1)]),
            most_bytes,
        }
    }

    /// Counts the paths that are a joint move longer.
    ///
    /// # Errors
    /// [`SpaceError::Expired`]: the deadline is due; [`SpaceError::OutOfMemory`]: there are too many classes. No more can be counted then.
    pub fn advance(&mut self, deadline: &Deadline) -> Result<PathCount, SpaceError> {
        let before = std::mem::take(&mut self.ends);
        let bytes_before = bytes(&before, 0);
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
                if bytes_before + bytes(&self.ends, parents.len()) > self.most_bytes {
                    return Err(SpaceError::OutOfMemory(self.most_bytes));
                }
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

/// What classes take once `more` are added, with the room that they grow into.
fn bytes(ends: &PathEnds, more: usize) -> u64 {
    let states = ends.len() + more;
    // The old room is left only when the new one, twice as large, is filled.
    let room = match states > ends.capacity() {
        true => ends.capacity() + 2 * states,
        false => ends.capacity(),
    };
    // A hash is kept with each, and its place in a table that is not quite full.
    let of_entry = size_of::<(Bits, u64)>() + 3 * size_of::<usize>();
    let apart = ends.first().map_or(0, |(state, _)| state.bytes_apart());
    (room * of_entry + states * apart) as u64
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
            let mut counter = PathCounter::new(&game, &none, &game.initial(), u64::MAX);
            for depth in 1..=6 {
                let paths = perft
                    .count(&pool(1), &game, &game.initial(), depth)
                    .unwrap();
                assert_eq!(counter.advance(&deadline).unwrap().paths, paths.paths);
            }
        }
    }

    #[test]
    fn classes_stay_within_their_memory() {
        let (game, deadline) = (shipped("connect-four"), Deadline::default());
        let none = SymmetryGroup::of_generators(Vec::new()).unwrap();
        let most_bytes = 1 << 20;
        let mut counter = PathCounter::new(&game, &none, &game.initial(), most_bytes);
        let mut counted = 0;
        let why = loop {
            match counter.advance(&deadline) {
                Ok(_) => counted += 1,
                Err(why) => break why,
            }
        };
        assert_eq!(why, SpaceError::OutOfMemory(most_bytes));
        assert!(counted > 3, "{counted}");
    }
}
