//! The graph backwards: from each state to those that lead there.

use std::mem;
use std::ops::Range;

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
        let mut check = SparseCheck::new(deadline);
        // Counted one place further, so that filling moves each start to where it belongs.
        let mut starts = vec![0_u32; end + 2];
        for part in &parts {
            check.step(part.targets.len())?;
            for target in &part.targets {
                starts[*target as usize + 2] += 1;
            }
        }
        let mut before = 0;
        for start in &mut starts {
            before += *start;
            *start = before;
        }
        let mut predecessors = PackedNumbers::new(edges, end);
        for part in &mut parts {
            check.step(part.targets.len())?;
            let mut targets = mem::take(&mut part.targets).into_iter();
            for (state, degree) in part.states.iter().zip(&part.degrees) {
                for target in targets.by_ref().take(usize::from(*degree)) {
                    let place = &mut starts[target as usize + 1];
                    predecessors.set(*place, *state);
                    *place += 1;
                }
            }
        }
        // Not earlier: as long as there are targets, memory is short.
        let mut kinds = vec![StateKind::NONE; end];
        let mut degrees = vec![0; end];
        for part in parts {
            for ((state, kind), degree) in part.states.iter().zip(part.kinds).zip(part.degrees) {
                kinds[*state as usize] = kind;
                degrees[*state as usize] = degree;
            }
        }
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

/// Numbers of states in as few bytes as they need, three or four.
#[derive(Debug)]
struct PackedNumbers {
    bytes: Vec<u8>,
    /// How many bytes a number has.
    width: usize,
    mask: u32,
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

    fn set(&mut self, place: u32, number: StateNumber) {
        let bytes = &mut self.bytes[place as usize * self.width..][..self.width];
        let [first, second, third, fourth] = number.to_le_bytes();
        bytes[..3].copy_from_slice(&[first, second, third]);
        if let Some(last) = bytes.get_mut(3) {
            *last = fourth;
        }
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
