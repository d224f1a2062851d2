//! All states that can be reached, ply by ply.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::checkpoint::{Checkpoint, PlyRecord};
use super::counter::StateCounter;
use super::expansion::StateExpansion;
use super::graph::{EndNames, GraphPart, KeptGraph};
use super::kind::StateKind;
use super::set::{Inserted, StateSet};
use super::table::{StateNumber, TableFull};
use super::{GraphUse, SpaceError, SpaceOptions, SpaceTotals, canonical};
use crate::engine::Propnet;
use crate::game::{Expansion, StateMachine};

/// Enumerates the states of a game, on all threads of a pool.
pub(super) struct Enumeration<'e> {
    pub(super) game: &'e Propnet,
    pub(super) options: &'e SpaceOptions<'e>,
    pub(super) set: StateSet,
    pub(super) ends: EndNames,
    pub(super) totals: SpaceTotals,
    pub(super) graph: KeptGraph,
}

/// What solving needs of a state: its number, kind and degree in the graph, those of the graph backwards, its value and distance.
const BYTES_OF_STATE: u64 = 7 + 12 + 4;
/// What it needs of a joint move: both of its ends.
const BYTES_OF_MOVE: u64 = 2 * size_of::<StateNumber>() as u64;

/// A part of the graph has few more targets than this: what it has room for, and does not need, is little.
const MOST_IN_PART: usize = 1 << 18;

/// What it takes to count games: a number of any length, and how many joint moves it waits for.
const BYTES_OF_COUNT: u64 = 24 + 32 + 2;

/// What else a state takes in which several roles choose: these numbers, and the graph in which one role chooses before the others.
fn bytes_announced(widths: &[u16], degree: u16) -> u64 {
    let list = size_of::<Vec<u16>>() + size_of_val(widths);
    let moves = widths.iter().copied().max().unwrap_or(0);
    list as u64 + u64::from(moves) * BYTES_OF_STATE + u64::from(degree) * BYTES_OF_MOVE
}

impl Enumeration<'_> {
    /// Enumerates everything, after what a file keeps.
    pub(super) fn run(
        &mut self,
        mut checkpoint: Option<&mut Checkpoint>,
    ) -> Result<(), SpaceError> {
        let mut layer = self.begin()?;
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.set_symmetries(self.options.symmetries.as_deref());
            let (codec, has_table) = (self.set.codec().clone(), self.set.is_table());
            checkpoint.restore(
                &codec,
                has_table,
                self.options.graph,
                usize::MAX,
                |record| {
                    self.options.deadline.check()?;
                    Ok(self.restore(record, &mut layer))
                },
            )?;
        }
        while !layer.is_empty() {
            self.totals.by_ply.push(layer.len() as u64);
            (self.options.on_ply)(&self.totals, self.set.bytes());
            let (known, before) = (self.graph.parts(), self.totals.states);
            layer = self.expand(&layer)?;
            if let Some(of_ply) = self.totals.by_ply.last_mut() {
                *of_ply = self.totals.states - before;
            }
            if let Some(checkpoint) = &mut checkpoint {
                self.keep(&layer, known, checkpoint)?;
            }
        }
        Ok(())
    }

    /// The first ply.
    fn begin(&mut self) -> Result<Vec<StateNumber>, SpaceError> {
        let initial = canonical(self.options.symmetries.as_deref(), &self.game.initial());
        let mut layer = Vec::new();
        let words = initial.words();
        self.set
            .insert_all(words, 1, &mut Inserted::default(), &mut layer)
            .map_err(|TableFull| SpaceError::TooManyStates)?;
        Ok(layer)
    }

    /// Adds what a ply brought that was kept, and makes `layer` the next one. Says whether it can be true.
    fn restore(&mut self, record: PlyRecord, layer: &mut Vec<StateNumber>) -> bool {
        let needs_graph = self.options.graph == GraphUse::Needed;
        if !self.set.restore(&record.new, &record.codes)
            || needs_graph && record.graph_bytes.is_none()
        {
            return false;
        }
        for part in &record.parts {
            let mut numbers = part.states.iter().chain(&part.targets);
            if !numbers.all(|number| self.set.has(*number)) {
                return false;
            }
        }
        self.graph.restore(record.parts, record.graph_bytes);
        self.totals = record.totals;
        self.ends = EndNames::new(record.ends);
        *layer = record.new;
        true
    }

    /// Keeps what a ply brought: the states `new`, and the parts of the graph but for those that were `known` before.
    fn keep(
        &mut self,
        new: &[StateNumber],
        known: usize,
        checkpoint: &mut Checkpoint,
    ) -> Result<(), SpaceError> {
        let record = PlyRecord {
            totals: self.totals.clone(),
            ends: self.ends.goals(),
            graph_bytes: self.graph.is_kept().then(|| self.graph.bytes()),
            new: new.to_vec(),
            codes: self.set.codes(new),
            parts: self.graph.take(known),
            incoming: None,
        };
        let kept = checkpoint.add(&record);
        self.graph.restore(record.parts, record.graph_bytes);
        Ok(kept?)
    }

    /// The states that come after those of a ply, and in no ply before.
    fn expand(&mut self, layer: &[StateNumber]) -> Result<Vec<StateNumber>, SpaceError> {
        let failed = AtomicBool::new(false);
        let fault = Mutex::new(None);
        let batches = layer.chunks(self.game.batch_size());
        let next = AtomicUsize::new(0);
        let this = &*self;
        let work = || {
            let mut worker = SpaceWorker::new(this);
            while !failed.load(Ordering::Relaxed) {
                let Some(batch) = batches.clone().nth(next.fetch_add(1, Ordering::Relaxed)) else {
                    break;
                };
                if let Err(why) = worker.expand(batch) {
                    failed.store(true, Ordering::Relaxed);
                    *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                }
            }
            worker.give_part();
            (worker.counter.into_totals(), worker.new)
        };
        // To wake threads takes as long as a batch.
        let done = match batches.len() {
            0 | 1 => vec![work()],
            _ => this.options.pool.broadcast(|_| work()),
        };
        let mut found = Vec::new();
        for (totals, new) in done {
            self.totals.merge(&totals);
            found.extend(new);
        }
        self.options.pool.install(|| self.set.sort(&mut found));
        match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(found),
            Some(why) => Err(why),
        }
    }
}

/// One thread's working memory.
struct SpaceWorker<'w, 'e> {
    all: &'w Enumeration<'e>,
    expansion: StateExpansion<'w>,
    inserted: Inserted,
    /// Those that no thread has found before.
    new: Vec<StateNumber>,
    counter: StateCounter,
    graph: Option<GraphPart>,
}

impl<'w, 'e> SpaceWorker<'w, 'e> {
    fn new(all: &'w Enumeration<'e>) -> Self {
        Self {
            all,
            expansion: StateExpansion::new(all.game, all.options.symmetries.as_deref()),
            inserted: Inserted::default(),
            new: Vec::new(),
            counter: StateCounter::new(all.game.roles().len()),
            graph: all.graph.is_kept().then(GraphPart::roomy),
        }
    }

    /// Adds the children of some states of a ply.
    fn expand(&mut self, parents: &[StateNumber]) -> Result<(), SpaceError> {
        let all = self.all;
        if !all.graph.is_kept() {
            self.graph = None;
        }
        if self
            .graph
            .as_ref()
            .is_some_and(|part| part.targets.len() > MOST_IN_PART)
        {
            self.give_part();
        }
        all.set.list(parents, &mut self.expansion.states);
        self.expansion.evaluate();
        for (parent, number) in parents.iter().enumerate() {
            self.note(parent, *number)?;
        }
        while let Some((states, parents)) = self.expansion.next_children() {
            all.check_budgets()?;
            all.set
                .insert_all(states, parents.len(), &mut self.inserted, &mut self.new)
                .map_err(|TableFull| SpaceError::TooManyStates)?;
            self.keep_moves();
        }
        Ok(())
    }

    /// Adds what was found to the graph.
    fn give_part(&mut self) {
        if let Some(part) = &mut self.graph {
            self.all.graph.add(mem::replace(part, GraphPart::roomy()));
        }
    }

    /// Adds the joint moves to the children inserted last to the graph, if that is kept.
    fn keep_moves(&mut self) {
        if let Some(graph) = &mut self.graph {
            let numbers = &self.inserted.numbers;
            graph.targets.extend_from_slice(numbers);
            let bytes = numbers.len() as u64 * BYTES_OF_MOVE;
            self.all.graph.add_bytes(bytes);
        }
    }

    /// Counts a state.
    fn note(&mut self, parent: usize, number: StateNumber) -> Result<(), SpaceError> {
        let all = self.all;
        // Only who needs the graph asks it for goals.
        let end = |goals: &[Option<u8>]| match all.graph.usage() {
            GraphUse::Needed => all.ends.number(goals),
            _ => 0,
        };
        let stands_for = self.expansion.stands_for(parent);
        let (counter, evaluated) = (&mut self.counter, &self.expansion.evaluated);
        let (kind, joint_moves) = counter.note(stands_for, evaluated, parent, end)?;
        if kind == StateKind::SEVERAL && all.options.one_chooses {
            return Err(SpaceError::Simultaneous(all.totals.by_ply.len() - 1));
        }
        self.keep(number, kind, joint_moves)
    }

    /// Adds a state to the graph, if that is kept.
    fn keep(
        &mut self,
        state: StateNumber,
        kind: StateKind,
        joint_moves: u64,
    ) -> Result<(), SpaceError> {
        let kept = &self.all.graph;
        let Some(graph) = &mut self.graph else {
            return Ok(());
        };
        let Ok(degree) = u16::try_from(joint_moves) else {
            kept.give_up();
            self.graph = None;
            return match kept.is_kept() {
                true => Err(SpaceError::TooManyMoves),
                false => Ok(()),
            };
        };
        graph.push(state, kind, degree);
        let mut bytes = BYTES_OF_STATE;
        match kept.usage() {
            GraphUse::IfRoom => bytes += BYTES_OF_COUNT,
            _ if kind == StateKind::SEVERAL => {
                // None is greater than their product.
                let widths: Vec<u16> = self.counter.legal().iter().map(|of| *of as u16).collect();
                bytes += bytes_announced(&widths, degree);
                graph.widths.push(widths);
            }
            _ => {}
        }
        kept.add_bytes(bytes);
        Ok(())
    }
}

impl Enumeration<'_> {
    fn check_budgets(&self) -> Result<(), SpaceError> {
        self.options.deadline.check()?;
        let SpaceOptions {
            most_bytes,
            most_states,
            ..
        } = *self.options;
        let is_full = || self.set.bytes() + self.graph.bytes() > most_bytes;
        if is_full() {
            self.graph.give_up();
        }
        match self.set.count() > most_states {
            _ if is_full() => Err(SpaceError::OutOfMemory(most_bytes)),
            true => Err(SpaceError::MoreStates(most_states)),
            false => Ok(()),
        }
    }
}
