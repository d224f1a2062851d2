//! The report of how a game was loaded: engine, reason, stages, sizes, warnings.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::{CompileReport, NotGroundable, SelfCheck};
use crate::gdl::Rules;
use crate::kif::Diagnostic;

/// How a game was made ready to be played.
#[derive(Debug, Clone, Default)]
pub struct LoadReport {
    /// The engine that runs the game.
    pub engine: EngineKind,
    /// Why this one.
    pub reason: EngineReason,
    /// The time and the size of each stage, in order; those of an engine that could not be built included.
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
            engine: EngineKind::Own,
            reason: EngineReason::Given,
            ..Self::default()
        }
    }

    /// The time from rule text to a game that can be asked.
    pub fn startup(&self) -> Duration {
        self.stages.iter().map(|stage| stage.time).sum()
    }
}

/// The engine that runs a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// Derives everything from the rules, state by state.
    #[default]
    Reasoner,
    /// Runs a propositional network compiled from the rules.
    Propnet,
    /// Written by hand for a shipped game.
    Native,
    /// Given by the program that uses the library.
    Own,
}

impl EngineKind {
    /// The name, as it is written on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reasoner => "reasoner",
            Self::Propnet => "propnet",
            Self::Native => "native",
            Self::Own => "own",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why an engine runs a game, and where it is not the fastest, why that one does not.
#[derive(Debug, Clone, Default, PartialEq, Eq, thiserror::Error)]
pub enum EngineReason {
    /// It was chosen by name.
    #[default]
    #[error("it was asked for")]
    Asked,
    /// The program that uses the library brought it along.
    #[error("it was given")]
    Given,
    /// The rules could be grounded: into this number of ground rules.
    #[error("grounding gives {0} rules")]
    Grounded(usize),
    /// The rules could not be grounded.
    #[error(transparent)]
    NotGroundable(#[from] NotGroundable),
    /// The self-check found a state in which the propnet is wrong.
    #[error("the propnet does not play by the rules")]
    Diverges,
}

/// A stage of loading a game.
#[derive(Debug, Clone, Copy)]
pub struct Stage {
    /// What is done.
    pub name: &'static str,
    /// How long it took.
    pub time: Duration,
    /// The size of the result, if the stage ended with one.
    pub size: Option<StageSize>,
}

/// The size of what a stage makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageSize {
    /// How many there are.
    pub count: usize,
    /// Of what.
    pub of: &'static str,
}

impl fmt::Display for StageSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.count, self.of)
    }
}

/// The stages of start-up in order.
#[derive(Debug, Clone, Default)]
pub struct Stages(Vec<Stage>);

impl Stages {
    /// The stages in the order in which they were done.
    pub fn iter(&self) -> impl Iterator<Item = &Stage> {
        self.0.iter()
    }

    /// Adds the stages of some work.
    pub(super) fn append(&mut self, more: Self) {
        self.0.extend(more.0);
    }

    /// Adds one stage for all of these.
    pub(super) fn append_as_one(&mut self, name: &'static str, more: Self) {
        self.0.push(Stage {
            name,
            time: more.0.iter().map(|stage| stage.time).sum(),
            size: None,
        });
    }

    /// Does the work of a stage, and notes how long it took.
    pub(super) fn time<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        self.time_and_size(name, work, |_| None)
    }

    /// Does the work of a stage, and notes how long it took and the size of the result.
    pub(super) fn time_and_size<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> T,
        size: impl FnOnce(&T) -> Option<(usize, &'static str)>,
    ) -> T {
        let begin = Instant::now();
        let done = work();
        let time = begin.elapsed();
        let size = size(&done).map(|(count, of)| StageSize { count, of });
        self.0.push(Stage { name, time, size });
        done
    }
}
