//! How lanes are laid out.

use std::time::{Duration, Instant};

use crate::propnet::lanes::playout::{Options, play};
use crate::propnet::lanes::program::Program;
use crate::propnet::lanes::width::either;

/// How lanes are laid out. Changes the speed only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Words per slot, 64 lanes each: 8 or 16, or 1 where few games are wanted. With lanes enough to fill, other widths
    /// were never faster, not even where memory is far.
    pub words: usize,
}

/// So many slots of sixteen words are worth having: their memory is half of a usual second-level cache.
const SLOTS_OF_SIXTEEN: usize = 2048;

/// Where no more games are wanted, most lanes of a wide slot would stay empty: 64 games take a half to a fifth of the time
/// with one word, and so 128 take less, too.
const FEW: u64 = 128;

impl Shape {
    /// Fast for most programs: the wider the lanes, the less is spent on finding out what to do next, as long as what
    /// they hold is near at hand.
    pub fn usual(program: &Program) -> Self {
        let slots = either!(&program.width, packed => packed.slots);
        let words = if slots <= SLOTS_OF_SIXTEEN { 16 } else { 8 };
        Self { words }
    }

    /// Fast for so many games, shared out among threads.
    pub fn for_games(program: &Program, count: u64, threads: usize) -> Self {
        if count <= FEW * threads as u64 {
            return Self { words: 1 };
        }
        Self::usual(program)
    }

    /// The fastest in a trial of each, which takes about as long as allowed.
    pub fn measured(program: &Program, start: &[u64], time: Duration) -> Self {
        let trials = [8, 16].map(|words| Self { words });
        let rate = |shape: &Self| shape.rate(program, start, time / trials.len() as u32);
        let rates = trials.map(|shape| (rate(&shape), shape));
        let usual = Self::usual(program);
        let fastest =
            |best: (f64, Self), trial: &(f64, Self)| if trial.0 > best.0 { *trial } else { best };
        rates.iter().fold((0.0, usual), fastest).1
    }

    /// How many games advance together.
    pub fn lanes(self) -> usize {
        64 * self.words
    }

    /// Plies per second, in a trial of some length.
    fn rate(self, program: &Program, start: &[u64], time: Duration) -> f64 {
        let begin = Instant::now();
        let options = Options {
            seed: 0,
            count: u64::MAX,
            max_plies: u32::MAX,
            threads: 1,
            shape: self,
            go_on: &|| begin.elapsed() < time,
        };
        let (totals, _) = play(program, start, options);
        totals.plies as f64 / begin.elapsed().as_secs_f64()
    }
}
