//! The game a command is about: which rules, which engine.

use std::io::Write;
use std::time::Duration;

use crate::catalog::GameSource;
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::engine::{EngineChoice, LoadError, LoadOptions, how_to_report};
use crate::kif::{Diagnostic, render};
use crate::session::Game;
use crate::util::StopFlag;

/// Options about the game and its engine.
#[derive(Debug, clap::Args)]
pub(super) struct GameArgs {
    /// A shipped game, the path of a rule file, or - for standard input
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Options about the engine.
#[derive(Debug, clap::Args)]
pub(super) struct EngineArgs {
    /// The engine that runs the rules
    #[arg(long, value_enum, default_value_t)]
    engine: EngineChoice,
    /// Use the propnet of a rule file without comparing it with the rules first
    #[arg(long)]
    no_self_check: bool,
}

impl EngineArgs {
    /// How the game is to be opened.
    pub(super) fn options(&self) -> LoadOptions {
        LoadOptions {
            engine: self.engine,
            self_check: !self.no_self_check,
            stop: StopFlag::default(),
        }
    }
}

impl GameArgs {
    /// The game on the engine asked for; where the rules are wrong, shows why.
    pub(super) fn open(&self, console: &mut Console<'_>) -> Result<Game, Failure> {
        open(self.source()?, &self.options(), console)
    }

    /// The rule text.
    pub(super) fn source(&self) -> Result<GameSource, Failure> {
        Ok(GameSource::find(&self.game)?)
    }

    /// How it is to be opened.
    pub(super) fn options(&self) -> LoadOptions {
        self.engine.options()
    }
}

/// The game with these rules; where the rules are wrong, shows why.
pub(super) fn open(
    source: GameSource,
    options: &LoadOptions,
    console: &mut Console<'_>,
) -> Result<Game, Failure> {
    let opened = Game::open(source.clone(), options);
    ready(&source, opened, console)
}

/// The same, on the reasoner if the propnet is not ready within `time`.
pub(super) fn open_within(
    source: GameSource,
    options: &LoadOptions,
    time: Duration,
    console: &mut Console<'_>,
) -> Result<Game, Failure> {
    let opened = Game::open_within(source.clone(), options, time);
    ready(&source, opened, console)
}

fn ready(
    source: &GameSource,
    opened: Result<Game, LoadError>,
    console: &mut Console<'_>,
) -> Result<Game, Failure> {
    let game = opened.or_else(|why| Err(refused(source, &why, console)?))?;
    hint_at_warnings(game.report().warnings.len(), console)?;
    Ok(game)
}

/// Rules with likely mistakes can be played, but what they do may puzzle.
fn hint_at_warnings(warnings: usize, console: &mut Console<'_>) -> Result<(), Failure> {
    let count = match warnings {
        0 => return Ok(()),
        1 => "1 warning".to_owned(),
        many => format!("{many} warnings"),
    };
    console.hint(&format!("`kolibri check` reports {count} about the rules"))
}

/// Shows why a game cannot be played.
pub(super) fn refused(
    source: &GameSource,
    fault: &LoadError,
    console: &mut Console<'_>,
) -> Result<Failure, Failure> {
    Ok(match fault {
        LoadError::Invalid(invalid) => {
            let mut errors = invalid.diagnostics.clone();
            errors.retain(Diagnostic::is_error);
            let drawn = render(&errors, &source.shown(), &source.text, true);
            write!(console.err, "{drawn}")?;
            Failure::finding(fault.to_string())
        }
        LoadError::NoNativeEngine(_) => Failure::usage(fault.to_string())
            .with_help("leave out `--engine`, or take `--engine reasoner`"),
        LoadError::Interrupted => Failure::interrupted(),
        LoadError::Reasoner(_) | LoadError::NoRules(_) => Failure::finding(fault.to_string()),
        LoadError::Propnet(_) => Failure::finding(fault.to_string()).with_help(
            "`--engine reasoner` needs no network, and `--engine auto` falls back to it",
        ),
        LoadError::Diverges(apart) => {
            Failure::finding(fault.to_string()).with_help(how_to_report(source, apart))
        }
    })
}
