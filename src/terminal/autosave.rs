//! Games in progress, kept on disk move by move.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::files::{Existing, WriteError, file_stem};
use crate::play::{Record, RecordFormat};

/// So many games are kept; a further one takes the place of the oldest.
const MOST: usize = 20;

/// The folder in which games in progress are kept: a file for each, and beside it one that is locked while a program plays the
/// game.
#[derive(Debug)]
pub struct Autosave {
    folder: PathBuf,
    /// Where the present game is kept, once it is.
    place: Option<GameFile>,
}

/// A game that is kept.
#[derive(Debug)]
pub struct KeptGame {
    /// Its file.
    pub path: PathBuf,
    /// The game.
    pub record: Record,
    /// When it was kept last.
    pub time: SystemTime,
    /// Whether a program plays it.
    pub is_played: bool,
}

impl Autosave {
    /// Games are kept in this folder, which is made with the first of them.
    pub fn in_folder(folder: PathBuf) -> Self {
        let place = None;
        Self { folder, place }
    }

    /// The games that are kept, the latest first.
    pub fn games(&self) -> Vec<KeptGame> {
        let files = self.files().into_iter();
        let game = |(time, path): (SystemTime, PathBuf)| {
            Some(KeptGame {
                record: Record::load(&path).ok()?,
                is_played: GameFile::take(&path).is_none(),
                time,
                path,
            })
        };
        files.filter_map(game).collect()
    }

    /// Goes on with a kept game in its file; `false` if another program plays it.
    pub fn go_on_with(&mut self, path: &Path) -> bool {
        self.place = GameFile::take(path);
        self.place.is_some()
    }

    /// Keeps a game as it stands now.
    pub(super) fn keep(&mut self, record: &Record) -> Result<(), WriteError> {
        let place = match self.place.take() {
            Some(place) => place,
            None => self.new_file(record),
        };
        let place = self.place.insert(place);
        record.save(&place.path, Existing::Replace)
    }

    /// Forgets the present game: there is nothing in it to go on with.
    pub(super) fn forget(&mut self) {
        if let Some(place) = &self.place {
            // A game that stays is no loss.
            let _ = fs::remove_file(&place.path);
        }
    }

    /// Leaves the game as it is kept; the next one is kept elsewhere.
    pub(super) fn begin_another(&mut self) {
        self.place = None;
    }

    /// A place where no game is kept.
    fn new_file(&self, record: &Record) -> GameFile {
        // A folder that cannot be made is told of by the file that cannot be written there.
        let _ = fs::create_dir_all(&self.folder);
        self.make_room();
        let stem = file_stem(&record.match_id);
        let ending = RecordFormat::CompressedJson.ending();
        let mut path = self.folder.join(format!("{stem}{ending}"));
        for number in 2u64.. {
            match GameFile::take(&path) {
                Some(place) if !path.exists() => return place,
                _ => path = self.folder.join(format!("{stem}-{number}{ending}")),
            }
        }
        GameFile { path, lock: None }
    }

    /// Removes the oldest games, so that there is room for one more.
    fn make_room(&self) {
        for (_, path) in self.files().into_iter().skip(MOST - 1) {
            if let Some(place) = GameFile::take(&path) {
                let _ = fs::remove_file(&place.path);
            }
        }
    }

    /// The files with games, the latest first.
    fn files(&self) -> Vec<(SystemTime, PathBuf)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_game = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.ends_with(RecordFormat::CompressedJson.ending())
        };
        let mut files: Vec<(SystemTime, PathBuf)> = entries
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .filter(|(_, path)| is_game(path))
            .collect();
        files.sort();
        files.reverse();
        files
    }
}

/// The file of a game that this program plays, and no other.
#[derive(Debug)]
struct GameFile {
    path: PathBuf,
    /// Locked; nothing where the folder takes no locks.
    lock: Option<File>,
}

impl GameFile {
    /// The place of the game at `path`, whether it is there or not; `None` while another program plays it.
    fn take(path: &Path) -> Option<Self> {
        // Who only looks whether a game is played holds the lock for a moment, too.
        const TRIES: u32 = 5;
        const PAUSE: Duration = Duration::from_millis(10);
        let file = File::options()
            .create(true)
            .append(true)
            .open(lock_of(path));
        let lock = file.ok();
        for _ in 0..TRIES {
            match lock.as_ref().map(File::try_lock) {
                Some(Err(TryLockError::WouldBlock)) => thread::sleep(PAUSE),
                _ => {
                    let path = path.to_owned();
                    return Some(Self { path, lock });
                }
            }
        }
        None
    }
}

impl Drop for GameFile {
    fn drop(&mut self) {
        if self.lock.is_some() && !self.path.exists() {
            let _ = fs::remove_file(lock_of(&self.path));
        }
    }
}

fn lock_of(path: &Path) -> PathBuf {
    path.with_extension("lock")
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::session::{Game, Session};

    fn record(seed: u64) -> Record {
        let game = Game::load("tictactoe").unwrap();
        Record::begin("tictactoe", &Session::new(&game), seed, 1)
    }

    fn paths(autosave: &Autosave) -> Vec<PathBuf> {
        autosave.games().into_iter().map(|game| game.path).collect()
    }

    #[test]
    fn a_game_is_played_by_one_program_at_a_time() {
        let folder = TempDir::new().unwrap();
        let program = || Autosave::in_folder(folder.path().join("new"));
        let (mut one, mut other) = (program(), program());
        one.keep(&record(1)).unwrap();
        let found = other.games();
        assert!(found.len() == 1 && found[0].is_played, "{found:?}");
        assert!(!other.go_on_with(&found[0].path));
        other.keep(&record(1)).unwrap();
        assert_eq!(paths(&one).len(), 2, "nobody's game is replaced");
        drop(one);
        assert!(program().go_on_with(&found[0].path));
        other.forget();
        drop(other);
        assert_eq!(paths(&program()), [found[0].path.clone()]);
        assert_eq!(fs::read_dir(folder.path().join("new")).unwrap().count(), 2);
    }

    #[test]
    fn the_oldest_games_give_way() {
        let folder = TempDir::new().unwrap();
        let mut playing = Autosave::in_folder(folder.path().to_owned());
        playing.keep(&record(0)).unwrap();
        let first = paths(&playing);
        let mut autosave = Autosave::in_folder(folder.path().to_owned());
        for seed in 1..=MOST as u64 + 2 {
            autosave.begin_another();
            autosave.keep(&record(seed)).unwrap();
        }
        let kept = paths(&autosave);
        assert!(kept.len() <= MOST + 1, "{}", kept.len());
        assert!(kept.contains(&first[0]), "it is played");
    }
}
