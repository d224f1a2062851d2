//! Choosing moves by looking ahead: a plain, deterministic Min-Max with alpha-beta pruning.
//!
//! The searching role maximises its own goal and takes every other role, a `random` one included, for an opponent who
//! minimises it. Where several roles choose at once, the others are assumed to know the searcher's choice: the value is
//! what it can be sure of (the *paranoid* bound). A game for one role is searched as a puzzle, and a role that moves
//! several times in a row needs no special case, since nothing here assumes that turns alternate.

mod alpha_beta;
mod mind;
mod minimax;
mod outcome;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use mind::{Mind, think};
pub use minimax::best_move;
pub use outcome::{Outcome, Value};

/// How far and how long a search may look. Whatever limit is reached first ends it.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// Greatest depth in steps (joint moves), at most [`MAX_DEPTH`].
    pub depth: u32,
    /// Greatest wall-clock time. The last iteration completed in that time counts.
    pub time: Option<Duration>,
    /// Threads to share the moves at the root; 0 is taken for 1.
    pub threads: usize,
    /// Which of several equally good moves to play: drawn from this seed, or the first one.
    pub seed: Option<u64>,
    /// Ends the search soon after it becomes true.
    pub stop: Option<&'a AtomicBool>,
}

/// The deepest search: bounds the stack a search may need.
pub const MAX_DEPTH: u32 = 200;

impl Limits<'_> {
    /// Searches to `depth` on one thread, however long it takes, and plays the first of several equally good moves.
    pub fn to_depth(depth: u32) -> Self {
        Self {
            depth,
            time: None,
            threads: 1,
            seed: None,
            stop: None,
        }
    }
}

/// When a search that has begun must end.
#[derive(Debug, Clone, Copy)]
struct Deadline<'a> {
    at: Option<Instant>,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Deadline<'a> {
    fn start(limits: &Limits<'a>) -> Self {
        Self {
            at: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop,
        }
    }

    fn is_over(&self) -> bool {
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.at.is_some_and(|at| Instant::now() >= at)
    }
}
