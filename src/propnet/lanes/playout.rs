//! Random playouts on several threads, each with many lanes.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::propnet::lanes::executor::IndexWidth;
use crate::propnet::lanes::lane_width::LaneWidth;
use crate::propnet::lanes::memory::SlotIndex;
use crate::propnet::lanes::playout_runner::PlayoutRunner;
use crate::propnet::lanes::program::{LaneProgram, PackedProgram};
use crate::propnet::lanes::totals::LaneTotals;

/// Which playouts to run: every role picks uniformly among its legal moves.
#[derive(Clone, Copy)]
pub struct PlayoutJob<'o> {
    /// Playout `k` depends on the seed and on `k` alone, not on width or threads.
    pub seed: u64,
    /// How many playouts to run at most.
    pub count: u64,
    /// A game that is longer is given up.
    pub max_plies: u32,
    /// How many threads play.
    pub threads: usize,
    /// The width of slots.
    pub width: LaneWidth,
    /// Polled every few plies: whether to go on.
    pub go_on: &'o (dyn Fn() -> bool + Sync),
}

/// Runs playouts from `start`, a packed state. Returns the totals, and whether all playouts were run.
pub fn run_playouts(
    program: &LaneProgram,
    start: &[u64],
    options: PlayoutJob<'_>,
) -> (LaneTotals, bool) {
    match (&program.packed, options.width.words) {
        (IndexWidth::Narrow(packed), 1) => threads::<_, 1, 1>(packed, start, options),
        (IndexWidth::Wide(packed), 1) => threads::<_, 1, 1>(packed, start, options),
        (IndexWidth::Narrow(packed), 8) => threads::<_, 8, 4>(packed, start, options),
        (IndexWidth::Narrow(packed), _) => threads::<_, 16, 4>(packed, start, options),
        (IndexWidth::Wide(packed), _) => threads::<_, 8, 4>(packed, start, options),
    }
}

fn threads<P: SlotIndex, const W: usize, const C: usize>(
    program: &PackedProgram<P>,
    start: &[u64],
    options: PlayoutJob<'_>,
) -> (LaneTotals, bool) {
    let taken = AtomicU64::new(0);
    let work = || {
        PlayoutRunner::<P, W, C>::new(program, start, options)
            .play(&PlayoutNumbers::new(&taken, options.count))
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..options.threads).map(|_| scope.spawn(work)).collect();
        let (mut totals, mut complete) = work();
        for other in others {
            match other.join() {
                Ok((more, also)) => {
                    totals.add(&more);
                    complete &= also;
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        (totals, complete)
    })
}

/// A counter from which the threads take the numbers of their playouts.
pub(super) struct PlayoutNumbers<'n> {
    taken: &'n AtomicU64,
    count: u64,
}

impl<'n> PlayoutNumbers<'n> {
    pub(super) fn new(taken: &'n AtomicU64, count: u64) -> Self {
        Self { taken, count }
    }

    /// Takes up to `count` numbers; fewer or none if they run out.
    pub(super) fn take(&self, count: u64) -> std::ops::Range<u64> {
        let first = self
            .taken
            .fetch_add(count, Ordering::Relaxed)
            .min(self.count);
        first..first.saturating_add(count).min(self.count)
    }
}
