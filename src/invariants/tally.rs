//! Counting which choice most bodies depend on.

use super::world::Atom;

/// A set of atoms of which at most one holds: the moves of a role, then the candidates.
pub(super) type Choice = usize;

/// How many bodies need an atom of each choice.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// For each choice: how many, the first atom, and whether there was another.
    of: Vec<(u32, Atom, bool)>,
    touched: Vec<Choice>,
}

impl Tally {
    /// Counts a body that needs `atom`, which is of `choice`.
    pub(super) fn note(&mut self, choice: Choice, atom: Atom) {
        if self.of.len() <= choice {
            self.of.resize(choice + 1, (0, 0, false));
        }
        let (count, first, differs) = &mut self.of[choice];
        if *count == 0 {
            *first = atom;
            self.touched.push(choice);
        }
        *count += 1;
        *differs |= *first != atom;
    }

    /// The choice that was noted most often, with different atoms; all counts begin anew.
    pub(super) fn finish(&mut self) -> Option<Choice> {
        let telling = self.touched.iter().filter(|&&choice| self.of[choice].2);
        let best = telling.max_by_key(|&&choice| self.of[choice].0).copied();
        for choice in self.touched.drain(..) {
            self.of[choice] = (0, 0, false);
        }
        best
    }
}
