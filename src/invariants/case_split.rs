//! The choice of the exclusive set by which a proof distinguishes cases.

use super::candidates::MutexCandidates;
use super::transition_system::{AtomId, TransitionSystem};

/// A set of atoms of which at most one holds: first the moves of each role, then the mutex candidates.
pub(super) type ExclusiveSet = usize;

/// The exclusive sets that an atom is a member of.
pub(super) fn exclusive_sets(
    system: &TransitionSystem<'_>,
    candidates: &MutexCandidates,
    atom: AtomId,
) -> impl Iterator<Item = ExclusiveSet> {
    let first = system.role_count();
    let of_fact = candidates.of_fact.get(atom as usize).into_iter().flatten();
    let of_fact = of_fact.map(move |&candidate| first + candidate as usize);
    system.role_of(atom).into_iter().chain(of_fact)
}

/// Counts, for each exclusive set, the derivations that need one of its atoms.
#[derive(Debug, Default)]
pub(super) struct SplitCounter {
    /// For each exclusive set: the count, the first atom, and whether there was a different one.
    of: Vec<(u32, AtomId, bool)>,
    touched: Vec<ExclusiveSet>,
}

impl SplitCounter {
    /// Counts a derivation that needs `atom`, a member of `set`.
    pub(super) fn note(&mut self, set: ExclusiveSet, atom: AtomId) {
        if self.of.len() <= set {
            self.of.resize(set + 1, (0, 0, false));
        }
        let (count, first, differs) = &mut self.of[set];
        if *count == 0 {
            *first = atom;
            self.touched.push(set);
        }
        *count += 1;
        *differs |= *first != atom;
    }

    /// The set with the highest count among those with different atoms. Resets all counts.
    pub(super) fn finish(&mut self) -> Option<ExclusiveSet> {
        let distinguishing = self.touched.iter().filter(|&&set| self.of[set].2);
        let best = distinguishing.max_by_key(|&&set| self.of[set].0).copied();
        for set in self.touched.drain(..) {
            self.of[set] = (0, 0, false);
        }
        best
    }
}
