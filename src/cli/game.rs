//! The game a command is about: which rules, which engine.

use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use crate::catalog::{self, GameSource, SHIPPED, SourceError};
use crate::cli::cache_args::CacheArgs;
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::engine::{
    self, AnyEngine, EngineChoice, EngineReason, LoadError, LoadOptions, Propnet, how_to_report,
};
use crate::kif::{Diagnostic, render};
use crate::play::{Record, RecordFileError, record_text};
use crate::session::Game;
use crate::util::StopFlag;

/// Options about the game and its engine.
#[derive(Debug, clap::Args)]
pub(super) struct GameArgs {
    /// A shipped game, the path of a rule file or of a saved game, or - for standard input
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
    #[command(flatten)]
    cache: CacheArgs,
}

impl EngineArgs {
    /// How the game is to be opened.
    pub(super) fn options(&self) -> LoadOptions {
        LoadOptions {
            engine: self.engine,
            self_check: !self.no_self_check,
            cache: self.cache.cache(),
            ..LoadOptions::default()
        }
    }
}

impl GameArgs {
    /// The game on the engine asked for; where the rules are wrong, shows why.
    pub(super) fn open(&self, console: &mut Console<'_>) -> Result<Game, Failure> {
        open(self.source()?, &self.options(), console)
    }

    /// What was named.
    pub(super) fn name(&self) -> &str {
        &self.game
    }

    /// The rule text.
    pub(super) fn source(&self) -> Result<GameSource, Failure> {
        Ok(self.find()?.source)
    }

    /// The rule text, and the record that it comes from, if it does.
    pub(super) fn find(&self) -> Result<NamedGame, Failure> {
        NamedGame::find(&self.game)
    }

    /// How it is to be opened.
    pub(super) fn options(&self) -> LoadOptions {
        self.engine.options()
    }
}

/// What a person names where a game is expected.
pub(super) struct NamedGame {
    /// The rules.
    pub(super) source: GameSource,
    /// The match record that they come from, if they do.
    pub(super) record: Option<Record>,
}

impl NamedGame {
    /// A shipped game, a rule file, or a file that holds a match record, as its content shows.
    pub(super) fn find(asked: &str) -> Result<Self, Failure> {
        let path = Path::new(asked);
        match asked {
            "-" => Self::of_input(None, io::stdin().lock()),
            name if SHIPPED.iter().any(|game| game.name == name) => Ok(Self {
                source: GameSource::find(name)?,
                record: None,
            }),
            _ => Self::of_input(Some(path), catalog::open(path)?),
        }
    }

    /// The game in the file at `path`, or in standard input if there is none. It is read once: pipes give nothing twice.
    fn of_input(path: Option<&Path>, mut input: impl Read) -> Result<Self, Failure> {
        const BEGINNING: u64 = 512;
        // More than any record compresses to.
        const LARGEST: u64 = 256 << 20;
        let shown = path.unwrap_or(Path::new("<stdin>"));
        let unreadable = |cause| SourceError::Unreadable {
            path: shown.display().to_string(),
            cause,
        };
        let mut bytes = Vec::new();
        let beginning = input.by_ref().take(BEGINNING).read_to_end(&mut bytes);
        beginning.map_err(unreadable)?;
        if !is_json(&bytes) && !bytes.starts_with(&[0x1f, 0x8b]) {
            let source = GameSource::from_input(path, bytes.chain(input))?;
            let record = None;
            return Ok(Self { source, record });
        }
        let rest = input.take(LARGEST).read_to_end(&mut bytes);
        rest.map_err(unreadable)?;
        let shown = shown.to_owned();
        let record = match record_text(&bytes[..]) {
            Ok(text) if is_json(text.as_bytes()) => {
                let path = shown.clone();
                Record::read(&text).map_err(|fault| RecordFileError::Invalid { path, fault })
            }
            Ok(_) => {
                return Ok(Self {
                    source: GameSource::from_input(path, &bytes[..])?,
                    record: None,
                });
            }
            Err(cause) => Err(RecordFileError::Unreadable {
                path: shown.clone(),
                cause,
            }),
        };
        Self::with_record(record, &shown)
    }

    /// The game of the record at `path`.
    pub(super) fn of_record(path: &Path) -> Result<Self, Failure> {
        Self::with_record(Record::load(path), path)
    }

    fn with_record(record: Result<Record, RecordFileError>, path: &Path) -> Result<Self, Failure> {
        let record = record.map_err(|fault| Failure::finding(fault.to_string()))?;
        let source = record.game_source(path).map_err(|fault| {
            let shown = path.display();
            Failure::finding(format!("{shown} is a match record, but {fault}"))
                .with_help("`play GAME` and then `load FILE` goes on with a record of that game")
        })?;
        let record = Some(record);
        Ok(Self { source, record })
    }
}

/// Whether a text is JSON, as no rule file is.
fn is_json(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"{")
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
    hint_at_reasoner(&game.report().reason, console)?;
    Ok(game)
}

/// Checks rules; where they are wrong, shows why.
#[cfg(feature = "serve")]
pub(super) fn check_rules(source: &GameSource, console: &mut Console<'_>) -> Result<(), Failure> {
    let mut report = engine::LoadReport::default();
    match engine::check_rules(source, &console.stop_flag(), &mut report) {
        Ok(_) => hint_at_warnings(report.warnings.len(), console),
        Err(why) => Err(refused(source, &why, console)?),
    }
}

/// Without a network, searches see far fewer positions in the same time. Grounding has a time limit, which a busy machine can exceed.
fn hint_at_reasoner(reason: &EngineReason, console: &mut Console<'_>) -> Result<(), Failure> {
    match reason {
        EngineReason::NotGroundable(why) => console.hint(&format!(
            "the reasoner runs this game, far slower than a network, since {why}"
        )),
        _ => Ok(()),
    }
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

/// The rules as a network: nothing else makes millions of states a second.
pub(super) fn network(source: &GameSource, stop: &StopFlag) -> Result<Propnet, Failure> {
    let options = LoadOptions {
        stop: stop.clone(),
        ..EngineChoice::Propnet.into()
    };
    match engine::load(source, &options) {
        Ok((AnyEngine::Propnet(game), _)) => Ok(*game),
        Ok(_) => Err(Failure::finding("the rules are not run by a network")),
        Err(fault) => Err(Failure::finding(fault.to_string())),
    }
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
