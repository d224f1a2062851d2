//! All matches of a server: those that are open, and those on the disk.

mod request;
mod summary;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tokio::runtime::Handle;
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::spawn_blocking;

use self::summary::{summary_of, summary_on_disk};
use super::games::GameLoader;
use super::hosted::{MatchAccess, ServedMatch};
use super::journal::{JournalEvent, MatchHeader, MatchJournal, kept_matches};
use super::key::is_id;
use super::match_player::most_threads;
use super::room::MatchRoom;
use super::screens::GameScreens;
use super::views::MatchSummary;
use super::{SecretKey, ServeRefusal};
use crate::catalog::GameSource;
use crate::session::Game;
use crate::util::StopFlag;

pub use self::request::MatchRequest;

/// So many matches are open at once; idle ones are closed.
const MOST_OPEN: usize = 256;
/// A match that nobody has used for so long is closed; it is read again when somebody asks for it.
const IDLE: Duration = Duration::from_secs(600);
/// So many matches are kept on the disk.
const MOST_KEPT: usize = 10_000;

/// All matches of a server.
pub(super) struct MatchLibrary {
    folder: PathBuf,
    pub(super) games: GameLoader,
    screens: Arc<GameScreens>,
    kept: Mutex<BTreeMap<String, MatchSummary>>,
    open: Mutex<HashMap<String, Arc<OnceCell<Arc<MatchRoom>>>>>,
    searches: Arc<Semaphore>,
    runtime: Handle,
}

/// A match that was made, with the keys to it.
#[derive(Debug, Serialize)]
pub(super) struct NewMatch {
    pub(super) id: String,
    pub(super) key: SecretKey,
    /// The keys of the roles that are played by link.
    links: BTreeMap<String, SecretKey>,
}

impl MatchLibrary {
    /// The matches in a folder, and the games that new ones may be of.
    pub(super) fn new(folder: PathBuf, games: GameLoader, runtime: Handle) -> Self {
        let kept = kept_matches(&folder).into_iter();
        let kept = kept.filter_map(|id| match summary_on_disk(&folder, &id) {
            Ok(summary) => Some((id, summary)),
            Err(fault) => {
                tracing::warn!("a match is left out: {fault}");
                None
            }
        });
        Self {
            kept: Mutex::new(kept.collect()),
            folder,
            games,
            screens: Arc::default(),
            open: Mutex::default(),
            searches: Arc::new(Semaphore::new(most_threads())),
            runtime,
        }
    }

    fn kept(&self) -> MutexGuard<'_, BTreeMap<String, MatchSummary>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Arc<OnceCell<Arc<MatchRoom>>>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All matches, the newest first.
    pub(super) fn list(&self) -> Vec<MatchSummary> {
        let open: Vec<Arc<MatchRoom>> = {
            let open = self.open();
            open.values()
                .filter_map(|cell| cell.get().cloned())
                .collect()
        };
        let mut kept = self.kept();
        for room in open {
            let summary = room.look(summary_of);
            if let Some(known) = kept.get_mut(&summary.id) {
                *known = summary;
            }
        }
        let mut all: Vec<MatchSummary> = kept.values().cloned().collect();
        all.sort_by_key(|summary| std::cmp::Reverse(summary.changed));
        all
    }

    /// Makes a match.
    pub(super) async fn create(&self, asked: MatchRequest) -> Result<NewMatch, ServeRefusal> {
        if self.kept().len() >= MOST_KEPT {
            return Err(ServeRefusal::busy("too many matches are kept").help("remove some of them"));
        }
        let record = asked.recorded()?;
        let (source, title) = asked.source(&self.games, record.as_ref())?;
        let game = self.games.load(source).await?;
        let begun = game.clone();
        let begin = move |stop: &StopFlag| asked.begin((&begun, title), record.as_ref(), stop);
        let (header, events) = self.games.work_on(&game, begin).await?;
        let links =
            header
                .roles
                .iter()
                .zip(&header.match_players)
                .filter_map(|(role, match_player)| {
                    let key = match_player.key.clone()?;
                    Some((role.clone(), key))
                });
        let new = NewMatch {
            id: header.id.clone(),
            key: header.key.clone(),
            links: links.collect(),
        };
        let room = self.begin_room(header, events, game).await?;
        let summary = room.look(summary_of);
        self.make_room()?;
        self.kept().insert(new.id.clone(), summary);
        self.open().insert(
            new.id.clone(),
            Arc::new(OnceCell::new_with(Some(Arc::clone(&room)))),
        );
        room.wake();
        Ok(new)
    }

    async fn begin_room(
        &self,
        header: MatchHeader,
        events: Vec<JournalEvent>,
        game: Game,
    ) -> Result<Arc<MatchRoom>, ServeRefusal> {
        let (folder, searches) = (self.folder.clone(), Arc::clone(&self.searches));
        let runtime = self.runtime.clone();
        let (begun, screens) = (game.clone(), Arc::clone(&self.screens));
        let begin = move |_: &StopFlag| {
            let journal = MatchJournal::begin(&folder, &header, &events)?;
            let mut played = ServedMatch::new(header, journal, (&begun, &screens))?;
            played.replay(&events)?;
            Ok(Arc::new(MatchRoom::new(played, &searches, &runtime)))
        };
        self.games.work_on(&game, begin).await
    }

    /// The match of this name, opened if it is not.
    pub(super) async fn find(&self, id: &str) -> Result<Arc<MatchRoom>, ServeRefusal> {
        let missing = || ServeRefusal::missing("there is no such match");
        if !is_id(id) || !self.kept().contains_key(id) {
            return Err(missing());
        }
        self.make_room()?;
        let cell = Arc::clone(self.open().entry(id.to_owned()).or_default());
        let opened = cell.get_or_try_init(|| self.read(id.to_owned())).await;
        opened.cloned()
    }

    async fn read(&self, id: String) -> Result<Arc<MatchRoom>, ServeRefusal> {
        let folder = self.folder.clone();
        let open = move || Ok(MatchJournal::open(&folder, &id)?);
        let (journal, header, events) = joined(spawn_blocking(open).await)?;
        let offered = self.games.offered().iter();
        let mut offered = offered.map(|game| &game.source);
        let source = match offered.find(|source| source.text == header.rules) {
            Some(source) => source.clone(),
            None => GameSource::from_text(&header.game, &header.rules),
        };
        let game = self.games.load(source).await?;
        let (searches, runtime) = (Arc::clone(&self.searches), self.runtime.clone());
        let (opened, screens) = (game.clone(), Arc::clone(&self.screens));
        let open = move |_: &StopFlag| ServedMatch::new(header, journal, (&opened, &screens));
        let mut played = self.games.work_on(&game, open).await?;
        // However long that takes: its moves were made before.
        let replay = move || {
            played.replay(&events)?;
            Ok(Arc::new(MatchRoom::new(played, &searches, &runtime)))
        };
        let room: Arc<MatchRoom> = joined(spawn_blocking(replay).await)?;
        room.wake();
        Ok(room)
    }

    /// Removes a match.
    pub(super) async fn remove(&self, id: &str, key: Option<&str>) -> Result<(), ServeRefusal> {
        let room = self.find(id).await?;
        room.look(|played| match played.access(key) {
            Some(MatchAccess::Owner) => Ok(played.remove()?),
            _ => Err(ServeRefusal::forbidden(
                "only whoever made the match may remove it",
            )),
        })?;
        room.stop();
        self.kept().remove(id);
        self.open().remove(id);
        Ok(())
    }

    /// Closes idle matches while too many are open.
    fn make_room(&self) -> Result<(), ServeRefusal> {
        let mut open = self.open();
        while open.len() >= MOST_OPEN {
            let idle = open.iter().filter_map(|(id, cell)| {
                let since = idle_since(cell)?;
                Some((since, id.clone()))
            });
            let Some((_, oldest)) = idle.min() else {
                return Err(ServeRefusal::busy("too many matches are played"));
            };
            self.close(&mut open, &oldest);
        }
        Ok(())
    }

    /// Closes matches that nobody has used for long.
    pub(super) fn close_idle(&self) {
        let mut open = self.open();
        let is_old = |cell: &Arc<OnceCell<Arc<MatchRoom>>>| {
            idle_since(cell).is_some_and(|since| since.elapsed() > IDLE)
        };
        let old = open.iter().filter(|(_, cell)| is_old(cell));
        let old: Vec<String> = old.map(|(id, _)| id.clone()).collect();
        for id in old {
            self.close(&mut open, &id);
        }
    }

    fn close(&self, open: &mut HashMap<String, Arc<OnceCell<Arc<MatchRoom>>>>, id: &str) {
        if let Some(room) = open.remove(id).and_then(|cell| cell.get().cloned()) {
            room.keep();
            let summary = room.look(summary_of);
            self.kept().insert(id.to_owned(), summary);
        }
    }

    /// Ends all searches, and writes down what is not on the disk yet.
    pub(super) fn stop(&self) {
        self.searches.close();
        for cell in self.open().values() {
            if let Some(room) = cell.get() {
                room.stop();
                room.keep();
            }
        }
    }
}

/// Since when nobody has used a match; nothing if somebody does.
fn idle_since(cell: &Arc<OnceCell<Arc<MatchRoom>>>) -> Option<std::time::Instant> {
    match cell.get() {
        // Whoever asked for it just now holds it, too.
        Some(room) if Arc::strong_count(cell) == 1 && Arc::strong_count(room) == 1 => {
            room.idle_since()
        }
        _ => None,
    }
}

/// What a task on another thread returns.
fn joined<T>(
    done: Result<Result<T, ServeRefusal>, tokio::task::JoinError>,
) -> Result<T, ServeRefusal> {
    done.unwrap_or_else(|panic| Err(ServeRefusal::server(format!("the server failed: {panic}"))))
}
