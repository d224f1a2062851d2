//! Rule text → a game with an engine. Here a name becomes a type: below, everything is statically dispatched.

use std::time::{Duration, Instant};

use crate::catalog::GameSource;
use crate::catalog::twin::{TWINS, open_twin};
use crate::game::Engine;
use crate::gdl::{self, Checked, Rules};
use crate::kif::Diagnostic;
use crate::machine::{BuildError, Reasoner};

/// How a game is to be run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The fastest engine that can run the rules.
    #[default]
    Auto,
    /// Derive everything from the rules, state by state.
    Reasoner,
    /// The network of gates that the rules are compiled to.
    Propnet,
    /// The hand-written twin.
    Native,
}

/// How a game was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The engine in use.
    pub engine: &'static str,
    /// Why this one.
    pub reason: &'static str,
    /// How long each stage took, in order.
    pub stages: Vec<(&'static str, Duration)>,
    /// Likely mistakes in the rules, which can be played nevertheless.
    pub warnings: Vec<Diagnostic>,
}

impl Opened {
    /// The time from rule text to a game that can be asked.
    pub fn startup(&self) -> Duration {
        self.stages.iter().map(|(_, time)| *time).sum()
    }
}

/// Why a game could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The rules are wrong.
    #[error("{} cannot be played: its rules have errors", .0.name)]
    Invalid(Box<InvalidGame>),
    /// The engine that was asked for does not exist.
    #[error("the engine `{0}` is not built into this version")]
    NoSuchEngine(&'static str),
    /// Nobody has written a twin of this game.
    #[error("{} has no hand-written twin; as they are shipped, these games have one: {}", .0, TWINS.join(", "))]
    NoTwin(String),
    /// The engine cannot run these rules.
    #[error(transparent)]
    Unfit(#[from] BuildError),
}

/// Rules that are wrong, with everything needed to show why.
#[derive(Debug, Clone)]
pub struct InvalidGame {
    /// The name of the game.
    pub name: String,
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Work on a game of whatever type.
pub trait Visit {
    /// What comes of it.
    type Output;

    /// Does the work.
    fn visit<G: Engine>(self, game: &G, opened: &Opened) -> Self::Output;
}

/// Reads and checks the text, and reports everything found from the bytes on.
pub fn check(source: &GameSource) -> Checked {
    if source.diagnostics.iter().any(Diagnostic::is_error) {
        let diagnostics = source.diagnostics.clone();
        return Checked {
            rules: None,
            diagnostics,
        };
    }
    let mut checked = gdl::load(&source.text);
    let on_reading = source.diagnostics.iter().cloned();
    checked.diagnostics.splice(0..0, on_reading);
    checked
}

/// Opens the game and hands it to `visitor`.
///
/// # Errors
/// Says what is wrong with the rules, or why the engine cannot run them.
pub fn open<V: Visit>(
    source: &GameSource,
    choice: EngineChoice,
    visitor: V,
) -> Result<V::Output, OpenError> {
    let reason = match choice {
        EngineChoice::Auto => "it is the only engine in this version",
        EngineChoice::Reasoner => "it was asked for",
        EngineChoice::Propnet => return Err(OpenError::NoSuchEngine("propnet")),
        EngineChoice::Native => return open_twin(source, visitor),
    };
    let (checked, check_time) = timed(|| check(source));
    let (rules, warnings) = sound(source, checked)?;
    let (reasoner, build_time) = timed(|| Reasoner::new(&rules));
    let reasoner = reasoner?;
    let opened = Opened {
        engine: "reasoner",
        reason,
        stages: vec![("check", check_time), ("build", build_time)],
        warnings,
    };
    tracing::info!("{}: engine {}: {reason}", source.name, opened.engine);
    Ok(visitor.visit(&reasoner, &opened))
}

fn sound(source: &GameSource, checked: Checked) -> Result<(Rules, Vec<Diagnostic>), OpenError> {
    match checked.rules {
        Some(rules) => Ok((rules, checked.diagnostics)),
        None => Err(OpenError::Invalid(Box::new(InvalidGame {
            name: source.name.clone(),
            diagnostics: checked.diagnostics,
        }))),
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let done = work();
    (done, begin.elapsed())
}
