//! Rules become games: within limits of time and memory, and each rule text once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::ServeRefusal;
use super::hosted::{STYLE, picture_of};
use super::refusal::RefusalKind;
use super::turns::{WorkFault, WorkTimes, WorkTurns};
use super::views::FindingView;
use crate::catalog::{GameSource, SHIPPED};
use crate::drawing::Screen;
use crate::engine::{LoadError, LoadOptions, check, check_until};
use crate::files::FileCache;
use crate::session::{Game, Session};
use crate::util::{Deadline, StopFlag};

/// Longer rule texts are refused.
pub(super) const MOST_RULE_BYTES: usize = 1 << 20;
/// Rules must be ready to be played within this time.
const TIMES: WorkTimes = WorkTimes {
    waiting: Duration::from_secs(30),
    short: Duration::from_secs(1),
    whole: Duration::from_secs(10),
};
/// The same for the games that are offered, which whoever started the server has chosen.
const OWN_TIMES: WorkTimes = WorkTimes {
    waiting: Duration::from_secs(300),
    whole: Duration::from_secs(300),
    ..TIMES
};
/// What may be derived from the rules of others for one position: a tenth to a fifth of what is usual.
const MOST_ROWS: usize = 2_000_000;
const MOST_TERMS: usize = 1_000_000;
/// How long that may take.
const POSITION_TIME: Duration = Duration::from_secs(5);
/// Until then the propnet may be compiled; after that, the reasoner plays.
const NETWORK_TIME: Duration = Duration::from_secs(4);
/// So many games are kept for further matches by the same rules.
const MOST_KEPT: usize = 16;

/// The games of a server.
pub(super) struct GameLoader {
    /// Those that are offered.
    offered: Vec<OfferedGame>,
    /// Those that were loaded last.
    loaded: Mutex<Vec<Game>>,
    turns: WorkTurns,
    /// Those of the games that are offered: nobody's rules keep them waiting.
    own_turns: WorkTurns,
    /// Where what is learned of these is kept: nobody's rules push others out.
    cache: Option<FileCache>,
}

/// A game that is offered.
pub(super) struct OfferedGame {
    pub(super) source: GameSource,
    pub(super) title: String,
    /// Found out when they are asked for first.
    roles: OnceLock<Vec<String>>,
    preview: tokio::sync::OnceCell<Arc<GamePreview>>,
}

/// What is seen of a game before it is played.
pub(super) struct GamePreview {
    pub(super) roles: Vec<String>,
    pub(super) picture: String,
}

/// What was found in a rule text.
pub(super) struct RuleCheck {
    pub(super) findings: Vec<FindingView>,
    pub(super) preview: Option<GamePreview>,
}

impl GameLoader {
    /// The shipped games, and one more if there is one. What is learned of them is kept in `cache`, if there is one.
    pub(super) fn new(more: Option<GameSource>, cache: Option<FileCache>) -> Self {
        let shipped = SHIPPED.iter().filter_map(|game| {
            let source = GameSource::find(game.name).ok()?;
            Some(OfferedGame::new(source, game.title().to_owned()))
        });
        let mut offered: Vec<OfferedGame> = shipped.collect();
        let is_known = |source: &GameSource| offered.iter().any(|game| game.source == *source);
        if let Some(source) = more.filter(|source| !is_known(source)) {
            let title = source.name.clone();
            offered.retain(|game| game.source.name != source.name);
            offered.push(OfferedGame::new(source, title));
        }
        Self {
            offered,
            loaded: Mutex::default(),
            turns: WorkTurns::new(TIMES),
            own_turns: WorkTurns::new(OWN_TIMES),
            cache,
        }
    }

    /// The games that are offered.
    pub(super) fn offered(&self) -> &[OfferedGame] {
        &self.offered
    }

    /// The offered game of this name.
    pub(super) fn find(&self, name: &str) -> Result<&OfferedGame, ServeRefusal> {
        let found = self.offered.iter().find(|game| game.source.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.offered.iter().map(|game| &*game.source.name).collect();
            ServeRefusal::missing(format!("there is no game `{name}`"))
                .help(format!("the games are {}", names.join(", ")))
        })
    }

    /// What is seen of an offered game.
    pub(super) async fn preview(
        &self,
        game: &OfferedGame,
    ) -> Result<Arc<GamePreview>, ServeRefusal> {
        let look = || async {
            let game = self.load(game.source.clone()).await?;
            let look = move |_: &StopFlag| Arc::new(GamePreview::of(&game));
            Ok(self.own_turns.run(look).await?)
        };
        game.preview.get_or_try_init(look).await.cloned()
    }

    /// The game with these rules, ready to be played.
    pub(super) async fn load(&self, source: GameSource) -> Result<Game, ServeRefusal> {
        if let Some(game) = self.known(&source) {
            return Ok(game);
        }
        let is_own = self.is_offered(&source);
        let cache = self.cache.clone().filter(|_| is_own);
        let load = move |stop: &StopFlag| {
            let options = LoadOptions {
                cache,
                ..options(stop, is_own)
            };
            let game = Game::open_within(source.clone(), &options, NETWORK_TIME);
            let game = game.map_err(|fault| refused(&source, &fault))?;
            // What its first position costs is part of that.
            match Session::new(&game).fault() {
                Some(fault) => Err(ServeRefusal::new(RefusalKind::TooMuch, fault.to_string())),
                None => Ok(game),
            }
        };
        let game = self.turns_of(is_own).run(load).await??;
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.insert(0, game.clone());
        loaded.truncate(MOST_KEPT);
        Ok(game)
    }

    fn is_offered(&self, source: &GameSource) -> bool {
        self.offered.iter().any(|game| game.source == *source)
    }

    fn turns_of(&self, is_own: bool) -> &WorkTurns {
        match is_own {
            true => &self.own_turns,
            false => &self.turns,
        }
    }

    /// Does work on a game that was loaded, for which it waits as for loading it.
    pub(super) async fn work_on<T: Send + 'static>(
        &self,
        game: &Game,
        work: impl FnOnce(&StopFlag) -> Result<T, ServeRefusal> + Send + 'static,
    ) -> Result<T, ServeRefusal> {
        let is_own = self.is_offered(game.source());
        self.turns_of(is_own).run(work).await?
    }

    fn known(&self, source: &GameSource) -> Option<Game> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let place = loaded.iter().position(|game| game.source() == source)?;
        let game = loaded.remove(place);
        loaded.insert(0, game.clone());
        Some(game)
    }

    /// What is wrong with a rule text, and what its first position looks like if nothing is.
    pub(super) async fn check(&self, text: String) -> Result<RuleCheck, ServeRefusal> {
        check_length(&text)?;
        let look = move |stop: &StopFlag| {
            let source = GameSource::from_text("rules", &text);
            let checked = check_until(&source, &Deadline::new(None, stop));
            let checked = checked.map_err(|expired| ServeRefusal::request(expired.to_string()))?;
            let findings = FindingView::all(&text, &checked.diagnostics);
            let options = options(stop, false);
            let rules = checked.rules;
            let game = rules.and_then(|_| Game::on_reasoner(source, &options).ok());
            let preview = game.as_ref().map(GamePreview::of);
            Ok(RuleCheck { findings, preview })
        };
        self.turns.run(look).await?
    }
}

impl OfferedGame {
    fn new(source: GameSource, title: String) -> Self {
        Self {
            roles: OnceLock::new(),
            source,
            title,
            preview: tokio::sync::OnceCell::new(),
        }
    }

    /// Its roles; none where its rules have errors.
    pub(super) fn roles(&self) -> &[String] {
        self.roles.get_or_init(|| {
            let rules = check(&self.source).rules;
            let roles = rules
                .as_ref()
                .map(|rules| rules.roles())
                .unwrap_or_default();
            roles.iter().map(ToString::to_string).collect()
        })
    }
}

impl GamePreview {
    fn of(game: &Game) -> Self {
        let session = Session::new(game);
        let mut screen = Screen::survey_anyway(&session, STYLE);
        Self {
            roles: game.roles().to_vec(),
            picture: picture_of(&mut screen, &session.facts()),
        }
    }
}

/// Rule texts that are too long are refused.
pub(super) fn check_length(text: &str) -> Result<(), ServeRefusal> {
    match text.len() > MOST_RULE_BYTES {
        true => Err(ServeRefusal::new(
            RefusalKind::TooMuch,
            format!("the rules have more than {MOST_RULE_BYTES} bytes"),
        )),
        false => Ok(()),
    }
}

/// How rules are loaded. Their flag ends what is derived from them, too; once they are loaded, it is not raised any more.
fn options(stop: &StopFlag, is_own: bool) -> LoadOptions {
    let mut options = LoadOptions {
        stop: stop.clone(),
        ..LoadOptions::default()
    };
    options.limits.stop = stop.clone();
    if !is_own {
        options.limits.rows = MOST_ROWS;
        options.limits.terms = MOST_TERMS;
        options.limits.time = POSITION_TIME;
    }
    options
}

impl From<WorkFault> for ServeRefusal {
    fn from(fault: WorkFault) -> Self {
        match fault {
            WorkFault::Busy => Self::busy("too many rule files are being read"),
            WorkFault::TooLong(time) => {
                let seconds = time.as_secs();
                let message =
                    format!("the rules are not ready to be played after {seconds} seconds");
                Self::new(RefusalKind::TooMuch, message)
                    .help("`kolibri check` and `kolibri info` tell what is large about them")
            }
            WorkFault::Panicked(panic) => {
                Self::server(format!("the rules cannot be read: {panic}"))
            }
        }
    }
}

fn refused(source: &GameSource, fault: &LoadError) -> ServeRefusal {
    match fault {
        LoadError::Invalid(invalid) => ServeRefusal {
            findings: Some(FindingView::all(&source.text, &invalid.diagnostics)),
            ..ServeRefusal::request(fault.to_string())
        },
        _ => ServeRefusal::request(fault.to_string()),
    }
}
