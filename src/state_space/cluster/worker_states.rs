//! The states of a worker, and how others send it more.

use std::mem;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use super::ClusterError;
use super::worker::WorkersShare;
use super::worker_graph::WorkerGraph;
use crate::state_space::table::{CodeTable, StateNumber, TableFull};
use crate::state_space::{SpaceError, StateCodec};

/// States are sent to a worker once their codes, or their numbers, have so many words.
pub(super) const WORDS_AT_ONCE: usize = 1 << 14;

/// States for the worker whose they are.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct StatesLetter {
    /// The worker that made them.
    pub(super) from: u32,
    pub(super) codes: Vec<u32>,
    /// Of each, the state of that worker that leads there; nothing if that is not asked.
    pub(super) parents: Vec<StateNumber>,
}

/// The worker's part of the states.
pub(super) struct WorkerStates {
    pub(super) codec: StateCodec,
    pub(super) table: CodeTable,
    /// What leads to them, if that is asked.
    pub(super) graph: Option<WorkerGraph>,
    /// The states of the ply that is expanded, and those found that come after it.
    pub(super) layer: Vec<StateNumber>,
    new: Vec<StateNumber>,
    /// How many states were part of some ply.
    pub(super) found: u64,
    pub(super) numbers: Vec<StateNumber>,
    order: Vec<(u64, u32)>,
    /// What the table was last seen to take.
    bytes: u64,
}

impl WorkerStates {
    pub(super) fn new(codec: StateCodec, graph: Option<WorkerGraph>) -> Self {
        Self {
            graph,
            table: CodeTable::new(codec.code_words()),
            codec,
            layer: Vec::new(),
            new: Vec::new(),
            found: 0,
            numbers: Vec::new(),
            order: Vec::new(),
            bytes: 0,
        }
    }

    pub(super) fn take_in(
        &mut self,
        letter: &StatesLetter,
        share: &WorkersShare,
    ) -> Result<(), ClusterError> {
        self.insert(&letter.codes, share)?;
        if let Some(graph) = &mut self.graph {
            if letter.parents.len() != self.numbers.len() {
                return Err(ClusterError::Garbled);
            }
            let moves = letter.parents.iter().zip(&self.numbers);
            graph.note_moves(letter.from, moves.map(|(before, state)| [*before, *state]))?;
            self.note_bytes(share);
        }
        Ok(())
    }

    pub(super) fn insert(
        &mut self,
        codes: &[u32],
        share: &WorkersShare,
    ) -> Result<(), ClusterError> {
        let Self {
            table,
            new,
            numbers,
            order,
            ..
        } = self;
        table
            .insert_all(codes, numbers, order, new)
            .map_err(|TableFull| SpaceError::TooManyStates)?;
        self.note_bytes(share);
        Ok(())
    }

    pub(super) fn note_bytes(&mut self, share: &WorkersShare) {
        let graph = self.graph.as_ref().map_or(0, WorkerGraph::bytes);
        let bytes = self.table.bytes() + graph;
        // It may be less than before: what a table has grown out of is given back.
        let grown = bytes.wrapping_sub(self.bytes);
        share.bytes.fetch_add(grown, Ordering::Relaxed);
        self.bytes = bytes;
    }

    /// Makes the states that were found the ply to be expanded.
    pub(super) fn next_layer(&mut self) {
        self.new
            .sort_unstable_by_key(|number| CodeTable::key(*number));
        self.layer = mem::take(&mut self.new);
        self.found += self.layer.len() as u64;
    }
}
