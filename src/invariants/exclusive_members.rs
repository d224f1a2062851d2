//! What some atoms exclude: the members of each exclusive set that are among them.

use super::candidates::MutexCandidates;
use super::case_split::{ExclusiveSet, exclusive_sets};
use super::transition_system::{AtomId, TransitionSystem};

/// For each exclusive set, which of its members are among the atoms that were noted last.
#[derive(Debug, Default)]
pub(super) struct ExclusiveMembers {
    /// The round in which an atom of the set was last noted, the first of that round, and whether there was a different one.
    of: Vec<(u64, AtomId, bool)>,
    round: u64,
}

impl ExclusiveMembers {
    /// Notes some atoms in place of those before. Whether two of them are members of one exclusive set.
    pub(super) fn note(
        &mut self,
        atoms: &[AtomId],
        system: &TransitionSystem<'_>,
        candidates: &MutexCandidates,
    ) -> bool {
        self.round += 1;
        let mut are_exclusive = false;
        for &atom in atoms {
            for set in exclusive_sets(system, candidates, atom) {
                are_exclusive |= self.add(set, atom);
            }
        }
        are_exclusive
    }

    /// Notes a member of a set. Whether a different one was noted before.
    fn add(&mut self, set: ExclusiveSet, atom: AtomId) -> bool {
        if self.of.len() <= set {
            self.of.resize(set + 1, (0, 0, false));
        }
        let (round, first, differs) = &mut self.of[set];
        if *round != self.round {
            (*round, *first, *differs) = (self.round, atom, false);
        }
        *differs |= *first != atom;
        *differs
    }

    /// Whether a member of `set` other than `atom` was noted.
    pub(super) fn has_other(&self, set: ExclusiveSet, atom: AtomId) -> bool {
        let known = self.of.get(set);
        known.is_some_and(|&(round, first, differs)| {
            round == self.round && (differs || first != atom)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_excludes_the_others_of_its_set_until_other_atoms_are_noted() {
        let mut members = ExclusiveMembers {
            round: 1,
            ..ExclusiveMembers::default()
        };
        assert!(!members.add(2, 7) && !members.add(2, 7));
        assert!(!members.has_other(2, 7));
        assert!(members.has_other(2, 8) && !members.has_other(1, 8));
        assert!(members.add(2, 8));
        assert!(members.has_other(2, 7) && members.has_other(2, 8));
        members.round += 1;
        assert!(!members.has_other(2, 7));
    }
}
