//! How fast the engines are, measured in turn, so that whatever else the machine does slows all of them down.

use std::time::{Duration, Instant};

use rayon::ThreadPool;
use serde::Serialize;

use super::OnProgress;
use super::agreement::DepthCounts;
use super::engines::ComparedEngine;
use super::searches;
use crate::game::{PlayoutOptions, Stopped};
use crate::util::{Deadline, Expired, StopFlag};

/// So often each engine has its turn. An odd number has a median.
const ROUNDS: usize = 5;

/// A random game that is longer is given up.
const MAX_PLIES: u32 = 100_000;

/// What was measured of one engine: the medians of all rounds.
#[derive(Debug, Clone, Serialize)]
pub struct EngineSpeed {
    /// From rule text to a game that can be asked.
    pub startup_seconds: f64,
    /// Joint moves made in random games, per second.
    pub states_per_second: f64,
    /// Paths counted per second.
    pub nodes_per_second: f64,
    /// How deep they were counted.
    pub perft_depth: u32,
    /// States looked at in searches, per second.
    pub search_nodes_per_second: f64,
}

/// How to measure.
pub(super) struct SpeedTest<'m> {
    pub(super) pool: &'m ThreadPool,
    /// How long each engine works at each kind of work, all rounds together.
    pub(super) time: Duration,
    pub(super) seed: u64,
    pub(super) stop: &'m StopFlag,
    /// What is known of counting paths.
    pub(super) depths: &'m [DepthCounts],
}

impl SpeedTest<'_> {
    /// Measures all engines.
    ///
    /// # Errors
    /// The user has had enough, or an engine ran out of a budget.
    pub(super) fn all(
        &self,
        engines: &[ComparedEngine],
        progress: &mut OnProgress<'_>,
    ) -> Result<Vec<EngineSpeed>, Stopped> {
        let mut states = vec![Vec::new(); engines.len()];
        let mut nodes = vec![Vec::new(); engines.len()];
        let mut searched = vec![Vec::new(); engines.len()];
        for round in 1..=ROUNDS {
            for (index, engine) in engines.iter().enumerate() {
                let done = (round - 1) * engines.len() + index;
                let doing = format!("speed: {}, round {round} of {ROUNDS}", engine.name());
                progress(done as f64 / (ROUNDS * engines.len()) as f64, &doing);
                states[index].push(self.playouts(engine)?);
                nodes[index].push(self.paths(engine, self.depth(index))?);
                searched[index].push(searches::rate(engine, self.slice(), self.stop)?);
            }
        }
        let speeds = engines
            .iter()
            .enumerate()
            .map(|(index, engine)| EngineSpeed {
                startup_seconds: engine.startup().as_secs_f64(),
                states_per_second: median(&mut states[index]),
                nodes_per_second: median(&mut nodes[index]),
                perft_depth: self.depth(index),
                search_nodes_per_second: median(&mut searched[index]),
            });
        Ok(speeds.collect())
    }

    fn slice(&self) -> Duration {
        self.time / ROUNDS as u32
    }

    fn playouts(&self, engine: &ComparedEngine) -> Result<f64, Stopped> {
        let begin = Instant::now();
        let options = PlayoutOptions {
            seed: self.seed,
            count: u64::MAX,
            max_plies: MAX_PLIES,
            threads: self.pool.current_num_threads(),
            deadline: &Deadline::new(Some(begin + self.slice()), self.stop),
        };
        let (totals, ended) = engine.playouts(options);
        match ended {
            Ok(()) | Err(Stopped::Expired(Expired::OutOfTime)) => Ok(rate(totals.plies, begin)),
            Err(why) => Err(why),
        }
    }

    /// Counts until the time is up, and then to the end.
    fn paths(&self, engine: &ComparedEngine, depth: u32) -> Result<f64, Stopped> {
        let begin = Instant::now();
        let mut paths = 0u64;
        while begin.elapsed() < self.slice() {
            let counted = engine.paths(self.pool, depth, &Deadline::new(None, self.stop))?;
            paths = paths.saturating_add(counted.paths.max(1));
        }
        Ok(rate(paths, begin))
    }

    /// The greatest depth that is counted within a round; not one behind the end of all games.
    fn depth(&self, index: usize) -> u32 {
        let slice = self.slice();
        let mut within = self.depths.iter().rev().filter(|level| {
            let is_fast = level.times[index].is_some_and(|time| time <= slice);
            is_fast && level.paths[index] != Some(0)
        });
        within.next().map_or(1, |level| level.depth)
    }
}

fn rate(count: u64, begin: Instant) -> f64 {
    count as f64 / begin.elapsed().as_secs_f64().max(1e-9)
}

fn median(rates: &mut [f64]) -> f64 {
    rates.sort_unstable_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or_default()
}
