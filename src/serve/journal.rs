//! A match on the disk: a line of JSON for what the match is, and one for each thing that happens in it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::SecretKey;
use super::match_player::MatchPlayer;
use crate::files::{Existing, WriteError, write_file};
use crate::util::system_said;

/// How the names of the files end.
const ENDING: &str = "jsonl";
/// The form of the files that this program writes.
const FORM: u32 = 1;
/// A longer file is not written on.
const LARGEST: u64 = 32 << 20;

/// What a match is: the first line.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct MatchHeader {
    pub(super) form: u32,
    pub(super) id: String,
    pub(super) key: SecretKey,
    pub(super) game: String,
    pub(super) title: String,
    pub(super) rules: String,
    pub(super) roles: Vec<String>,
    pub(super) match_players: Vec<MatchPlayer>,
    pub(super) seed: u64,
    /// Seconds between two moves of machines.
    pub(super) delay: f64,
    /// How many seconds it lasts at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<u64>,
    /// The text of the board file beside the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) board: Option<String>,
    /// The facts it begins with, where they are not those of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<Vec<String>>,
    /// Whether it is over where it begins.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_over_at_start: bool,
    /// When it began, in milliseconds since 1970.
    pub(super) begun: u64,
}

impl MatchHeader {
    pub(super) const FORM: u32 = FORM;

    /// A match of this game that nobody plays yet.
    #[cfg(test)]
    pub(super) fn of(game: &crate::session::Game) -> Self {
        Self {
            form: FORM,
            id: "abcdefghjkmn".to_owned(),
            key: SecretKey::random().unwrap(),
            game: game.name().to_owned(),
            title: String::new(),
            rules: game.source().text.clone(),
            roles: game.roles().to_vec(),
            match_players: Vec::new(),
            seed: 1,
            delay: 0.0,
            limit: None,
            board: None,
            start: None,
            is_over_at_start: false,
            begun: 1,
        }
    }
}

/// What happens in a match: a further line each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(super) enum JournalEvent {
    /// A joint move was played in the position shown.
    Played {
        joint: Vec<String>,
        by: Option<usize>,
        at: u64,
        is_over: bool,
    },
    /// A person chose a move that others do not see yet.
    Chosen { role: usize, mv: String },
    /// Another position is shown.
    Shown { line: usize, ply: usize },
    /// The match began anew.
    Restarted { at: u64 },
    /// Machines wait, or go on.
    Paused { on: bool },
    /// A role gave up.
    Resigned { role: usize, at: u64 },
    /// So many milliseconds of the time limit were used before the next event.
    Clock { used: u64 },
    /// No time was left: what the roles scored, and who has won.
    TimeUp {
        goals: Vec<u8>,
        winner: Option<usize>,
        by_lot: bool,
        at: u64,
    },
}

/// Why a match cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another program plays it.
    #[error("another program plays this match")]
    Locked,
    /// The file holds something else.
    #[error("`{}`: {why}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A new file cannot be made.
    #[error(transparent)]
    New(#[from] WriteError),
    /// The system refuses.
    #[error("the match is not kept on disk: {}", system_said(.0))]
    System(#[from] io::Error),
    /// There is no room for more.
    #[error("the file of this match has grown too large")]
    Full,
}

/// The file of a match, which this program writes, and no other.
#[derive(Debug)]
pub(super) struct MatchJournal {
    path: PathBuf,
    file: File,
    /// Where the last whole line ends.
    end: u64,
}

impl MatchJournal {
    /// Begins the file of a new match, in which this has happened already.
    pub(super) fn begin(
        folder: &Path,
        header: &MatchHeader,
        events: &[JournalEvent],
    ) -> Result<Self, JournalError> {
        let path = journal_path(folder, &header.id);
        let mut lines = line(header);
        lines.extend(events.iter().flat_map(line));
        write_file(&path, &lines, Existing::Keep)?;
        let file = lock(&path)?;
        let end = file.metadata()?.len();
        Ok(Self { path, file, end })
    }

    /// Opens the file of a match, and tells what is in it. A last line that was torn when the program was killed is cut off.
    pub(super) fn open(
        folder: &Path,
        id: &str,
    ) -> Result<(Self, MatchHeader, Vec<JournalEvent>), JournalError> {
        let path = journal_path(folder, id);
        let file = lock(&path)?;
        let (header, events, end) = read(&path)?;
        file.set_len(end)?;
        Ok((Self { path, file, end }, header, events))
    }

    /// Adds events, and waits until they are on the disk. If that fails, they are not in the file.
    pub(super) fn add<'e>(
        &mut self,
        events: impl IntoIterator<Item = &'e JournalEvent>,
    ) -> Result<(), JournalError> {
        if self.end > LARGEST {
            return Err(JournalError::Full);
        }
        let lines: Vec<u8> = events.into_iter().flat_map(line).collect();
        let written = self.file.write_all(&lines);
        if let Err(cause) = written.and_then(|()| self.file.sync_data()) {
            // Should this fail, too, the torn line is cut off when the file is read again.
            let _ = self.file.set_len(self.end);
            return Err(cause.into());
        }
        self.end += lines.len() as u64;
        Ok(())
    }

    /// Removes the file.
    pub(super) fn remove(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

/// What is in the file of a match, which another program may write meanwhile.
pub(super) fn read_journal(
    folder: &Path,
    id: &str,
) -> Result<(MatchHeader, Vec<JournalEvent>), JournalError> {
    let (header, events, _) = read(&journal_path(folder, id))?;
    Ok((header, events))
}

/// The names of the matches in a folder.
pub(super) fn kept_matches(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| {
        let path = entry.path();
        let is_journal = path.extension().is_some_and(|ending| ending == ENDING);
        let stem = path.file_stem()?.to_str()?.to_owned();
        (is_journal && super::key::is_id(&stem)).then_some(stem)
    });
    named.collect()
}

fn journal_path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.{ENDING}"))
}

fn line(value: &impl Serialize) -> Vec<u8> {
    // Serialising strings and numbers into memory has no way to fail.
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Opens a file for adding lines, and locks it.
fn lock(path: &Path) -> Result<File, JournalError> {
    // A match that was just closed may be held for a moment.
    const TRIES: u32 = 20;
    const PAUSE: Duration = Duration::from_millis(10);
    let file = OpenOptions::new().read(true).append(true).open(path)?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            // Some file systems take no locks.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
    Err(JournalError::Locked)
}

/// What a file holds, and where its last whole line ends.
fn read(path: &Path) -> Result<(MatchHeader, Vec<JournalEvent>, u64), JournalError> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(2 * LARGEST)
        .read_to_end(&mut bytes)?;
    let end = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |last| last + 1);
    let wrong = |why: String| JournalError::Form {
        path: path.to_owned(),
        why,
    };
    let mut lines = bytes[..end].split_inclusive(|&byte| byte == b'\n');
    let first = lines
        .next()
        .ok_or_else(|| wrong("it is empty".to_owned()))?;
    let header: MatchHeader =
        serde_json::from_slice(first).map_err(|fault| wrong(format!("line 1: {fault}")))?;
    if header.form != FORM {
        return Err(wrong(format!("its form is {}, not {FORM}", header.form)));
    }
    let mut events = Vec::new();
    for (number, line) in (2..).zip(lines) {
        let event = serde_json::from_slice(line);
        events.push(event.map_err(|fault| wrong(format!("line {number}: {fault}")))?);
    }
    Ok((header, events, end as u64))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::session::Game;

    #[test]
    fn a_torn_line_is_cut_off() {
        let folder = TempDir::new().unwrap();
        let header = MatchHeader::of(&Game::load("nim").unwrap());
        let mut journal = MatchJournal::begin(folder.path(), &header, &[]).unwrap();
        let event = JournalEvent::Paused { on: true };
        journal.add([&event]).unwrap();
        let path = journal.path.clone();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        let mut torn = whole.clone();
        torn.extend_from_slice(b"{\"event\":\"pau");
        fs::write(&path, torn).unwrap();
        let (mut journal, read, events) = MatchJournal::open(folder.path(), &header.id).unwrap();
        assert_eq!((read.id, events), (header.id.clone(), vec![event.clone()]));
        assert_eq!(fs::read(&path).unwrap(), whole);
        journal.add([&event]).unwrap();
        assert_eq!(read_journal(folder.path(), &header.id).unwrap().1.len(), 2);
        assert_eq!(kept_matches(folder.path()), [header.id]);
    }

    #[test]
    fn files_of_earlier_versions_are_read() {
        let old = r#"{"form":1,"id":"abcdefghjkmn","key":"00","game":"nim","title":"Nim","rules":"(role a)","roles":["a"],"match_players":[],"seed":1,"delay":0.5,"begun":1}
{"event":"played","joint":["(take 1)"],"by":0,"at":5,"is_over":false}
{"event":"shown","line":0,"ply":0}
{"event":"resigned","role":0,"at":7}
"#;
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("abcdefghjkmn.jsonl"), old).unwrap();
        let (header, events) = read_journal(folder.path(), "abcdefghjkmn").unwrap();
        assert_eq!((header.limit, events.len()), (None, 3));
        assert_eq!(events[2], JournalEvent::Resigned { role: 0, at: 7 });
    }

    #[test]
    fn a_match_is_played_by_one_program_at_a_time() {
        let folder = TempDir::new().unwrap();
        let header = MatchHeader::of(&Game::load("nim").unwrap());
        let journal = MatchJournal::begin(folder.path(), &header, &[]).unwrap();
        let other = MatchJournal::open(folder.path(), &header.id);
        assert!(matches!(other, Err(JournalError::Locked)));
        drop(journal);
        assert!(MatchJournal::open(folder.path(), &header.id).is_ok());
    }

    #[test]
    fn a_file_that_is_none_of_a_match_is_refused() {
        let folder = TempDir::new().unwrap();
        for text in ["", "{}\n", "half"] {
            fs::write(folder.path().join("abcdefghjkmn.jsonl"), text).unwrap();
            let read = MatchJournal::open(folder.path(), "abcdefghjkmn");
            assert!(matches!(read, Err(JournalError::Form { .. })), "{text}");
        }
    }
}
