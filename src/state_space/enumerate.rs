//! All states that can be reached, ply by ply.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::graph::{EndNames, GraphPart, KeptGraph};
use super::kind::StateKind;
use super::table::{CodeTable, StateNumber, TableFull};
use super::{GraphUse, SpaceError, SpaceOptions, SpaceTotals, StateCodec};
use crate::analysis::children::{ChildCursor, JointMoveBatch};
use crate::engine::{Bits, Propnet, Workspace};
use crate::game::{Expansion, PositionBatch, Role, StateMachine};
use crate::propnet::lanes::LaneBatch;

/// Enumerates the states of a game, on all threads of a pool.
pub(super) struct Enumeration<'e> {
    pub(super) game: &'e Propnet,
    pub(super) codec: &'e StateCodec,
    pub(super) options: &'e SpaceOptions<'e>,
    pub(super) table: CodeTable,
    pub(super) ends: EndNames,
    pub(super) totals: SpaceTotals,
    pub(super) graph: KeptGraph,
}

/// What solving needs of a state: its number, kind and degree in the graph, those of the graph backwards, its value and distance.
const BYTES_OF_STATE: u64 = 7 + 12 + 4;
/// What it needs of a joint move: both of its ends.
const BYTES_OF_MOVE: u64 = 2 * size_of::<StateNumber>() as u64;

/// What it takes to count games: a number of any length, and how many joint moves it waits for.
const BYTES_OF_COUNT: u64 = 24 + 32 + 2;

/// What else a state takes in which several roles choose: these numbers, and the graph in which one role chooses before the others.
fn bytes_announced(widths: &[u16], degree: u16) -> u64 {
    let list = size_of::<Vec<u16>>() + size_of_val(widths);
    let moves = widths.iter().copied().max().unwrap_or(0);
    list as u64 + u64::from(moves) * BYTES_OF_STATE + u64::from(degree) * BYTES_OF_MOVE
}

/// The states of one ply: of each part of the table, those from a place on.
struct Layer {
    /// The part, the place of its first state, and how many states of the ply come before.
    parts: Vec<(usize, usize, usize)>,
    states: usize,
}

impl Layer {
    /// The states that joined the table since its parts had the lengths `before`.
    fn since(before: &[usize], now: &[usize]) -> Self {
        let mut layer = Self {
            parts: Vec::new(),
            states: 0,
        };
        for (shard, (from, until)) in before.iter().zip(now).enumerate() {
            if from < until {
                layer.parts.push((shard, *from, layer.states));
                layer.states += until - from;
            }
        }
        layer
    }

    /// Lists states from one on, at most `most`: their codes and numbers.
    fn list(
        &self,
        table: &CodeTable,
        first: usize,
        most: usize,
        codes: &mut Vec<u32>,
        numbers: &mut Vec<StateNumber>,
    ) {
        let mut part = self
            .parts
            .partition_point(|(_, _, before)| *before <= first)
            - 1;
        let (mut at, end) = (first, self.states.min(first + most));
        while at < end {
            let (shard, from, before) = self.parts[part];
            part += 1;
            let until = self
                .parts
                .get(part)
                .map_or(self.states, |next| next.2)
                .min(end);
            let place = from + at - before;
            table.codes_of(shard, place, until - at, codes);
            numbers
                .extend((place..place + until - at).map(|place| CodeTable::number(shard, place)));
            at = until;
        }
    }
}

impl Enumeration<'_> {
    /// Enumerates everything.
    pub(super) fn run(&mut self) -> Result<(), SpaceError> {
        let mut before = self.table.lens();
        let mut code = vec![0; self.codec.code_words()];
        self.codec.encode(self.game.initial().words(), &mut code);
        let (mut numbers, mut order) = (Vec::new(), Vec::new());
        self.table
            .insert_all(&code, &mut numbers, &mut order)
            .map_err(|TableFull| SpaceError::TooManyStates)?;
        loop {
            let now = self.table.lens();
            let layer = Layer::since(&before, &now);
            if layer.states == 0 {
                return Ok(());
            }
            self.totals.by_ply.push(layer.states as u64);
            (self.options.on_ply)(&self.totals, self.table.bytes());
            self.expand(&layer)?;
            before = now;
        }
    }

    /// Adds the states that come after those of a ply.
    fn expand(&mut self, layer: &Layer) -> Result<(), SpaceError> {
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let fault = Mutex::new(None);
        let size = self.game.batch_size();
        let this = &*self;
        let work = || {
            let mut worker = SpaceWorker::new(this);
            while !failed.load(Ordering::Relaxed) {
                let first = next.fetch_add(size, Ordering::Relaxed);
                if first >= layer.states {
                    break;
                }
                if let Err(why) = worker.expand(layer, first, size) {
                    failed.store(true, Ordering::Relaxed);
                    *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                }
            }
            if let Some(part) = worker.graph {
                this.graph.add(part);
            }
            worker.totals
        };
        // To wake threads takes as long as a batch.
        let done = match layer.states <= size {
            true => vec![work()],
            false => this.options.pool.broadcast(|_| work()),
        };
        for totals in done {
            self.totals.merge(&totals);
        }
        match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(why) => Err(why),
        }
    }
}

/// One thread's working memory.
struct SpaceWorker<'w, 'e> {
    all: &'w Enumeration<'e>,
    scratch: Workspace,
    parents: LaneBatch,
    joints: JointMoveBatch<'w, Propnet>,
    parent_codes: Vec<u32>,
    parent_numbers: Vec<StateNumber>,
    parent_states: Vec<Bits>,
    /// Children, packed by the engine, and their codes and numbers.
    states: Vec<u64>,
    codes: Vec<u32>,
    numbers: Vec<StateNumber>,
    order: Vec<(u64, u32)>,
    legal: Vec<u64>,
    totals: SpaceTotals,
    graph: Option<GraphPart>,
}

/// Nobody asks it: stuck states are counted one by one.
static STUCK: AtomicBool = AtomicBool::new(false);

impl<'w, 'e> SpaceWorker<'w, 'e> {
    fn new(all: &'w Enumeration<'e>) -> Self {
        Self {
            all,
            scratch: all.game.scratch(),
            parents: all.game.batch(),
            joints: JointMoveBatch::new(all.game, &STUCK),
            parent_codes: Vec::new(),
            parent_numbers: Vec::new(),
            parent_states: Vec::new(),
            states: Vec::new(),
            codes: Vec::new(),
            numbers: Vec::new(),
            order: Vec::new(),
            legal: Vec::new(),
            totals: SpaceTotals::new(all.game.roles().len()),
            graph: all.graph.is_kept().then(GraphPart::default),
        }
    }

    /// Adds the children of some states of a ply.
    fn expand(&mut self, layer: &Layer, first: usize, most: usize) -> Result<(), SpaceError> {
        let Enumeration {
            game, codec, table, ..
        } = self.all;
        if !self.all.graph.is_kept() {
            self.graph = None;
        }
        self.parent_codes.clear();
        self.parent_numbers.clear();
        layer.list(
            table,
            first,
            most,
            &mut self.parent_codes,
            &mut self.parent_numbers,
        );
        let codes = self.parent_codes.chunks_exact(codec.code_words());
        self.parent_states.clear();
        self.parent_states
            .extend(codes.map(|code| codec.decode(code)));
        game.evaluate_batch(&mut self.scratch, &self.parent_states, &mut self.parents);
        for parent in 0..self.parents.len() {
            self.note(parent)?;
        }
        let mut cursor = ChildCursor::default();
        while self.joints.choose(&self.parents, &mut cursor) {
            self.all.check_budgets()?;
            let (of, moves) = (&self.joints.of, &self.joints.moves);
            game.successors(
                &mut self.scratch,
                &self.parents,
                of,
                moves,
                &mut self.states,
            );
            self.insert()?;
        }
        Ok(())
    }

    /// Gives the children their numbers.
    fn insert(&mut self) -> Result<(), SpaceError> {
        let codec = self.all.codec;
        let children = self.joints.of.len();
        self.codes.resize(children * codec.code_words(), 0);
        // A game without fluents has states of no words, and the code 0.
        let words = (self.states.len() / children).max(1);
        let states = self.states.chunks_exact(words);
        for (state, code) in states.zip(self.codes.chunks_exact_mut(codec.code_words())) {
            codec.encode(state, code);
        }
        self.all
            .table
            .insert_all(&self.codes, &mut self.numbers, &mut self.order)
            .map_err(|TableFull| SpaceError::TooManyStates)?;
        if let Some(graph) = &mut self.graph {
            graph.targets.extend_from_slice(&self.numbers);
            let bytes = self.numbers.len() as u64 * BYTES_OF_MOVE;
            self.all.graph.add_bytes(bytes);
        }
        Ok(())
    }

    /// Counts a state.
    fn note(&mut self, parent: usize) -> Result<(), SpaceError> {
        let kind = self.kind(parent)?;
        self.totals.states += 1;
        let mut joint_moves = 0;
        if kind.end().is_some() {
            self.totals.terminal += 1;
        } else if kind == StateKind::STUCK {
            self.totals.stuck += 1;
        } else {
            joint_moves = self
                .legal
                .iter()
                .fold(1, |all: u64, of| all.saturating_mul(*of));
            self.totals.edges = self.totals.edges.saturating_add(joint_moves);
            self.totals.branching.note(joint_moves);
            *self.totals.by_branching.entry(joint_moves).or_default() += 1;
        }
        match kind.role() {
            Some(role) => self.totals.choices[role].note(self.legal[role]),
            None if kind == StateKind::FORCED => self.totals.forced += 1,
            None if kind == StateKind::SEVERAL => self.totals.simultaneous += 1,
            None => {}
        }
        self.keep(self.parent_numbers[parent], kind, joint_moves)
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
                let widths: Vec<u16> = self.legal.iter().map(|of| *of as u16).collect();
                bytes += bytes_announced(&widths, degree);
                graph.widths.push(widths);
            }
            _ => {}
        }
        kept.add_bytes(bytes);
        Ok(())
    }

    fn kind(&mut self, parent: usize) -> Result<StateKind, SpaceError> {
        let roles = self.all.game.roles().len();
        if self.parents.is_terminal(parent) {
            let goal = |role| self.parents.goal(parent, role);
            let goals: Vec<Option<u8>> = (0..roles).map(goal).collect();
            self.totals.note_end(&goals, 1);
            // Only who needs the graph asks it for goals.
            let end = match self.all.graph.usage() {
                GraphUse::Needed => self.all.ends.number(&goals),
                _ => 0,
            };
            return StateKind::ended(end).ok_or(SpaceError::TooManyEnds);
        }
        let count = |role| PositionBatch::legal_count(&self.parents, parent, Role(role)) as u64;
        self.legal.clear();
        self.legal.extend((0..roles).map(count));
        if self.legal.contains(&0) {
            return Ok(StateKind::STUCK);
        }
        let mut choosing = (0..roles).filter(|role| self.legal[*role] > 1);
        Ok(match (choosing.next(), choosing.next()) {
            (None, _) => StateKind::FORCED,
            (Some(role), None) => StateKind::of_role(role).unwrap_or(StateKind::SEVERAL),
            (Some(_), Some(_)) => StateKind::SEVERAL,
        })
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
        let is_full = || self.table.bytes() + self.graph.bytes() > most_bytes;
        if is_full() {
            self.graph.give_up();
        }
        match self.table.count() > most_states {
            _ if is_full() => Err(SpaceError::OutOfMemory(most_bytes)),
            true => Err(SpaceError::MoreStates(most_states)),
            false => Ok(()),
        }
    }
}
