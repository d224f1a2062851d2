//! What a worker knows of the joint moves: what its own states are, and from where they are reached.

use std::mem;

use super::ClusterError;
use crate::state_space::SpaceError;
use crate::state_space::checkpoint::PlyRecord;
use crate::state_space::graph::{EndNames, GraphPart};
use crate::state_space::kind::StateKind;
use crate::state_space::solve::SolveError;
use crate::state_space::table::{CodeTable, StateNumber};

/// What a joint move takes, while it is noted and when the graph is made of it.
const BYTES_OF_MOVE: usize = 2 * size_of::<[StateNumber; 2]>();
/// What a state takes: its number, kind and degree twice, where its moves begin, its value and distance.
const BYTES_OF_STATE: usize = 7 + 3 + 4 + 3;

/// A joint move that leads to a state of this worker: the state before, by its number there, and this one.
pub(super) type IncomingMove = [StateNumber; 2];

/// The graph as it grows.
#[derive(Debug)]
pub(super) struct WorkerGraph {
    /// What the worker's states are, and how many joint moves they have.
    states: GraphPart,
    /// Per worker, the joint moves from its states.
    incoming: Vec<Vec<IncomingMove>>,
    ends: EndNames,
    /// How many states, and moves of each worker, earlier plies had.
    kept: (usize, Vec<usize>),
}

impl WorkerGraph {
    pub(super) fn new(peers: usize) -> Self {
        Self {
            states: GraphPart::default(),
            incoming: vec![Vec::new(); peers],
            ends: EndNames::default(),
            kept: (0, vec![0; peers]),
        }
    }

    /// The number of these goals.
    pub(super) fn end(&self, goals: &[Option<u8>]) -> usize {
        self.ends.number(goals)
    }

    pub(super) fn note_state(
        &mut self,
        state: StateNumber,
        kind: StateKind,
        joint_moves: u64,
    ) -> Result<(), SpaceError> {
        let degree = u16::try_from(joint_moves).map_err(|_| SpaceError::TooManyMoves)?;
        self.states.push(state, kind, degree);
        Ok(())
    }

    pub(super) fn note_moves(
        &mut self,
        from: u32,
        moves: impl Iterator<Item = IncomingMove>,
    ) -> Result<(), ClusterError> {
        let of_worker = self.incoming.get_mut(from as usize);
        of_worker.ok_or(ClusterError::Garbled)?.extend(moves);
        Ok(())
    }

    pub(super) fn bytes(&self) -> u64 {
        let moves: usize = self.incoming.iter().map(Vec::len).sum();
        (moves * BYTES_OF_MOVE + self.states.states.len() * BYTES_OF_STATE) as u64
    }

    /// What was noted since it was last taken.
    pub(super) fn take_ply(&mut self) -> PlyRecord {
        let Self {
            states,
            incoming,
            kept,
            ..
        } = self;
        let part = GraphPart {
            states: states.states[kept.0..].to_vec(),
            kinds: states.kinds[kept.0..].to_vec(),
            degrees: states.degrees[kept.0..].to_vec(),
            ..GraphPart::default()
        };
        let mut moves = Vec::new();
        for (worker, (of_worker, kept)) in (0..).zip(incoming.iter().zip(&kept.1)) {
            let new = of_worker[*kept..].iter();
            moves.extend(new.flat_map(|[before, state]| [*state, worker, *before]));
        }
        self.mark();
        PlyRecord {
            ends: self.ends.goals(),
            graph_bytes: Some(self.bytes()),
            parts: vec![part],
            incoming: Some(moves),
            ..PlyRecord::default()
        }
    }

    fn mark(&mut self) {
        let moves = self.incoming.iter().map(Vec::len).collect();
        self.kept = (self.states.states.len(), moves);
    }

    /// Adds what a ply brought that was kept. Says whether it can be true.
    pub(super) fn restore(&mut self, record: &PlyRecord, table: &CodeTable) -> bool {
        let Some(incoming) = &record.incoming else {
            return false;
        };
        let (moves, rest) = incoming.as_chunks();
        for [state, worker, before] in moves {
            let Some(of_worker) = self.incoming.get_mut(*worker as usize) else {
                return false;
            };
            if !table.has(*state) {
                return false;
            }
            of_worker.push([*before, *state]);
        }
        for part in &record.parts {
            if !part.states.iter().all(|state| table.has(*state)) {
                return false;
            }
            self.states.append(part.clone());
        }
        self.ends = EndNames::new(record.ends.clone());
        self.mark();
        rest.is_empty()
    }

    /// The graph backwards, in which all numbers are below `end`; games end with the goals `ends`.
    pub(super) fn into_backward(
        self,
        end: usize,
        ends: &[Vec<Option<u8>>],
    ) -> Result<BackwardGraph, ClusterError> {
        let own = self.ends.into_goals().into_iter();
        let known = own.map(|goals| ends.iter().position(|of_all| *of_all == goals));
        let known: Vec<Option<usize>> = known.collect();
        let mut kinds = vec![StateKind::NONE; end];
        let mut degrees = vec![0; end];
        let states = self.states;
        for ((state, kind), degree) in states.states.iter().zip(states.kinds).zip(states.degrees) {
            kinds[*state as usize] = match kind.end() {
                None => kind,
                Some(end) => {
                    let end = known.get(end).copied().flatten();
                    let end = end.ok_or(ClusterError::Garbled)?;
                    StateKind::ended(end).ok_or(SpaceError::TooManyEnds)?
                }
            };
            degrees[*state as usize] = degree;
        }
        Ok(BackwardGraph {
            moves: IncomingMoves::new(self.incoming, end)?,
            kinds,
            degrees,
        })
    }
}

/// What a worker's states are, and which states lead there.
pub(super) struct BackwardGraph {
    pub(super) moves: IncomingMoves,
    pub(super) kinds: Vec<StateKind>,
    pub(super) degrees: Vec<u16>,
}

/// Per state of a worker, the states that lead there, and whose they are.
#[derive(Debug)]
pub(super) struct IncomingMoves {
    starts: Vec<u32>,
    /// The worker, and the number of the state there.
    before: Vec<(u32, StateNumber)>,
}

impl IncomingMoves {
    fn new(mut incoming: Vec<Vec<IncomingMove>>, end: usize) -> Result<Self, SolveError> {
        let moves: usize = incoming.iter().map(Vec::len).sum();
        if u32::try_from(moves).is_err() {
            return Err(SolveError::TooManyEdges);
        }
        // Counted one place further, so that filling moves each start to where it belongs.
        let mut starts = vec![0_u32; end + 2];
        for [_, state] in incoming.iter().flatten() {
            starts[*state as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut before = vec![(0, 0); moves];
        for (worker, of_worker) in (0..).zip(&mut incoming) {
            for [number, state] in mem::take(of_worker) {
                let place = &mut starts[state as usize + 1];
                before[*place as usize] = (worker, number);
                *place += 1;
            }
        }
        Ok(Self { starts, before })
    }

    /// The states that lead to one, each as often as it has joint moves that do.
    pub(super) fn before(&self, state: StateNumber) -> &[(u32, StateNumber)] {
        let state = state as usize;
        &self.before[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_found_by_where_they_lead() {
        let incoming = vec![vec![[7, 1], [8, 0]], vec![[7, 1], [7, 1]]];
        let moves = IncomingMoves::new(incoming, 3).unwrap();
        assert_eq!(moves.before(0), [(0, 8)]);
        assert_eq!(moves.before(1), [(0, 7), (1, 7), (1, 7)]);
        assert_eq!(moves.before(2), []);
    }
}
