//! What became of every stage between rule text and engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{CompileReport, SelfCheck};
use crate::gdl::Rules;
use crate::kif::Diagnostic;

/// How a game was made ready to be played.
#[derive(Debug, Clone, Default)]
pub struct LoadReport {
    /// The engine that runs the game: `reasoner`, `propnet` or `native`; `own` for one that a program brought along.
    pub engine: &'static str,
    /// Why this one; where a faster one came to nothing, why it did.
    pub reason: String,
    /// How long each stage took, in order; those of an engine that came to nothing included.
    pub stages: Stages,
    /// Likely mistakes in the rules, which can be played nevertheless.
    pub warnings: Vec<Diagnostic>,
    /// The checked rules, where the engine runs some.
    pub rules: Option<Arc<Rules>>,
    /// Sizes and passes of the network, where it runs the game.
    pub network: Option<CompileReport>,
    /// What the self-check of the network saw, if there was one.
    pub self_check: SelfCheck,
}

impl LoadReport {
    /// Of an engine that a program brought along.
    pub fn own() -> Self {
        Self {
            engine: "own",
            reason: "it was given".to_owned(),
            ..Self::default()
        }
    }

    /// The time from rule text to a game that can be asked.
    pub fn startup(&self) -> Duration {
        self.stages.iter().map(|(_, time)| time).sum()
    }
}

/// The stages of start-up in order, and how long each took.
#[derive(Debug, Clone, Default)]
pub struct Stages(Vec<(&'static str, Duration)>);

impl Stages {
    /// The name and the time of each stage.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        self.0.iter().copied()
    }

    /// Does the work of a stage, and notes how long it took.
    pub(super) fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let done = work();
        self.0.push((stage, begin.elapsed()));
        done
    }
}
