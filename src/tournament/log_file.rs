//! The log of a tournament: writing. A game counts once its line is on the disk.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;

use super::{FinishedGame, LogError, LogFault, TournamentHeader, TournamentLog};
use crate::files::{Existing, WriteError, write_file};
use crate::util::system_said;

/// A log that this process writes, and no other.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    file: File,
    /// Where the last whole line ends.
    end: u64,
    /// Locked as long as this lives. The log itself is not, so that it can be read meanwhile on every system.
    _lock: File,
}

/// Why a log cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum LogFileError {
    /// Another process writes it.
    #[error("`{}` is being written by {holder}", path.display())]
    Locked {
        /// The log.
        path: PathBuf,
        /// Who does.
        holder: String,
    },
    /// What is there is of another tournament.
    #[error("`{}` is the log of another tournament: {}", path.display(), differences.join("; "))]
    OtherPlan {
        /// The log.
        path: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// What is there cannot be read.
    #[error("{}:{fault}", path.display())]
    Log {
        /// The log.
        path: PathBuf,
        /// Why not.
        fault: LogError,
    },
    /// A new log cannot be made.
    #[error(transparent)]
    New(#[from] WriteError),
    /// The system refuses.
    #[error("cannot write `{}`: {}", path.display(), system_said(cause))]
    System {
        /// The log.
        path: PathBuf,
        /// What it says.
        cause: io::Error,
    },
}

impl LogFileError {
    /// How to mend it.
    pub fn help(&self) -> String {
        match self {
            Self::Locked { .. } => "wait until it has ended, or stop it; `--status` shows how far it is".to_owned(),
            Self::OtherPlan { .. } => "name another log with --log, or play by the plan of this one".to_owned(),
            Self::Log { .. } => "name another log with --log; a log is never repaired by guessing".to_owned(),
            Self::New(fault) => fault.help().to_owned(),
            Self::System { .. } => "make room, or name a log that you may write with --log; games that are in the log are not lost".to_owned(),
        }
    }
}

impl LogWriter {
    /// Opens the log at `path`, or begins it, and returns what is in it. A last line that was torn when the program was killed
    /// is cut off. A log of another tournament, of which no game has ended, is begun anew.
    ///
    /// # Errors
    /// [`LogFileError`]: another process writes it, or it is of another tournament.
    pub fn open(
        path: &Path,
        header: &TournamentHeader,
    ) -> Result<(Self, TournamentLog), LogFileError> {
        let failed = |cause| LogFileError::System {
            path: path.to_owned(),
            cause,
        };
        let lock = lock(path)?;
        if !path.exists() {
            write_file(path, header.to_line().as_bytes(), Existing::Keep)?;
        }
        let mut log = read_log(path)?;
        let differences = differences(&log.header, header);
        if !differences.is_empty() && log.games.is_empty() {
            write_file(path, header.to_line().as_bytes(), Existing::Replace)?;
            log = read_log(path)?;
        } else if !differences.is_empty() {
            let path = path.to_owned();
            return Err(LogFileError::OtherPlan { path, differences });
        }
        let mut file = OpenOptions::new().write(true).open(path).map_err(failed)?;
        if let Some(torn) = log.torn {
            file.set_len(torn.offset).map_err(failed)?;
        }
        let end = file.seek(SeekFrom::End(0)).map_err(failed)?;
        let writer = Self {
            path: path.to_owned(),
            file,
            end,
            _lock: lock,
        };
        Ok((writer, log))
    }

    /// How the log names a file: by its path from the folder of the log, if it is below that.
    pub(super) fn path_to(&self, file: &Path) -> String {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let here = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = match folder.as_os_str().is_empty() {
            true => here(Path::new(".")),
            false => here(folder),
        };
        let file = here(file);
        let below = file.strip_prefix(folder).unwrap_or(&file);
        below.display().to_string()
    }

    /// Adds finished games, and waits until they are on the disk.
    ///
    /// # Errors
    /// [`LogFileError::System`]; then none of them is in the log.
    pub fn add(&mut self, games: &[FinishedGame]) -> Result<(), LogFileError> {
        let lines: String = games.iter().map(FinishedGame::to_line).collect();
        let written = self.file.write_all(lines.as_bytes());
        match written.and_then(|()| self.file.sync_data()) {
            Ok(()) => {
                self.end += lines.len() as u64;
                Ok(())
            }
            Err(cause) => {
                // Should this fail, too, the next run cuts off what is torn.
                let _ = self.file.set_len(self.end);
                let _ = self.file.seek(SeekFrom::Start(self.end));
                let path = self.path.clone();
                Err(LogFileError::System { path, cause })
            }
        }
    }
}

/// The log in the file at `path`.
///
/// # Errors
/// [`LogFileError::System`] or [`LogFileError::Log`].
pub fn read_log(path: &Path) -> Result<TournamentLog, LogFileError> {
    let unreadable = |cause| {
        let fault = LogError {
            place: crate::kif::LineColumn { line: 1, column: 1 },
            fault: LogFault::Unreadable(cause),
        };
        let path = path.to_owned();
        LogFileError::Log { path, fault }
    };
    let file = File::open(path).map_err(unreadable)?;
    TournamentLog::read(BufReader::new(file)).map_err(|fault| {
        let path = path.to_owned();
        LogFileError::Log { path, fault }
    })
}

/// Takes the lock of a log, which stands beside it: what it holds says who has it.
fn lock(path: &Path) -> Result<File, LogFileError> {
    let beside = lock_path(path);
    let failed = |cause| LogFileError::System {
        path: beside.clone(),
        cause,
    };
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    let mut file = options.open(&beside).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(LogFileError::Locked {
                path: path.to_owned(),
                holder: holder(path),
            });
        }
        // Some file systems take no locks: then nobody can be told.
        Err(TryLockError::Error(cause)) => {
            tracing::debug!("{} is not locked: {cause}", beside.display())
        }
    }
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let holder = match host.trim() {
        "" => format!("process {}", process::id()),
        host => format!("process {} on {host}", process::id()),
    };
    let written = file
        .set_len(0)
        .and_then(|()| file.write_all(holder.as_bytes()));
    written.map_err(failed)?;
    Ok(file)
}

/// Who writes the log at `path`; none if nobody does, as far as the system tells.
pub fn holder_of(path: &Path) -> Option<String> {
    let lock = File::open(lock_path(path)).ok()?;
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => Some(holder(path)),
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

/// Who the lock says it is.
fn holder(path: &Path) -> String {
    let named = fs::read_to_string(lock_path(path)).unwrap_or_default();
    match named.trim() {
        "" => "another process".to_owned(),
        named => named.to_owned(),
    }
}

fn lock_path(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    PathBuf::from(beside)
}

/// What one header says and the other does not, in words.
pub(super) fn differences(old: &TournamentHeader, new: &TournamentHeader) -> Vec<String> {
    if old.plan == new.plan {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut compare = |what: &str, old: String, new: String| {
        if old != new {
            found.push(format!("{what} was {old}, and is {new}"));
        }
    };
    compare("seed", old.seed.to_string(), new.seed.to_string());
    let players = |header: &TournamentHeader| {
        let players = header.players.iter();
        let shown = players.map(|player| match player.name == player.spec {
            true => player.name.clone(),
            false => format!("{} = {}", player.name, player.spec),
        });
        shown.collect::<Vec<_>>().join(", ")
    };
    compare("players", players(old), players(new));
    let names = |header: &TournamentHeader| {
        let names: Vec<&str> = header.games.iter().map(|game| &*game.name).collect();
        names.join(", ")
    };
    compare("games", names(old), names(new));
    for (key, value) in &new.settings {
        let before = old.settings.get(key).cloned().unwrap_or_default();
        compare(key, before, value.clone());
    }
    compare(
        "endless",
        format!("{:?}", old.endless).to_lowercase(),
        format!("{:?}", new.endless).to_lowercase(),
    );
    let test = |header: &TournamentHeader| {
        let sprt = header.sprt.map(|test| {
            format!(
                "elo0={},elo1={},alpha={},beta={}",
                test.elo0, test.elo1, test.alpha, test.beta
            )
        });
        sprt.unwrap_or("none".to_owned())
    };
    compare("sprt", test(old), test(new));
    if found.is_empty() {
        found.push("the rules of a game have changed".to_owned());
    }
    found
}
