//! What a search tells.

use serde::Serialize;

use super::depths::DepthReport;
use super::reuse::ReuseReport;
use crate::engine::EngineKind;
use crate::session::MoveFound;

/// What was found, in text.
#[derive(Debug, Serialize)]
pub(super) struct SearchReport {
    pub(super) game: String,
    pub(super) engine: EngineKind,
    pub(super) role: String,
    pub(super) best: String,
    pub(super) value: f64,
    pub(super) exact: bool,
    /// The number of plies to the end, where that is known and matters.
    pub(super) steps: Option<u32>,
    /// Where this comes from, if nothing was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) solution: Option<String>,
    pub(super) depth: u32,
    pub(super) line: Vec<String>,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    pub(super) nodes_per_second: f64,
    pub(super) threads: usize,
    /// Positions that the table holds, and what they take for each node.
    pub(super) table_entries: Option<u64>,
    pub(super) bytes_per_node: Option<f64>,
    pub(super) peak_memory_bytes: Option<u64>,
    /// Where they were asked for, how many symmetries of the game the table knew, the identity included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) symmetries: Option<usize>,
    /// What each depth took that was completed.
    pub(super) depths: Vec<DepthReport>,
    /// Where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reuse: Option<ReuseReport>,
    pub(super) moves: Vec<MoveReport>,
    pub(super) heuristics: Vec<Contribution>,
    /// The parts of the static evaluation that weigh most.
    pub(super) parts: Vec<WeightReport>,
    pub(super) weights: Vec<WeightReport>,
    /// Whether weights were looked for no longer than there was time: they may be others another time.
    pub(super) weights_cut_short: bool,
    pub(super) interrupted: bool,
}

/// What was found of one move.
#[derive(Debug, Serialize)]
pub(super) struct MoveReport {
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// The value, or what it does not exceed.
    pub(super) value: f64,
    /// Whether `value` is only a bound.
    pub(super) at_most: bool,
    /// Whether looking deeper cannot change it.
    pub(super) exact: bool,
    /// The number of plies to the end, where that is known and matters.
    pub(super) steps: Option<u32>,
    pub(super) line: Vec<String>,
}

/// What a heuristic adds to what is expected of the position before anything is searched, in logits.
#[derive(Debug, Serialize)]
pub(super) struct Contribution {
    pub(super) heuristic: &'static str,
    pub(super) adds: f64,
}

/// What is counted, and what each of it adds, in logits.
#[derive(Debug, Serialize)]
pub(super) struct WeightReport {
    pub(super) heuristic: &'static str,
    pub(super) counts: String,
    pub(super) adds: f64,
}

impl MoveReport {
    pub(super) fn new(found: MoveFound) -> Self {
        Self {
            mv: found.mv,
            value: found.value.points(),
            at_most: !found.is_exact,
            exact: found.is_decided,
            steps: found.value.steps(),
            line: found.line,
        }
    }
}

impl Contribution {
    pub(super) fn new((heuristic, adds): (&'static str, f64)) -> Self {
        Self { heuristic, adds }
    }
}

impl WeightReport {
    pub(super) fn new((heuristic, counts, adds): (&'static str, String, f64)) -> Self {
        Self {
            heuristic,
            counts,
            adds,
        }
    }
}
