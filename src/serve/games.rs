//! Rules become games: within a time, few at once, and each rule text once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::ServeRefusal;
use super::hosted::STYLE;
use super::refusal::RefusalKind;
use super::views::FindingView;
use crate::catalog::{GameSource, SHIPPED};
use crate::drawing::Screen;
use crate::engine::{LoadError, LoadOptions, check};
use crate::session::{Game, Session};
use crate::util::StopFlag;

/// Longer rule texts are refused.
pub(super) const MOST_RULE_BYTES: usize = 1 << 20;
/// Rules must be ready to be played within this time.
const LOADING_TIME: Duration = Duration::from_secs(10);
/// Until then the propnet may be compiled; after that, the reasoner plays.
const NETWORK_TIME: Duration = Duration::from_secs(4);
/// So many rule texts are loaded or checked at once; others wait.
const AT_ONCE: usize = 2;
/// More than these that wait are turned away.
const MOST_WAITING: usize = 32;
/// So many games are kept for further matches by the same rules.
const MOST_KEPT: usize = 16;

/// The games of a server.
pub(super) struct GameLoader {
    /// Those that are offered.
    offered: Vec<OfferedGame>,
    /// Those that were loaded last.
    loaded: Mutex<Vec<Game>>,
    turns: Arc<Semaphore>,
    /// Those of the games that are offered: nobody's rules keep them waiting.
    own_turns: Arc<Semaphore>,
    waiting: Semaphore,
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
    /// The shipped games, and one more if there is one.
    pub(super) fn new(more: Option<GameSource>) -> Self {
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
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            own_turns: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: Semaphore::new(MOST_WAITING),
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
            let look = move |_: &StopFlag| Ok(GamePreview::of(&game));
            let preview = self.at_work(&self.own_turns, look).await?;
            Ok(Arc::new(preview))
        };
        game.preview.get_or_try_init(look).await.cloned()
    }

    /// The game with these rules, ready to be played.
    pub(super) async fn load(&self, source: GameSource) -> Result<Game, ServeRefusal> {
        if let Some(game) = self.known(&source) {
            return Ok(game);
        }
        let is_own = self.offered.iter().any(|game| game.source == source);
        let turns = match is_own {
            true => &self.own_turns,
            false => &self.turns,
        };
        let load = move |stop: &StopFlag| {
            let options = LoadOptions {
                stop: stop.clone(),
                ..LoadOptions::default()
            };
            let opened = Game::open_within(source.clone(), &options, NETWORK_TIME);
            opened.map_err(|fault| refused(&source, &fault))
        };
        let game = self.at_work(turns, load).await?;
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.insert(0, game.clone());
        loaded.truncate(MOST_KEPT);
        Ok(game)
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
        let look = move |_: &StopFlag| {
            let source = GameSource::from_text("rules", &text);
            let checked = check(&source);
            let findings = FindingView::all(&text, &checked.diagnostics);
            let game = checked.rules.and_then(|_| {
                let options = LoadOptions::default();
                Game::on_reasoner(source, &options).ok()
            });
            let preview = game.as_ref().map(GamePreview::of);
            Ok(RuleCheck { findings, preview })
        };
        self.at_work(&self.turns, look).await
    }

    /// Does work on rules on a thread of its own, if that is done in time.
    async fn at_work<T: Send + 'static>(
        &self,
        turns: &Arc<Semaphore>,
        work: impl FnOnce(&StopFlag) -> Result<T, ServeRefusal> + Send + 'static,
    ) -> Result<T, ServeRefusal> {
        let too_many = || ServeRefusal::busy("too many rule files are being read");
        let _waiting = self.waiting.try_acquire().map_err(|_| too_many())?;
        let too_long = || {
            let seconds = LOADING_TIME.as_secs();
            let message = format!("the rules are not ready to be played after {seconds} seconds");
            ServeRefusal::new(RefusalKind::TooMuch, message)
                .help("`kolibri check` and `kolibri info` tell what is large about them")
        };
        let turn = timeout(LOADING_TIME, Arc::clone(turns).acquire_owned()).await;
        let turn = turn.map_err(|_| too_many())?.map_err(|_| too_many())?;
        let stop = StopFlag::default();
        let flag = stop.clone();
        // The turn ends with the work, though nobody may wait for it any more.
        let work = spawn_blocking(move || {
            let done = work(&flag);
            drop(turn);
            done
        });
        match timeout(LOADING_TIME, work).await {
            Ok(Ok(done)) => done,
            Ok(Err(panic)) => Err(ServeRefusal::server(format!(
                "the rules cannot be read: {panic}"
            ))),
            Err(_) => {
                stop.raise();
                Err(too_long())
            }
        }
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
}

impl OfferedGame {
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
            picture: screen.show_svg(&session.facts()),
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

fn refused(source: &GameSource, fault: &LoadError) -> ServeRefusal {
    match fault {
        LoadError::Invalid(invalid) => ServeRefusal {
            findings: Some(FindingView::all(&source.text, &invalid.diagnostics)),
            ..ServeRefusal::request(fault.to_string())
        },
        _ => ServeRefusal::request(fault.to_string()),
    }
}
