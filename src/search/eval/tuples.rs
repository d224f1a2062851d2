//! Tuples of cells, and a weight for each combination of what their cells hold (Bledsoe and Browning 1959; for the
//! evaluation of games, Lucas 2007).

use super::cells::Cell;
use super::patterns::TuplePatterns;
use crate::game::held_facts;

/// Where the weights of tuples stand, and how facts select them.
#[derive(Debug, Clone)]
pub(super) struct Tuples {
    /// The cells of each.
    pub(super) cells: Vec<Vec<Cell>>,
    /// Per fact, its first entry in `steps`.
    starts: Vec<u32>,
    /// By fact: a tuple, and how far the fact moves its place in the weights.
    steps: Vec<(u32, u32)>,
    /// Per tuple, the place of the weight that counts where all its cells are empty.
    bases: Vec<u32>,
    /// How many weights there are.
    pub(super) weights: usize,
    /// What each of them stands for, apart from where its tuple is.
    pub(super) patterns: TuplePatterns,
}

impl Tuples {
    /// Tuples of these cells, as far as there is room for so many weights, in a game with so many facts.
    pub(super) fn new(mut cells: Vec<Vec<Cell>>, facts: usize, most_weights: usize) -> Self {
        let mut of_facts: Vec<Vec<(u32, u32)>> = vec![Vec::new(); facts];
        let (mut bases, mut weights) = (Vec::new(), 0);
        // In one order wherever they are, so that patterns are the same.
        let tuples = cells.iter_mut();
        tuples.for_each(|cells| cells.sort_by(|one, other| one.place.cmp(&other.place)));
        for cells in &cells {
            let contents = cells.iter().map(Cell::contents);
            let size = contents.fold(1, usize::saturating_mul);
            if size.saturating_add(weights) > most_weights {
                break;
            }
            let tuple = bases.len() as u32;
            bases.push(weights as u32);
            weights += size;
            let mut stride = 1;
            for cell in cells {
                for (digit, &fact) in (1..).zip(&cell.facts) {
                    of_facts[fact as usize].push((tuple, digit * stride));
                }
                stride *= cell.contents() as u32;
            }
        }
        cells.truncate(bases.len());
        let mut starts = vec![0];
        let mut steps = Vec::new();
        for of_fact in of_facts {
            steps.extend(of_fact);
            starts.push(steps.len() as u32);
        }
        Self {
            patterns: TuplePatterns::new(&cells),
            cells,
            starts,
            steps,
            bases,
            weights,
        }
    }

    /// How many tuples there are.
    pub(super) fn count(&self) -> usize {
        self.bases.len()
    }

    /// The place of the weight that counts where all cells of a tuple are empty.
    pub(super) fn base(&self, tuple: usize) -> u32 {
        self.bases[tuple]
    }

    fn steps_of(&self, fact: usize) -> &[(u32, u32)] {
        &self.steps[self.starts[fact] as usize..self.starts[fact + 1] as usize]
    }

    /// Replaces `places` by the places of the weights that count in a state, one for each tuple.
    pub(super) fn places(&self, words: &[u64], places: &mut Vec<u32>) {
        places.clear();
        places.extend_from_slice(&self.bases);
        for fact in held_facts(words) {
            for &(tuple, step) in self.steps_of(fact) {
                places[tuple as usize] += step;
            }
        }
        let most = self.most_place();
        places
            .iter_mut()
            .for_each(|place| *place = (*place).min(most));
    }

    /// Moves what was followed so far on to another state.
    pub(super) fn follow(&self, words: &[u64], followed: &mut FollowedPlaces) {
        let FollowedPlaces {
            words: before,
            sums,
        } = followed;
        if before.len() != words.len() || sums.len() != self.bases.len() {
            before.clear();
            before.resize(words.len(), 0);
            sums.clone_from(&self.bases);
        }
        for (fact, holds) in changed_facts(before, words) {
            for &(tuple, step) in self.steps_of(fact) {
                let sum = &mut sums[tuple as usize];
                *sum = match holds {
                    true => sum.wrapping_add(step),
                    false => sum.wrapping_sub(step),
                };
            }
        }
        before.copy_from_slice(words);
    }

    /// The tuples with the places of the weights that count in the state that was followed last.
    pub(super) fn followed<'f>(
        &self,
        followed: &'f FollowedPlaces,
    ) -> impl Iterator<Item = (usize, u32)> + use<'f> {
        let most = self.most_place();
        let sums = followed.sums.iter().enumerate();
        sums.map(move |(tuple, &sum)| (tuple, sum.min(most)))
    }

    /// The greatest place. Sums exceed it where a cell has two contents, since nothing proves that it holds only one.
    fn most_place(&self) -> u32 {
        self.weights.saturating_sub(1) as u32
    }

    /// Calls `change` with each tuple whose place changes with some facts, and its place afterwards.
    pub(super) fn changes(
        &self,
        places: &[u32],
        changed: impl Iterator<Item = (usize, bool)>,
        scratch: &mut ChangedTuples,
        mut change: impl FnMut(usize, u32),
    ) {
        let ChangedTuples { steps, touched } = scratch;
        steps.resize(self.bases.len(), 0);
        let mut count = 0;
        for (fact, holds) in changed {
            let of_fact = self.steps_of(fact);
            if touched.len() < count + of_fact.len() {
                touched.resize(count + of_fact.len(), 0);
            }
            let sign = if holds { 1 } else { -1 };
            for &(tuple, step) in of_fact {
                let so_far = &mut steps[tuple as usize];
                // Without a branch: tuples of two changed cells come at random.
                touched[count] = tuple;
                count += usize::from(*so_far == 0);
                *so_far += sign * step as i32;
            }
        }
        let most = self.most_place() as i32;
        for &tuple in &touched[..count] {
            let tuple = tuple as usize;
            let step = std::mem::take(&mut steps[tuple]);
            if step != 0 {
                change(tuple, (places[tuple] as i32 + step).clamp(0, most) as u32);
            }
        }
    }
}

/// What a state is worth for one turn: the sum of its weights, and the weight of each tuple. Its children are valued by what they change.
#[derive(Debug, Clone, Default)]
pub(super) struct ParentSum<S, W> {
    sum: Option<S>,
    tuples: Vec<W>,
}

impl<S: Copy + Default, W: Clone + Default> ParentSum<S, W> {
    /// Makes room for so many turns, of which nothing is known.
    pub(super) fn forget_all(sums: &mut Vec<Self>, turns: usize) {
        sums.resize(turns, Self::default());
        sums.iter_mut().for_each(|sum| sum.sum = None);
    }

    /// The sum, and the weight of each tuple, which `add_up` finds when it is asked for first.
    pub(super) fn get(&mut self, add_up: impl FnOnce(&mut Vec<W>) -> S) -> (S, &[W]) {
        let tuples = &mut self.tuples;
        let sum = *self.sum.get_or_insert_with(|| add_up(tuples));
        (sum, &self.tuples)
    }
}

/// The places of the weights that count in a state, updated by the facts that change from one state to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct FollowedPlaces {
    words: Vec<u64>,
    /// Per tuple, its base and the steps of all facts that hold; maybe beyond the last place.
    sums: Vec<u32>,
}

/// Working memory of [`Tuples::changes`].
#[derive(Debug, Clone, Default)]
pub(super) struct ChangedTuples {
    steps: Vec<i32>,
    /// Tuples whose places change, some of them maybe twice; only as many as the last call counted.
    touched: Vec<u32>,
}

/// The facts that differ between two states, and whether each holds in the second one.
pub(super) fn changed_facts<'w>(
    before: &'w [u64],
    after: &'w [u64],
) -> impl Iterator<Item = (usize, bool)> + 'w {
    let words = before.iter().zip(after).enumerate();
    words.flat_map(|(at, (before, after))| {
        let mut rest = before ^ after;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                (at * 64 + bit, after >> bit & 1 == 1)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two cells of three contents, and a third one that shares a tuple with the second.
    fn tuples() -> Tuples {
        let cell = |facts: [u32; 2]| Cell {
            facts: facts.to_vec(),
            place: None,
        };
        let cells = [[0, 1], [2, 3], [4, 64]].map(cell);
        Tuples::new(vec![cells[..2].to_vec(), cells[1..].to_vec()], 65, 100)
    }

    fn places(words: &[u64]) -> Vec<u32> {
        let mut places = Vec::new();
        tuples().places(words, &mut places);
        places
    }

    #[test]
    fn each_combination_has_a_weight_of_its_own() {
        assert_eq!(tuples().weights, 18);
        let mut seen = Vec::new();
        for first in [0, 1, 2] {
            for second in [0, 4, 8] {
                seen.push(places(&[first | second, 0])[0]);
            }
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..9).collect::<Vec<u32>>());
        assert_eq!(places(&[0, 1]), [0, 9 + 6]);
    }

    #[test]
    fn changes_lead_to_the_places_of_the_state_after() {
        let tuples = tuples();
        let mut scratch = ChangedTuples::default();
        let states = [[0, 0], [1, 0], [2 | 4, 0], [8, 1], [1 | 8, 1], [16, 0]];
        for before in &states {
            for after in &states {
                let mut now = places(before);
                let changed = changed_facts(before, after);
                let known = now.clone();
                tuples.changes(&known, changed, &mut scratch, |tuple, to| now[tuple] = to);
                assert_eq!(now, places(after), "{before:?} {after:?}");
            }
        }
    }

    #[test]
    fn followed_places_are_those_of_the_state() {
        let tuples = tuples();
        let mut followed = FollowedPlaces::default();
        let follow = |words: &[u64], followed: &mut FollowedPlaces| -> Vec<u32> {
            tuples.follow(words, followed);
            tuples.followed(followed).map(|(_, place)| place).collect()
        };
        for words in [[0, 0], [1, 0], [2 | 4, 0], [31, 1], [1 | 8, 1], [16, 0]] {
            assert_eq!(follow(&words, &mut followed), places(&words));
        }
        assert_eq!(follow(&[3], &mut followed), places(&[3]), "other words");
    }

    #[test]
    fn cells_with_two_contents_stay_within_the_weights() {
        assert!(places(&[31, 1]).iter().all(|&place| place < 18));
    }
}
