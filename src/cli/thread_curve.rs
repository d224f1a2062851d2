//! A search repeated on one thread and more: what more threads bring.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::status_line::StatusLine;
use crate::search::{MinimaxSettings, SearchLimits, Searcher};
use crate::session::Session;
use crate::util::StopFlag;

/// The same search on so many threads.
#[derive(Debug, Clone, Serialize)]
pub(super) struct CurvePoint {
    pub(super) threads: usize,
    pub(super) seconds: f64,
    pub(super) nodes: u64,
    pub(super) nodes_per_second: f64,
    /// The time on the fewest threads for each second of this one.
    pub(super) speedup: f64,
    /// The speed-up for each thread.
    pub(super) efficiency: f64,
    pub(super) value: f64,
    /// Whether the value is that on the fewest threads, as it must be.
    pub(super) agrees: bool,
}

impl CurvePoint {
    /// What so many threads took in seconds and nodes, and found; `first` is the same on the fewest threads.
    pub(super) fn new(
        threads: usize,
        (seconds, nodes): (f64, u64),
        (value, agrees): (f64, bool),
        first: Option<&Self>,
    ) -> Self {
        let (least, alone) = first.map_or((threads, seconds), |of| (of.threads, of.seconds));
        let speedup = alone / seconds.max(1e-9);
        Self {
            threads,
            seconds,
            nodes,
            nodes_per_second: nodes as f64 / seconds.max(1e-9),
            speedup,
            efficiency: speedup * least as f64 / threads as f64,
            value,
            agrees,
        }
    }
}

/// A search, but for its threads.
pub(super) struct CurveSearch<'s> {
    pub(super) session: &'s Session,
    pub(super) role: usize,
    pub(super) settings: &'s MinimaxSettings,
    /// How long weights for heuristics may be looked for, once for all searches.
    pub(super) training: Duration,
    pub(super) depth: u32,
    pub(super) stop: &'s StopFlag,
}

impl CurveSearch<'_> {
    /// Searches on each number of threads, each time with an empty table; what is left out when `stop` is raised is missing.
    pub(super) fn run(
        &self,
        threads: RangeInclusive<usize>,
        name: &str,
        status: &mut StatusLine,
    ) -> Vec<CurvePoint> {
        let mut points: Vec<CurvePoint> = Vec::new();
        for threads in threads {
            status.show(&format!("{name} on {threads} threads"));
            let mut searcher = Searcher::minimax(self.settings.clone());
            self.session
                .prepare(self.role, &mut searcher, self.training, self.stop);
            let limits = SearchLimits {
                threads,
                stop: Some(self.stop),
                ..SearchLimits::to_depth(self.depth)
            };
            let begin = Instant::now();
            let found = self.session.search(self.role, &limits, &mut searcher);
            let seconds = begin.elapsed().as_secs_f64();
            let Some(found) = found.filter(|_| !self.stop.is_raised()) else {
                break;
            };
            let value = found.value.points();
            let agrees = points.first().is_none_or(|first| first.value == value);
            let first = points.first();
            points.push(CurvePoint::new(
                threads,
                (seconds, found.nodes),
                (value, agrees),
                first,
            ));
        }
        status.clear();
        points
    }
}
