//! How many lanes are simulated together: the width of a slot.

use std::time::{Duration, Instant};

use crate::propnet::lanes::executor::either;
use crate::propnet::lanes::playout::{PlayoutJob, run_playouts};
use crate::propnet::lanes::program::LaneProgram;

/// The width of a slot. It changes the speed only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneWidth {
    /// Words per slot, 64 lanes each: 8 or 16, or 1 for few games. With many games, other widths were never faster,
    /// not even for circuits larger than the cache.
    pub words: usize,
}

/// Slots are sixteen words wide up to this number of slots, which takes half of a usual second-level cache.
const SLOTS_OF_SIXTEEN: usize = 2048;

/// Up to this number of games per thread, most lanes of wide slots would be empty: 64 games take a half to a fifth of the time
/// with slots of one word, so 128 take less, too.
const FEW: u64 = 128;

impl LaneWidth {
    /// Fast for most programs: the wider the slots, the lower the dispatch cost per lane, as long as they fit in the cache.
    pub fn usual(program: &LaneProgram) -> Self {
        let slots = either!(&program.packed, packed => packed.slots);
        let words = if slots <= SLOTS_OF_SIXTEEN { 16 } else { 8 };
        Self { words }
    }

    /// Fast for `count` games, divided among threads.
    pub fn for_games(program: &LaneProgram, count: u64, threads: usize) -> Self {
        if count <= FEW * threads as u64 {
            return Self { words: 1 };
        }
        Self::usual(program)
    }

    /// The fastest width in a trial of each, which takes about `time`.
    pub fn measured(program: &LaneProgram, start: &[u64], time: Duration) -> Self {
        program.pack();
        let trials = [8, 16].map(|words| Self { words });
        let rate = |width: &Self| width.rate(program, start, time / trials.len() as u32);
        let rates = trials.map(|width| (rate(&width), width));
        let usual = Self::usual(program);
        let fastest =
            |best: (f64, Self), trial: &(f64, Self)| if trial.0 > best.0 { *trial } else { best };
        rates.iter().fold((0.0, usual), fastest).1
    }

    /// How many games are simulated together.
    pub fn lanes(self) -> usize {
        64 * self.words
    }

    /// Plies per second, in a trial of length `time`.
    fn rate(self, program: &LaneProgram, start: &[u64], time: Duration) -> f64 {
        let begin = Instant::now();
        let options = PlayoutJob {
            seed: 0,
            count: u64::MAX,
            max_plies: u32::MAX,
            threads: 1,
            width: self,
            go_on: &|| begin.elapsed() < time,
        };
        let (totals, _) = run_playouts(program, start, options);
        totals.plies as f64 / begin.elapsed().as_secs_f64()
    }
}
