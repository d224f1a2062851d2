//! All matches of a server: those that are open, and those on the disk.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde::Serialize;
use tokio::runtime::Handle;
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::spawn_blocking;

use super::games::{GameLoader, check_length};
use super::hosted::{MatchAccess, ServedMatch};
use super::journal::{JournalEvent, MatchHeader, MatchJournal, kept_matches, read_journal};
use super::key::{is_id, random_id};
use super::match_player::{self, MatchPlayerRequest, most_threads};
use super::room::MatchRoom;
use super::variations::VariationTree;
use super::views::MatchSummary;
use super::{SecretKey, ServeRefusal};
use crate::catalog::{GameSource, SHIPPED};
use crate::play::{Record, milliseconds};
use crate::session::{Game, Session};

/// So many matches are open at once; idle ones are closed.
const MOST_OPEN: usize = 256;
/// A match that nobody has used for so long is closed; it is read again when somebody asks for it.
const IDLE: Duration = Duration::from_secs(600);
/// So many matches are kept on the disk.
const MOST_KEPT: usize = 10_000;
/// Seconds between moves of machines, where nothing is said, and at most.
const DELAYS: (f64, f64) = (0.5, 60.0);

/// All matches of a server.
pub(super) struct MatchLibrary {
    folder: PathBuf,
    pub(super) games: GameLoader,
    kept: Mutex<BTreeMap<String, MatchSummary>>,
    open: Mutex<HashMap<String, Arc<OnceCell<Arc<MatchRoom>>>>>,
    searches: Arc<Semaphore>,
    runtime: Handle,
}

/// How a caller asks for a match.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchRequest {
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    rules: Option<String>,
    #[serde(default)]
    record: Option<serde_json::Value>,
    #[serde(default)]
    players: Vec<MatchPlayerRequest>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    delay: Option<f64>,
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
        let record = asked.record.as_ref().map(read_record).transpose()?;
        let (source, title) = self.source(&asked, record.as_ref())?;
        let game = self.games.load(source).await?;
        let (header, events) = begin(&asked, (&game, title), record.as_ref())?;
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
        let begin = move || {
            let journal = MatchJournal::begin(&folder, &header, &events)?;
            let mut played = ServedMatch::new(header, journal, &game)?;
            played.replay(&events)?;
            Ok(Arc::new(MatchRoom::new(played, &searches, &runtime)))
        };
        joined(spawn_blocking(begin).await)
    }

    /// The rules that are asked for: those of an offered game, a text, or those of a record. No file is read.
    fn source(
        &self,
        asked: &MatchRequest,
        record: Option<&Record>,
    ) -> Result<(GameSource, String), ServeRefusal> {
        let named = |name: &str| {
            let game = self.games.find(name)?;
            Ok((game.source.clone(), game.title.clone()))
        };
        let of_text = |name: &str, text: &str| {
            check_length(text)?;
            if let Some(shipped) = SHIPPED.iter().find(|game| game.text == text) {
                return named(shipped.name);
            }
            let name: String = name.chars().take(80).collect();
            Ok((GameSource::from_text(&name, text), name))
        };
        let name = asked.name.as_deref().filter(|name| !name.trim().is_empty());
        match (&asked.game, &asked.rules, record) {
            (Some(game), None, None) => named(game),
            (None, Some(rules), None) => of_text(name.unwrap_or("game"), rules),
            (game, rules, Some(record)) => {
                let recorded = record.game_name.as_deref();
                let text = rules.as_ref().or(record.rulesheet.as_ref());
                match text {
                    Some(text) if text.contains('(') => {
                        of_text(name.or(recorded).unwrap_or("game"), text)
                    }
                    other => {
                        let known = game.as_ref().or(other).map(String::as_str).or(recorded);
                        let unnamed = || {
                            ServeRefusal::request("the record does not name its rules")
                                .help("send them as `rules`")
                        };
                        named(known.ok_or_else(unnamed)?)
                    }
                }
            }
            _ => Err(ServeRefusal::request(
                "a match is made of one of `game`, `rules` and `record`",
            )),
        }
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
        let replay = move || {
            let mut played = ServedMatch::new(header, journal, &game)?;
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
            let summary = room.look(summary_of);
            self.kept().insert(id.to_owned(), summary);
        }
    }

    /// Ends all searches.
    pub(super) fn stop(&self) {
        self.searches.close();
        for cell in self.open().values() {
            if let Some(room) = cell.get() {
                room.stop();
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

fn read_record(record: &serde_json::Value) -> Result<Record, ServeRefusal> {
    Record::read(&record.to_string()).map_err(|fault| ServeRefusal::request(fault.to_string()))
}

/// What a new match is, and what has happened in it already.
fn begin(
    asked: &MatchRequest,
    (game, title): (&Game, String),
    record: Option<&Record>,
) -> Result<(MatchHeader, Vec<JournalEvent>), ServeRefusal> {
    let delay = asked.delay.unwrap_or(DELAYS.0);
    if !(0.0..=DELAYS.1).contains(&delay) {
        let message = format!("`delay`: give seconds from 0 to {}", DELAYS.1);
        return Err(ServeRefusal::request(message));
    }
    let mut session = Session::new(game);
    if let Some(record) = record {
        let set_up = record.set_up(&mut session);
        set_up.map_err(|fault| ServeRefusal::request(fault.to_string()))?;
    }
    let now = milliseconds();
    let positions: Vec<_> = session.past().chain([session.position()]).collect();
    let moves = session
        .history()
        .into_iter()
        .zip(&positions)
        .zip(&positions[1..]);
    let events = moves.map(|((joint, before), after)| JournalEvent::Played {
        joint: joint.to_vec(),
        by: match before.choosing()[..] {
            [role] => Some(role),
            _ => None,
        },
        at: now,
        is_over: after.is_terminal(),
    });
    let start = record.is_some() && *positions[0] != game.initial();
    let recorded = record.and_then(|record| record.seed);
    let header = MatchHeader {
        form: MatchHeader::FORM,
        id: random_id()?,
        key: SecretKey::random()?,
        game: game.name().to_owned(),
        title,
        rules: game.source().text.clone(),
        roles: game.roles().to_vec(),
        match_players: match_player::match_players(game.roles(), &asked.players)?,
        seed: asked.seed.or(recorded).unwrap_or(now % 1_000_000),
        delay,
        start: start.then(|| positions[0].facts()),
        begun: now,
    };
    Ok((header, events.collect()))
}

fn summary_of(played: &ServedMatch) -> MatchSummary {
    MatchSummary {
        plies: played.played().moves().len(),
        is_over: played.is_over(),
        changed: played.changed(),
        ..summary(&played.header)
    }
}

fn summary(header: &MatchHeader) -> MatchSummary {
    MatchSummary {
        id: header.id.clone(),
        game: header.game.clone(),
        title: header.title.clone(),
        roles: header.roles.clone(),
        players: header
            .match_players
            .iter()
            .map(|match_player| match_player.name.clone())
            .collect(),
        plies: 0,
        is_over: false,
        changed: header.begun,
    }
}

/// What a file tells of its match, without its game.
fn summary_on_disk(folder: &Path, id: &str) -> Result<MatchSummary, super::JournalError> {
    let (header, events) = read_journal(folder, id)?;
    let mut played = VariationTree::new();
    let mut told = summary(&header);
    for event in &events {
        match event {
            JournalEvent::Played {
                joint,
                by,
                at,
                is_over,
            } => {
                played.play(joint, *by, *at);
                (told.is_over, told.changed) = (*is_over, *at);
            }
            JournalEvent::Shown { line, ply } => {
                played.go_to(*line, *ply);
                told.is_over = false;
            }
            JournalEvent::Restarted { at } => {
                played = VariationTree::new();
                (told.is_over, told.changed) = (false, *at);
            }
            JournalEvent::Resigned { at, .. } => (told.is_over, told.changed) = (true, *at),
            JournalEvent::Chosen { .. } | JournalEvent::Paused { .. } => {}
        }
    }
    told.plies = played.moves().len();
    Ok(told)
}
