//! Random games, many at a time.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::propnet::lanes::memory::Place;
use crate::propnet::lanes::player::Player;
use crate::propnet::lanes::program::{Packed, Program};
use crate::propnet::lanes::shape::Shape;
use crate::propnet::lanes::totals::Totals;
use crate::propnet::lanes::width::Width;

/// How to play at random: every role picks uniformly among its legal moves.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// Playout `k` depends on this and on `k` alone: not on the shape, and not on the thread that plays it.
    pub seed: u64,
    /// How many to play at most.
    pub count: u64,
    /// A game that is longer is given up.
    pub max_plies: u32,
    /// How many threads play.
    pub threads: usize,
    /// How the lanes are laid out.
    pub shape: Shape,
    /// Asked every few steps whether to go on.
    pub go_on: &'o (dyn Fn() -> bool + Sync),
}

/// Plays at random from `start`, a packed state. Says what came of it, and whether all playouts were played.
pub fn play(program: &Program, start: &[u64], options: Options<'_>) -> (Totals, bool) {
    match (&program.width, options.shape.words) {
        (Width::Narrow(packed), 1) => threads::<_, 1, 1>(packed, start, options),
        (Width::Wide(packed), 1) => threads::<_, 1, 1>(packed, start, options),
        (Width::Narrow(packed), 8) => threads::<_, 8, 4>(packed, start, options),
        (Width::Narrow(packed), _) => threads::<_, 16, 4>(packed, start, options),
        (Width::Wide(packed), _) => threads::<_, 8, 4>(packed, start, options),
    }
}

fn threads<P: Place, const W: usize, const C: usize>(
    program: &Packed<P>,
    start: &[u64],
    options: Options<'_>,
) -> (Totals, bool) {
    let taken = AtomicU64::new(0);
    let work = || {
        Player::<P, W, C>::new(program, start, options).play(&Numbers::new(&taken, options.count))
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

/// The numbers of the playouts, handed out to all threads.
pub(super) struct Numbers<'n> {
    taken: &'n AtomicU64,
    count: u64,
}

impl<'n> Numbers<'n> {
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
