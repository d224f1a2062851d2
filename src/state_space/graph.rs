//! The graph of a state space: what each state is, and where its joint moves lead.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::GraphUse;
use super::kind::StateKind;
use super::table::StateNumber;

/// Some states with the states after them.
#[derive(Debug, Clone, Default)]
pub(super) struct GraphPart {
    pub(super) states: Vec<StateNumber>,
    pub(super) kinds: Vec<StateKind>,
    /// How many joint moves each has.
    pub(super) degrees: Vec<u16>,
    /// For each state of kind [`StateKind::SEVERAL`], how many legal moves each role has.
    pub(super) widths: Vec<Vec<u16>>,
    /// Where they lead, state by state.
    pub(super) targets: Vec<StateNumber>,
}

/// Memory of so many bytes and more is given back to the system as soon as it is free, by those allocators that keep smaller pieces.
const GIVEN_BACK: usize = 33 << 20;

impl GraphPart {
    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        let widths = self.widths.iter().map(|widths| size_of_val(&widths[..]));
        let bytes = size_of_val(&self.states[..])
            + size_of_val(&self.kinds[..])
            + size_of_val(&self.degrees[..])
            + size_of_val(&self.targets[..])
            + widths.sum::<usize>();
        bytes as u64
    }

    /// A part with room for more than it will need. What it does not need takes no memory, as nothing is written there.
    pub(super) fn roomy() -> Self {
        Self {
            states: Vec::with_capacity(GIVEN_BACK / size_of::<StateNumber>()),
            kinds: Vec::with_capacity(GIVEN_BACK / size_of::<StateKind>()),
            degrees: Vec::with_capacity(GIVEN_BACK / size_of::<u16>()),
            widths: Vec::new(),
            targets: Vec::with_capacity(GIVEN_BACK / size_of::<StateNumber>()),
        }
    }

    /// Adds a state, whose targets are to follow.
    pub(super) fn push(&mut self, state: StateNumber, kind: StateKind, degree: u16) {
        self.states.push(state);
        self.kinds.push(kind);
        self.degrees.push(degree);
    }

    /// Adds the states of another part.
    pub(super) fn append(&mut self, other: Self) {
        self.states.extend(other.states);
        self.kinds.extend(other.kinds);
        self.degrees.extend(other.degrees);
        self.widths.extend(other.widths);
        self.targets.extend(other.targets);
    }
}

/// A graph that grows on several threads, as long as there is room for it.
#[derive(Debug)]
pub(super) struct KeptGraph {
    usage: GraphUse,
    is_kept: AtomicBool,
    parts: Mutex<Vec<GraphPart>>,
    /// How much memory that takes, and the work on it, in bytes.
    bytes: AtomicU64,
}

impl KeptGraph {
    pub(super) fn new(usage: GraphUse) -> Self {
        Self {
            usage,
            is_kept: AtomicBool::new(usage != GraphUse::Dropped),
            parts: Mutex::default(),
            bytes: AtomicU64::new(0),
        }
    }

    /// What is to become of it.
    pub(super) fn usage(&self) -> GraphUse {
        self.usage
    }

    /// Whether it has not been given up.
    pub(super) fn is_kept(&self) -> bool {
        self.is_kept.load(Ordering::Relaxed)
    }

    /// How much memory it takes, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match self.is_kept() {
            true => self.bytes.load(Ordering::Relaxed),
            false => 0,
        }
    }

    pub(super) fn add_bytes(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn add(&self, mut part: GraphPart) {
        if self.is_kept() && !part.states.is_empty() {
            part.states.shrink_to_fit();
            part.kinds.shrink_to_fit();
            part.degrees.shrink_to_fit();
            part.targets.shrink_to_fit();
            self.locked().push(part);
        }
    }

    /// Of how many parts it consists.
    pub(super) fn parts(&self) -> usize {
        self.locked().len()
    }

    /// Takes out all parts but the first so many.
    pub(super) fn take(&self, known: usize) -> Vec<GraphPart> {
        let mut parts = self.locked();
        let known = known.min(parts.len());
        parts.split_off(known)
    }

    /// Adds parts that were taken out, or kept elsewhere. With them, the graph takes so much memory; without a size, it was given up.
    pub(super) fn restore(&self, parts: Vec<GraphPart>, bytes: Option<u64>) {
        match bytes {
            Some(bytes) => {
                self.locked().extend(parts);
                self.bytes.store(bytes, Ordering::Relaxed);
            }
            None => self.give_up(),
        }
    }

    /// Gives it up, if the states are of use without it.
    pub(super) fn give_up(&self) {
        if self.usage == GraphUse::IfRoom {
            self.is_kept.store(false, Ordering::Relaxed);
            drop(mem::take(&mut *self.locked()));
        }
    }

    pub(super) fn into_parts(self) -> Vec<GraphPart> {
        let parts = self.parts.into_inner();
        parts.unwrap_or_else(PoisonError::into_inner)
    }

    fn locked(&self) -> MutexGuard<'_, Vec<GraphPart>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The goals with which a game ends, numbered.
#[derive(Debug, Default)]
pub(super) struct EndNames(Mutex<Vec<Vec<Option<u8>>>>);

impl EndNames {
    /// Goals that have their numbers already.
    pub(super) fn new(goals: Vec<Vec<Option<u8>>>) -> Self {
        Self(Mutex::new(goals))
    }

    /// The number of these goals.
    pub(super) fn number(&self, goals: &[Option<u8>]) -> usize {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .iter()
            .position(|one| one == goals)
            .unwrap_or_else(|| {
                known.push(goals.to_vec());
                known.len() - 1
            })
    }

    /// The goals by their numbers.
    pub(super) fn goals(&self) -> Vec<Vec<Option<u8>>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone()
    }

    /// The same, when no more follow.
    pub(super) fn into_goals(self) -> Vec<Vec<Option<u8>>> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
