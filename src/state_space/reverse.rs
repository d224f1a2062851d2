//! The graph backwards: from each state to those that lead there.

use std::mem;
use std::ops::Range;

use rayon::prelude::*;

use super::graph::GraphPart;
use super::kind::StateKind;
use super::table::StateNumber;
use crate::util::{Deadline, Expired, SparseCheck};

/// Per state its kind, how many joint moves it has, and from which states it is reached.
#[derive(Debug)]
pub(super) struct ReverseGraph {
    pub(super) kinds: Vec<StateKind>,
    pub(super) degrees: Vec<u16>,
    /// Where the predecessors of each state begin.
    starts: Vec<u32>,
    predecessors: PackedNumbers,
}

/// Why there is no such graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoReverseGraph {
    /// The deadline is due.
    Expired(Expired),
    /// No joint moves were kept, or more than 32 bits count.
    NoEdges,
}

impl From<Expired> for NoReverseGraph {
    fn from(why: Expired) -> Self {
        Self::Expired(why)
    }
}

impl ReverseGraph {
    /// The graph of these parts, in which all numbers are below `end`. Parts are given back to the system as soon as they are no
    /// longer needed.
    pub(super) fn new(
        mut parts: Vec<GraphPart>,
        end: usize,
        deadline: &Deadline,
    ) -> Result<Self, NoReverseGraph> {
        let edges: usize = parts.iter().map(|part| part.targets.len()).sum();
        if parts.is_empty() || u32::try_from(edges).is_err() {
            return Err(NoReverseGraph::NoEdges);
        }
        let mut kinds = vec![StateKind::NONE; end];
        let mut degrees = vec![0; end];
        for part in &mut parts {
            let known = mem::take(&mut part.kinds).into_iter();
            let known = known.zip(mem::take(&mut part.degrees));
            for (state, (kind, degree)) in part.states.iter().zip(known) {
                kinds[*state as usize] = kind;
                degrees[*state as usize] = degree;
            }
        }
        let (starts, predecessors) = turned_round(&parts, &degrees, edges, deadline)?;
        Ok(Self {
            kinds,
            degrees,
            starts,
            predecessors,
        })
    }

    /// What each state is; the rest is given back.
    pub(super) fn into_kinds(self) -> Vec<StateKind> {
        self.kinds
    }

    /// The states that lead to one, each as often as it has joint moves that do.
    pub(super) fn predecessors(
        &self,
        state: StateNumber,
    ) -> impl ExactSizeIterator<Item = StateNumber> {
        let state = state as usize;
        self.predecessors
            .range(self.starts[state]..self.starts[state + 1])
    }
}

/// Where the predecessors of each state begin, and all of them. Each thread makes those of some states, one after the other.
fn turned_round(
    parts: &[GraphPart],
    degrees: &[u16],
    edges: usize,
    deadline: &Deadline,
) -> Result<(Vec<u32>, PackedNumbers), Expired> {
    let end = degrees.len();
    let of_thread = end.div_ceil(rayon::current_num_threads()).max(1);
    // Counted one place further, so that filling moves each start to where it belongs.
    let mut starts = vec![0_u32; end + 2];
    let counted = starts[2..].par_chunks_mut(of_thread).enumerate();
    counted.try_for_each(|(number, counts)| -> Result<(), Expired> {
        let mut check = SparseCheck::new(deadline);
        for part in parts {
            check.step(part.targets.len())?;
            for target in &part.targets {
                if let Some(count) = within(counts, *target, number * of_thread) {
                    *count += 1;
                }
            }
        }
        Ok(())
    })?;
    let mut before = 0;
    for start in &mut starts {
        before += *start;
        *start = before;
    }
    let mut predecessors = PackedNumbers::new(edges, end);
    let firsts = starts[1..=end].iter().step_by(of_thread).copied();
    let firsts: Vec<u32> = firsts.collect();
    let ranges = predecessors.split(&firsts).into_par_iter();
    let filled = starts[1..=end].par_chunks_mut(of_thread).enumerate();
    let filled = filled.zip(ranges);
    filled.try_for_each(|((number, starts), mut range)| -> Result<(), Expired> {
        let mut check = SparseCheck::new(deadline);
        for part in parts {
            check.step(part.targets.len())?;
            let mut targets = &part.targets[..];
            for state in &part.states {
                let (own, rest) = targets.split_at(usize::from(degrees[*state as usize]));
                targets = rest;
                for target in own {
                    if let Some(place) = within(starts, *target, number * of_thread) {
                        range.set(*place - firsts[number], *state);
                        *place += 1;
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok((starts, predecessors))
}

/// What is known of a state, if these are the ones from `first` on and it is among them.
fn within(known: &mut [u32], state: StateNumber, first: usize) -> Option<&mut u32> {
    known.get_mut((state as usize).wrapping_sub(first))
}

/// Numbers of states in as few bytes as they need, three or four.
#[derive(Debug)]
struct PackedNumbers {
    bytes: Vec<u8>,
    /// How many bytes a number has.
    width: usize,
    mask: u32,
}

/// Some of them that follow each other, to be set.
struct PackedRange<'p> {
    bytes: &'p mut [u8],
    width: usize,
}

impl PackedNumbers {
    /// So many zeros, in place of numbers below `end`.
    fn new(len: usize, end: usize) -> Self {
        let width = if end <= 1 << 24 { 3 } else { 4 };
        Self {
            // A number is read as four bytes.
            bytes: vec![0; len * width + 1],
            width,
            mask: u32::MAX >> (u32::BITS - 8 * width as u32),
        }
    }

    /// The numbers from each of these places to the next one.
    fn split(&mut self, firsts: &[u32]) -> Vec<PackedRange<'_>> {
        let width = self.width;
        let mut rest = &mut self.bytes[..];
        let mut ranges = Vec::with_capacity(firsts.len());
        for first in firsts.iter().skip(1).rev() {
            let (before, bytes) = rest.split_at_mut(*first as usize * width);
            ranges.push(PackedRange { bytes, width });
            rest = before;
        }
        ranges.push(PackedRange { bytes: rest, width });
        ranges.reverse();
        ranges
    }

    fn range(&self, places: Range<u32>) -> impl ExactSizeIterator<Item = StateNumber> {
        let first = places.start as usize * self.width;
        let len = places.len();
        let bytes = &self.bytes[first..][..len * self.width + usize::from(len > 0)];
        (0..len).map(move |place| {
            let (number, _) = bytes[place * self.width..]
                .split_first_chunk()
                .unwrap_or((&[0; 4], &[]));
            u32::from_le_bytes(*number) & self.mask
        })
    }
}

impl PackedRange<'_> {
    fn set(&mut self, place: u32, number: StateNumber) {
        let bytes = &mut self.bytes[place as usize * self.width..][..self.width];
        let [first, second, third, fourth] = number.to_le_bytes();
        bytes[..3].copy_from_slice(&[first, second, third]);
        if let Some(last) = bytes.get_mut(3) {
            *last = fourth;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::StopFlag;

    #[test]
    fn edges_are_turned_round() {
        let mut part = GraphPart::default();
        for (state, targets) in [(0, vec![1, 2, 1]), (1, vec![2]), (2, vec![0])] {
            part.push(state, StateKind::FORCED, targets.len() as u16);
            part.targets.extend(targets);
        }
        let deadline = Deadline::default();
        let graph = ReverseGraph::new(vec![part], 4, &deadline).unwrap();
        let before = |state| graph.predecessors(state).collect::<Vec<_>>();
        assert_eq!(before(0), [2]);
        assert_eq!(before(1), [0, 0]);
        assert_eq!(before(2), [0, 1]);
        assert!(before(3).is_empty());
        assert_eq!(graph.kinds[3], StateKind::NONE);
    }

    #[test]
    fn building_it_can_be_interrupted() {
        let stop = StopFlag::default();
        stop.raise();
        let mut part = GraphPart::default();
        part.push(0, StateKind::FORCED, 1);
        part.targets.push(0);
        let why = ReverseGraph::new(vec![part], 1, &Deadline::new(None, &stop)).unwrap_err();
        assert_eq!(why, NoReverseGraph::Expired(Expired::Interrupted));
        let why = ReverseGraph::new(Vec::new(), 1, &Deadline::default()).unwrap_err();
        assert_eq!(why, NoReverseGraph::NoEdges);
    }
}
