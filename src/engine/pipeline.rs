//! Rule text → a game with an engine. Here a name becomes a type: below, everything is statically dispatched.

use std::time::{Duration, Instant};

use crate::catalog::{GameSource, Origin};
use crate::conformance::Divergence;
use crate::engine::native::{NATIVE_ENGINES, open_native};
use crate::engine::{self, Chosen, CompileReport, EngineError, Machine, Preference};
use crate::game::Engine;
use crate::gdl::{self, Rules};
use crate::kif::Diagnostic;
use crate::util::StopFlag;

/// How a game is to be run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The fastest engine that can run the rules.
    #[default]
    Auto,
    /// Derive everything from the rules, state by state.
    Reasoner,
    /// A propositional network compiled from the rules.
    Propnet,
    /// The native engine.
    Native,
}

/// How a game is to be opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// How it is to be run.
    pub engine: EngineChoice,
    /// Whether a propnet is tried out against its rules first. Those of shipped games are proved by our tests.
    pub self_check: bool,
    /// Raised from outside to end the making of a propnet.
    pub stop: StopFlag,
}

impl From<EngineChoice> for OpenOptions {
    /// With a self-check.
    fn from(engine: EngineChoice) -> Self {
        Self {
            engine,
            self_check: true,
            stop: StopFlag::default(),
        }
    }
}

/// How a game was opened.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The engine in use.
    pub engine: &'static str,
    /// Why this one.
    pub reason: String,
    /// How long each stage took, in order.
    pub stages: Vec<(&'static str, Duration)>,
    /// How the network of gates came about, where it runs the game.
    pub report: Option<CompileReport>,
    /// What the self-check saw, if there was one.
    pub self_check: engine::Checked,
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
    /// Nobody has written a native engine of this game.
    #[error("{} has no native engine; as they are shipped, and on other boards of up to 64 squares, these games have one: {}", .0, NATIVE_ENGINES.join(", "))]
    NoNativeEngine(String),
    /// The engine cannot run these rules.
    #[error(transparent)]
    EngineError(#[from] EngineError),
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
pub fn check(source: &GameSource) -> gdl::Checked {
    if source.diagnostics.iter().any(Diagnostic::is_error) {
        let diagnostics = source.diagnostics.clone();
        return gdl::Checked {
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
    options: impl Into<OpenOptions>,
    visitor: V,
) -> Result<V::Output, OpenError> {
    let OpenOptions {
        engine,
        self_check,
        stop,
    } = options.into();
    let preference = match engine {
        EngineChoice::Auto => Preference::Fastest,
        EngineChoice::Reasoner => Preference::Reasoner,
        EngineChoice::Propnet => Preference::Propnet,
        EngineChoice::Native => return open_native(source, visitor),
    };
    let (checked, check_time) = timed(|| check(source));
    let (rules, warnings) = sound(source, checked)?;
    let wants_check = self_check && source.origin != Origin::Shipped;
    let chosen = engine::choose(&rules, preference, wants_check, &stop)?;
    let opened = opened(&chosen, check_time, warnings);
    tell(source, &opened);
    Ok(match &chosen.machine {
        Machine::Propnet(propnet) => visitor.visit(&**propnet, &opened),
        Machine::Reasoner(reasoner) => visitor.visit(&**reasoner, &opened),
    })
}

fn opened(chosen: &Chosen, check_time: Duration, warnings: Vec<Diagnostic>) -> Opened {
    let mut stages = vec![("check", check_time)];
    stages.extend(&chosen.stages);
    let (engine, report) = match &chosen.machine {
        Machine::Propnet(propnet) => ("propnet", Some(propnet.report().clone())),
        Machine::Reasoner(_) => ("reasoner", None),
    };
    Opened {
        engine,
        reason: chosen.reason.clone(),
        stages,
        report,
        self_check: chosen.checked.clone(),
        warnings,
    }
}

/// Says in the log how the game was opened, and aloud if a propnet turned out to be wrong.
fn tell(source: &GameSource, opened: &Opened) {
    let name = &source.name;
    tracing::info!("{name}: engine {}: {}", opened.engine, opened.reason);
    match &opened.self_check {
        None => {}
        Some(Ok(seen)) => tracing::info!("{name}: self-check: {seen}"),
        Some(Err(apart)) => tracing::warn!(
            "the propnet of {name} does not play by the rules, and the reasoner stands in: {}. {}",
            apart.difference.told("rules", "propnet"),
            how_to_report(source, apart)
        ),
    }
}

/// How somebody can show us a propnet that is wrong.
pub fn how_to_report(source: &GameSource, apart: &Divergence) -> String {
    let moves = apart.moves.concat();
    let quoted: Vec<String> = moves.iter().map(|mv| format!("'{mv}'")).collect();
    format!(
        "Please report it with the rules; this shows it: kolibri moves {} {} --engine propnet --no-self-check",
        source.shown(),
        quoted.join(" ")
    )
}

fn sound(
    source: &GameSource,
    checked: gdl::Checked,
) -> Result<(Rules, Vec<Diagnostic>), OpenError> {
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
