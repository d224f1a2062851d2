//! What one worker of a cluster does: it keeps the states that are its own by their hash, and expands them.

use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use foldhash::fast::FixedState;
use timely::worker::Worker;

use super::peers::LostProcess;
use super::rounds::Rounds;
use super::{ClusterError, ClusterProgress, ClusterSpace};
use crate::engine::Propnet;
use crate::game::{Expansion, StateMachine};
use crate::state_space::checkpoint::{Checkpoint, PlyRecord};
use crate::state_space::counter::StateCounter;
use crate::state_space::expanding::Expanding;
use crate::state_space::table::{CodeTable, StateNumber, TableFull};
use crate::state_space::{GraphUse, SolutionSubject, SpaceError, SpaceTotals, StateCodec};
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
    /// How many workers this process has.
    pub(super) workers_here: usize,
    /// Where plies are kept, if they are, and of what.
    pub(super) checkpoint: Option<(PathBuf, SolutionSubject)>,
    pub(super) on_ply: ClusterProgress,
}

impl WorkersShare {
    /// Whether to go on.
    fn check(&self) -> Result<(), ClusterError> {
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

/// Codes are sent to a worker once there are so many words of them.
const WORDS_AT_ONCE: usize = 1 << 14;
/// The seed of the hash by which states are divided: another one than that of their table.
const SEED: u64 = 0x6b6f_6c69;
/// The worker's part of the states.
struct WorkerStates {
    codec: StateCodec,
    table: CodeTable,
    /// The states of the ply that is expanded, and those found that come after it.
    layer: Vec<StateNumber>,
    new: Vec<StateNumber>,
    numbers: Vec<StateNumber>,
    order: Vec<(u64, u32)>,
    /// What the table was last seen to take.
    bytes: u64,
}

impl WorkerStates {
    fn new(codec: StateCodec) -> Self {
        Self {
            table: CodeTable::new(codec.code_words()),
            codec,
            layer: Vec::new(),
            new: Vec::new(),
            numbers: Vec::new(),
            order: Vec::new(),
            bytes: 0,
        }
    }

    fn insert(&mut self, codes: &[u32], share: &WorkersShare) -> Result<(), ClusterError> {
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
        let bytes = self.table.bytes();
        share.bytes.fetch_add(bytes - self.bytes, Ordering::Relaxed);
        self.bytes = bytes;
        Ok(())
    }

    /// Makes the states that were found the ply to be expanded.
    fn next_layer(&mut self) {
        self.new
            .sort_unstable_by_key(|number| CodeTable::key(*number));
        self.layer = std::mem::take(&mut self.new);
    }
}

/// A worker at its work.
struct ClusterWorker<'w> {
    share: &'w WorkersShare,
    worker: &'w mut Worker,
    states: Rounds<Vec<u32>>,
    notes: Rounds<Vec<u64>>,
    shard: WorkerStates,
    counter: StateCounter,
    by_ply: Vec<u64>,
    /// For each worker, the codes of states that are its own and were not sent yet.
    letters: Vec<Vec<u32>>,
    code: Vec<u32>,
}

/// Enumerates the states, together with all other workers. Each gets the same totals.
pub(super) fn run(share: &WorkersShare, worker: &mut Worker) -> Result<ClusterSpace, ClusterError> {
    let codec = StateCodec::new(&share.game);
    let (states, notes) = (Rounds::new(worker), Rounds::new(worker));
    let peers = worker.peers();
    let roles = share.game.roles().len();
    let done = ClusterWorker {
        share,
        states,
        notes,
        code: vec![0; codec.code_words()],
        shard: WorkerStates::new(codec),
        counter: StateCounter::new(roles),
        by_ply: Vec::new(),
        letters: vec![Vec::new(); peers],
        worker,
    }
    .run();
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

impl ClusterWorker<'_> {
    fn run(mut self) -> Result<ClusterSpace, ClusterError> {
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
            if self.worker.index().is_multiple_of(self.share.workers_here) {
                let bytes = self.share.bytes.load(Ordering::Relaxed);
                (self.share.on_ply)(&self.by_ply, bytes);
            }
            self.expand_layer()?;
            self.shard.next_layer();
            if let Some(checkpoint) = &mut checkpoint {
                self.keep(checkpoint)?;
            }
        }
        self.totals(kept)
    }

    /// The initial state, which one worker has.
    fn begin(&mut self) -> Result<(), ClusterError> {
        let initial = self.share.game.initial();
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
        let layer = std::mem::take(&mut self.shard.layer);
        let mut expanding = Expanding::new(game);
        for batch in layer.chunks(game.batch_size()) {
            let shard = &self.shard;
            expanding.begin(|states| {
                let add = |code: &[u32]| states.push(shard.codec.decode(code));
                shard.table.codes_of(batch, add);
            });
            for state in 0..batch.len() {
                self.counter.note(&expanding.parents, state, |_| 0)?;
            }
            while expanding.next_children() {
                share.check()?;
                for state in expanding.words_of_children() {
                    self.shard.codec.encode(state, &mut self.code);
                    self.post()?;
                }
            }
            self.worker.step();
            self.take_in()?;
        }
        for to in 0..self.letters.len() {
            self.send(to);
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
                .try_for_each(|codes| shard.insert(codes, share))
        })?;
        self.take_in()
    }

    /// Gives the state of `code` to its owner.
    fn post(&mut self) -> Result<(), ClusterError> {
        let owner = self.owner();
        let code = &self.code;
        let letter = &mut self.letters[owner];
        letter.extend_from_slice(code);
        if letter.len() < WORDS_AT_ONCE {
            return Ok(());
        }
        if owner == self.worker.index() {
            let letter = std::mem::take(&mut self.letters[owner]);
            return self.shard.insert(&letter, self.share);
        }
        self.send(owner);
        Ok(())
    }

    fn send(&mut self, to: usize) {
        let letter = std::mem::take(&mut self.letters[to]);
        if !letter.is_empty() {
            self.states.send(to as u64, letter);
        }
    }

    fn take_in(&mut self) -> Result<(), ClusterError> {
        let arrived = self.states.take();
        let mut arrived = arrived.iter();
        arrived.try_for_each(|codes| self.shard.insert(codes, self.share))
    }

    /// What all workers say, each one number.
    fn tell(&mut self, number: u64) -> Result<Vec<u64>, ClusterError> {
        let share = self.share;
        self.notes.send_to_all(&vec![number]);
        self.notes.end(self.worker, |_| share.check())?;
        Ok(self.notes.take_ended().into_iter().flatten().collect())
    }

    fn sum(&mut self, number: u64) -> Result<u64, ClusterError> {
        Ok(self.tell(number)?.into_iter().sum())
    }

    /// The totals of all workers.
    fn totals(mut self, kept: usize) -> Result<ClusterSpace, ClusterError> {
        // Serialising numbers into memory has no way to fail.
        let own = serde_json::to_vec(self.counter.totals()).unwrap_or_default();
        let share = self.share;
        self.notes
            .send_to_all(&own.iter().map(|byte| u64::from(*byte)).collect());
        self.notes.end(self.worker, |_| share.check())?;
        let mut totals = SpaceTotals::new(share.game.roles().len());
        for bytes in self.notes.take_ended() {
            let bytes: Vec<u8> = bytes.into_iter().map(|byte| byte as u8).collect();
            let of_worker = serde_json::from_slice::<SpaceTotals>(&bytes);
            totals.merge(&of_worker.map_err(|_| ClusterError::Garbled)?);
        }
        totals.by_ply = self.by_ply;
        totals.sort();
        Ok(ClusterSpace { totals, kept })
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
        Ok(Some(opened.map_err(SpaceError::from)?))
    }

    /// Takes in the plies that all workers have kept; tells how many.
    fn restore(&mut self, checkpoint: &mut Checkpoint) -> Result<usize, ClusterError> {
        let share = self.share;
        let codec = self.shard.codec.clone();
        let mut kept = 0;
        checkpoint.restore(&codec, true, GraphUse::Dropped, usize::MAX, |_| {
            share.deadline.check()?;
            kept += 1;
            Ok(true)
        })?;
        let least = self.tell(kept)?.into_iter().min().unwrap_or(0) as usize;
        self.begin()?;
        let Self {
            shard,
            counter,
            by_ply,
            ..
        } = self;
        checkpoint.restore(&codec, true, GraphUse::Dropped, least, |record| {
            share.deadline.check()?;
            let inserted = shard.insert(&record.codes, share);
            let fits = inserted.is_ok() && shard.numbers == record.new;
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
        let WorkerStates { table, layer, .. } = &self.shard;
        table.codes_of(layer, |code| codes.extend_from_slice(code));
        let record = PlyRecord {
            totals: SpaceTotals {
                by_ply: self.by_ply.clone(),
                ..self.counter.totals().clone()
            },
            new: layer.clone(),
            codes,
            ..PlyRecord::default()
        };
        Ok(checkpoint.add(&record).map_err(SpaceError::from)?)
    }
}
