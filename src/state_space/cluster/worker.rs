//! What one worker of a cluster does: it keeps the states that are its own by their hash, and expands them.

use std::hash::BuildHasher;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use foldhash::fast::FixedState;
use serde::Serialize;
use serde::de::DeserializeOwned;
use timely::worker::Worker;

use super::peers::LostProcess;
use super::rounds::Rounds;
use super::worker_graph::WorkerGraph;
use super::worker_states::{StatesLetter, WORDS_AT_ONCE, WorkerStates};
use super::{
    ClusterError, ClusterFound, ClusterProgress, ClusterQuestion, ClusterSpace, ClusterStage,
};
use crate::engine::Propnet;
use crate::game::{Expansion, StateMachine};
use crate::state_space::checkpoint::{Checkpoint, PlyRecord};
use crate::state_space::counter::StateCounter;
use crate::state_space::expansion::StateExpansion;
use crate::state_space::kind::StateKind;
use crate::state_space::table::StateNumber;
use crate::state_space::{
    GraphUse, SolutionSubject, SpaceError, SpaceTotals, StateCodec, canonical,
};
use crate::symmetry::SymmetryGroup;
use crate::util::Deadline;

/// What the workers of a process have in common.
pub(super) struct WorkersShare {
    pub(super) game: Propnet,
    pub(super) deadline: Deadline,
    /// The states of this process may take so many bytes.
    pub(super) most_bytes: u64,
    /// How many bytes they take.
    pub(super) bytes: AtomicU64,
    /// Raised where a worker of this process has failed.
    pub(super) failed: AtomicBool,
    pub(super) lost: LostProcess,
    /// See [`ClusterOptions::symmetries`](super::ClusterOptions::symmetries).
    pub(super) symmetries: Option<Arc<SymmetryGroup>>,
    /// How many workers this process has.
    pub(super) workers_here: usize,
    /// Where plies are kept, if they are, and of what.
    pub(super) checkpoint: Option<(PathBuf, SolutionSubject)>,
    pub(super) on_stage: ClusterProgress,
    /// What is asked besides the states, if anything is.
    pub(super) question: Option<ClusterQuestion>,
}

impl WorkersShare {
    /// Whether to go on.
    pub(super) fn check(&self) -> Result<(), ClusterError> {
        if let Some(process) = self.lost.get() {
            return Err(ClusterError::Lost(process));
        }
        if self.failed.load(Ordering::Relaxed) {
            return Err(ClusterError::Other);
        }
        self.deadline.check()?;
        match self.bytes.load(Ordering::Relaxed) > self.most_bytes {
            true => Err(SpaceError::OutOfMemory(self.most_bytes).into()),
            false => Ok(()),
        }
    }
}

/// The seed of the hash by which states are divided: another one than that of their table.
const SEED: u64 = 0x6b6f_6c69;
/// A worker at its work.
pub(super) struct ClusterWorker<'w> {
    pub(super) share: &'w WorkersShare,
    pub(super) worker: &'w mut Worker,
    states: Rounds<StatesLetter>,
    notes: Rounds<Vec<u8>>,
    /// Numbers of states, by which values go backwards.
    pub(super) numbers: Rounds<Vec<StateNumber>>,
    pub(super) shard: WorkerStates,
    counter: StateCounter,
    by_ply: Vec<u64>,
    /// For each worker, the states that are its own and were not sent yet.
    letters: Vec<StatesLetter>,
    code: Vec<u32>,
}

/// Does what is asked, together with all other workers. Each finds the same.
pub(super) fn run(share: &WorkersShare, worker: &mut Worker) -> Result<ClusterFound, ClusterError> {
    let done = ClusterWorker::new(share, worker).run();
    if let Err(why) = &done
        && !matches!(why, ClusterError::Other)
    {
        share.failed.store(true, Ordering::Relaxed);
    }
    if done.is_err() {
        // Others may wait for this worker for ever.
        for dataflow in worker.installed_dataflows() {
            worker.drop_dataflow(dataflow);
        }
    }
    done
}

impl<'w> ClusterWorker<'w> {
    fn new(share: &'w WorkersShare, worker: &'w mut Worker) -> Self {
        let codec = StateCodec::new(&share.game);
        let (states, notes, numbers) = (
            Rounds::new(worker),
            Rounds::new(worker),
            Rounds::new(worker),
        );
        let (from, peers) = (worker.index() as u32, worker.peers());
        let graph = share.question.as_ref().map(|_| WorkerGraph::new(peers));
        let letter = StatesLetter {
            from,
            ..StatesLetter::default()
        };
        Self {
            share,
            states,
            notes,
            numbers,
            code: vec![0; codec.code_words()],
            shard: WorkerStates::new(codec, graph),
            counter: StateCounter::new(share.game.roles().len()),
            by_ply: Vec::new(),
            letters: vec![letter; peers],
            worker,
        }
    }

    fn run(mut self) -> Result<ClusterFound, ClusterError> {
        let mut checkpoint = self.open_checkpoint()?;
        let kept = match &mut checkpoint {
            Some(checkpoint) => self.restore(checkpoint)?,
            None => {
                self.begin()?;
                0
            }
        };
        loop {
            let states = self.sum(self.shard.layer.len() as u64)?;
            if states == 0 {
                break;
            }
            self.by_ply.push(states);
            if self.is_first_here() {
                let bytes = self.share.bytes.load(Ordering::Relaxed);
                let by_ply = &self.by_ply;
                (self.share.on_stage)(ClusterStage::Ply { by_ply, bytes });
            }
            let before = self.counter.totals().states;
            self.expand_layer()?;
            if self.share.symmetries.is_some() {
                let expanded = self.sum(self.counter.totals().states - before)?;
                self.by_ply
                    .last_mut()
                    .into_iter()
                    .for_each(|of_ply| *of_ply = expanded);
            }
            self.shard.next_layer();
            if let Some(checkpoint) = &mut checkpoint {
                self.keep(checkpoint)?;
            }
        }
        let totals = self.totals()?;
        let graph = self.shard.graph.take();
        let question = self.share.question.as_ref().zip(graph);
        let solution = match question {
            Some((question, graph)) => Some(self.solve(question, graph, &totals)?),
            None => None,
        };
        let classes = self.sum(self.shard.found)?;
        let space = ClusterSpace {
            totals,
            classes,
            kept,
        };
        Ok(ClusterFound { space, solution })
    }

    /// Whether it is the first worker of its process, which tells how far all are.
    pub(super) fn is_first_here(&self) -> bool {
        self.worker.index().is_multiple_of(self.share.workers_here)
    }

    /// The initial state, which one worker has.
    fn begin(&mut self) -> Result<(), ClusterError> {
        let symmetries = self.share.symmetries.as_deref();
        let initial = canonical(symmetries, &self.share.game.initial());
        self.shard.codec.encode(initial.words(), &mut self.code);
        if self.owner() == self.worker.index() {
            self.shard.insert(&self.code, self.share)?;
        }
        self.shard.next_layer();
        Ok(())
    }

    /// Whose the state of `code` is.
    fn owner(&self) -> usize {
        let hash = FixedState::with_seed(SEED).hash_one(&self.code[..]);
        ((u128::from(hash) * self.letters.len() as u128) >> 64) as usize
    }

    /// Makes the states after those of a ply, and takes in those that other workers make and that are this one's.
    fn expand_layer(&mut self) -> Result<(), ClusterError> {
        let share = self.share;
        let game = &share.game;
        let layer = mem::take(&mut self.shard.layer);
        let mut expansion = StateExpansion::new(game, share.symmetries.as_deref());
        for batch in layer.chunks(game.batch_size()) {
            let shard = &self.shard;
            expansion.states.clear();
            let add = |code: &[u32]| expansion.states.push(shard.codec.decode(code));
            shard.table.codes_of(batch, add);
            expansion.evaluate();
            for (place, state) in batch.iter().enumerate() {
                self.note(&mut expansion, place, *state)?;
            }
            while let Some((states, parents)) = expansion.next_children() {
                share.check()?;
                let words = states.len() / parents.len();
                for (state, parent) in states.chunks_exact(words.max(1)).zip(parents) {
                    self.shard.codec.encode(state, &mut self.code);
                    self.post(batch[*parent as usize])?;
                }
            }
            self.worker.step();
            self.take_in()?;
        }
        for to in 0..self.letters.len() {
            self.send(to)?;
        }
        let Self {
            states,
            worker,
            shard,
            ..
        } = self;
        states.end(worker, |states| {
            share.check()?;
            let arrived = states.take();
            arrived
                .iter()
                .try_for_each(|letter| shard.take_in(letter, share))
        })?;
        self.take_in()
    }

    /// Counts a state of a batch, and notes what it is.
    fn note(
        &mut self,
        expansion: &mut StateExpansion<'_>,
        place: usize,
        state: StateNumber,
    ) -> Result<(), SpaceError> {
        let stands_for = expansion.stands_for(place);
        let batch = &expansion.evaluated;
        let Some(graph) = &mut self.shard.graph else {
            let noted = self.counter.note(stands_for, batch, place, |_| 0);
            return noted.map(drop);
        };
        let end = |goals: &[Option<u8>]| graph.end(goals);
        let (kind, joint_moves) = self.counter.note(stands_for, batch, place, end)?;
        if kind == StateKind::SEVERAL {
            return Err(SpaceError::Simultaneous(self.by_ply.len() - 1));
        }
        graph.note_state(state, kind, joint_moves)
    }

    /// Gives the state of `code`, which comes after one of this worker's, to its owner.
    fn post(&mut self, parent: StateNumber) -> Result<(), ClusterError> {
        let owner = self.owner();
        let letter = &mut self.letters[owner];
        letter.codes.extend_from_slice(&self.code);
        if self.shard.graph.is_some() {
            letter.parents.push(parent);
        }
        match letter.codes.len() < WORDS_AT_ONCE {
            true => Ok(()),
            false => self.send(owner),
        }
    }

    fn send(&mut self, to: usize) -> Result<(), ClusterError> {
        let letter = &mut self.letters[to];
        if letter.codes.is_empty() {
            return Ok(());
        }
        let sent = StatesLetter {
            from: letter.from,
            codes: mem::take(&mut letter.codes),
            parents: mem::take(&mut letter.parents),
        };
        if to == self.worker.index() {
            return self.shard.take_in(&sent, self.share);
        }
        self.states.send(to as u64, sent);
        Ok(())
    }

    fn take_in(&mut self) -> Result<(), ClusterError> {
        let arrived = self.states.take();
        let mut arrived = arrived.iter();
        arrived.try_for_each(|letter| self.shard.take_in(letter, self.share))
    }

    /// What all workers say, this one included, in the order in which it comes.
    pub(super) fn tell<T: Serialize + DeserializeOwned>(
        &mut self,
        own: &T,
    ) -> Result<Vec<T>, ClusterError> {
        let share = self.share;
        // Serialising numbers into memory has no way to fail.
        let own = serde_json::to_vec(own).unwrap_or_default();
        self.notes.send_to_all(&own);
        self.notes.end(self.worker, |_| share.check())?;
        let told = self.notes.take_ended().into_iter();
        told.map(|bytes| serde_json::from_slice(&bytes).map_err(|_| ClusterError::Garbled))
            .collect()
    }

    pub(super) fn sum(&mut self, number: u64) -> Result<u64, ClusterError> {
        Ok(self.tell(&number)?.into_iter().sum())
    }

    /// The totals of all workers.
    fn totals(&mut self) -> Result<SpaceTotals, ClusterError> {
        let own = self.counter.totals().clone();
        let mut totals = SpaceTotals::new(self.share.game.roles().len());
        for of_worker in self.tell(&own)? {
            totals.merge(&of_worker);
        }
        totals.by_ply.clone_from(&self.by_ply);
        totals.sort();
        Ok(totals)
    }
}

/// The file of this worker, its plies, and how to go on from them.
impl ClusterWorker<'_> {
    fn open_checkpoint(&self) -> Result<Option<Checkpoint>, ClusterError> {
        let Some((path, subject)) = &self.share.checkpoint else {
            return Ok(None);
        };
        let mut name = path.clone().into_os_string();
        let (index, peers) = (self.worker.index(), self.worker.peers());
        name.push(format!(".{}-of-{peers}", index + 1));
        let opened = Checkpoint::open(&PathBuf::from(name), subject.clone());
        let checkpoint = opened.map_err(SpaceError::from)?;
        let mut checkpoint = checkpoint.of_worker(index + 1, peers);
        checkpoint.set_symmetries(self.share.symmetries.as_deref());
        Ok(Some(checkpoint))
    }

    /// Takes in the plies that all workers have kept; tells how many.
    fn restore(&mut self, checkpoint: &mut Checkpoint) -> Result<usize, ClusterError> {
        let share = self.share;
        let codec = self.shard.codec.clone();
        let usage = match &share.question {
            Some(_) => GraphUse::Needed,
            None => GraphUse::Dropped,
        };
        let mut kept = 0_u64;
        checkpoint.restore(&codec, true, usage, usize::MAX, |_| {
            share.deadline.check()?;
            kept += 1;
            Ok(true)
        })?;
        let least = self.tell(&kept)?.into_iter().min().unwrap_or(0) as usize;
        self.begin()?;
        let Self {
            shard,
            counter,
            by_ply,
            ..
        } = self;
        checkpoint.restore(&codec, true, usage, least, |record| {
            share.deadline.check()?;
            let inserted = shard.insert(&record.codes, share);
            let mut fits = inserted.is_ok() && shard.numbers == record.new;
            if let Some(graph) = &mut shard.graph {
                fits &= graph.restore(&record, &shard.table);
            }
            shard.note_bytes(share);
            shard.next_layer();
            by_ply.clone_from(&record.totals.by_ply);
            *counter = StateCounter::with(record.totals);
            Ok(fits)
        })?;
        Ok(least)
    }

    /// Keeps what a ply brought.
    fn keep(&mut self, checkpoint: &mut Checkpoint) -> Result<(), ClusterError> {
        let mut codes = Vec::new();
        let WorkerStates {
            table,
            layer,
            graph,
            ..
        } = &mut self.shard;
        table.codes_of(layer, |code| codes.extend_from_slice(code));
        let graph = graph.as_mut().map(WorkerGraph::take_ply);
        let record = PlyRecord {
            totals: SpaceTotals {
                by_ply: self.by_ply.clone(),
                ..self.counter.totals().clone()
            },
            new: layer.clone(),
            codes,
            ..graph.unwrap_or_default()
        };
        Ok(checkpoint.add(&record).map_err(SpaceError::from)?)
    }
}
